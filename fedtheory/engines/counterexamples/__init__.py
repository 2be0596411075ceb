"""A counterexample: sought, decided exactly, made small, kept as data."""
