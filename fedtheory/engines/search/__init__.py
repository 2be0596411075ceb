"""Engines that look for a counterexample; each proposes, and the exact replay decides."""
