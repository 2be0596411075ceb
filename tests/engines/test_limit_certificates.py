"""Edited certificates of limits, every one of which the stand-alone checker rejects."""

from __future__ import annotations

import copy

import pytest
from limit_claims import (
    at_points,
    falling,
    geometric,
    linear_for_every,
    on_the_first,
    product,
    rate,
    root,
    squeezed,
    stays_polynomial,
    stays_within,
    sums,
    vanishing,
)

from fedtheory.engines.context import Docket
from fedtheory.engines.lemmas.limits import limits
from fedtheory.fedtheory_check import accepted


def certificate(of):
    """The certificate of a claim, which the checker accepts."""
    found = {"id": of.id, "verdict": "proved", "scope": "all", "parts": copy.deepcopy(limits(of, Docket()).certificate)}
    assert accepted(found)[0]
    return found


def limit_of(c):
    return next(part["limit"] for part in c["parts"] if "limit" in part)


def part_of(c, role):
    where = limit_of(c)["parts"][role]
    return next(part for part in c["parts"] if part["where"] == where)


def relation(lhs, op, rhs, says):
    """A part with one relation that follows from one fact."""
    names = sorted({n for n in ("T", "sum:0", "e[T]", "e[t:any]", "e[t:any']", "g[t:any]", "e0", "u[t:any]", "a[t:any]", "c[t:any]")
                    if n in f"{lhs} {rhs}".replace("*", " ").split(" ")})  # fmt: skip
    pieces = [{"times": ["1", {"0": 1}]}]
    form = [{"": side} if side != "0" else {} for side in (lhs, rhs)]
    facts = [{"says": says, "from": "somewhere"}]
    return {"names": names, "facts": facts, "relations": [{"lhs": form[0], "op": op, "rhs": form[1], "pieces": pieces}]}


