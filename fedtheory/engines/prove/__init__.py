"""Engines that prove: about scalars, for every length, with parameters as symbols, and at listed parameters."""
