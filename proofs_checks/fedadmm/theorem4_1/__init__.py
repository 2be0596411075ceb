"""Theorem 4.1: bounded sequences, objectives and gradients that converge."""
