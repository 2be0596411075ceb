"""Checks runs for fedtheory_check_theorems.py, which has to lie beside this file: another run along one, and runs within its steps.

A model may say that a vector of every client is where a point of another run is after its last step ("within"): a run of this
client within every step, of as many steps as the number `index` says. `states` has what that run is: its one state with the
forms of its quantities, with "moves", "starts", and "rows", which are not negative at each of its steps; `stated` has what holds at
each of its steps. A state of the model says what stands at the end for the vectors and values of that run: for its `point` a vector
of this one, and else for what never moves. So a theorem about that run holds of the run of every client within every step, and
what it says of the last state is about this model's vectors. It says it of every client, and so, where it is affine in the
quantities with coefficients that all clients share, of the means over the clients, and of the mean over the draws.

The inequalities on which the theorem rests have to be among `rows`, or one of these and squares, which are sought here.
Believed of a model: "within", where "moves" of that run do not contradict it.
"""

import re
from fractions import Fraction

from fedtheory_check import beside, equal, over, plus, power, product, put, require, signed

T, M = beside("theorems"), beside("means")
HALF: tuple = ({(): Fraction(1, 2)}, {})
NONE: dict = {}


# the same run, or another one along it


def of_the_run(theorem, use, lemma, at, place, why):
    """What the quantities of a theorem about a run are here, where it is about the same run, or about one along it."""
    quantities = lemma.model["quantities"]
    part = "part" in use
    require(not part or is_part(theorem, lemma), f"{why}: it is about another run")
    same = part or all(map(T.forms.same_state, theorem.states(), lemma.states()))
    M.may_be_used(theorem, lemma, use, at, same, why)
    if same:
        alike = len(theorem.states()) == len(lemma.states()) and M.of_the_same_numbers(theorem, lemma, at, place)
        require(alike, f"{why}: it is about another model")
        return {name: ({(name,): 1}, {}) for name in quantities} | {(name,): [(T.ONE, name)] for name in quantities}
    lost = {name for name in quantities if name not in at and (name,) not in at}
    own = f"#{len(theorem.known)}"  # of this lemma alone
    at = at | {(name,): [(T.ONE, name + own)] for name in lost}
    at |= {name: ({(name + own,): 1}, {}) for name in lost}  # of which nothing is known
    theorem.lost |= {name + own for name in lost}
    if "averaged" in use:
        M.of_each_client(theorem, lemma, use, at, lost, why)
    else:
        same_run(theorem, lemma, use, at, lost, why)
        M.moves_alike(theorem, lemma, use, at, lost, why)
    return at


def is_part(theorem, lemma):
    """Whether a theorem is of a model of which no more is said than of this one, but for the forms, which `rests_on` compares.

    A model is part of another where both have the same states, of the same numbers of clients, and every vector and value of the
    smaller one is one of the larger one, by its name or as the mean over the clients of such, so that every quantity is the same
    there before and after a step and at the start. Whatever run the larger model is of, the smaller one is of that run, too; so
    what a theorem says of the smaller one, from inequalities that are known in the larger one, is so.
    """
    same = "where", "sizes", "at", "each", "chosen"
    both = theorem.model is not None and lemma.model is not None and len(theorem.states()) == len(lemma.states())
    return both and all(
        all(one.get(k) == other.get(k) for k in same)
        and not any((state.get("clients") or NONE).get("before") for state in (one, other))
        for one, other in zip(theorem.states(), lemma.states(), strict=True)
    )


def rests_on(theorem, lemma, k, why, part=False):
    """What a theorem of the same model, or of a `part` of it, rests on is known here, of vectors and values of the same names."""
    if not (part or lemma.rows[k]):
        return
    state, other = theorem.states()[k], lemma.states()[k]
    leaves, heights = places_of(theorem, lemma, state, other)
    require(of_the_same(state, other, leaves, heights), f"{why}: its means over the clients are others")
    for of in ("forms", "begun"):
        mine = theorem.forms(state[of])
        for name, form in lemma.forms(other[of]).items():
            good = name in mine and reads_no_more(form, leaves, heights)
            require(good and M.alike(at_places(form, leaves, heights), mine[name]), f"{why}: its vectors are others")
    if part and lemma.loose:
        moves_as_part(theorem, lemma, state, other, (leaves, heights), why)
    known = theorem.forms(state["rows"])
    for name in lemma.rows[k]:
        form = lemma.forms(other["rows"])[name]
        there = at_places(form, leaves, heights) if reads_no_more(form, leaves, heights) else None
        like = (
            own
            for own in (name, *known)
            if there is not None
            and own in known
            and known[own].keys() == there.keys()
            and as_long(state, own, other, name)
        )
        mine = next((own for own in like if M.alike(there, known[own])), None)
        require(mine, f"{why} rests on {name}, which is not known of the model")
        theorem.rows[k].add(mine)


