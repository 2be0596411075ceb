"""What fedtheory_check_theorems.py, which has to lie beside this file, knows of powers q^n of what does not change with n.

A power is a sequence that begins with 1, of which the next element is q times the one before; n is a whole number, the length or
any index below it. q^n is positive, or not negative, or not zero, where q is, and at least or at most 1. By the inequality of
Bernoulli q^n (c + n y) <= c for q, y, c >= 0 with q (c + y) <= c: it is so for n = 0, and c (c + (n + 1) y) <= (c + y) (c + n y).
For q >= 1 it grows with n: q^(t + 1) <= q^N for t below the length N.
"""

from fedtheory_check import beside, less, normal, plus, product, signed

T = beside("theorems")


def known(theorem, p, op, context):
    """Whether a fact about a power is known by what is of its base."""
    more = op == ">=" and (bernoulli(theorem, p, context) or (context == "any" and grows(theorem, p)))
    return more or of_a_power(theorem, p, op, context)


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


def without(monomial, name):
    """A monomial without one of a name in it."""
    place = monomial.index(name) if name in monomial else len(monomial)
    return monomial[:place] + monomial[place + 1 :]


def asked(lemma):
    """What is stated of the numbers of a theorem, but of those e^v of which its proof alone speaks: they are, whatever v is."""
    if lemma.model is not None:
        return lemma.stated
    behind = beside("means").behind
    said = set().union(*(behind(lemma, value) for _, value in (*lemma.statement, *getattr(lemma, "own", ()))))
    said |= set().union(*(behind(lemma, value) - T.names_in(value) for _, _, value in lemma.stated))
    own = set().union(*(T.names_in(value) for _, _, value in lemma.stated)) - said
    own = {name for name in own if fixed(lemma, ({(name,): 1}, {})) and name != T.EARLIER}  # no element, and no index
    own = {name for name in own if is_exponential(lemma, name, own)}
    return [one for one in lemma.stated if not T.names_in(one[2]) & own]


def is_exponential(lemma, e, own):
    """Whether all that is stated of a number is true of e^v: e^v > 0, e^v >= 1 + v and e^v (1 - v) <= 1."""
    of_it = [(scope, op, value) for scope, op, value in lemma.stated if e in T.names_in(value)]
    for _, op, (p, _) in of_it:
        v = plus({(e,): 1, (): -1}, p, -1)
        if op != ">=" or T.names_in((v, {})) & own or not fixed(lemma, (v, {})):
            continue
        below = plus({(): 1, (e,): -1}, {tuple(sorted((*a, e))): c for a, c in v.items()})
        true = ((">", {(e,): 1}), (">=", p), (">=", below))
        return all(scope == "given" and not value[1] and (own_op, value[0]) in true for scope, own_op, value in of_it)
    return False
