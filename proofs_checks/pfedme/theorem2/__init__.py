"""Theorem 2 of pFedMe: statement, and every relation of its proof."""
