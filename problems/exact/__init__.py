"""Least-squares clients of real data in exact arithmetic."""
