"""FLAME (Zhu et al.)."""
