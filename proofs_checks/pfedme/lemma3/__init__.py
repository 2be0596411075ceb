"""Lemma 3 of pFedMe (Section A.4.2).

`statement` has the lemma, as printed and repaired; `proof` the displays (14) to (17) and those between them; `eq18` (18), the
display below it, and how (14) to (18) combine.
"""
