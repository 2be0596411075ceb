"""A line of LaTeX, or of plain text, as a claim: tokens, a grammar, its readings, what every name is, and the claim in Python."""
