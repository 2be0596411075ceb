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

from fedtheory_check import added, entry, product, put, require


def names_in(value):
    return {name for p in (value[0], *map(dict, value[1])) for monomial in p for name in monomial}


def sum_of(forms):
    """The sum of forms, without what is zero."""
    sums: dict = {}
    for form in forms:
        for key, c in form.items():
            sums.setdefault(key, []).append(c)
    return {key: c for key, terms in sums.items() if (c := added(terms))[0]}


def times_form(c, form):
    return {key: product(c, v) for key, v in form.items()}


def image(form, vectors, values):
    """A form with vectors in the place of vectors, and forms in that of values."""
    out = []
    for (kind, *places), c in form.items():
        if kind == "v":
            out.append(times_form(c, values[places[0]]))
        elif kind == "G":
            i, j = (vectors[k].items() for k in places)
            out += [{("G", *sorted((a, b))): product(c, product(x, y))} for a, x in i for b, y in j]
        else:
            out.append({("",): c})
    return sum_of(out)


def name(text, value=1):
    return {(text,): value}, {}


def averaged(form, state, why):
    """A form of one client in the mean over the clients: deviations have products with deviations alone."""
    own, out = {int(k): spread for k, spread in state["own"].items()}, []
    for key, c in form.items():
        kind, *places = key
        require(not names_in(c) & set(state["each"]), f"{why}: a mean of what has a factor of each client")
        require(kind != "G" or not set(places) & set(own.values()), f"{why}: a mean of means")
        if kind == "v":
            key = ("v", state["means"].get(str(places[0]), places[0]))
        elif kind == "G" and set(places) & set(own):
            key = ("G", *sorted(own[k] for k in places)) if set(places) <= set(own) else None
        out += [{key: c}] if key else []
    return sum_of(out)


def weight(state, over, size):
    """How often what is said of a client counts in the mean over the clients: m chosen of a sum over those selected."""
    if over != "selected":
        return ONE
    return put(({tuple(sorted(("m", state["chosen"]))): 1}, {}), size)


def check_selections(states):
    """One client that may be selected is so, or not: both are states, where no number of clients is selected."""
    for chosen in {state.get("chosen") for state in states} - {None}:
        alone = {state["at"].get(chosen) for state in states if not state["sizes"]}
        several = [state["clients"] for state in states if state["sizes"]]
        counted = any(clients["count"] for clients in several)
        good = alone in ({"1"} if counted else {"0", "1"}, set())
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
    return own, values, sums, data["chosen"], data["count"]


class Clients:
    """What the forms of a state are in the mean over its clients."""

    def __init__(self, data, each, quotient):
        self.own, self.values, self.chosen, self.count = (data[k] for k in ("leaves", "values", "chosen", "count"))
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
        return put(c, {text: name(f"{text}@{index}") for text in found & self.each}) if found & self.each else c

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
        return self.written(form, move, fixed=False)

    def of_one(self, form):
        """The same of a form at one client."""
        return self.written(form, None, fixed=True)

    def written(self, form, move, fixed):
        out = []
        for kind, places, indices, c in self.terms(form, move):
            order = [1] if fixed else []
            order += [i for i in dict.fromkeys(indices) if i and i not in order]
            tags = sorted({int(text.rpartition("@")[2]) for text in names_in(c) if "@" in text})
            order += [i for i in tags if i not in order]
            to = {old: new for new, old in enumerate(order, 1)}
            c = self.renamed(c, to)
            own = tuple(to.get(i, 0) for i in indices)
            c = self.chosen_once(c, {*own, *([1] if fixed else [])})
            if not fixed and len(places) == 2 and places[0] == places[1] and 0 < own[0] != own[1]:
                half: tuple = {(): Fraction(1, 2)}, {}
                swapped = {old: {1: 2, 2: 1}.get(old, old) for old in to.values()}
                c = product(half, added([c, self.renamed(c, swapped)]))
            out.append({(kind, *zip(places, own, strict=True)): c})
        return sum_of(out)

    def renamed(self, c, to):
        """A coefficient with other indices of clients."""
        at = {}
        for text in names_in(c):
            own, tag, index = text.rpartition("@")
            if tag and to[int(index)] != int(index):
                at[text] = name(f"{own}@{to[int(index)]}")
        return put(c, at) if at else c

    def chosen_once(self, c, used):
        """A coefficient in which chosen^2 is chosen; in the mean over a client of whom nothing else is read it is S/m."""
        mark = f"{self.chosen}@"
        require(not any(text.startswith(mark) for text in names_in(({}, c[1]))), "a division by what may be zero")
        if not self.chosen or not any(text.startswith(mark) for text in names_in(c)):
            return c
        below = {text.rpartition("@")[2] for text in names_in(({}, c[1])) if "@" in text}
        terms = []
        for monomial, value in c[0].items():
            kept = tuple(
                text for k, text in enumerate(monomial) if not text.startswith(mark) or text not in monomial[:k]
            )
            term: tuple = {(): value}, {}
            for text in kept:
                _, tag, index = text.rpartition("@")
                alone = self.count and text.startswith(mark) and int(index) not in used and index not in below
                alone = alone and [other for other in kept if other.rpartition("@")[1:] == (tag, index)] == [text]
                term = product(term, ({(self.count,): 1}, {frozenset({(("m",), 1)}): 1}) if alone else name(text))
            terms.append(product(term, ({(): 1}, c[1])))
        return added(terms)


ONE: tuple = ({(): 1}, {})
