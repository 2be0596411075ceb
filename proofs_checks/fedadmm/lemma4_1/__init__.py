"""Lemma 4.1: decrease of the Lyapunov function in one iteration."""
