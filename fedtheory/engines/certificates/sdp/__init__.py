"""Certificates by a semidefinite program, which proposes; rounding makes rationals, and an exact check decides."""
