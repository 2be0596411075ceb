"""The engines that decide, search or audit a claim."""