def obeyed(state):
    """The rows of a state that are not said of the last one, from which there is no step."""
    return {*state.get("obeyed", ())}


def of_steps(theorem, placed):
    """Whether a lemma, as it is placed in every state, rests on what is not said of the last one."""
    pairs = zip(theorem.states(), placed, strict=True)
    return any(obeyed(state) & {*rows.values()} for state, own in pairs for rows in own.get("rows", ()))


def as_long(state, own, other, name):
    """Whether a row is said of the last state, too, if that of another state for which it stands is."""
    return own not in obeyed(state) or name in obeyed(other)


def moves_as_part(theorem, lemma, state, other, places, why):
    """What stands for the vectors and values of a part after a step, and at the start, is what stands for these here."""
    leaves, heights = places
    draws = [[one["moves"] or [] for one in (state, other)]]
    draws.append([[one["starts"]] if one.get("starts") else [] for one in (state, other)])
    for mine, theirs in draws:
        require(not theirs or len(mine) == len(theirs), f"{why}: it rests on how another run moves")
        for one, draw in zip(mine, theirs, strict=False):
            here, there = theorem.substitution(one), lemma.substitution(draw)
            same = one.get("chance") == draw.get("chance")
            for k, vector in there[0].items():
                moved = here[0].get(leaves.get(k)) if {*vector} <= {*leaves} else None
                image = T.sum_of([{leaves[j]: c} for j, c in vector.items() if j in leaves])
                same &= moved is not None and M.alike(moved, image)
            for k, form in there[1].items():
                moved = here[1].get(heights.get(k)) if reads_no_more(form, leaves, heights) else None
                same &= moved is not None and M.alike(moved, at_places(form, leaves, heights))
            require(same, f"{why}: it rests on how another run moves")


def at_places(form, leaves, heights):
    """A form with other places of the vectors and values."""
    to = {"": {}, "v": heights, "G": leaves}
    return T.sum_of([{(kind, *sorted([to[kind][k] for k in places])): c} for (kind, *places), c in form.items()])


def reads_no_more(form, vectors, values):
    """Whether something stands for all that a form reads."""
    read = M.reads(form)
    return read[0] <= vectors.keys() and read[1] <= values.keys()


def places_of(theorem, lemma, state, other):
    """The places here of the vectors and values of another state: by their names, of means over the clients by what they are of."""
    leaves, heights = (called_alike(state[of], other[of]) for of in ("leaves", "values"))
    read = set().union(
        *(M.reads(form)[1] for of in ("forms", "begun", "rows") for form in lemma.forms(other[of]).values())
    )
    heights = {place: own for place, own in heights.items() if place in read}
    sums = [((one.get("clients") or NONE).get("sums") or NONE) for one in (state, other)]
    leaves = {place: own for place, own in leaves.items() if str(place) not in sums[1] and str(own) not in sums[0]}
    for place, terms in sums[1].items():  # in an order in which a mean comes after those in it
        of = [(lemma.quotient(c), leaves.get(k)) for c, k in terms]
        for own, mine in sums[0].items():
            there = [(theorem.quotient(c), k) for c, k in mine]
            if len(of) == len(there) and all(
                a[1] == b[1] and equal(a[0], b[0]) for a, b in zip(of, there, strict=True)
            ):
                leaves[int(place)] = int(own)
    return leaves, heights


def of_the_same(state, other, leaves, heights):
    """Whether what is of all clients there is so here; what every client has there may be of all here, as the same for each."""
    mine, theirs = state.get("clients"), other.get("clients")
    if not (mine or theirs):
        return True
    same = mine and theirs and all(mine[k] == theirs[k] for k in ("chosen", "count"))
    for what, to in (("leaves", leaves), ("values", heights)) if same else ():
        same &= all(place in theirs[what] or own not in mine[what] for place, own in to.items())
    return same


def called_alike(mine, theirs):
    """The place here of what is called the same there, by its place there."""
    names = {name: int(place) for place, name in mine.items()}
    return {int(place): names[name] for place, name in theirs.items() if name in names}


