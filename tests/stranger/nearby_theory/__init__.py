"""Formulas of the paper, each once."""
