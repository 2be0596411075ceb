"""Checks what is renewed client by client for fedtheory_check_limits.py, which has to lie beside this file.

A sum over the clients of what each of them has, none of it negative, tends to 0 where that of each client does: there are finitely
many. What a client has is a sequence of a run of one client, with the vectors of this client and those of all. At any step it is
selected, or passed over: `each` has a theorem about one step of one client for either, with one state, which may be any. It is
about elements at t and t + 1 alone, and knows nothing of another step, of the start or of the length.

It is a theorem about every client of the run at every step where, in every state of the run, vectors and values of the client or
of all stand for those of that state ("of"), so that

- the inequalities on which it rests are known of every client of the run, and what is stated of its numbers is so of theirs;
- a, by and what is in `more` are, in the run, the sum over the clients of what they are in the theorem: m times that in the mean,
  with 1 for `chosen` where the client is selected, and 0 where it is passed over; and so is a after a step;
- a after a step is what it was before it with the points moved ("moves"), of the client by itself and not in the mean alone, and
  reads no choice before it: then what it is after the step is what it is before the next one, whatever is chosen there.

Then a, by, more of the rule are sequences of every client; by is a where the client is selected, and 0 where it is not, so that a
falls to falls_to a + more at least once in so many steps, in which every client is selected, and is at most grows a + more in
between. What is added tends to 0 of each client, where each of its terms has a factor that does in sum over the clients, as none
of the sequences in it is negative of any client. So a tends to 0, in sum as well, and by is at most a.
"""

from typing import Any

from fedtheory_check import beside, less, product, put, require

T, M, forms = beside("theorems"), beside("means"), beside("forms")
Theorem: Any = T.Theorem
CASES = {"selected": 1, "passed over": 0}


class Step(Theorem):
    """A theorem about one step of one client, which is selected or not: nothing is known of another step."""

    def __init__(self, data, earlier, case):
        self.case = str(case)
        alone = data["by"] == ["any"] and data["model"] is not None and len(data["model"]["states"]) == 1
        require(alone and not data["defined"], "it is not about one step of one client")
        super().__init__(data, earlier)
        (state,) = self.states()
        named = state.get("chosen") and state["at"] == {state["chosen"]: self.case}
        require(named and not (state["sizes"] or state.get("clients")), "it is not about one client")
        others = self.loose or self.ends or self.lost or M.means_of(self) or self.model.get("within")
        require(not others and all(one.model is None for one in self.rests), "it rests on other runs")

    def selections(self):
        forms.check_selections(self.states(), {self.case})

    def facts_from(self, context, known):
        """What is stated, and known at this step."""
        for scope, op, value in known:
            if scope in ("given", "t") and not any(self.elsewhere(name) for name in T.names_in(value)):
                yield op, value

    def facts_besides(self, context):
        """Nothing is known of indices, nor that what is claimed is defined."""
        return ()

    def elsewhere(self, name):
        """Whether a name is about another step, or about the length."""
        element = T.ELEMENT.fullmatch(name)
        return name in (self.index, T.EARLIER) or (
            element and (element[2] or element[3] != T.ANY or len(element[4]) > 1)
        )

    def of_forms(self, use, lemma, at, why):
        """Of this step alone: in the next one the client may be chosen otherwise."""
        return [one for one in super().of_forms(use, lemma, at, why)[: len(use["says"])] if one[0] == "t"]


def renewed(limits, one, of, to, earlier):
    """What is renewed at least once in so many steps of each client tends to 0, of all and of the selected ones."""
    a, falls, grows, by, more = of[0], *(to[name] for name in ("falls_to", "grows", "by", "more"))
    chosen = [own for kind, own in limits.printed if kind == "chosen"]
    require(chosen and not to["b"][0], "that every client is selected again and again is not stated")
    parts = sorted({name for name in T.names_in(more) if limits.varies(name)})
    require(all(name == f"{limits.sequence(name)}[{T.ANY}]" for name in parts), "what is added is of another step")
    read = {M.base(name) for value in (falls, grows) for name in T.names_in(value)}
    read |= {M.base(name) for name in T.names_in(more) - {*parts}}
    fixed = limits.number(falls) and limits.number(grows) and not read & {*limits.model["quantities"], *limits.defined}
    require(fixed, "how it falls and grows changes, or is of all clients")
    small = limits.sequences("null") - {""}
    null = limits.stays(more) and all(small & set(map(limits.sequence, names)) for names in more[0])
    require(null, "what is added is not known to tend to 0 of each client")
    spread, later = less(grows, falls), limits.moved(a, {T.ANY: (T.ANY, 1)})
    after = T.added([less(product(grows, a), product(spread, by)), less(more, later)])
    statement = [(">=", value) for value in (a, by, after, *(({(name,): 1}, {}) for name in parts))]
    limits.at_any(one, "signs", [(">=", falls), (">=", spread)])
    quantities = [of_a_sequence(limits, value) for value in (a, by)]
    require(one["each"].keys() == CASES.keys(), "a client is selected, or passed over")
    for case, own in one["each"].items():
        step = Step(own["theorem"], earlier, CASES[case])
        require(step.index == limits.index, f"{case}: of another length")
        for op, value in statement:
            require(
                any(o == op and not less(v, value)[0] for o, v in step.statement), f"{case}: that is not what is shown"
            )
            good = all(step.holds(dict(p), "!=", "any") for p in value[1])
            require(good, f"{case}: it may be undefined")
        for scope, op, value in step.stated:
            of_it = {M.base(name) for name in T.names_in(value)} & {
                *step.model["quantities"],
                *limits.model["quantities"],
            }
            require(scope == "given" and limits.number(value) and not of_it, f"{case}: more is stated than of numbers")
            limits.asks(case, op, value, "any")
        of_each(limits, step, own["of"], CASES[case], [*quantities, *map(M.base, parts)], case)
    selected(limits, *quantities)
    if falls[0]:
        limits.show(one, "rates", [(">=", less(T.ONE, grows)), (">", less(T.ONE, falls))])
    limits.loose = True  # it is so where the points of every client move as is said
    limits.conclude_null(of, to)
    limits.conclude_that("null", by)


