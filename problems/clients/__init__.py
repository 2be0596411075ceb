"""Clients on arrays, with known constants."""
