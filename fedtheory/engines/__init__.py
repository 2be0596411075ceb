"""The engines that decide a claim, or search one: `context` says what one is, and the rooms what they are for.

`prove` and `lemmas` prove, `search` refutes or supports; `certificates` and `z3` are what they prove with. An exact replay
(`exact`) decides what is refuted.
"""
