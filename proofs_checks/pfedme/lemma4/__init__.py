"""Lemma 4 of pFedMe: statement, and every relation of its proof."""