def edits():
    def rule(name):
        return lambda c: limit_of(c).update(rule=name)

    def said(**changes):
        return lambda c: limit_of(c).update(**changes)

    def table(of, role, **changes):
        return lambda c: part_of(c, role)[of].update(changes)

    def put(role, k, *parts):
        return lambda c: part_of(c, role)["each"].__setitem__(slice(k, k + 1), list(parts))

    def null(**names):
        return lambda c: limit_of(c)["names"].update(null=names)

    def bounded(**names):
        return lambda c: limit_of(c)["names"].update(bounded=names)

    sum_T = relation("sum:0", "<=", "T", "T - sum:0 >= 0")
    sum_last = relation("sum:0", "<=", "e[T]", "e[T] - sum:0 >= 0")
    sign_e = relation("0", "<=", "e[t:any]", "e[t:any] >= 0")
    yield "no such rule", sums, rule("sum")
    yield "the parts of another rule", sums, rule("linear")
    yield "a private name as a rule", sums, rule("_")
    yield "of another sequence", sums, said(of="e[t:any]")
    yield "the sums of another sequence", sums, table("sums", "sum", **{"sum:0": "e[sum:index:1]"})
    yield "a part with a bound that reads T", sums, put("sum", 0, sum_T)
    yield "a part with a bound that reads an element", sums, put("sum", 0, sum_last)
    yield "the sign of another sequence", sums, put("sign", 0, sign_e)
    yield "two relations in one part", sums, lambda c: part_of(c, "sign")["each"].append(sign_e)
    yield "a part that is missing", sums, lambda c: limit_of(c)["parts"].pop("sign")
    yield "a part that is elsewhere", sums, lambda c: limit_of(c)["parts"].update(sign="nowhere")
    yield "the sum in place of the sign", sums, lambda c: limit_of(c)["parts"].update(sign=limit_of(c)["parts"]["sum"])
    yield (
        "a relation without its pieces",
        sums,
        lambda c: part_of(c, "sum")["each"][0]["relations"][0].update(pieces=[]),
    )
    yield (
        "divided by what may be zero",
        sums,
        lambda c: part_of(c, "sum")["each"][0]["facts"][0].update(says="eta >= 0"),
    )
    yield "the least of a bound with an element", rate, put("sum", 0, sum_last)
    yield "nothing tends to 0", vanishing, null()
    yield "it tends to 0 by nobody's word", vanishing, null(g="")
    yield "and a number", vanishing, said(of="g[t:any] + 1")
    yield "times what may grow", vanishing, said(of="g[t:any]*e[t:any]")
    yield "at another time", vanishing, said(of="g[T]")
    yield "an element of two names", vanishing, said(of="g0")
    yield "a limit that was dropped", squeezed, said(of="a[t:any]")
    yield "squeezed from one side", squeezed, lambda c: part_of(c, "bound")["each"].pop(0)
    yield (
        "squeezed by another bound",
        squeezed,
        put("bound", 1, relation("u[t:any]", "<=", "c[t:any]", "c[t:any] - u[t:any] >= 0")),
    )
    yield "a square of another sequence", root, said(of="a[t:any]")
    yield "a factor without a bound", product, bounded(a="limits/a")
    yield "below an element", falling, put("falls", 1, relation("e[T]", "<=", "e[t:any]", "e[t:any] - e[T] >= 0"))
    yield (
        "it falls at another time",
        falling,
        put("falls", 0, relation("e[T]", "<=", "e[t:any]", "e[t:any] - e[T] >= 0")),
    )
    yield "a power of another base", geometric, table("powers", "power", **{"power:0": "1"})
    yield "a rate of at most 1", geometric, lambda c: part_of(c, "ratio")["each"][1]["relations"][0].update(op="<=")
    yield "no rate", geometric, lambda c: part_of(c, "ratio")["each"].pop()
    yield (
        "a limit that rests on itself",
        squeezed,
        null(u=limit_of(certificate(squeezed))["parts"]["bound"][: -len(", bound")]),
    )
    yield "for every value of what is no scalar", linear_for_every, said(scalar="c[t:any]")
    yield "for every value of nothing", linear_for_every, said(scalar="")
    yield "for every value of another number", linear_for_every, said(scalar="k")
    yield "for every value of the length", linear_for_every, said(scalar="T")
    yield "for every value, of another sequence", linear_for_every, said(of="c[t:any]")
    yield "for every value, and the sequence reads it", linear_for_every, said(of="s*u[t:any]")
    yield "for every value, what need not be small", linear_for_every, null()
    yield "for every value, what may grow", linear_for_every, bounded(a="limits/a")
    yield "for every value, from one side", linear_for_every, lambda c: part_of(c, "bound")["each"].pop(0)
    yield (
        "for every value, and no sign",
        linear_for_every,
        put("bound", 1, relation("u[t:any]", "==", "s", "s - u[t:any] == 0")),
    )
    yield (
        "for every value, at most what does not shrink with it",
        linear_for_every,
        put("bound", 1, relation("u[t:any]", "<=", "c[t:any]", "c[t:any] - u[t:any] >= 0")),
    )

    def of_one_value(c):
        low, high = "s*c[t:any] + u[t:any] >= 0", "s*c[t:any] - u[t:any] >= 0"
        below = relation("-s*c[t:any]", "<=", "u[t:any]", low)
        part_of(c, "bound")["each"][:] = [below, relation("u[t:any]", "<=", "s*c[t:any]", high)]

    yield "for every value of a number of which something is stated", linear_for_every, of_one_value
    yield "as for every value, from one value", linear_for_every, rule("squeezed")
    yield "squeezed, as for every value", squeezed, rule("for_every")
    yield "bounded by what may grow", stays_within, bounded(a="limits/a")
    yield "bounded by nobody's word", stays_within, bounded(a="limits/a", c="")
    yield "bounded from one side", stays_within, lambda c: part_of(c, "bound")["each"].pop(0)
    yield "bounded, another sequence", stays_within, said(of="c[t:any]*u[t:any]")
    yield (
        "bounded by another bound",
        stays_within,
        put("bound", 1, relation("u[t:any]", "<=", "c[t:any]", "c[t:any] - u[t:any] >= 0")),
    )
    yield (
        "bounded by what is at the end",
        stays_within,
        put("bound", 1, relation("u[t:any]", "<=", "e[T]", "e[T] - u[t:any] >= 0")),
    )
    yield "bounded by itself", stays_within, lambda c: limit_of(c).update(parts={})
    yield "a polynomial that reads another", stays_polynomial, said(of="-3*a[t:any] + c[t:any]^2*k*b[t:any]")
    yield "a polynomial at another time", stays_polynomial, said(of="-3*a[t:any] + c[T]^2*k")
    yield "a polynomial that reads the length", stays_polynomial, said(of="T*a[t:any]")
    yield "a polynomial of what is not bounded", stays_polynomial, bounded(a="limits/a")
    yield "the second stands on the first, in the other order", on_the_first, lambda c: c["parts"].reverse()
    yield "a residual that need not vanish", at_points, said(residuals=["e"])
    yield "no residual", at_points, said(residuals=[])
    yield "at no point", at_points, said(points=[])


EDITS = {what: rest for what, *rest in edits()}


@pytest.mark.parametrize("what", EDITS)
def test_an_edited_certificate_is_rejected(what):
    of, edit = EDITS[what]
    c = certificate(of)
    edit(c)
    assert not accepted(c)[0]