def of_a_sequence(limits, value):
    """The quantity of which a quotient is the element at any t."""
    (name, *others) = T.names_in(value)
    good = not others and value == ({(name,): 1}, {}) and name == f"{limits.sequence(name)}[{T.ANY}]"
    require(good and M.base(name) in limits.model["quantities"], "it is no quantity of the run")
    return M.base(name)


def of_each(limits, step, of, case, quantities, why):
    """A theorem about a step of one client is about that of every client of the run."""
    (theirs,) = step.states()
    names = [f"{q}[{T.ANY}]" for q in quantities]
    require({*names} <= {*theirs["forms"]}, f"{why}: it is not about what is renewed")
    names.append(f"{quantities[0]}[{T.ANY}{T.QUOTE}]")
    for k, (state, own) in enumerate(zip(limits.states(), of, strict=True)):
        size = {n: limits.quotient(q) for n, q in state["at"].items()}
        if state["sizes"]:
            size |= {state["chosen"]: ({(): case} if case else {}, {})}
        elif state["at"].get(state["chosen"]) != str(case):
            continue  # the one client is chosen otherwise
        require(state["chosen"] == theirs["chosen"], f"{why}: of another selection")
        stands_for_one(state, own, why)
        vectors = {int(i): {j: T.ONE} for i, j in own["leaves"].items()}
        values = {int(i): {("v", j): T.ONE} for i, j in own["values"].items()}
        whole = put(({("m",): 1}, {}), size)
        mine, now = limits.forms(state["forms"]), step.forms(theirs["forms"])

        def there(form, vectors=vectors, values=values):
            require(limits.runs.reads_no_more(form, vectors, values), f"{why}: nothing stands for what it reads")
            return T.image(form, vectors, values)

        for name in step.rows[0]:
            row = there(step.form(theirs["rows"][name]))
            known = ((n, f) for n, f in limits.forms(state["rows"]).items() if f.keys() == row.keys())
            same = next((n for n, f in known if M.alike(f, row)), None)
            require(same, f"{why} rests on {name}, which is not known of each client")
            limits.rows[k].add(same)
        for name in names:
            require(name in mine and name in now, f"{why}: {name} is not written")
            good = M.alike({key: put(c, size) for key, c in mine[name].items()}, T.times_form(whole, there(now[name])))
            require(good, f"{why}: {name} is no sum over the clients of what it is of one")
        moves_alone(limits, state, mine, names[-1], why)


def moves_alone(limits, state, mine, name, why):
    """What is chosen at a step is not read before it by what is known after it; of each client it is that with its points moved."""
    before = mine[name.replace(T.QUOTE, "")]
    read = {n for c in before.values() for n in T.names_in(c)}
    require(state["chosen"] not in read, f"{why}: {name} reads what is chosen at the next step")
    if state["sizes"]:
        clients, moves = limits.clients(state), [limits.substitution(draw) for draw in state["moves"] or ()]
        require(clients and len(moves) == 1 and clients.before is None, f"{why}: how each client moves is not written")
        (move,) = moves
        good = all(moves_all_of(clients, k, move) for k in M.reads(before)[0]) and M.reads(before)[1] <= move[1].keys()
        gap = (
            T.sum_of([clients.moved(before, move), T.times_form(T.MINUS, clients.of_one(mine[name]))]) if good else None
        )
        require(good and not gap, f"{why}: {name} moves otherwise, of one client")


def moves_all_of(clients, place, move):
    """Whether a vector, or all of which it is a mean, moves as is said."""
    return (
        all(moves_all_of(clients, k, move) for _, k in clients.sums[place])
        if place in clients.sums
        else place in move[0]
    )


def stands_for_one(state, own, why):
    """Vectors and values of a client, or of all, stand for those of the one client."""
    clients = state.get("clients")
    require(bool(clients) == bool(state["sizes"]), f"{why}: the clients have no vectors of their own")
    places = [p for what in ("leaves", "values") for p in own[what].values()]
    require(all(type(p) is int for p in places), f"{why}: no place")
    require(not clients or not {*map(str, own["leaves"].values())} & {*clients["sums"]}, f"{why}: a mean of all")


def selected(limits, whole, part):
    """The part is that of the clients which are selected: in every state it is the whole, with `chosen` before it."""
    for state in limits.states():
        mine, name = limits.forms(state["forms"]), f"[{T.ANY}]"
        chosen = put(({(state["chosen"],): 1}, {}), {n: limits.quotient(q) for n, q in state["at"].items()})
        good = M.alike(mine[part + name], T.times_form(chosen, mine[whole + name]))
        require(good, f"{part} is not {whole} of those that are selected")
