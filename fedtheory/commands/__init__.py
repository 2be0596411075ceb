"""The commands of the command line that run and measure; with `fedtheory.cli` the only modules that print or compose the rooms."""
