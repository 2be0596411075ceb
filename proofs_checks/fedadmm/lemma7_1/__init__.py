"""Lemma 7.1: the invariants of FedADMM, and how fast the dual variables turn."""
