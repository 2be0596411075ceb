"""Forms for fedtheory_check_theorems.py, which has to lie beside this file: substitution, and what is a mean over the clients.

A state with "clients" has every number of it as a mean over the clients. "G i j" with the coefficient c is the mean of c(i)
<u(i), v(i)>: c may have scalars of the client ("each") and `chosen`, which is 1 for a client that is selected and 0 for another;
u and v are vectors of the client ("leaves") or of all. "v k" is a value of the client ("values") or of all. A vector of all
clients may be a mean itself ("sums"), of c(j) u(j), where j is any client, i or another.

Why what is said is so. A lemma that holds at every client holds in the mean over them, and in the sum over those that are
selected, which is the mean of m chosen(i) times what it says: chosen is not negative. Its inequalities have to hold at every
client, with the scalars of that client. A lemma about numbers and vectors holds as well of vectors (u(1), ..., u(m)) with the mean
of inner products as inner product, where none of its scalars is one of each client; its inequalities then have to hold in the mean.
Two means are the same where, with every sum written out, the products of the same vectors, of one client or of two that are any,
have the same coefficients; chosen^2 is chosen, and its mean is S/m where S of the clients are selected.
"""

from fractions import Fraction

from fedtheory_check import added, entry, less, over, plus, product, put, renamed, require, summed

ONE: tuple = ({(): 1}, {})


def names_in(value):
    names = set().union(*value[0])
    return names.union(*(monomial for p in value[1] for monomial, _ in p)) if value[1] else names


def sum_of(forms):
    """The sum of forms, without what is zero."""
    sums: dict = {}
    for form in forms:
        for key, c in form.items():
            sums.setdefault(key, []).append(c)
    return {key: c for key, terms in sums.items() if (c := terms[0] if len(terms) == 1 else added(terms))[0]}


def less_form(form, other):
    return {} if form == other else sum_of([form, times_form(({(): -1}, {}), other)])


def times_form(c, form):
    return form if c == ONE else {key: product(c, v) for key, v in form.items()}


def image(form, vectors, values):
    """A form with vectors in the place of vectors, and forms in that of values."""
    out = []
    for (kind, *places), c in form.items():
        if kind == "v":
            out.append(times_form(c, values[places[0]]))
        elif kind == "G":
            i, j = (vectors[k].items() for k in places)
            out += [{("G", min(a, b), max(a, b)): product(c, product(x, y))} for a, x in i for b, y in j]
        else:
            out.append({("",): c})
    return sum_of(out)


def more(p, q):
    """Whether p is a positive multiple of q and a positive number."""
    a = max(q, default=())
    share = Fraction(p.get(a, 0)) / q[a] if a else Fraction(0)
    rest = plus({}, p) if not share else plus(p, q, -share)
    return share > 0 and rest.keys() == {()} and rest[()] > 0


def name(text):
    return {(text,): 1}, {}


def with_names(value, to):
    """A quotient with names in the place of names."""
    if not to:
        return value
    out: tuple = renamed(value[0], to), {}
    for p, n in value[1].items():
        out = product(out, over(renamed(dict(p), to), n))
    return out


def divided(k, n, a, b):
    """x^k/p^n, p = a x + b, in powers of x and of 1/p: {(power of x, power of 1/p): coefficient}."""
    if not (k and n):
        return {(k, n): ONE}
    out: dict = {}
    for factor, left in ((ONE, n - 1), (({(): -1}, {}), n)):
        more = product(factor, over(a)) if left < n else product(product(factor, over(a)), (b, {}))
        for own, c in divided(k - 1, left, a, b).items() if left < n or b else ():
            out[own] = added([out.get(own, ({}, {})), product(more, c)])
    return out


def weight(state, over, size):
    """How often what is said of a client counts in the mean over the clients: m chosen of a sum over those selected."""
    if over != "selected":
        return ONE
    return put(({tuple(sorted(("m", state["chosen"]))): 1}, {}), size)


