"""Lemma 5 of pFedMe (Section A.4.2).

`statement` has the lemma and what (21), (22), (23) say of the method's iterates; `proof` the relations between printed
expressions, (19) to (22) and the average; `facts` the sizes of the step and of a geometric sum that stand below (22).
"""
