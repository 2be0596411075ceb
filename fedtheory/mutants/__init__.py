"""Mutants of true claims: edits of their source, and what becomes of them."""
