"""Checks limits for fedtheory_check.py, which has to lie beside this file: each by a rule from finite statements.

It believes of a file which sequences a lemma says tend to 0 or stay bounded. docs/certificates.md has the format.
"""

from collections import Counter

from fedtheory_check import plus, polynomial, power, require


def words(text):
    """The names in a polynomial."""
    factors = text.replace(" - ", " + ").replace(" + ", "*").replace("-", "").split("*")
    return {f.partition("^")[0] for f in factors if f[:1].isalpha()}


def keyed(p):
    """A polynomial with the powers of its names."""
    return {tuple(sorted(Counter(monomial).items())): c for monomial, c in p.items()}


def read(text):
    return polynomial(text, lambda name: name if name[:1].isalpha() else None)


def side(text, below=()):
    """A polynomial, and the names by which it is divided."""
    return keyed(read(text)), frozenset(below)


class Limit:
    """The last part of a limit: a rule by its name, whose finite parts have the very relations that it asks for.

    It believes of a file which sequences a lemma says tend to 0 or stay bounded. A name with [ or :, and the index, changes
    along a run; any other is a number.
    """

    def __init__(self, said, parts):
        self.said, self.parts, self.index, self.time = said, parts, said["index"], said["time"]
        self.null, self.bounded = said["names"]["null"], said["names"]["bounded"]
        require(all(type(why) is str and why for why in (*self.null.values(), *self.bounded.values())), "from nowhere")
        places = [part["where"] for part in parts]
        later = places[next(k for k, part in enumerate(parts) if part.get("limit") is said) :]
        require(not {*self.null.values(), *self.bounded.values()} & {*later}, "a limit that rests on itself")
        self.of, self.now = said["of"], side(said["of"])

    def check(self):
        by = getattr(self, f"by_{self.said['rule']}", None)
        require(by is not None and by(), f"the parts are not what {self.said['rule']} rests on")

    def part(self, role):
        (part,) = (q for q in self.parts if q["where"] == self.said["parts"][role] and "limit" not in q)
        return part

    def stated(self, role):
        """(left side, sign, right side) of every relation of a part."""
        out = []
        for part in self.part(role)["each"]:
            (r,), both = part["relations"], []
            for form in (r["lhs"], r["rhs"]):
                text, below = form[""] if type(form.get("")) is list else (form.get("", "0"), {})
                facts = [part["facts"][int(k)]["says"] for k in below]
                require(
                    set(form) <= {""} and all(f.endswith(" > 0") for f in facts), "a side of a limit may be undefined"
                )
                both.append(side(text, {n for f in facts for n in words(f[:-4])}))
            out.append((both[0], r["op"], both[1]))
        return out

    def varies(self, name):
        return "[" in name or ":" in name or name == self.index

    def number(self, one, *allowed):
        names = one[1].union(n for powers in one[0] for n, _ in powers) - set(allowed)
        return not any(self.varies(n) for n in names)

    def vanishes(self, one):
        """Every term has a factor that tends to 0, and no other factor changes but those that stay bounded."""
        good = self.number(({}, one[1]))
        for powers in one[0]:
            parts = [n.partition("[") for n, _ in powers if self.varies(n)]
            here = {n if at.strip("'").removesuffix("]").strip("'") == self.time else "" for n, _, at in parts}
            good = good and here & set(self.null) and here <= set(self.bounded)
        return bool(good)

    def shifted(self, to):
        return side(self.of.replace(f"[{self.time}]", to))

    def sums(self):
        """(whether the left side is the sum of the sequence, the right side) of a part with one relation."""
        ((left, op, right),) = self.stated("sum")
        ((((name, a),), c),) = left[0].items()
        term = self.part("sum")["sums"][name].replace("sum:index:1", self.time)
        return (op, a, c, left[1]) == ("<=", 1, 1, frozenset()) and side(term) == self.now, right

    def by_null(self):
        return self.vanishes(self.now)

    def by_squeezed(self):
        *low, (left, op, bound) = self.stated("bound")
        under = low == [((plus({}, bound[0], -1), bound[1]), "<=", self.now)] and left == self.now
        own = keyed(power(read(self.of), 2))
        return op == "<=" and (under or (not low and left == (own, frozenset()))) and self.vanishes(bound)

    def by_summable(self):
        good, right = self.sums()
        return good and self.stated("sign") == [(ZERO, "<=", self.now)] and self.number(right)

    def by_least(self):
        good, right = self.sums()
        return good and self.number(right, self.index)

    def by_bounded(self):
        (low, _, a), (b, _, high) = self.stated("within")
        return a == b == self.now and self.number(low) and self.number(high) and self.signs("within")

    def by_converges(self):
        (after, _, a), (low, _, b) = self.stated("falls")
        return (
            after == self.shifted(f"[{self.time}']") and a == b == self.now and self.number(low) and self.signs("falls")
        )

    def by_linear(self):
        ((left, _, right),) = self.stated("power")
        ((name, base),) = self.part("power")["powers"].items()
        start, q = self.shifted("0"), side(base)
        grown = {tuple(sorted((*powers, (name, 1)))): c for powers, c in start[0].items()}
        good = (
            left == self.shifted(f"[{self.index}]")
            and right == (grown, frozenset())
            and self.signs("power")
            and self.number(q)
        )
        return (
            good
            and [(ZERO, "<=", self.now)] == self.stated("sign")
            and self.stated("ratio") == [(ZERO, "<=", q), (q, "<", ONE)]
        )

    def by_for_every(self):
        """At most this for every positive value of a number: it is what tends to 0, or a power of the number by what is bounded."""
        (low, _, a), (b, _, (bound, below)) = self.stated("bound")
        s, good = self.said["scalar"], self.signs("bound") and a == b == self.now and self.number(({}, below))
        good = (
            good
            and type(s) is str
            and s
            and not self.varies(s)
            and low == (plus({}, bound, -1), below)
            and self.free(s)
        )
        for powers in bound:
            own = dict(powers)
            here = {n.partition("[")[0] if self.at_time(n) else "" for n in own if self.varies(n)}
            small = here & set(self.null) or own.get(s, 0) > self.below(s)
            good = good and small and here <= set(self.bounded)
        return good and s not in words(self.said["of"])

    def free(self, name):
        """Whether a number is any positive one: nothing is stated of it but that."""
        stated = [f["says"] for part in self.part("bound")["each"] for f in part["facts"] if "by" not in f]
        return all(says == f"{name} > 0" or name not in words(says.rsplit(" ", 2)[0]) for says in stated)

    def below(self, name):
        """The largest power of a number by which a side of a bound is divided; of no sum in which it stands."""
        most = 0
        for part in self.part("bound")["each"]:
            for form in (part["relations"][0]["lhs"], part["relations"][0]["rhs"]):
                found = form.get("", "0")
                own = [(part["facts"][int(k)]["says"], n) for k, n in (found[1] if type(found) is list else {}).items()]
                here = [(says, n) for says, n in own if name in words(says[:-4])]
                require(all(says == f"{name} > 0" and type(n) is int and n > 0 for says, n in here), "divided by a sum")
                most = max(most, sum(n for _, n in here))
        return most

    def by_stays(self):
        """A polynomial of what stays bounded, or within one."""
        if "bound" not in self.said["parts"]:
            return self.stays(self.now)
        (low, _, a), (b, _, bound) = self.stated("bound")
        good = self.signs("bound") and a == b == self.now and low == (plus({}, bound[0], -1), bound[1])
        return good and self.stays(bound)

    def stays(self, one):
        names = [n for powers in one[0] for n, _ in powers if self.varies(n)]
        known = all(self.at_time(n) and n.partition("[")[0] in self.bounded for n in names)
        return self.number(({}, one[1])) and known

    def at_time(self, name):
        return name.partition("[")[2].strip("'").removesuffix("]").strip("'") == self.time

    def by_stationary(self):
        return self.said["points"] and self.said["residuals"] and all(n in self.null for n in self.said["residuals"])

    def signs(self, role):
        return all(op == "<=" for _, op, _ in self.stated(role))


ZERO, ONE = side("0"), side("1")