def same_run(theorem, lemma, use, at, lost, why):
    """The quantities of another run are what they are said to be in this one, before and after a step, and at the start."""
    require(theorem.model is not None, f"{why}: it is about a run")
    shift = {lemma.index: tuple(use["place"])}
    for k, (state, own) in enumerate(zip(theorem.model["states"], use["run"], strict=True)):
        theirs = lemma.model["states"][own["state"]]
        # the numbers of clients here are among those there
        within = {*state["sizes"]} >= {*theirs["sizes"]} and state["at"] == theirs["at"]
        require(within and not (theirs.get("clients") or state.get("clients")), f"{why}: other numbers of clients")
        move, size = theorem.substitution(own), {name: theorem.quotient(n) for name, n in state["at"].items()}
        here = {name: put(q, size) if type(name) is str else q for name, q in at.items()}
        for name in lemma.rows[own["state"]]:
            theorem.rows[k].add(own["rows"][name])
            there = T.image(theorem.at_names(lemma.form(theirs["rows"][name]), here, shift), *move)
            same = M.alike(there, theorem.form(state["rows"][own["rows"][name]]))
            same = same and as_long(state, own["rows"][name], theirs, name)
            require(same, f"{why} rests on {name}, which is not known of the run")
        for of in ("forms", "begun"):
            mine = theorem.forms(state[of])
            for name, data in theirs[of].items():
                if name.partition("[")[0] not in lost:
                    there = T.image(theorem.at_names(lemma.form(data), here, shift), *move)
                    there = M.at_the_start(theorem, of, there, state)
                    said = as_form(put(theorem.moved(({(name,): 1}, {}), {}, at), size), mine)
                    require(M.alike(there, said), f"{why}: {name} is something else in the run")


def as_form(value, quantities):
    """A combination of quantities as a form."""
    out = []
    for monomial, c in value[0].items():
        own = [name for name in monomial if name in quantities]
        require(len(own) <= 1, "a product of quantities")
        rest = {tuple(name for name in monomial if name not in quantities): c}, value[1]
        out.append(T.times_form(rest, quantities[own[0]] if own else {("",): T.ONE}))
    return T.sum_of(out)


def of_the_same_names(theorem, lemma, states, why):
    """The names in the numbers of some states, which stand in both files, stand for the same in both."""
    names = set().union(*(words_in(lemma, state) for state in states))
    same = all(theorem.names.get(name, name) == lemma.names.get(name, name) for name in names)
    require(same, f"{why}: a name stands for something else there")


def numbers_of(state):
    """What is written of the numbers of a state, and of the ends of runs within its steps."""
    forms = [form for of in ("forms", "begun", "rows") for form in state[of].values()]
    ends = (state.get("within") or NONE).values()
    for draw in [*(state["moves"] or ()), *filter(None, [state.get("starts")]), *ends]:
        forms += [form for what in ("leaves", "values") for form in draw.get(what, NONE).values()]
    sums = (state.get("clients") or NONE).get("sums")
    return [*(c for form in forms for c in form.values()), state["at"], state["sizes"], sums]


def words_of(said):
    """The names in a list of what is written of numbers."""
    return {word.strip("'") for word in {*re.split(r"[^\w:#']+", " ".join({*map(str, said)}))}}


def words_in(theorem, state):
    """The names in the numbers of a state, which are looked for once."""
    if id(state) not in theorem.words:
        theorem.words[id(state)] = state, words_of(numbers_of(state))
    return theorem.words[id(state)][1]


def called_in(theorem, words):
    """These names, and what they are called."""
    return words | {theorem.names[word] for word in words & theorem.names.keys()}


def read_by(theorem, state):
    """The names in the numbers of a state, its moves, and the runs within its steps."""
    inner = [numbers_of(one) for run in (theorem.model.get("within") or NONE).values() for one in run["states"]]
    return called_in(theorem, words_in(theorem, state) | words_of(inner))


# a run within every step


def run_within(theorem, name):
    """What a model says of a run within its steps."""
    return ((theorem.model or NONE).get("within") or NONE).get(name)


