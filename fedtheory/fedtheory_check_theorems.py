"""Checks theorems for fedtheory_check.py, which has to lie beside this file: those from lemmas, and those for every length.

It believes what is stated of the numbers of a theorem, "stated", and the model of a run, "model": in every state the leaves, the
forms that are not negative ("rows"; those that are "obeyed" not in the last state), the quantities, and what stands for the points
after a step ("moves"; without it, what the quantities are then). From these it computes what each lemma says where it is used,
whether what the lemma rests on holds there, and the statement at the first length and at the next one (docs/certificates.md).
"""

import re
from types import MappingProxyType

from fedtheory_check import (
    Rejected,
    added,
    beside,
    entry,
    equal,
    leaves,
    less,
    normal,
    over,
    plus,
    polynomial,
    product,
    put,
    require,
    signed,
    written,
)

forms, facts = beside("forms"), beside("facts")
image, names_in, sum_of, times_form = forms.image, forms.names_in, forms.sum_of, forms.times_form
less_form = forms.less_form
facts_of, ways_of = facts.facts_of, facts.ways_of
ELEMENT, QUOTE = re.compile(r"([\w#]+)\[('*)([\w:]+)('*)\]"), "'"  # D[T'] is the element of D at T + 1, D['T] at T - 1
ANY, EARLIER = "t:any", "s:any"  # any index below the length, and any below that
ONE: tuple = ({(): 1}, {})
MINUS: tuple = ({(): -1}, {})
ALONE = (False, False)
READ: dict = {}  # forms with the names as they are written, and these names: most forms stand in many places


def reads_earlier(value):
    """Whether a quotient is about an index below any one."""
    return any(EARLIER in name for name in names_in(value))


def quotient_of(data, called):
    text, below = (data, []) if type(data) is str else data
    out: tuple = polynomial(text, called), {}
    for p, n in below:
        out = product(out, over(polynomial(p, called), n))
    return out


