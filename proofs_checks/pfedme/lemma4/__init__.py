"""Lemma 4 of pFedMe (Section A.4.2).

`statement` has the lemma; `proof` every relation of its proof.
"""
