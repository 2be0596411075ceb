"""The engines that decide, search or audit a claim: units, smt, lift, search, certify, best; `docket` says what one is."""
