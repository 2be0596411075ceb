"""Facts about numbers for fedtheory_check_theorems.py, which has to lie beside this file: a polynomial compared with 0.

A fact is the same for all positive multiples of its polynomial: a sign is known where that of a multiple is, or a stronger one.
"""

from fedtheory_check import added, beside, normal, power, signed, times

IMPLIES = {">": (">",), ">=": (">=", ">"), "==": ("==",), "!=": ("!=", ">")}


def product_of(powers):
    out = {(): 1}
    for p, n in powers:
        out = times(out, power(p, n))
    return out


def facts_of(op, value):
    """(what is the same for all positive multiples, operator) of what a quotient says that is compared with 0."""
    p, found = signed(value), {((True, p), "!=") for p in value[1]}
    if op == ">" and value[0]:
        found.add((normal(value[0]), "!="))
    if op in (">", ">=") and len(p) == 2 and p.get((), 0) < 0 < min(c for a, c in p.items() if a):
        (a,) = set(p) - {()}  # a - 1 >= 0, so a > 0; a - 2 >= 0, so a - 1 >= 0
        found |= {(normal({a: 1}), ">")} | ({(normal({a: 1, (): -1}), ">=")} if p[a] + p[()] <= 0 else set())
    return found | ({(normal(p), op)} if p else set())


def ways_of(p, op):
    """The facts of which each says that p op 0."""
    positive, one = normal(p)
    q = (positive, one), (not positive, one)
    if op in (">", ">="):
        return {(q[0], own) for own in IMPLIES[op]} | ({(r, "==") for r in q} if op == ">=" else set())
    square = {(normal(times(p, p)), ">")} if op == "!=" else set()
    return {(r, own) for r in q for own in IMPLIES[op]} | square


def values_of(part, data):
    """What the relations of a part say of numbers, as (operator, quotient)."""
    for relation in data["relations"]:
        gap = part.gap(relation)
        if set(gap) <= {("",)}:
            yield {"<=": ">=", "<": ">", "==": "=="}[relation["op"]], added(gap.get(("",), []))


def shared(p):
    """The names of which every product of a polynomial has one, each once."""
    return sorted(set.intersection(*map(set, p)))


def over_shared(p, names):
    """A polynomial over the product of some names that every product of it has."""
    for name in names:
        p = {beside("powers").without(a, name): c for a, c in p.items()}
    return p
