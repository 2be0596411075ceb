"""What is asked of finished runs: their spec and figures, groups of seeds, and whether they show what a paper says."""