PLACES = {"forms": ("", "[t:any]", "[t:any']"), "begun": ("", "[0]", "[1]")}


def check_names(states, defined, quantities, index):
    """Forms are those of quantities, before and after a step or at the start; "#" has what a lemma alone speaks of."""
    require(
        not any("#" in text for text in [*defined, *quantities]), "a sequence is called as what a lemma alone speaks of"
    )
    require(not {*quantities} & {*defined, index, "t:any"}, "a quantity is something else besides")
    for of, places in PLACES.items():
        known = {f"{name}{place}" for name in quantities for place in places}
        require(all(known >= state[of].keys() for state in states), "a form is of no quantity")


def check_selections(states, cases=frozenset({"0", "1"})):
    """One client that may be selected is so, or not: both are states, where no number of clients is selected, or these `cases`."""
    for state in states:
        sizes, drawn = [*state["sizes"]], " and S" in state["where"]
        whole = sizes in ([], ["m - 2"]) or (sizes == ["m - 2", "S - 1", "m - S"] and drawn)
        require(whole, f"{sizes} are not all numbers of clients but one")
        one = all(n == "1" if text in ("m", "S") else n in ("0", "1") for text, n in state["at"].items())
        selected = {*state["at"]} <= {"m", "S", state.get("chosen")}
        require(one and selected and not (sizes and state["at"]), f"{state['at']} is not one client")
    for chosen in {state.get("chosen") for state in states} - {None}:
        alone = {state["at"].get(chosen) for state in states if not state["sizes"]}
        several = [state["clients"] for state in states if state["sizes"]]
        counted = any(clients["count"] for clients in several)
        good = alone in ({"1"} if counted else cases, set())
        require(good and all(own["chosen"] == chosen for own in several), f"{chosen}: another selection of one client")


def same_state(one, other):
    """Whether two states have the same quantities of the same leaves: they are of one model."""
    same = ("where", "sizes", "at", "each", "forms", "begun", "chosen")
    return all(one.get(k) == other.get(k) for k in same) and meaning(one) == meaning(other)


def meaning(state):
    """What the vectors and values in the quantities of a state are, where these are means over the clients."""
    if (data := state.get("clients")) is None:
        return None
    keys = [entry(key) for of in ("forms", "begun") for form in state[of].values() for key in form]
    left, places = [k for kind, *own in keys if kind == "G" for k in own], set()
    while left:
        place = left.pop()
        left += [k for _, k in data["sums"].get(str(place), ()) if k not in places]
        places.add(place)
    own = places & set(data["leaves"])
    sums = {place: terms for place, terms in data["sums"].items() if int(place) in places}
    values = {key[1] for key in keys if key[0] == "v"} & set(data["values"])
    return own, values, sums, data["chosen"], data["count"], data.get("before") is None


