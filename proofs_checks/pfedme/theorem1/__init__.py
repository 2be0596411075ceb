"""Theorem 1 of pFedMe: statement, and every relation of its proof."""
