"""Worlds: where a claim is claimed."""