class Clients:
    """What the forms of a state are in the mean over its clients."""

    def __init__(self, data, each, quotient):
        self.own, self.values, self.chosen, self.count = (data[k] for k in ("leaves", "values", "chosen", "count"))
        self.before = data.get("before")  # of a selection that is drawn: the places of what does not depend on it
        require(self.before is None or (self.chosen and self.count), "a draw of how many clients")
        self.each = {*each, *([self.chosen] if self.chosen else [])}
        require(not any("@" in text for text in self.each), "a bad name")
        self.sums: dict = {}
        for place, terms in data["sums"].items():
            of = [(quotient(c), k) for c, k in terms]
            require(int(place) not in self.own, "a mean over the clients is no vector of one")
            require(
                all(k in self.own or str(k) not in data["sums"] or k in self.sums for _, k in of), "a circle of means"
            )
            self.sums[int(place)] = of

    def at(self, c, index):
        """A coefficient with the scalars of the client of an index."""
        found = names_in(c)
        require(not any("@" in text for text in found), "a bad name")
        return with_names(c, {text: f"{text}@{index}" for text in found & self.each})

    def vector(self, place, c, index, fresh, move=None):
        """(coefficient, vector, index of its client, 0 for one of all) of which one consists; `fresh` gives new indices."""
        if place in self.sums:
            for q, k in self.sums[place]:
                inner = next(fresh)
                yield from self.vector(k, product(c, self.at(q, inner)), inner, fresh, move)
        elif move is not None:
            for k, q in move[0][place].items():
                shared = k not in self.own and not names_in(q) & self.each
                require(place in self.own or shared, "a vector of all clients becomes one of each")
                yield from self.vector(k, product(c, self.at(q, index)), index, fresh)
        else:
            yield c, place, index if place in self.own else 0

    def terms(self, form, move=None):
        """(kind, vectors or values, their indices, coefficient) of which a form consists at the client of index 1."""
        for (kind, *places), c in form.items():
            c = self.at(c, 1)
            if kind == "G":
                left = [*self.vector(places[0], ONE, 1, iter(range(2, 1000, 2)), move)]
                right = [*self.vector(places[1], ONE, 1, iter(range(3, 1000, 2)), move)]
                for x, a, i in left:
                    for y, b, j in right:
                        (a_, i_), (b_, j_) = sorted(((a, i), (b, j)))
                        yield "G", (a_, b_), (i_, j_), product(c, product(x, y))
            elif kind == "v" and move is not None:
                for own, places_, indices, d in self.terms(move[1][places[0]]):
                    yield own, places_, indices, product(c, d)
            else:
                yield kind, tuple(places), (1 if kind == "v" and places[0] in self.values else 0,)[: len(places)], c

    def mean(self, form, move=None):
        """A form in the mean over the clients, by what makes it the same as another; empty where it is zero."""
        return self.written(self.terms(form, move), fixed=False)

    def expected(self, form, move=None):
        """The same, in the mean over the draws of those that are selected, where these are drawn."""
        terms = self.terms(form, move)
        if self.before is not None:
            terms = [
                found for kind, places, own, c in terms for found in self.in_the_mean_of_draws(kind, places, own, c)
            ]
        return self.written(terms, fixed=False)

    def of_one(self, form):
        """The same of a form at one client."""
        return self.written(self.terms(form), fixed=True)

    def moved(self, form, move):
        """The same of a form at one client with its vectors moved."""
        return self.written(self.terms(form, move), fixed=True)

    def in_the_mean_of_draws(self, kind, places, indices, c):
        """A term in the mean over the draws of S of m clients: one is selected in S/m of them, two in S (S - 1)/(m (m - 1))."""
        mark = f"{self.chosen}@"
        by: dict = {}
        require(not any(text.startswith(mark) for text in names_in(({}, c[1]))), "a division by what may be zero")
        for monomial, value in c[0].items():
            drawn = tuple(sorted({int(text.rpartition("@")[2]) for text in monomial if text.startswith(mark)}))
            rest = tuple(text for text in monomial if not text.startswith(mark))
            by.setdefault(drawn, []).append({rest: value})
        one: tuple = {(self.count,): 1}, over(name("m")[0])[1]
        two = product(one, product(less(name(self.count), ONE), over(plus({("m",): 1}, ONE[0], -1))))
        for drawn, top in ((drawn, summed(tops)) for drawn, tops in by.items()):
            free = f"{kind} {places}" if kind else ""
            require(not drawn or set(self.before.get(kind, ())) >= set(places), f"{free} depends on the draw")
            require(len(drawn) < 3, "three clients that are drawn")
            if len(drawn) < 2:
                yield kind, places, indices, product((top, c[1]), one if drawn else ONE)
                continue
            yield kind, places, indices, product((top, c[1]), two)
            i, j = drawn
            apart = product(less(one, two), over(name("m")[0]))
            same = self.renamed((top, c[1]), {j: i})
            yield kind, places, tuple(i if k == j else k for k in indices), product(same, apart)

    def written(self, terms, fixed):
        out = []
        for kind, places, indices, c in terms:
            used = list(dict.fromkeys([*([1] if fixed else []), *(i for i in indices if i)]))
            to = {old: new for new, old in enumerate(used, 1)}
            own = tuple(to.get(i, 0) for i in indices)
            c = self.renamed(self.of_others(c, used), to)
            if not fixed and len(places) == 2 and places[0] == places[1] and 0 < own[0] != own[1]:
                half: tuple = {(): Fraction(1, 2)}, {}
                c = product(half, added([c, self.renamed(c, {1: 2, 2: 1})]))
            out.append({(kind, *zip(places, own, strict=True)): c})
        return sum_of(out)

    def of_others(self, c, used):
        """A coefficient with chosen^2 = chosen, and with numbers for the means over the clients of whom no vector is read."""
        below: dict = {}
        theirs: dict = {}  # with the clients of whom it reads a scalar
        mark = f"{self.chosen}@"
        for p, n in c[1].items():
            tags = self.tags(names_in((dict(p), {})))
            require(not any(text.startswith(mark) for text in tags), "a division by what may be zero")
            if {*tags.values()} <= {*used}:
                below[p] = n
            else:
                theirs[p] = n, {*tags.values()}
        terms = []
        for monomial, value in c[0].items():
            tags = self.tags(monomial)
            kept = [text for text in monomial if text not in tags or tags[text] in used]
            kept = [text for k, text in enumerate(kept) if text not in kept[:k] or not text.startswith(mark)]
            term: tuple = {tuple(kept): value}, {}
            others = {*tags.values()}.union(*(of for _, of in theirs.values())).difference(used)
            for i in sorted(others):
                own = [text for text in monomial if tags.get(text) == i]
                divisors = [(p, n) for p, (n, of) in theirs.items() if i in of]
                term = product(term, self.of_another(own, divisors))
            terms.append(product(term, (ONE[0], below)))
        return added(terms)

    def of_another(self, own, divisors):
        """The mean over a client of powers of its scalars, over powers of what is linear in one of them."""
        parts: list = [(ONE, ())]
        marks = {text for text in own if text.startswith(f"{self.chosen}@")}
        powers = {text: own.count(text) for text in own if text not in marks}
        for p, n in divisors:
            (text,) = self.tags(names_in((dict(p), {})))  # else it has no rule
            require(all(monomial.count(text) < 2 for monomial, _ in p), "a division by what is not linear")
            a, b = ({tuple(t for t in q if t != text): v for q, v in p if (text in q) is yes} for yes in (True, False))
            q = tuple(sorted((str(tuple(t.partition("@")[0] for t in monomial)), str(v)) for monomial, v in p))
            ways = divided(powers.pop(text, 0), n, a, b).items()
            name_ = text.partition("@")[0]
            parts = [
                (product(c, d), (*what, (name_, k, q if left else "", left)))
                for c, what in parts
                for (k, left), d in ways
            ]
        rest = tuple((text.partition("@")[0], k, "", 0) for text, k in powers.items())
        out = []
        for c, what in parts:
            read = tuple(sorted(one for one in (*what, *rest) if one[1] or one[3]))
            if marks and not read and self.count:
                c = product(c, ({(self.count,): 1}, over(name("m")[0])[1]))
            elif marks or read:
                c = product(c, name(f"@{'chosen' if marks else ''}{read}"))
            out.append(c)
        return added(out)

    @staticmethod
    def tags(names):
        """The indices of the clients of whom names are scalars."""
        return {text: int(text.rpartition("@")[2]) for text in names if "@" in text[1:]}

    def renamed(self, c, to):
        """A coefficient with other indices of clients."""
        at = {}
        for text in names_in(c):
            own, tag, index = text.rpartition("@")
            if tag and own and to.get(int(index), int(index)) != int(index):
                at[text] = f"{own}@{to[int(index)]}"
        return with_names(c, at)
