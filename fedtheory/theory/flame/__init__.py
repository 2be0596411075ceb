"""FLAME: formulas."""
