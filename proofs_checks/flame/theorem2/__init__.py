"""Theorem 2: convergence under unbiased and biased selection."""
