"""Checks limits for fedtheory_check.py, which has to lie beside this file: each by a rule from finite statements.

A limit is of runs that never end: what is stated of them holds at every length and reads none. The finite statements of a rule are
computed here from its sequences and numbers, and shown as those of a theorem for every length, from the same uses of lemmas, which
fedtheory_check_theorems.py checks. What a limit that is a lemma says here is computed from the lemma.

It believes what is printed of a whole run, and that residuals are continuous functions of the points. docs/certificates.md has the
format.
"""

import copy
from typing import Any

from fedtheory_check import added, beside, less, product, require

theorems = beside("theorems")
Theorem: Any = theorems.Theorem
ANY, ELEMENT, ONE, names_in = (getattr(theorems, n) for n in ("ANY", "ELEMENT", "ONE", "names_in"))
WAYS = ("any",), ("length",), ("direct",), ("base", "step")
NULL, CONVERGENT, BOUNDED = "null", "convergent", "bounded"
STRONGER = {NULL: (NULL,), CONVERGENT: (NULL, CONVERGENT), BOUNDED: (NULL, CONVERGENT, BOUNDED)}


def same(a, b):
    return not less(a, b)[0]


class Limits(Theorem):
    """Limits of one run, in their order: what each says is known to those after it, and to what it is a lemma of."""

    statement: list
    scope: str
    shown: dict
    quotients: list
    known: list
    kept: dict

    def __init__(self, data, earlier):
        self.tend: list = []  # (null, convergent or bounded; a quotient at any t), of lemmas and of the limits here
        self.own: list = []  # those of the limits here
        self.rates: list = []  # (a, q), where a is at most q^T times what it begins with, and q below 1; of lemmas and here
        self.logs: dict = {}  # of what each logarithm is one
        self.earlier = earlier  # claims that were accepted before it
        self.finite: dict = {}  # what is known of elements at any t, and at the length, where these limits are a lemma
        super().__init__(data, earlier)

    def conclude(self, data):
        """Each limit by its rule."""
        alone = data["by"] == ["limits"] and not data["statement"] and not data["parts"]
        require(alone and data["limits"], "limits are no statement at a length")
        self.printed = [(kind, list(map(self.quotient, values))) for kind, *values in data["printed"]]
        for kind, values in self.printed:
            many = {"recurs": 3, "chosen": 1}  # b, a, steps; steps: b is a, or every client is selected, once in these
            require(many.get(kind) == len(values), f"{kind!r} is to be shown, and is not stated of a run")
            require(self.number(values[-1]) and all(map(self.steady, values)), "the number of steps changes")
        self.require_endless()
        for lemma, place, at in self.used:
            if isinstance(lemma, Limits):
                require(place == (self.index, 0), "a limit is used at every length, not at one")
                self.tend += self.instance_of(lemma, at)
        said: dict = {"t": [], "length": []}
        for one in data["limits"]:
            require(hasattr(self, f"by_{one['rule']}"), f"{one['rule']!r} is no rule of limits")
            rule = getattr(self, f"by_{one['rule']}")
            of, to = list(map(self.quotient, one["of"])), {name: self.quotient(q) for name, q in one["to"].items()}
            require(of and all(map(self.steady, of)), "a sequence changes with the length, or there is none")
            for scope, statement in (rule(one, of, to) or {}).items():
                said[scope] += statement
        for scope, statement in said.items():
            one = self.finite[scope] = copy.copy(self)
            one.statement, one.scope, one.own = statement, scope, self.own if scope == "length" else []
            known = [value for _, value in (*statement, *one.own)] + [value for _, _, value in self.stated]
            one.defined = self.defined_in(known)
        self.scope = "length"

    def defined_in(self, values):
        """The sequences with a start and a step that quotients read, and those that these read."""
        found: dict = {}
        while names := {
            m[1] for q in values for name in names_in(q) if (m := ELEMENT.fullmatch(name)) and m[1] in self.defined
        } - set(found):
            found |= {name: self.defined[name] for name in names}
            values = [q for name in names for q in self.defined[name]]
        return found

    # runs that never end

    def require_endless(self):
        """Nothing that is stated, and no state of the model, reads the length."""
        for name in {name for _, _, value in self.stated for name in names_in(value)}:
            element = ELEMENT.fullmatch(name)
            power = element and element[3] == self.index and self.defined.get(element[1], (None,))[0] == ONE
            require(name != self.index and not power, "what is stated reads the length")
        for state in self.states():
            for of in ("forms", "begun", "rows"):
                read = {name for f in self.forms(state[of]).values() for c in f.values() for name in names_in(c)}
                require(self.index not in read, "the run reads the length")

    def varies(self, name):
        """Whether a name may stand for another number at another t or length."""
        element = ELEMENT.fullmatch(name)
        return not element[3].isdecimal() if element else "[" in name or ":" in name or name == self.index

    def number(self, value, *allowed):
        return not any(self.varies(name) for name in names_in(value) - set(allowed))

    def steady(self, value):
        """Whether it may change with t alone."""
        return all(name == ANY or self.sequence(name) or not self.varies(name) for name in names_in(value))

    def sequence(self, name):
        """The sequence of an element at any t, or some steps from there."""
        element = ELEMENT.fullmatch(name)
        return element[1] if element and element[3] == ANY else ""

    # what is known of limits

    def instance_of(self, lemma, at):
        """What a limit that is a lemma says here, where numbers stand for its numbers."""
        for name, by in at.items():
            good = self.number(by) if type(name) is str else all(self.steady(c) for c, _ in by)
            require(good, f"{name} of a limit is no number of the whole run")

        def here(value):
            return self.moved(value, {lemma.index: (self.index, 0)}, at)

        for kind, values in lemma.printed:
            there = list(map(here, values))
            found = any(kind == own and all(map(same, there, mine)) for own, mine in self.printed)
            require(found, "a limit rests on what is not stated of this run")
        self.rates += [(here(a), here(q)) for a, q in lemma.rates]
        said = [(kind, here(value)) for kind, value in lemma.own]
        return [(kind, value) for kind, value in said if "#" not in "".join(names_in(value))]

    def conclude_that(self, kind, value):
        self.own.append((kind, value))
        self.tend.append((kind, value))

    def known_as(self, kind):
        """The quotients of which something is known, or more."""
        return [value for own, value in self.tend if own in STRONGER[kind]]

    def sequences(self, kind):
        """The sequences of which it is known."""
        single = [value for value in self.known_as(kind) if len(value[0]) == 1 and not value[1]]
        return {self.sequence(name) for (names,) in (value[0] for value in single) for name in names if len(names) == 1}

    def vanishes(self, value):
        """It tends to 0, or each of its terms has a factor that does, and others that stay bounded."""
        if any(same(value, known) or same(added([value, known]), ({}, {})) for known in self.known_as(NULL)):
            return True
        small = self.sequences(NULL) - {""}
        return self.stays(value) and all(small & set(map(self.sequence, names)) for names in value[0])

    def stays(self, value):
        """A polynomial of sequences that stay bounded, over numbers."""
        known = self.sequences(BOUNDED) - {""}
        of = {name for names in value[0] for name in names if self.varies(name)}
        return self.number(({}, value[1])) and all(self.sequence(name) in known for name in of)

    # finite statements

    def facts_besides(self, context):
        """What is known of the indices; that a finite statement is defined is shown, and not taken for granted."""
        held, self.statement = self.statement, []
        try:
            return list(super().facts_besides(context))
        finally:
            self.statement = held

    def show(self, one, role, statement):
        """Check the parts that show a statement, at any t below every length, or at every length."""
        data = one["roles"][role]
        way = tuple(data["by"])
        require(way in WAYS and {part["context"] for part in data["parts"]} <= {*way}, f"{role}: {way} is no way")
        if way != ("any",):
            statement = [(op, self.moved(value, {ANY: (self.index, 0)})) for op, value in statement]
        held = {context: set(facts) for context, facts in self.shown.items()}, list(self.quotients)
        self.statement = statement
        for part in data["parts"]:
            self.check(part)
        for context in way:
            for op, value in statement:
                there = self.moved(value, self.end(context))
                require(self.shows(op, there, context), f"{role} of {one['rule']} is not what is shown ({context})")
                terms = [dict(p) for p in self.below(value)]
                require(all(self.number((p, {})) for p in terms), f"{role}: a term of a sum may be undefined")
                for p in [*map(dict, there[1]), *terms]:
                    require(self.holds(p, "!=", context), f"{role} of {one['rule']} may be undefined")
        self.statement = []
        if len(way) > 1:  # a step has its hypothesis
            self.shown, self.quotients = held
        return statement

    def at_any(self, one, role, statement):
        require(one["roles"][role]["by"] == ["any"], f"{role} is said of every t")
        return self.show(one, role, statement)

    def at_length(self, one, role, statement):
        require(one["roles"][role]["by"] != ["any"], f"{role} is said of every length")
        return self.show(one, role, statement)

    def require_sum(self, total, term):
        """What is called a sum is one: it is nothing at 0, and the term more at the next length."""
        start, step = (self.moved(total, {self.index: place}) for place in ((None, 0), (self.index, 1)))
        grown = same(less(step, total), self.moved(term, {ANY: (self.index, 0)}))
        require(not start[0] and grown, "what is called the sum is another one")

    def require_power(self, power, base):
        start, step = (self.moved(power, {self.index: place}) for place in ((None, 0), (self.index, 1)))
        require(same(start, ONE) and same(step, product(base, power)), "what is called the power is another one")

    # the rules

    def by_null(self, one, of, to):
        """Every term has a factor that tends to 0."""
        require(self.number(to["b"]) and self.vanishes(less(of[0], to["b"])), "it is not known to tend to 0")
        self.conclude_null(of, to)

    def conclude_null(self, of, to):
        self.conclude_that(NULL, less(of[0], to["b"]))
        self.conclude_that(CONVERGENT, of[0])

    def within(self, gap, bound):
        return [(">=", added([gap, bound])), (">=", less(bound, gap))]

    def by_squeezed(self, one, of, to):
        """It, or its square, is at most what tends to 0."""
        gap, (bound,) = less(of[0], to["b"]), (to[name] for name in ("B", "square") if name in to)
        require(self.number(to["b"]) and self.vanishes(bound), "the bound is not known to tend to 0")
        squared = [(">=", less(bound, product(gap, gap)))]
        self.show(one, "bound", squared if "square" in to else self.within(gap, bound))
        self.conclude_null(of, to)

    def by_for_every(self, one, of, to):
        """At most this for every positive value of a number: it is what tends to 0, or a power of the number by what is bounded."""
        ((s,),), gap = self.free(to["for_every"])[0], less(of[0], to["b"])
        require(self.number(to["b"]), "the limit changes")
        require(s not in self.means.behind(self, gap), "the sequence reads the number that is any")
        powers = [(dict(p), n) for p, n in to["B"][1].items() if s in names_in((dict(p), {}))]
        require(all(p == {(s,): 1} for p, _ in powers), "divided by a sum with the number that is any")
        most, small = sum(n for _, n in powers), self.sequences(NULL) - {""}
        for names in to["B"][0]:
            others: tuple = ({tuple(name for name in names if name != s): 1}, {})
            alone = names.count(s) > most and s not in self.means.behind(self, others)
            require(alone or small & set(map(self.sequence, names)), "a term is not small where the number is")
        require(self.stays(to["B"]), "what the number is multiplied by may grow")
        self.show(one, "bound", self.within(gap, to["B"]))
        self.conclude_null(of, to)

    def require_free(self, s):
        """A number is any positive one: nothing else is stated of it, and no state of the model reads it."""
        require(not self.varies(s), "every value of what changes")
        positive = [same(value, ({(s,): 1}, {})) and op == ">" for _, op, value in self.stated if s in names_in(value)]
        require(positive and all(positive), "more is stated of the number that is any")
        for state in self.states():
            for of in ("forms", "begun", "rows"):
                forms = self.forms(state[of]).values()
                require(
                    all(s not in names_in(c) for f in forms for c in f.values()), "the run reads the number that is any"
                )

    def by_stays(self, one, of, to):
        """A polynomial of what stays bounded, or within one."""
        require(self.stays(to.get("B", of[0])), "it is not known to stay bounded")
        if "B" in to:
            self.show(one, "bound", self.within(of[0], to["B"]))
        self.conclude_that(BOUNDED, of[0])

    def by_bounded(self, one, of, to):
        """Within a number, and its negative, at every t."""
        require(self.number(to["C"]), "the bound changes")
        said = self.at_any(one, "within", self.within(of[0], to["C"]))
        self.conclude_that(BOUNDED, of[0])
        return {"t": said}

    def by_converges(self, one, of, to):
        """It does not grow, and is at least a number."""
        require(self.number(to["b"]), "the lower bound changes")
        later = self.moved(of[0], {ANY: (ANY, 1)})
        said = self.at_any(one, "falls", [(">=", less(of[0], later)), (">=", less(of[0], to["b"]))])
        self.conclude_that(CONVERGENT, of[0])
        return {"t": said}

    def by_summable(self, one, of, to):
        """No term is negative, and the sums are at most a number."""
        require(self.number(to["C"]), "the bound of the sums changes")
        self.require_sum(to["sum"], of[0])
        sign = self.at_any(one, "sign", [(">=", of[0])])
        total = self.at_length(one, "sum", [(">=", less(to["C"], to["sum"]))])
        self.conclude_that(NULL, of[0])
        return {"t": sign, "length": total}

    def by_least(self, one, of, to):
        """The sum is at most the length times a bound, and so the least of its terms at most the bound."""
        require(self.number(to["bound"], self.index), "the bound changes otherwise than with the length")
        self.require_sum(to["sum"], of[0])
        many = product(({(self.index,): 1}, {}), to["bound"])
        return {"length": self.at_length(one, "sum", [(">=", less(many, to["sum"]))])}

    def by_linear(self, one, of, to):
        """At most a power of a rate below 1 times what it begins with."""
        require(self.number(to["q"]), "the rate changes")
        self.require_power(to["power"], to["q"])
        start, last = (self.moved(of[0], {ANY: place}) for place in ((None, 0), (self.index, 0)))
        sign = self.at_any(one, "sign", [(">=", of[0])])
        power = self.at_length(one, "power", [(">=", less(product(to["power"], start), last))])
        self.show(one, "ratio", [(">=", to["q"]), (">", less(ONE, to["q"]))])
        self.conclude_that(NULL, of[0])
        self.rates.append((of[0], to["q"]))
        return {"t": sign, "length": power}

    def by_below(self, one, of, to):
        """At every length from `after` on it, or the mean of its terms, is at most a number that is any positive one."""
        eps = self.free(to["eps"])
        length: tuple = {(self.index,): 1}, {}
        require(self.number(to["after"]), "the index changes")
        require(all(self.holds(dict(p), "!=", "length") for p in to["after"][1]), "the index may be undefined")
        require(one["roles"]["then"]["by"] in (["length"], ["direct"]), "it is shown from the length before")
        if "sum" in to:
            self.require_sum(to["sum"], of[0])
            gap = less(product(length, eps), to["sum"])
        else:
            gap = less(eps, self.moved(of[0], {ANY: (self.index, 0)}))
        held = self.known, self.kept, {at: set(facts) for at, facts in self.shown.items()}, list(self.quotients)
        self.known, self.kept = [*self.known, ("given", ">=", less(length, to["after"]))], {}
        self.show(one, "then", [(">=", gap)])
        self.known, self.kept, self.shown, self.quotients = held

    def by_geometric(self, one, of, to):
        """From log(a[0]/eps)/(1 - q) on, by the rate q: q^T <= e^(-(1 - q) T). What is called the logarithm stands in the index."""
        eps, ((log,),) = self.free(to["eps"]), to["log"][0]
        require(log.startswith("log:") and same(to["log"], ({(log,): 1}, {})), f"{log} is no logarithm")
        require(all(log not in names_in(value) for _, _, value in self.stated), "more is stated of the logarithm")
        require(self.number(to["after"], log), "the index changes")
        start = self.moved(of[0], {ANY: (None, 0)})
        good = (
            len(of) == 1
            and same(product(to["of_log"], eps), start)
            and same(self.logs.setdefault(log, to["of_log"]), to["of_log"])
        )
        require(good, "the logarithm is another one")
        after = [product(to["after"], less(ONE, q)) for a, q in self.rates if same(a, of[0])]
        require(any(same(value, to["log"]) for value in after), "it is no logarithm over 1 - q")

    def free(self, value):
        """A number of which nothing is stated but that it is positive."""
        ((s,),) = value[0]
        require(same(value, ({(s,): 1}, {})), "every value of a number")
        self.require_free(s)
        return value

    def by_renewed(self, one, of, to):
        """It is renewed at least once in so many steps: it falls to a part of itself, and grows little in between."""
        if "each" in one:
            return beside("each").renewed(self, one, of, to, self.earlier)
        a, falls, grows, by, more = of[0], *(to[name] for name in ("falls_to", "grows", "by", "more"))
        recurs = any(kind == "recurs" and same(own[0], by) and same(own[1], a) for kind, own in self.printed)
        require(recurs and not to["b"][0], "that it is renewed again and again is not stated")
        require(self.number(falls) and self.number(grows), "how it falls and grows changes")
        require(self.vanishes(more), "what is added is not known to tend to 0")
        spread = less(grows, falls)
        after = added([less(product(grows, a), product(spread, by)), less(more, self.moved(a, {ANY: (ANY, 1)}))])
        self.at_any(one, "step", [(">=", value) for value in (a, by, falls, spread, after)])
        if falls[0]:
            self.show(one, "rates", [(">=", less(ONE, grows)), (">", less(ONE, falls))])
        self.conclude_null(of, to)

    def by_together(self, one, of, to):
        """From one that converges to the others by differences that tend to 0."""
        fixed = self.known_as(CONVERGENT)
        nodes = [*of, *fixed]
        for start in [k for k, value in enumerate(nodes) if any(same(value, known) for known in fixed)]:
            reached, left = [nodes[start]], nodes[:start] + nodes[start + 1 :]
            for value in reached:  # which grows
                near = [k for k, other in enumerate(left) if self.vanishes(less(value, other))]
                reached += [left[k] for k in near]
                left = [other for k, other in enumerate(left) if k not in near]
            if all(any(same(value, other) for other in reached) for value in of):
                break
        else:
            require(False, "no differences that tend to 0 lead from one that converges to all of them")
        for value in of:
            self.conclude_that(NULL, less(value, of[0]))
            self.conclude_that(CONVERGENT, value)

    def by_stationary(self, one, of, to):
        """Residuals that tend to 0 are 0 at accumulation points."""
        require(one["points"], "at no point")
        require(all(any(same(value, known) for known in self.known_as(NULL)) for value in of), "one need not tend to 0")