def may_end_so(theorem, lemma, use, same, at, why):
    """What a theorem that rests on runs within a step says of their ends is so of the same runs, with the same numbers, alone."""
    runs = [run for name in lemma.ends if (run := run_within(lemma, name))]
    if same or runs:
        of_the_same_names(theorem, lemma, [*lemma.states(), *(one for run in runs for one in run["states"])], why)
    read = called_in(lemma, words_of([run["stated"] for run in runs])) | {run["index"] for run in runs}
    read = read.union(*(read_by(lemma, state) for state in lemma.states())) if runs else set()
    others = [
        n for n, q in at.items() if {n if type(n) is str else n[0]} & read and type(n) is str and q != ({(n,): 1}, {})
    ]
    require(not others, f"{why}: a number of a run within a step is another one")
    for name in lemma.ends:
        alike = run_within(theorem, name) is not None and run_within(theorem, name) == run_within(lemma, name)
        alike = alike and (same or "averaged" not in use)
        for k, state in enumerate(theorem.states()) if alike else ():
            other = lemma.states()[k if same else use["run"][k]["state"]]
            by = by_name(theorem, state, other, why) if same else use["run"][k]
            alike = alike and ends_alike(theorem, state["within"][name], other["within"][name], by)
        require(alike, f"{why}: it rests on where {name} ends")
    theorem.ends |= lemma.ends


def by_name(theorem, state, other, why):
    """What stands here for the vectors and values of the same model in another file: those of the same names."""
    leaves, values = (called_alike(state[of], other[of]) for of in ("leaves", "values"))
    read = [M.reads(form) for of in ("forms", "begun") for form in theorem.forms(state[of]).values()]
    same = all(leaves.get(k, k) == k for mine, _ in read for k in mine) and all(
        values.get(k, k) == k for _, mine in read for k in mine
    )
    require(same, f"{why}: its vectors are others")
    return {
        "leaves": {str(k): {str(own): "1"} for k, own in leaves.items()},
        "values": {str(k): {f"v {own}": "1"} for k, own in values.items()},
    }


def ends_alike(theorem, own, other, by):
    """Whether what stands at an end in a state of another run is, with vectors of this one for its vectors, what stands here."""
    (mine, heights), (theirs, there), move = map(theorem.substitution, (own, other, by))
    good = (mine.keys(), heights.keys()) == (theirs.keys(), there.keys())
    for k, vector in theirs.items() if good else ():
        terms = [{i: product(c, d) for i, d in move[0][j].items()} for j, c in vector.items()]
        good = good and not T.sum_of([*terms, {i: product(T.MINUS, c) for i, c in mine[k].items()}])
    return good and all(M.alike(T.image(form, *move), heights[k]) for k, form in there.items())


def at_the_end(theorem, lemma, use, at, why):
    """What a theorem about the run within a step says of its end: (scope, operator, quotient)."""
    name, run = use["within"], run_within(theorem, use["within"])
    require(run is not None, f"{why}: it is about no run within a step")
    index, quantities = run["index"], {*lemma.model["quantities"]}
    require(index == lemma.index != theorem.index and lemma.scope == "length", f"{why}: it is of another length")
    require(not use["sequences"] and not M.spoken_of(lemma), f"{why}: it is about more than the end")
    ends = {n: M.base(n) for n in at if M.base(n) in quantities}
    require(all(n in (q, f"{q}[{index}]") for n, q in ends.items()), f"{why}: it is not about the end")
    require(name.isidentifier() and {*ends.values()}, f"{why}: it says nothing of the run")
    of_this_run(theorem, lemma, run, at, why)
    for own, state in enumerate(theorem.states()):
        at_its_end(theorem, lemma, state, state["within"][name], run, {n: at[n] for n in ends}, f"{why} in state {own}")
    M.linear(theorem, lemma, {*ends.values()}, at, why)
    lost = f"#{len(theorem.known)}"  # of which nothing is known
    theorem.lost |= {q + lost for q in quantities}
    at = {q: ({(q + lost,): 1}, {}) for q in quantities} | at | {(q,): [(T.ONE, q + lost)] for q in quantities}
    theorem.asks(why, ">=", (plus({(index,): 1}, {(): -lemma.first}), {}), "any")
    held = [(op, theorem.quotient(value)) for op, value in run["stated"]]
    for kind, op, value in lemma.stated:
        if kind == "t":
            there = any(op == own and equal(v, value) for own, v in held)
            require(there, f"{why}: a condition is not stated of the run within a step")
        else:
            theorem.asks(why, op, theorem.moved(value, {}, at), "any")
    theorem.ends |= {name}
    return theorem.written(use, [(op, theorem.moved(v, {}, at)) for op, v in lemma.statement], "t", why)


