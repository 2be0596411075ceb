"""Lemma 1 of pFedMe (Section 3.2, proof A.2).

`statement` has the lemma, both cases, and the remark below it; `proof` every relation of its proof; `own_points` the
examples by which Lemma 1 fails with nu squared, and the stated reason of (9).
"""
