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

from fedtheory_check import beside, less, over, power, product, put, require, signed

T, M = beside("theorems"), beside("means")
HALF: tuple = ({(): Fraction(1, 2)}, {})
NONE: dict = {}


# the same run


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
    vectors, values = substituted(leaves, heights)
    for of in ("forms", "begun"):
        mine = theorem.forms(state[of])
        for name, form in lemma.forms(other[of]).items():
            good = name in mine and reads_no_more(form, vectors, values)
            require(good and M.alike(T.image(form, vectors, values), mine[name]), f"{why}: its vectors are others")
    if part and lemma.loose:
        moves_as_part(theorem, lemma, state, other, (leaves, heights), why)
    known = theorem.forms(state["rows"])
    for name in lemma.rows[k]:
        form = lemma.form(other["rows"][name])
        there = T.image(form, vectors, values) if reads_no_more(form, vectors, values) else None
        like = (
            own for own in (name, *known) if there is not None and own in known and known[own].keys() == there.keys()
        )
        mine = next((own for own in like if M.alike(there, known[own])), None)
        require(mine, f"{why} rests on {name}, which is not known of the model")
        theorem.rows[k].add(mine)


def moves_as_part(theorem, lemma, state, other, places, why):
    """What stands for the vectors and values of a part after a step, and at the start, is what stands for these here."""
    (leaves, heights), (vectors, values) = places, substituted(*places)
    draws = [[one["moves"] or [] for one in (state, other)]]
    draws.append([[one["starts"]] if one.get("starts") else [] for one in (state, other)])
    for mine, theirs in draws:
        require(not theirs or len(mine) == len(theirs), f"{why}: it rests on how another run moves")
        for one, draw in zip(mine, theirs, strict=False):
            here, there = theorem.substitution(one), lemma.substitution(draw)
            same = one.get("chance") == draw.get("chance")
            for k, vector in there[0].items():
                moved = here[0].get(leaves.get(k)) if {*vector} <= {*leaves} else None
                image = T.sum_of([T.times_form(c, vectors[j]) for j, c in vector.items() if j in vectors])
                same &= moved is not None and M.alike(moved, image)
            for k, form in there[1].items():
                moved = here[1].get(heights.get(k)) if reads_no_more(form, vectors, values) else None
                same &= moved is not None and M.alike(moved, T.image(form, vectors, values))
            require(same, f"{why}: it rests on how another run moves")


def substituted(leaves, heights):
    return {k: {own: T.ONE} for k, own in leaves.items()}, {k: {("v", own): T.ONE} for k, own in heights.items()}


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
                a[1] == b[1] and not less(a[0], b[0])[0] for a, b in zip(of, there, strict=True)
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


# another run along one


def same_run(theorem, lemma, use, at, lost, why):
    """The quantities of another run are what they are said to be in this one, before and after a step, and at the start."""
    require(theorem.model is not None, f"{why}: it is about a run")
    shift = {lemma.index: tuple(use["place"])}
    for k, (state, own) in enumerate(zip(theorem.model["states"], use["run"], strict=True)):
        theirs = lemma.model["states"][own["state"]]
        alike = (theirs["sizes"], theirs["at"]) == (state["sizes"], state["at"])
        require(alike and not (theirs.get("clients") or state.get("clients")), f"{why}: other numbers of clients")
        move, size = theorem.substitution(own), {name: theorem.quotient(n) for name, n in state["at"].items()}
        here = {name: put(q, size) if type(name) is str else q for name, q in at.items()}
        for name in lemma.rows[own["state"]]:
            theorem.rows[k].add(own["rows"][name])
            there = T.image(theorem.at_names(lemma.form(theirs["rows"][name]), here, shift), *move)
            same = M.alike(there, theorem.form(state["rows"][own["rows"][name]]))
            require(same, f"{why} rests on {name}, which is not known of the run")
        for of in ("forms", "begun"):
            mine = theorem.forms(state[of])
            fixed = all(T.ANY not in T.names_in(c) for form in mine.values() for c in form.values())
            require(fixed or use["place"][0] != T.ANY, f"{why}: at a length t, of what depends on t")
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
    names = words_of([numbers_of(state) for state in states])
    same = all(theorem.names.get(name, name) == lemma.names.get(name, name) for name in names)
    require(same, f"{why}: a name stands for something else there")


