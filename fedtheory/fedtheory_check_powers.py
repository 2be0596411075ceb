"""What fedtheory_check_theorems.py, which has to lie beside this file, knows of powers q^n of what does not change with n.

A power is a sequence that begins with 1, of which the next element is q times the one before; n is a whole number, the length or
any index below it. q^n is positive, or not negative, or not zero, where q is, and at least or at most 1. By the inequality of
Bernoulli q^n (c + n y) <= c for q, y, c >= 0 with q (c + y) <= c: it is so for n = 0, and c (c + (n + 1) y) <= (c + y) (c + n y).
For q >= 1 it grows with n: q^(t + 1) <= q^N for t below the length N. A number that is called an exponential is e^v, v another one
that does not change, and its powers are e^(n v); of any two it knows e^v >= e^u (1 + v - u).
"""

from fractions import Fraction

from fedtheory_check import added, beside, equal, less, normal, plus, product, require, signed

T = beside("theorems")


def known(theorem, p, op, context):
    """Whether a fact about a power is known by what is of its base, or by what it is called."""
    if op == ">=" and (bernoulli(theorem, p, context) or (context == "any" and grows(theorem, p))):
        return True
    called = bool(theorem.exponentials) and (of_an_exponential(theorem, p, op) or (op == ">=" and tangent(theorem, p)))
    return called or of_a_power(theorem, p, op, context)


def fixed(theorem, value):
    return not any(T.ELEMENT.fullmatch(name) or name in (T.ANY, theorem.index) for name in T.names_in(value))


def still(theorem, value):
    """Whether it is the same number at every n; where all is said at one length, the length is one."""
    names = T.names_in(value) - ({theorem.index} if theorem.one_length else set())
    return fixed(theorem, ({(name,): 1 for name in names}, {}))


def base_of(theorem, name):
    """q of an element of a sequence of powers of what does not change; None if it is another one."""
    element = T.ELEMENT.fullmatch(name)
    if element is None or element[1] not in theorem.defined:
        return None
    (start, step), own = theorem.defined[element[1]], f"{element[1]}[{T.ANY}]"
    if start != T.ONE or any(a.count(own) != 1 for a in step[0]):
        return None
    q = {tuple(name for name in a if name != own): x for a, x in step[0].items()}, step[1]
    return q if still(theorem, q) else None


def of_a_power(theorem, p, op, context):
    """What is known of q^n by what is known of q; that q is zero says nothing, as 0^0 is one."""
    names, c = max(p.items())
    q = base_of(theorem, names[0]) if len(names) == 1 and op != "==" else None
    if q is None:
        return False
    if len(p) == 1 and c > 0:
        return theorem.holds(signed(q), op, context)
    below = signed(less(T.ONE, q))
    signs = (plus({}, below, -1),) if c > 0 else (signed(q), below)
    return op == ">=" and p == {names: c, (): -c} and all(theorem.holds(s, op, context) for s in signs)


def bernoulli(theorem, p, context):
    """Whether p is c - q^n (c + n y), q, y >= 0 and c - q (c + y) >= 0."""
    c = p.get((), 0)
    for name in T.names_in((p, {})) if c > 0 else ():
        q = base_of(theorem, name)
        if q is None or T.ELEMENT.fullmatch(name).group(2, 4) != ("", ""):
            continue
        n = T.ELEMENT.fullmatch(name)[3]
        inner = {without(a, name): -x for a, x in p.items() if a}
        y = {without(a, n): x for a, x in inner.items() if a}
        if (
            n in (T.ANY, theorem.index)
            and all(a.count(name) == 1 for a in p if a)
            and all(a.count(n) == 1 for a in inner if a)
            and (inner.get(()), still(theorem, (y, {}))) == (c, True)
        ):
            least: tuple = less(({(): c}, {}), product(q, (plus(y, {(): c}), {})))
            signs = signed(q), y, signed(least)
            return all(theorem.holds(s, ">=", context) for s in signs)
    return False


def grows(theorem, p):
    """Whether p has the sign of q^N - q^(t + 1), N the length and t below it, with q >= 1."""
    for name in T.names_in((p, {})):
        q = base_of(theorem, name) if name.endswith(f"[{T.ANY}]") else None
        if q is not None:
            last: tuple = {(name.replace(T.ANY, theorem.index),): 1}, {}
            gap = signed(less(last, product(q, ({(name,): 1}, {}))))
            if normal(gap) == normal(p):
                return theorem.holds(signed(less(q, T.ONE)), ">=", "any")
    return False


def exponentials(theorem, data):
    """The exponents of numbers that are called exponentials."""
    found = {theorem.called(name): theorem.quotient(exponent) for name, exponent in data.items()}
    named = len(found) == len(data) and all(name.startswith("exp:") for name in found)
    require(named and all(still(theorem, v) for v in found.values()), "a number that is no exponential is called one")
    return found


def pairs(theorem, names):
    """(v, e^v) of 0, of what is called an exponential, and of the powers of these among some names."""
    out: list = [(({}, {}), T.ONE)] + [(v, ({(name,): 1}, {})) for name, v in theorem.exponentials.items()]
    for name in names if theorem.exponentials else ():
        q, element = base_of(theorem, name), T.ELEMENT.fullmatch(name)
        for e, v in theorem.exponentials.items():
            if q == ({(e,): 1}, {}) and element.group(2, 4) == ("", "") and not element[3].isdecimal():
                out.append((product(({(element[3],): 1}, {}), v), ({(name,): 1}, {})))
    return out


def of_an_exponential(theorem, p, op):
    """That e^v is positive, and of a number v between 0 and 8 that it is at most (8/(8 - v))^8, as e^(v/8) (1 - v/8) <= 1."""
    names, c = max(p.items())
    if len(names) != 1 or names[0] not in theorem.exponentials or op == "==":
        return False
    top, below = theorem.exponentials[names[0]]
    v = top.get((), 0)
    if c < 0 and op == ">=" and p.keys() == {names, ()} and top.keys() == {()} and not below and 0 < v < 8:
        return Fraction(p[()]) >= -c * (Fraction(8) / (8 - Fraction(v))) ** 8
    return p.keys() == {names} and c > 0


def tangent(theorem, p):
    """Whether p has the sign of e^v - e^u (1 + v - u)."""
    known = pairs(theorem, T.names_in((p, {})))
    gaps = (less(V, product(U, added([T.ONE, less(v, u)]))) for v, V in known for u, U in known if (v, V) != (u, U))
    return any(gap[0] and normal(signed(gap)) == normal(p) for gap in gaps)


def ask_exponentials(theorem, lemma, shift, at, why):
    """What stands for the exponentials of which a lemma speaks, or its run reads, are those of what stands for their exponents."""
    said = [value for *_, value in (*lemma.statement, *lemma.stated, *getattr(lemma, "own", ()))]
    said += [value for rate in getattr(lemma, "rates", ()) for value in rate]
    behind = [beside("means").behind(lemma, value) for value in said] if lemma.exponentials else []
    read = [theorem.runs.read_by(lemma, state) for state in lemma.states()] if lemma.exponentials else []
    for name in set().union(*behind, *read) & lemma.exponentials.keys():
        v, V = theorem.moved(lemma.exponentials[name], shift, at), theorem.moved(({(name,): 1}, {}), shift, at)
        same = (equal(u, v) and equal(U, V) for u, U in pairs(theorem, T.names_in(V)))
        require(any(same), f"{why}: {name} is no exponential of its exponent here")


def without(monomial, name):
    """A monomial without one of a name in it."""
    place = monomial.index(name) if name in monomial else len(monomial)
    return monomial[:place] + monomial[place + 1 :]
