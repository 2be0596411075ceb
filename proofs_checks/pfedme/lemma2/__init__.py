"""Lemma 2 of pFedMe (Section 4, proof A.3).

`statement` has the lemma, both cases; `proof` case (a) and the second display of case (b); `chain` the displays (9) to (13)
and the last line of case (b); `remarks` what the text below the lemma says of the variances. The stated reason of (9) is
in `lemma1.own_points`.
"""