def numbers_of(state):
    """What is written of the numbers of a state, and of the ends of runs within its steps."""
    forms = [form for of in ("forms", "begun", "rows") for form in state[of].values()]
    ends = (state.get("within") or NONE).values()
    for draw in [*(state["moves"] or ()), *filter(None, [state.get("starts")]), *ends]:
        forms += [form for what in ("leaves", "values") for form in draw.get(what, NONE).values()]
    sums = (state.get("clients") or NONE).get("sums")
    return [form.values() for form in forms], state["at"], state["sizes"], sums


def words_of(said):
    """The names in what is written of numbers."""
    return {word.strip("'") for word in re.split(r"[^\w:#']+", repr(said))}


def read_by(theorem, state):
    """The names in the numbers of a state, its moves, and the runs within its steps."""
    within_it = [numbers_of(one) for run in (theorem.model.get("within") or NONE).values() for one in run["states"]]
    words = words_of([numbers_of(state), within_it]) | {
        name
        for of in ("forms", "begun", "rows")
        for form in theorem.forms(state[of]).values()
        for c in form.values()
        for name in T.names_in(c)
    }
    return words | {theorem.names[word] for word in words & theorem.names.keys()}


def at_indices(theorem, use, said):
    """What is said of an index is said where there is one: at every t, and of an index below t it has to speak."""
    read = {n for q in use["at"].values() for n in T.names_in(theorem.quotient(q))}
    why = f"{use['lemma'] if isinstance(use['lemma'], str) else 'what is shown'}: there need not be an index"
    of_any = any(T.ANY in n for n in read) and not use["states"]
    require(not of_any or all(scope == "t" for scope, _, _ in said), f"{why} {T.ANY}")
    spoken = all(any(T.EARLIER in n for n in T.names_in(value)) for _, _, value in said)
    require(not any(T.EARLIER in n for n in read) or spoken, f"{why} {T.EARLIER}")


# a run within every step


def within(theorem, name):
    """What a model says of a run within its steps."""
    return ((theorem.model or NONE).get("within") or NONE).get(name)


def may_end_so(theorem, lemma, same, at, use, why):
    """What a theorem that rests on runs within a step says of their ends is so of the same runs, with the same numbers, alone.

    Of another run it is so where the same run is within its steps, and what stands for the vectors and values of the theorem takes
    what it says of the end to what is said of the end here.
    """
    runs = [run for name in lemma.ends if (run := within(lemma, name))]
    if same or runs:
        of_the_same_names(theorem, lemma, [*lemma.states(), *(one for run in runs for one in run["states"])], why)
    read = words_of([run["stated"] for run in runs]) | {run["index"] for run in runs}
    read = read.union(*(read_by(lemma, state) for state in lemma.states())) if runs else set()
    read |= {lemma.names.get(n, n) for n in read}
    others = [
        n for n, q in at.items() if {n if type(n) is str else n[0]} & read and type(n) is str and q != ({(n,): 1}, {})
    ]
    require(not others, f"{why}: a number of a run within a step is another one")
    for name in lemma.ends:
        alike = within(theorem, name) is not None and within(theorem, name) == within(lemma, name)
        if same:
            pairs = zip(theorem.states(), lemma.states(), strict=True)
            alike = alike and all(one["within"][name] == other["within"][name] for one, other in pairs)
        else:
            alike = alike and "averaged" not in use and ends_alike(theorem, lemma, use, name)
        require(alike, f"{why}: it rests on where {name} ends")
    theorem.ends |= lemma.ends


def ends_alike(theorem, lemma, use, name):
    """Whether a run within the steps of another run ends where it does here, with what stands here for what that run has."""
    for state, own in zip(theorem.states(), use["run"], strict=True):
        other, (vectors, values) = lemma.states()[own["state"]], theorem.substitution(own)
        here, there = theorem.substitution(state["within"][name]), lemma.substitution(other["within"][name])
        vectors = with_ends(state, other, vectors, set().union(*there[0].values()))
        for k, vector in there[0].items():
            if k not in here[0] or not {*vector} <= vectors.keys():
                return False
            if not M.alike(here[0][k], T.sum_of([T.times_form(c, vectors[j]) for j, c in vector.items()])):
                return False
        for k, form in there[1].items():
            if k not in here[1] or not reads_no_more(form, vectors, values):
                return False
            if not M.alike(here[1][k], T.image(form, vectors, values)):
                return False
    return True