class Theorem:
    """A statement about numbers for every length: what is known of these, and the parts that show it."""

    def __init__(self, data, earlier):
        self.index, self.first, self.model, self.names = (data[k] for k in ("index", "first", "model", "names"))
        require(type(self.first) is int and self.first >= 0, "a length is a whole number")
        require(self.index == "" or self.index.isidentifier(), f"{self.index!r} is no length")
        require(all(name[:1].isalpha() for name in self.names), "a number is called as a name")
        self.defined, self.shown, self.quotients, self.kept, self.read, self.of_model = {}, {}, [], {}, {}, {}
        self.words: dict = {}
        self.means, self.chances, self.runs = beside("means"), beside("chances"), beside("runs")
        self.rests, self.loose, self.ends = [], False, set()  # theorems on which it rests, and runs within its steps
        self.drawn: set = set()  # states in which it rests on a draw of clients
        self.used: list = []
        self.lost: set = set()  # quantities of runs of lemmas, which are none of this one
        self.rows: list = [set() for _ in self.states()]  # on which it rests, of each state
        self.one_length = tuple(data["by"]) in (("direct",), ("any",))  # at which all is said
        for name, definition in data["defined"].items():
            self.defined[name] = tuple(map(self.quotient, definition))
            here = {self.index: ONE} if self.one_length else {}
            still = not any(self.of_length(put(q, here)) for q in self.defined[name])
            require(still, f"{name} depends on the length")
        self.exponentials = beside("powers").exponentials(self, data.get("exponentials", {}))
        self.statement = [(op, self.quotient(value)) for op, value in data["statement"]]
        self.stated = [(scope, op, self.quotient(value)) for scope, op, value, _ in data["stated"]]
        require({scope for scope, _, _ in self.stated} <= {"given", "t", "length"}, "what is stated is said of nothing")
        for name in {n for *_, value in (*self.statement, *self.stated) for n in names_in(value)}:
            _, back, place, _ = element.groups() if (element := ELEMENT.fullmatch(name)) else ("",) * 4
            require(not back or (place == self.index and len(back) <= self.first), f"{name} is before the first one")
        self.known = [*self.stated, ("length", ">=", (plus({(self.index,): 1}, {(): -self.first}), {}))]
        for state in self.states():
            changing = (n for n in self.runs.read_by(self, state) if ANY in n or ELEMENT.fullmatch(n))
            require(not any(changing), "a coefficient of the model depends on t")
            self.check_step(state)
        self.means.check(self, data["by"])
        forms.check_names(self.states(), self.defined, (self.model or {}).get("quantities", ()), self.index)
        self.selections()
        kinds = {(bool(state["sizes"]), "m" in state["at"]) for state in self.states()} or {ALONE}
        more = normal({("m",): 1, (): -2}), ">="  # and not what m >= 1 says as well
        several = kinds == {(True, False)} and any(more in facts_of(op, q) for _, op, q in self.stated)
        both = kinds in ({ALONE}, {(True, False), (False, True)})
        require(several or both, "one client, and every other number of them")
        for use in data["uses"]:
            for part in use["parts"]:
                self.check(part)
            said = self.said(use, earlier)
            self.means.require_defined(self, said, use["lemma"])
            self.known += said
        self.conclude(data)

    def selections(self):
        forms.check_selections(self.states())

    def conclude(self, data):
        """The statement, at the first length and at the next one, or at any t."""
        for part in data["parts"]:
            self.check(part)
        way = tuple(data["by"])
        require(way in (("base", "step"), ("direct",), ("any",)), "a base needs its step, and a step its base")
        contexts = {part["context"] for part in data["parts"]}
        at_t = {bool(self.index) and ANY in " ".join(names_in(value)) for _, value in self.statement}
        require(at_t == {way == ("any",)}, "what is said at any t reads t, and nothing else does")
        require(self.statement and (way == ("any",) or contexts >= set(way)), "nothing is shown of a base or of a step")
        reads = [scope == "t" and self.of_length(value) for scope, _, value in self.stated]
        reads += [self.of_length(({(n,): 1 for n in self.runs.read_by(self, s)}, {})) for s in self.states()]
        require(len(way) == 1 or not any(reads), "what holds at every t depends on the length")
        for context in way:
            for op, value in self.statement:
                there = self.shows(op, self.moved(value, self.end(context)), context)
                require(there, f"the statement is not what is shown ({context})")
        self.scope = "t" if way == ("any",) else "length"

    def quotient(self, data):
        if (key := data if type(data) is str else (repr(data),)) not in self.read:
            out = quotient_of(data, self.called)
            require(not reads_earlier(out), f"there need not be an index {EARLIER}")
            self.read[key] = out
        return self.read[key]

    def form(self, data):
        if (key := repr(data)) not in READ:
            texts = [p for c in data.values() for p in ([c] if type(c) is str else [c[0], *(p for p, _ in c[1])])]
            names = set().union(*(written(text)[1] for text in texts))
            READ[key] = {entry(key): quotient_of(c, str) for key, c in data.items()}, names
        form, names = READ[key]
        if all(self.called(name) == name and EARLIER not in name for name in names):
            return form
        return {entry(key): self.quotient(c) for key, c in data.items()}

    def forms(self, data):
        """Forms of the model, which are read once."""
        if id(data) not in self.of_model:
            self.of_model[id(data)] = {name: self.form(form) for name, form in data.items()}
        return self.of_model[id(data)]

    def of_length(self, value):
        """Whether a quotient reads the length, or the element of a sequence there."""
        places = (element[3] for name in names_in(value) if (element := ELEMENT.fullmatch(name)))
        return self.index in {*names_in(value), *places}

    def called(self, name):
        """What a name of the file stands for: some for elements of sequences."""
        to = self.names.get(name, name if name[:1].isalpha() else None)
        require(not to or "#" not in to or self.means.base(to) in self.lost, f"{to!r} is what a lemma alone speaks of")
        return to

    def moved(self, value, shift, at=MappingProxyType({})):
        """A quotient with indices at other places, and others in the place of names and sequences."""
        return put(value, {name: to for name in names_in(value) if (to := self.instance(name, shift, at))})

    def instance(self, name, shift, at):
        """What stands for a name; None for itself."""
        if name in at:
            return at[name]
        if name in shift:
            place, k = shift[name]
            return plus({(place,): 1} if place else {}, {(): k}), {}
        if not (element := ELEMENT.fullmatch(name)):
            return None
        sequence, back, place, ahead = element.groups()
        to, k = shift.get(place, (None, int(place)) if place.isdecimal() else (place, 0))
        k += len(ahead) - len(back)
        if (sequence,) not in at:
            return self.element(sequence, to, k)
        own = at[sequence,]
        return added([product(self.moved(c, {ANY: (to, k)}), self.element(s, to, k) if s else ONE) for c, s in own])

    def element(self, sequence, place, k):
        """The element of a sequence; of one that is defined by that before it, and by its start."""
        if sequence in self.defined and (k > 0 or place is None):
            start, step = self.defined[sequence]
            return start if k == 0 else self.moved(step, {ANY: (place, k - 1)})
        return {(f"{sequence}[{k if place is None else QUOTE * -k + place + QUOTE * k}]",): 1}, {}

    def end(self, context):
        """Where the length is."""
        return {"base": {self.index: (None, self.first)}, "step": {self.index: (self.index, 1)}}.get(context, {})

    def facts(self, context):
        """What is known in a context, as (operator, quotient)."""
        return [*self.facts_besides(context), *self.facts_from(context, self.known)]

    def facts_from(self, context, known):
        """The same of some of what is known."""
        at = {
            "base": [(None, j) for j in range(self.first)],
            "step": [(self.index, 0), (None, 0)],
            "any": [(ANY, 0), (EARLIER, 0)],
        }
        at["length"] = [(None, 0)] * min(self.first, 1)
        at["direct"] = [(self.index, -1), (None, 0)] * min(self.first, 1)
        end = self.end(context)
        for scope, op, value in known:
            for t in at.get(context, ()) if scope == "t" else [(None, 0) if scope == "start" else (ANY, 0)]:
                yield op, self.moved(value, {**end, ANY: t})

    def facts_besides(self, context):
        """What is known by what is claimed, and of the indices."""
        for _, value in self.statement:  # which is claimed where it, and every term of its sums, is defined
            for p in [*self.moved(value, self.end(context))[1], *self.below(value)]:
                yield "!=", (dict(p), {})
        if context == "step":
            yield ">=", (plus({(self.index,): 1}, {(): -self.first}), {})
        for a, b in ((ANY, self.index), (EARLIER, ANY)) if context == "any" else ():
            yield from ((">=", ({(a,): 1}, {})), (">=", ({(b,): 1, (a,): -1, (): -1}, {})))

    def below(self, value, seen=()):
        """What stands below in the terms of the sequences of a quotient that are defined."""
        names = {match[1] for name in names_in(value) if (match := ELEMENT.fullmatch(name))} & set(self.defined)
        for name in names.difference(seen):
            yield from self.defined[name][1][1]
            yield from self.below(self.defined[name][1], (*seen, *names))

    def known_in(self, context):
        """Sets of the facts that are known in a context; in a step also the statement, where that is defined."""
        count, known = self.kept.get(context, (0, set()))
        more = [*self.facts_from(context, self.known[count:]), *(self.facts_besides(context) if not count else ())]
        known |= {fact for own, value in more for fact in facts_of(own, value)}
        self.kept[context] = len(self.known), known
        shown = self.shown.setdefault(context, set())
        if context != "step":
            return known, shown
        before = [(signed(v), op) for scope, op, v in self.stated if scope != "t" and self.of_length(v)]
        before += [(dict(p), "!=") for _, value in self.statement for p in value[1]]
        if all(any(fact in known or fact in shown for fact in ways_of(*one)) for one in before):
            shorter = [*self.statement, *((op, value) for scope, op, value in self.known if scope == "length")]
            return known, shown, {fact for own, value in shorter for fact in facts_of(own, value)}
        return known, shown

    def holds(self, p, op, context):
        """Whether a fact is known in a context."""
        if p.keys() <= {()}:
            c = p.get((), 0)
            return {">": c > 0, ">=": c >= 0, "==": c == 0, "!=": c != 0}[op]
        ways = ways_of(p, op)
        if any(fact in known for known in self.known_in(context) for fact in ways):
            return True
        if beside("powers").known(self, p, op, context):
            return True
        common = [name for name in facts.shared(p) if self.holds({(name,): 1}, ">", context)] if len(p) > 1 else []
        if common and self.holds(facts.over_shared(p, common), op, context):
            return True
        if op == "==":
            return bool(p) and all(self.holds({a: s * c for a, c in p.items()}, ">=", context) for s in (1, -1))
        if len(p) == 1 and (op == "!=" or len(max(p)) < 2):
            return len(max(p)) > 1 and all(self.holds({(name,): 1}, op, context) for name in {*max(p)})
        if len({c > 0 for c in p.values()}) > 1 or (op != "!=" and min(p.values()) < 0):
            return False  # else it is a sum of products of names, of one sign
        positive = {name: self.holds({(name,): 1}, ">", context) for name in names_in((p, {}))}
        least = all(yes or self.holds({(name,): 1}, ">=", context) for name, yes in positive.items())
        return least and (op == ">=" or any(all(positive[name] for name in a) for a in p))

    def check(self, data):
        """Check a part, with hypotheses that are known in its context; what it shows is known from then on."""
        context = data["context"]

        def admits(fact, p, op):
            roots = [(polynomial(text, self.called), n) for text, n in fact.get("root", ())]  # p is their square
            square = normal(facts.product_of([*roots, *roots])) if roots else None
            nonzero = bool(roots) and all(self.holds(q, "!=", context) for q, _ in roots)
            return self.holds(p, op, context) or (nonzero and op != "==" and square == normal(p))

        for part, own in leaves(data, (), admits, self.called):
            require(not any(relation.get("rows") for relation in own["relations"]), "a row among numbers")
            earlier = any(reads_earlier((p, {})) for p, _ in part.facts)  # than the first index there is none
            for op, value in facts.values_of(part, own) if not part.cases else []:
                if not earlier or reads_earlier(value):
                    self.shown.setdefault(context, set()).update(facts_of(op, value))
                    self.quotients.append((context, op, value))

    def shows(self, op, value, context):
        """Whether a quotient has a sign in a context: it is one that was shown or is known, or its polynomial has it."""
        if self.holds(signed(value), op, context):
            return True
        read = names_in(value)
        same = (v for at, own, v in self.quotients if (at, own) == (context, op))
        known = (v for own, v in self.facts(context) if own == op and names_in(v) >= read)
        return any(equal(value, v) for each in (same, known) for v in each)

    def check_step(self, state):
        """The quantities after a step, in the mean over the draws, and at the start are those before it with its points moved."""
        now, after = (
            {name: form for name, form in self.forms(state["forms"]).items() if (QUOTE in name) is later}
            for later in (False, True)
        )
        moves = [self.substitution(draw) for draw in state["moves"] or []]
        after |= {n: form for n, form in now.items() if not ELEMENT.fullmatch(n)}  # what is one number stays it
        clients, shares = self.clients(state), self.chances.shares(self, state["moves"] or (), state)
        for name, form in after.items() if moves else ():
            before = now[name.replace(QUOTE, "")]
            there = [clients.mean(before, move) if clients else image(before, *move) for move in moves]
            there = [times_form(share, one) for share, one in zip(shares, there, strict=True)]
            left = [*there, times_form(MINUS, clients.mean(form) if clients else form)]
            require(not sum_of(left), f"{name} is something else after the step")
        starts = self.substitution(state["starts"]) if state.get("starts") else None
        for name, form in self.forms(state["begun"]).items() if starts or moves else ():
            later = re.sub(r"\[[01]\]$", f"[{ANY}{QUOTE if name.endswith('[1]') else ''}]", name)
            there = image(self.forms(state["forms"])[later], *starts) if starts else self.forms(state["forms"])[later]
            apart = less_form(there, form)
            require(not (clients.mean(apart) if clients else apart), f"{name} begins elsewhere")

    def clients(self, state):
        """What makes the forms of a state numbers that are means over the clients; None where they are no such."""
        said = state.get("clients")
        return forms.Clients(said, state["each"], self.quotient) if said else None

    def substitution(self, draw):
        """(vectors, forms of values) that stand for others."""
        vectors = {int(i): {int(j): self.quotient(c) for j, c in v.items()} for i, v in draw["leaves"].items()}
        return vectors, {int(i): self.form(data) for i, data in draw["values"].items()}

    def asks(self, why, op, value, context):
        """What a lemma asks holds where it is used, and is defined there."""
        for p in value[1]:
            require(self.holds(dict(p), "!=", context), f"{why}: a divisor may vanish")
        require(self.shows(op, value, context), f"{why}: a condition is not shown to hold")

    def said(self, use, earlier):
        """What a lemma says where it is used: (scope, operator, quotient) of everything."""
        why, at = str(use["lemma"] or "an identity"), {name: self.quotient(q) for name, q in use["at"].items()}
        at |= {(name,): [(self.quotient(c), s) for c, s in by] for name, by in use["sequences"].items()}
        lemma, place = use["lemma"], tuple(use["place"])
        if isinstance(lemma, dict):  # which is proved here
            why, lemma = "what is shown on the way", [leaf for part in lemma["parts"] for leaf in leaves(part)]
        elif lemma is not None:
            lemma = earlier[lemma].finite[use["finite"]] if "finite" in use else earlier[lemma]
        for name, by in at.items() if place[0] == ANY else ():
            fixed = type(name) is str or all(ANY not in names_in(c) for c, _ in by)
            require(fixed, f"{why}: {name} depends on the length")
        if use.get("of") == "means":
            return self.means.over_steps(self, use)
        if use.get("of") == "within":
            return self.runs.at_the_end(self, lemma, use, at, why)
        if use["states"]:
            return self.of_forms(use, lemma, at, why)
        inner, scope = ("any", "t") if place[0] == ANY else ("length", "length")
        if not isinstance(lemma, Theorem):
            for part, own in lemma:
                self.hypotheses(part, own, at, inner, why)
            said = [(op, self.moved(v, {}, at)) for part, own in lemma for op, v in facts.values_of(part, own)]
            return self.written(use, said, scope, why)
        return self.of_theorem(use, lemma, at, place, why)

    def of_theorem(self, use, lemma, at, place, why):
        """What a theorem says at a length, at t + 1, or at every t."""
        most = {self.index: 0, ANY: 1}.get(place[0])  # t is below the length, so that t + 1 is none above it
        whole = most is not None and type(place[1]) is int and place[1] <= most
        whole = whole or not (lemma.index or lemma.first or place[0])  # of one that has none
        require(whole, f"{why}: {place} is no length of at most {self.index}")
        require(lemma.scope != "t" or place == (self.index, 0), f"{why}: at every t below another length")
        own = {ANY, EARLIER, lemma.index}
        require(
            not any(n in own or ELEMENT.fullmatch(n) for n in use["at"]), f"{why}: an index or an element is no name"
        )
        if lemma.model is not None:
            at |= self.runs.of_the_run(self, use, lemma, at, place, why)
        else:
            self.means.may_be_used(self, lemma, use, at, False, why)
        at_t = place[0] == ANY or lemma.scope == "t"  # where there is no t it says nothing
        self.asks_of(lemma, at, place, "any" if at_t else "length", why)
        self.used.append((lemma, place, at))
        said = [(op, self.moved(v, {lemma.index: place, ANY: (ANY, 0)}, at)) for op, v in lemma.statement]
        return self.written(use, said, "t" if at_t else "length", why)

    def asks_of(self, lemma, at, place, context, why):
        """What a theorem asks is so: its first length, its sequences that are defined, and what is stated of it."""
        shift = {lemma.index: place}
        t = {**shift, ANY: (EARLIER if place[0] == ANY else ANY, 0)}
        if lemma.index or lemma.first:
            self.asks(why, ">=", (plus({(place[0],): 1}, {(): place[1] - lemma.first}), {}), context)
        spoken = self.means.spoken_of(lemma)
        every = [q for _, definition in spoken for q in definition] + [q for kind, _, q in lemma.stated if kind == "t"]
        of_t = {n for n, q in at.items() if type(n) is str and place[0] != ANY and ANY in " ".join(names_in(q))}
        require(
            not of_t & set().union(*map(names_in, every)), f"{why}: one number of all t is another one at another t"
        )
        for name, (start, step) in spoken:
            for k, value in (("0", start), (ANY + QUOTE, step)):
                gap = less(self.moved(({(f"{name}[{k}]",): 1}, {}), t, at), self.moved(value, t, at))
                require((name,) in at and not gap[0], f"{why}: {name} is something else here")
        beside("powers").ask_exponentials(self, lemma, shift, at, why)
        for kind, op, value in lemma.stated:
            self.asks(why, op, self.moved(value, t if kind == "t" else shift, at), "any" if kind == "t" else context)
            if kind == "t" and place == (ANY, 1):  # of which t is an earlier index as well
                self.asks(why, op, self.moved(value, {**shift, ANY: (ANY, 0)}, at), "any")

    def states(self):
        return self.model["states"] if self.model else []

    def written(self, use, said, scope, why):
        """What is said, as the file writes it."""
        values = [(op, self.quotient(value)) for op, value in use["values"]]
        same = [op == own and equal(v, value) for (op, v), (own, value) in zip(said, values, strict=True)]
        require(all(same), f"{why} says something else")
        return [(scope, op, value) for op, value in values]

    def hypotheses(self, part, data, at, context, why, known=frozenset(), shift=MappingProxyType({})):
        """The hypotheses of a part of a lemma hold where it is used."""
        require(not part.cases, f"{why}: it has cases")
        for (p, op), fact in zip(part.facts, data["facts"], strict=True):
            value = self.moved((p, {}), {}, at)
            at_hand = value[0] and not value[1] and ways_of(value[0], op) & known
            require(not reads_earlier(value), f"{why}: there need not be an index {EARLIER}")
            if "from" in fact and not at_hand:
                self.asks(why, op, self.moved(value, shift), context)

    def of_forms(self, use, lemma, at, why):
        """What a lemma about forms says in every state of the model, as a combination of the quantities there."""
        says = [(op, {name: self.quotient(c) for name, c in by.items()}) for op, by in use["says"]]
        self.means.defined(self, [c for _, by in says for c in by.values()], why)
        more = {fact for state in self.states() for p in state["sizes"] for fact in facts_of(">=", self.quotient(p))}
        equal = lemma or all(op == "==" for op, _ in says)
        require(equal and use["of"] in forms.PLACES, f"{why}: it says something else")
        over = use.get("over", "")
        require(over in ("", "all", "selected"), f"{over!r} is no sum over clients")
        for k, (state, own) in enumerate(zip(self.model["states"], use["states"], strict=True)):
            quantities, rows, clients = self.forms(state[use["of"]]), self.forms(state["rows"]), self.clients(state)
            size = {name: self.quotient(n) for name, n in state["at"].items()}
            here = {name: q if type(name) is tuple else put(q, size) for name, q in at.items()}
            total = [
                [
                    times_form(product(MINUS, put(c, size)), quantities[name] if name else {("",): ONE})
                    for name, c in by.items()
                ]
                for _, by in says
            ]
            require(clients or not (over and state["sizes"]), f"{why}: a sum over clients of what is none")
            if clients:
                shared = all(not names_in(c) & clients.each for _, by in says for c in by.values())
                require(shared and not own.get("mean"), f"{why}: a client has a factor of its own")
            if lemma:
                part, data = lemma[own["part"]]
                related = [data["relations"][i] for i in use["only"]] if "only" in use else data["relations"]
                sizes = {fact for p in state["sizes"] for fact in facts_of(">=", self.quotient(p))}
                sizes |= facts_of(">=", forms.name(clients.chosen)) if clients and clients.chosen else set()
                self.hypotheses(part, data, at, "length" if use["of"] == "begun" else "any", why, sizes)
                require([{"<=": ">=", "==": "=="}[r["op"]] for r in related] == [op for op, _ in says], why)
                if clients and not over:
                    of_all = all(
                        not names_in(self.moved(({(n,): 1}, {}), {}, here)) & clients.each for n in data["names"]
                    )
                    require(of_all, f"{why}: a scalar of each client in what is said of all")
                shares = self.chances.shares(self, own["draws"], state)
                for draw, named, part_of in zip(own["draws"], own["rows"], shares, strict=True):
                    share = product(part_of, forms.weight(state, over, size))
                    self.rows[k] |= set(named.values())
                    move = self.substitution(draw)
                    for relation, terms in zip(related, total, strict=True):
                        for name, row in relation.get("rows", {}).items():
                            there = self.means.placed(self, self.at_names(part.form(row), here), move, state, own)
                            same = less_form(there, rows[named[name]])
                            if clients:
                                same = clients.of_one(same) if over else clients.mean(same)
                            require(not same, f"{why} rests on {name}, which is not known of the model")
                        gap = sum_of([{key: c} for key, cs in part.gap(relation).items() for c in cs])
                        there = self.means.placed(self, self.at_names(gap, here), move, state, own)
                        mean = self.means.averaged(self, there, state, why) if own["mean"] else there
                        terms.append(times_form(share, mean))
            left = [clients.expected(sum_of(one)) if clients else sum_of(one) for one in total]
            if state.get("selected") and any(left):
                left = [self.chances.expected(self, state, one) for one in left]
                self.drawn.add(k)
            require(not any(left), f"what {why} says is something else in the quantities")
        values = [
            (op, added([product(c, ({(name,) if name else (): 1}, {})) for name, c in by.items()])) for op, by in says
        ]
        passing = self.runs.of_steps(self, use["states"])
        if use["of"] == "begun":
            require(self.first > 0 or not passing, f"{why} rests on what is obeyed, and there need not be a step")
            return [("start", op, value) for op, value in values]
        out = [("t", op, value) for op, value in values]
        alone = [one for one, (_, by) in zip(values, says, strict=True) if QUOTE not in "".join(by)]  # of one state
        try:  # what is about one state holds in the last one as well, where what it asks does
            for own in use["states"] if lemma else ():
                part, data = lemma[own["part"]]
                self.hypotheses(part, data, at, "length", why, more, {ANY: (self.index, 0)})
            last = [("length", op, self.moved(value, {ANY: (self.index, 0)})) for op, value in alone]
            self.means.require_defined(self, last, why)
            require(not passing, f"{why} is not said of the last state")
        except Rejected:
            return out
        return [*out, *(("t", op, self.moved(value, {ANY: (ANY, 1)})) for op, value in alone), *last]

    def at_names(self, form, at, shift=MappingProxyType({})):
        return {key: self.moved(c, shift, at) for key, c in form.items()}
