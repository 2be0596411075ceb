"""Certificates: a semidefinite program proposes, rounding makes rationals, exact checks decide."""
