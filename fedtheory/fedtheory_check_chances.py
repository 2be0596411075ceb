"""Chances for fedtheory_check_theorems.py, which has to lie beside this file: the share that a draw of a step has in the mean.

The draws of a step are equally likely, or every one of them has a chance ("chance"): a quotient of numbers of which no client has
one of its own, which does not depend on t, the length or a quantity. No chance is negative, by what is stated of the numbers, and
their sum is one. A lemma that is used after every draw holds after each, so that with any shares of which none is negative what it
says is a sum of what is at least zero; that these are the shares of the step is seen where the sum is compared with the quantities.
"""

from fractions import Fraction

from fedtheory_check import added, beside, less, require, signed

T = beside("theorems")


def shares(theorem, draws, state):
    """What each draw counts in the mean, in the order of the draws."""
    said = [draw.get("chance") for draw in draws]
    if not any(said):
        return [({(): Fraction(1, max(len(said), 1))}, {})] * len(said)
    require(all(said), "some draws have a chance, and others none")
    out = [theorem.quotient(text) for text in said]
    never = {theorem.index, T.ANY, T.EARLIER, *state["each"], *theorem.defined, *theorem.model["quantities"]}
    for one in out:
        read = {theorem.means.base(name) for name in T.names_in(one)}
        require(not read & never, "a chance is no number of all clients")
        divisors = all(theorem.holds(dict(p), "!=", "any") for p in one[1])
        require(divisors and theorem.holds(signed(one), ">=", "any"), "a chance may be negative")
    require(not less(added(out), T.ONE)[0], "the sum of the chances is not one")
    return out
