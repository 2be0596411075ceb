"""Benchmarks with limits: ``python -m benchmarks``. Not part of the installed package."""
