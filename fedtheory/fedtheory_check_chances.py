"""Chances for fedtheory_check_theorems.py, which has to lie beside this file: the share that a draw of a step has in the mean.

The draws of a step are equally likely, or every one of them has a chance ("chance"): a quotient of numbers of which no client has
one of its own, which does not depend on t, the length or a quantity. No chance is negative, by what is stated of the numbers, and
their sum is one. A lemma that is used after every draw holds after each, so that with any shares of which none is negative what it
says is a sum of what is at least zero; that these are the shares of the step is seen where the sum is compared with the quantities.

Where S of m clients are drawn, each S of them as likely, a state says which vectors are sums over those that are drawn
("selected"), with the mean and the spread over the clients of what is summed, and which vectors do not depend on the draw
("before"): it is believed. The mean over the draws of <sum, x> is S <mean, x> for such an x, that of <sum, other sum> is
S^2 <mean, other mean> and S (m - S)/(m - 1) <spread, other spread>. What a lemma says of every draw it says in the mean over them.
"""

from fractions import Fraction

from fedtheory_check import added, beside, less, over, plus, product, require, signed

T = beside("theorems")


def shares(theorem, draws, state):
    """What each draw counts in the mean, in the order of the draws."""
    said = [draw.get("chance") for draw in draws]
    if not any(said):
        return [({(): Fraction(1, len(said))}, {}) for _ in said]
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


def of_selected(state):
    """The mean and the spread over the clients, by the place of the sum over those that are drawn."""
    return {int(place): tuple(of) for place, of in (state.get("selected") or {}).items()}


def expected(theorem, state, form):
    """A form in the mean over the draws of S of m clients; as it is where it reads no sum over these."""
    require(not theorem.means.of_one(theorem, state), "a spread without one client is not that of all who may be drawn")
    selected, out = of_selected(state), []
    count: tuple = ({("S",): 1}, {})
    m: tuple = ({("m",): 1}, {})
    pair = product(product(count, less(m, count)), over(plus(m[0], T.ONE[0], -1)))
    for (kind, *places), c in form.items():
        drawn = [k for k in places if k in selected] if kind == "G" else []
        means = [selected[k][0] if k in selected else k for k in places]
        rest = {*places} - {*drawn}
        require(
            not drawn or rest <= {*state["before"]}, "a vector beside a sum over the drawn clients depends on the draw"
        )
        for _ in drawn:
            c = product(c, count)
        out.append({(kind, *(sorted(means) if kind == "G" else means)): c})
        if len(drawn) == 2:
            spreads = sorted(selected[k][1] for k in places)
            out.append({("G", *spreads): product(form["G", *places], pair)})
    return T.sum_of(out)


def may_be_used(theorem, lemma, use, same, why):
    """What rests on a draw of clients is said of the same draw: of the same sums, and of what does not depend on it."""
    for k in lemma.drawn:
        require(same, f"{why}: it rests on the draws of another run")
        state, other = theorem.states()[k], lemma.states()[k]
        here = theorem.runs.called_alike(state["leaves"], other["leaves"])
        moved = {here[place]: tuple(map(here.get, of)) for place, of in of_selected(other).items()}
        alike = moved.items() <= of_selected(state).items() and {here[j] for j in other["before"]} <= {*state["before"]}
        require(alike, f"{why}: it rests on other draws")
    theorem.drawn |= lemma.drawn
