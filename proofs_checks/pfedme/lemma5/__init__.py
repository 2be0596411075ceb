"""Lemma 5 of pFedMe: statement, and every relation of its proof."""
