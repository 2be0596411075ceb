"""Lemma 7.2: the Lyapunov function falls, is bounded from below, and what that makes small."""
