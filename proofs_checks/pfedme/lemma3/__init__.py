"""Lemma 3 of pFedMe: statement, and every relation of its proof."""