def with_ends(state, other, vectors, read):
    """What stands for the vectors of another run, with those that its ends alone read: what has their names here, with their spreads."""
    named, mine, theirs = called_alike(state["leaves"], other["leaves"]), state["own"], other["own"]
    out = dict(vectors)
    for k in read - vectors.keys():
        own, spreads = named.get(k), (mine.get(str(named.get(k))), theirs.get(str(k)))
        alike = spreads == (None, None) or (None not in spreads and vectors.get(spreads[1]) == {spreads[0]: T.ONE})
        out |= {k: {own: T.ONE}} if own is not None and alike else {}
    return out


def at_the_end(theorem, lemma, use, at, why):
    """What a theorem about the run within a step says of its end: (scope, operator, quotient)."""
    name, run = use["within"], within(theorem, use["within"])
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
    theorem.asks(why, ">=", ({(index,): 1, (): -lemma.first}, {}), "any")
    held = [(op, theorem.quotient(value)) for op, value in run["stated"]]
    for kind, op, value in lemma.stated:
        if kind == "t":
            there = any(op == own and not less(v, value)[0] for own, v in held)
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
    read = numbers_in(theorem, inner)
    require(not any(n in (theorem.index, T.ANY) or "[" in n for n in read), f"{why}: it depends on t")
    read |= {run["index"], *(n for _, value in run["stated"] for n in T.names_in(theorem.quotient(value)))}
    require(all(at[n] == ({(n,): 1}, {}) for n in at if n in read), f"{why}: a number of the run is another one")
    follows(theorem, lemma, inner, theirs, at, why)


def numbers_in(theorem, inner):
    """The names in the forms of a state, and in what stands for its vectors and values after a step and at the start."""
    forms = [form for of in ("forms", "begun") for form in theorem.forms(inner[of]).values()]
    for vectors, values in map(theorem.substitution, [*inner["moves"], inner["starts"]]):
        forms += [*vectors.values(), *values.values()]
    return {n for form in forms for c in form.values() for n in T.names_in(c)}


def moves_as_said(theorem, inner, why):
    """The quantities of the run within a step move, and begin, as its points do."""
    theorem.check_step(inner)
    require(inner["moves"] and inner.get("starts"), f"{why}: how the run within a step moves is not written")
    now, begin = theorem.forms(inner["forms"]), theorem.substitution(inner["starts"])
    for name, form in theorem.forms(inner["begun"]).items():
        later = re.sub(r"\[[01]\]$", f"[{T.ANY}{T.QUOTE if name.endswith('[1]') else ''}]", name)
        require(M.alike(T.image(now[later], *begin), form), f"{why}: {name} begins elsewhere")


def alone(state):
    """Whether a state is of one client, whose functions have no names of others."""
    empty = all(not state[what] for what in ("sizes", "at", "each", "own", "means"))
    return empty and not state.get("chosen")


def follows(theorem, lemma, inner, theirs, at, why):
    """The inequalities on which a theorem rests are those of the run within a step, but for squares."""
    leaves, heights = (called_alike(inner[of], theirs[of]) for of in ("leaves", "values"))
    vectors, values = substituted(leaves, heights)
    for of in ("forms", "begun"):
        for form in theorem.forms(inner[of]).values():
            require(M.alike(T.image(form, vectors, values), form), f"{why}: its vectors are others")
    known = [{}, *theorem.forms(inner["rows"]).values()]
    for name in lemma.rows[0]:
        there = T.image(theorem.at_names(lemma.form(theirs["rows"][name]), at), vectors, values)
        good = any(of_squares(theorem, M.less_form(there, own)) for own in known)
        require(good, f"{why} rests on {name}, which is not known of the run within a step")


def of_squares(theorem, form):
    """Whether a form is a sum of squares of vectors with factors that are known to be positive; also where it is nothing."""
    while form:
        place = next((k for kind, *at in form if kind == "G" and at[0] == at[1] for k in at), None)
        if place is None:
            return False
        c = form["G", place, place]
        known = all(theorem.holds(dict(p), "!=", "any") for p in c[1]) and theorem.holds(signed(c), ">", "any")
        if not known:
            return False
        vector = {place: T.ONE}
        for kind, *at in form:
            if kind == "G" and place in at and at[0] != at[1]:
                (other,) = {*at} - {place}
                vector[other] = product(product(HALF, form["G", *at]), inverse(c))
        square = [
            {("G", *sorted((i, j))): product(c, product(a, b))} for i, a in vector.items() for j, b in vector.items()
        ]
        form = M.less_form(form, T.sum_of(square))
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
        apart = M.less_form(form, as_form(put(value, size), mine))
        require(not (clients.mean(apart) if clients else apart), f"{why}: {n} is something else at the end")