def of_this_run(theorem, lemma, run, at, why):
    """A theorem is about the very run that is within a step: its state, its numbers, and inequalities that are known there."""
    (inner,), (theirs,) = run["states"], lemma.states()
    same = T.forms.same_state(inner, theirs) and (run["quantities"] == lemma.model["quantities"])
    require(same and not inner.get("clients"), f"{why}: it is about another run")
    require(alone(inner) and alone(theirs) and not M.means_of(lemma), f"{why}: it is about more than one client")
    require(not lemma.ends, f"{why}: it rests on a run within a step of its own")
    moves_as_said(theorem, inner, why)
    of_the_same_names(theorem, lemma, [inner, theirs], why)
    if lemma.loose:
        like = all(inner.get(what) == theirs.get(what) for what in ("moves", "starts", "leaves", "values"))
        require(like, f"{why}: it rests on how another run moves")
    require(theorem.index not in called_in(theorem, words_in(theorem, inner)), f"{why}: it depends on the length")
    read = called_in(theorem, words_in(theorem, inner) | words_of([run["stated"], run["index"]]))
    require(all(at[n] == ({(n,): 1}, {}) for n in at if n in read), f"{why}: a number of the run is another one")
    follows(theorem, lemma, inner, theirs, at, why)


def moves_as_said(theorem, inner, why):
    """The quantities of the run within a step move, and begin, as its points do."""
    theorem.check_step(inner)
    require(inner["moves"] and inner.get("starts"), f"{why}: how the run within a step moves is not written")


def alone(state):
    """Whether a state is of one client, whose functions have no names of others."""
    empty = all(not state[what] for what in ("sizes", "at", "each", "own", "means"))
    return empty and not state.get("chosen")


def follows(theorem, lemma, inner, theirs, at, why):
    """The inequalities on which a theorem rests are those of the run within a step, but for squares."""
    leaves, heights = (called_alike(inner[of], theirs[of]) for of in ("leaves", "values"))
    for of in ("forms", "begun"):
        for form in theorem.forms(inner[of]).values():
            require(M.alike(at_places(form, leaves, heights), form), f"{why}: its vectors are others")
    for name in lemma.rows[0]:
        there = at_places(theorem.at_names(lemma.form(theirs["rows"][name]), at), leaves, heights)
        known = [f for own, f in theorem.forms(inner["rows"]).items() if as_long(inner, own, theirs, name)]
        good = any(of_squares(theorem, T.less_form(there, own)) for own in [{}, *known])
        require(good, f"{why} rests on {name}, which is not known of the run within a step")


def of_squares(theorem, form):
    """Whether a form is a sum of squares of vectors with factors that are known to be positive; also where it is nothing."""

    def positive(c):
        divisors = all(theorem.holds(dict(p), "!=", "any") for p in c[1])
        return divisors and theorem.holds(signed(c), ">", "any")

    while form:
        diagonal = [at[0] for kind, *at in form if kind == "G" and at[0] == at[1]]
        place = next((k for k in diagonal if positive(form["G", k, k])), None)
        if place is None:
            return False
        c = form["G", place, place]
        vector = {place: T.ONE}
        for kind, *at in form:
            if kind == "G" and place in at and at[0] != at[1]:
                (other,) = {*at} - {place}
                vector[other] = product(product(HALF, form["G", *at]), inverse(c))
        square = [
            {("G", *sorted((i, j))): product(c, product(a, b))} for i, a in vector.items() for j, b in vector.items()
        ]
        form = T.less_form(form, T.sum_of(square))
    return True


def inverse(c):
    """1/c of a quotient that is not zero."""
    out = over(c[0])
    for p, n in c[1].items():
        out = product(out, (power(dict(p), n), {}))
    return out


def at_its_end(theorem, lemma, state, own, run, ends, why):
    """At the end of the run within a step its quantities are what is said, in the mean over the clients."""
    (inner,), (theirs,) = run["states"], lemma.states()
    move, size = theorem.substitution(own), {name: theorem.quotient(n) for name, n in state["at"].items()}
    for vectors, values in map(theorem.substitution, [*inner["moves"], inner["starts"]]):
        still = [vectors.get(k) == {k: T.ONE} for k in move[0] if k != run["point"]]
        still += [values.get(k) == {("v", k): T.ONE} for k in move[1]]
        require(all(still), f"{why}: something stands for what moves")
    clients, mine = theorem.clients(state), theorem.forms(state["forms"])
    for n, value in ends.items():
        q = M.base(n)
        there = T.image(lemma.form(theirs["forms"][q if n == q else f"{q}[{T.ANY}]"]), *move)
        there = {key: put(c, size) for key, c in there.items()}
        form = there if clients else M.averaged(theorem, there, state, why)
        apart = T.less_form(form, as_form(put(value, size), mine))
        require(not (clients.mean(apart) if clients else apart), f"{why}: {n} is something else at the end")
