"""Lemma 1: descent of the augmented Lagrangian in one round."""
