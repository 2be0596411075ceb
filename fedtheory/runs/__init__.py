"""Runs: the loop, the trace, what is kept on disk."""
