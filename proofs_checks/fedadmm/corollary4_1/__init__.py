"""Corollary 4.1: convex objectives."""
