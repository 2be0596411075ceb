"""Theorem 3.1: how many inner steps (3.12) reach the accuracy of (3.5)."""
