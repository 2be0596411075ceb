"""Data sets: from a name to the samples of every client."""
