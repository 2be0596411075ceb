"""Further pruning: the PQ index and what is kept, detection score and vote, pruning times."""
