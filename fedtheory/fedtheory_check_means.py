"""Checks means for fedtheory_check_theorems.py, which has to lie beside this file: over the steps of a run, and over the clients.

A model may say that a vector w_bar is a mean over the steps of one that moves ("means", "mean"): w_bar sum a_t = sum a_t w_t for
t below the length, along every history of draws, a_t numbers. If a quantity is affine in w_t, with coefficients without t and all
other vectors and values of it the same at every step ("still"), then sum a_t q_t is sum a_t times what it is at w_bar: both sides
are the same affine function of sum a_t w_t. It holds of no shorter run with the same w_bar. So a theorem of such a model has no
induction, and is used at its own length alone. And w_bar depends on all the draws: of a quantity that reads anything but what is
"apart" from it nothing is said after a random step, whose mean over the draws takes w_bar for a fixed vector.

A theorem about runs of one client ("averaged") is used of every client of another run: its vectors, inequalities and quantities
are those of any one client there, moving as it says, and what it asks reads nothing that is averaged. What it says of every client
it says of the means over the clients, as it is affine in them with coefficients that all clients share.

Believed of a model: "mean", "still" and "apart", where "moves" does not contradict them, and "starts", what stands for vectors
and values at the start.
"""

from fedtheory_check import added, beside, less, over, product, put, require, signed

T = beside("theorems")


def reads(form):
    """(vectors, values) that a form reads."""
    return {k for kind, *places in form if kind == "G" for k in places}, {k[1] for k in form if k[0] == "v"}


def declared(state, what):
    """The vectors and the values of a state that are said to be still, or apart from the means."""
    said = state.get(what) or {"leaves": [], "values": []}
    return {*said["leaves"]}, {*said["values"]}


def reads_only(form, allowed):
    return all(mine <= theirs for mine, theirs in zip(reads(form), allowed, strict=True))


def has_draws(state):
    """Whether a step may have several outcomes: so it is unless one is written."""
    return state["moves"] is None or len(state["moves"]) != 1


def base(name):
    """The sequence of an element, or the name itself."""
    element = T.ELEMENT.fullmatch(name)
    return element[1] if element else name


def defined(theorem, quotients, why):
    """No divisor of some coefficients may vanish, at any t and at the last one."""
    for p in {p for value in quotients for p in value[1]}:
        last = signed(theorem.moved((dict(p), {}), {T.ANY: (theorem.index, 0)}))
        for at, context in ((dict(p), "any"), (last, "length")) if last != dict(p) else ((last, "length"),):
            require(nonzero(theorem, at, context), f"{why}: a divisor may vanish")


def require_defined(theorem, said, why):
    """No divisor of what a lemma says may vanish, nor one in the sequences that it reads: else it would say that it does not."""
    for scope, _, value in said:
        sequences = {base(name) for name in behind(theorem, value)} & set(theorem.defined)
        inner = {p for name in sequences for q in theorem.defined[name] for p in q[1]}
        for context, divisors in (("any" if scope == "t" else "length", value[1]), ("any", inner)):
            good = all(nonzero(theorem, dict(p), context) for p in divisors)
            require(good, f"{why if isinstance(why, str) else 'what is shown'}: a divisor may vanish")


def nonzero(theorem, p, context):
    """Whether it is known, at any t or at the length, or p is more than what is stated not to be negative."""
    known = (signed(v) for scope, op, v in theorem.stated if scope == "given" and op in (">", ">="))
    return theorem.holds(p, "!=", context) or any(beside("forms").more(p, q) for q in known)


def unlike(theorem):
    """The parameters of which every client has its own."""
    chosen = {state["clients"]["chosen"] for state in theorem.states() if state.get("clients")} - {None}
    return chosen.union(*(state["each"] for state in theorem.states()))


def behind(theorem, value, seen=()):
    """The names in a quotient, and in the sequences of it that are defined."""
    names = T.names_in(value)
    more = {base(name) for name in names} & set(theorem.defined) - set(seen)
    return names.union(*(behind(theorem, q, (*seen, *more)) for s in more for q in theorem.defined[s]))


def spoken_of(lemma):
    """The sequences that are defined of which a theorem says or asks something, not those of its proof alone."""
    values = [value for _, value in (*lemma.statement, *getattr(lemma, "own", ()))]  # which a limit says besides
    values += [value for _, _, value in lemma.stated]
    names = {base(name) for value in values for name in behind(lemma, value)}
    return [(name, definition) for name, definition in lemma.defined.items() if name in names]


# over the steps


def means_of(theorem):
    return (theorem.model or {}).get("means") or {}


def check(theorem, by):
    """What is said of means over the steps is about the model, and there is no induction."""
    means = means_of(theorem)
    require(not means or tuple(by) in (("direct",), ("any",)), "a mean over the steps is of one length")
    for name, weight in means.items():
        read = {base(n) for n in behind(theorem, theorem.quotient(weight))}
        never = {*theorem.model["quantities"], theorem.index, *unlike(theorem)}
        require(not read & never, f"the weights of {name} are no numbers")
    for state in theorem.states() if means else ():
        still, apart = declared(state, "still"), declared(state, "apart")
        require(set(state["mean"]) == set(means), "other means than in the model")
        for name, (moving, mean) in state["mean"].items():
            require(mean in still[0] and mean not in apart[0], f"{name} moves, or is apart from itself")
            require(moving not in still[0], f"{name} is a mean of what does not move")
        for vectors, values in map(theorem.substitution, state["moves"] or ()):
            same = [vectors.get(k, {k: T.ONE}) == {k: T.ONE} for k in still[0]]
            same += [values.get(k, {("v", k): T.ONE}) == {("v", k): T.ONE} for k in still[1]]
            require(all(same), "what is said to be still moves")
        for of in ("forms", "begun") if has_draws(state) else ():
            forms = theorem.forms(state[of])
            for name, form in forms.items():
                if T.QUOTE in name or name.endswith("[1]"):
                    now = theorem.forms(state["forms"])[f"{base(name)}[{T.ANY}]"]
                    require(
                        reads_only(form, apart) and reads_only(now, apart), f"{name} depends on a mean and on the draws"
                    )


def at_the_mean(form, moving, mean, still):
    """A form with the mean of a vector in the place of it, in which it is affine, and all else is still."""
    out = []
    for (kind, *places), c in form.items():
        require(kind != "v" or places[0] in still[1], "a value that moves has no mean")
        rest = [k for k in places if k != moving] if kind == "G" else []
        affine = kind != "G" or (len(rest) > 0 and all(k in still[0] for k in rest))
        require(affine, "it is not affine in what moves")
        key = ("G", *sorted(mean if k == moving else k for k in places)) if kind == "G" else (kind, *places)
        out.append({key: c})
    return T.sum_of(out)


def over_steps(theorem, use):
    """The sum of a_t q_t is the sum of a_t times q at the mean, which is a combination of numbers: (scope, operator, quotient)."""
    name, q = use["mean"], f"{use['quantity']}[{T.ANY}]"
    weight, by = theorem.quotient(means_of(theorem)[name]), {n: theorem.quotient(c) for n, c in use["by"].items()}
    never = {*theorem.model["quantities"], *theorem.defined, theorem.index, T.ANY, T.EARLIER}
    for n, c in by.items():
        require(not n or (n in theorem.model["quantities"] and not T.ELEMENT.fullmatch(n)), f"{n} is no number")
        require(not {base(k) for k in T.names_in(c)} & never, f"the coefficient of {n} is no number")
    defined(theorem, by.values(), name)
    for state in theorem.states():
        forms, size = theorem.forms(state["forms"]), {n: theorem.quotient(c) for n, c in state["at"].items()}
        moving, mean = state["mean"][name]
        there = at_the_mean(forms[q], moving, mean, declared(state, "still"))
        same = [T.times_form(product(T.MINUS, put(c, size)), forms[n] if n else {("",): T.ONE}) for n, c in by.items()]
        require(not T.sum_of([there, *same]), f"{q} is something else at {name}")
    total, whole = use["sums"]
    for own, term in ((total, product(weight, ({(q,): 1}, {}))), (whole, weight)):
        start, step = theorem.defined[own]
        require(not start[0], f"{own} does not begin with nothing")
        require(not less(step, added([term, ({(f"{own}[{T.ANY}]",): 1}, {})]))[0], f"{own} is another sum")
    left, right = [({(f"{own}[{theorem.index}]",): 1}, dict[frozenset, int]()) for own in (total, whole)]
    there = added([product(c, ({(n,) if n else (): 1}, {})) for n, c in by.items()])
    return [("length", "==", less(left, product(right, there)))]


def may_be_used(theorem, lemma, use, at, same, why):
    """The means over the steps of another theorem are those of this one, at the same length."""
    theorem.rests.append(lemma)
    theorem.runs.may_end_so(theorem, lemma, use, same, at, why)
    theorem.chances.may_be_used(theorem, lemma, use, same, why)
    for k, state in enumerate(theorem.states()) if lemma.model is not None else ():
        other = lemma.states()[k if same else use["run"][k]["state"]]
        if same:
            kinds = ("own", "leaves"), ("means", "values")
            like = all(called(state, other, *of) == called(other, state, *of) for of in kinds)
            require(like, f"{why}: it is of other spreads")
        elif other["own"] or other["means"]:
            same_spreads(theorem, state, other, theorem.substitution(use["run"][k]), at, why)
    if same:
        theorem.loose |= lemma.loose
        for one, other in (
            zip(theorem.states(), lemma.states(), strict=True) if lemma.loose and "part" not in use else ()
        ):
            like = all(one.get(what) == other.get(what) for what in ("moves", "starts", "leaves", "values"))
            require(like, f"{why}: it rests on how another run moves")
        for k in range(len(theorem.states())):
            theorem.runs.rests_on(theorem, lemma, k, why, part="part" in use)
    mine, theirs = means_of(theorem), means_of(lemma)
    if lemma.model is None or not (mine or theirs):
        return
    require("part" not in use, f"{why}: it is of other means")
    at_end = tuple(use["place"]) == (theorem.index, 0)
    require(
        theirs.keys() <= mine.keys() and (at_end or not theirs), f"{why}: its mean is of another length, or another"
    )
    for name, weight in theirs.items():
        there = theorem.moved(lemma.quotient(weight), {lemma.index: tuple(use["place"])}, at)
        require(not less(there, theorem.quotient(mine[name]))[0], f"{why}: {name} has other weights")
    for k, state in enumerate(theorem.states()):
        one = lemma.states()[k if same else use["run"][k]["state"]]
        if same:
            read = [reads(form) for of in ("forms", "begun") for form in theorem.forms(state[of]).values()]
            both = [set().union(*kind) for kind in zip(*read, strict=True)]
            for what in ("still", "apart"):
                kept = ([a & b for a, b in zip(declared(s, what), both, strict=True)] for s in (state, one))
                require(next(kept) == next(kept), f"{why}: other vectors are {what}")
            require(theirs.keys() == mine.keys() and state["mean"] == one["mean"], f"{why}: it is of other means")
            continue
        move = theorem.substitution(use["run"][k])
        for name in theirs:
            pairs = zip(one["mean"][name], state["mean"][name], strict=True)
            require(all(move[0].get(a) == {b: T.ONE} for a, b in pairs), f"{why}: {name} is something else")
        require(
            not theirs or carried(move, declared(one, "still"), declared(state, "still")), f"{why}: what is still moves"
        )
        free = declared(one, "apart") if theirs else map(set, move)
        require(
            not has_draws(state) or carried(move, free, declared(state, "apart")),
            f"{why}: it reads a mean over the steps",
        )


def called(state, other, of, names):
    """Which vector is the spread of which, or which value the mean, of those that have a name in both states."""
    both = {*state[names].values()} & {*other[names].values()}
    pairs = ((state[names].get(k), state[names].get(str(to))) for k, to in state[of].items())
    return {pair for pair in pairs if both.issuperset(pair)}


def same_spreads(theorem, state, other, move, at, why):
    """Spreads and means of another run are those here of what stands for the vectors and values of a client."""
    own, heights = {int(k): spread for k, spread in state["own"].items()}, state["means"]
    theirs, means = (
        {int(k): spread for k, spread in other["own"].items()},
        {int(k): v for k, v in other["means"].items()},
    )
    numbers = [q for name, q in at.items() if type(name) is str and name not in other["each"]]
    numbers += [c for vector in move[0].values() for c in vector.values()]
    shared = not any(T.names_in(c) & {*state["each"]} for c in numbers)
    good = [{*vector} <= {*own} if k in theirs else not {*vector} & {*own} for k, vector in move[0].items()]
    good += [
        move[0][to] == {own.get(j): c for j, c in move[0][k].items()}
        for k, to in theirs.items()
        if {k, to} <= {*move[0]}
    ]
    for k, to in means.items():
        if k in move[1] and to in move[1]:
            mean = {(kind, *(heights.get(str(j), j) for j in places)): c for (kind, *places), c in move[1][k].items()}
            good.append(alike(mean, move[1][to]))
    require(shared and all(good), f"{why}: a spread or a mean over the clients is something else here")


def of_the_same_numbers(theorem, lemma, at, place):
    """Whether what the run of a theorem of the same model reads, its length too, is what stands for it here."""
    read = {n for s in lemma.states() for n in theorem.runs.read_by(lemma, s) | {*s["names"]}}
    read |= {base(n) for n in read}
    itself = [
        at[n] == ({(n,): 1}, {}) if type(n) is str else at[n] == [(T.ONE, *n)]
        for n in at
        if (n if type(n) is str else n[0]) in read
    ]
    at_length = lemma.index == theorem.index and tuple(place) == (theorem.index, 0)
    return all(itself) and (at_length or not lemma.of_length(({(n,): 1 for n in read}, {})))


def carried(move, kept, allowed):
    """Whether what stands for some vectors and values reads what is allowed alone."""
    vectors, values = kept
    return all({*move[0].get(k, ())} <= allowed[0] for k in vectors) and all(
        reads_only(move[1][k], allowed) for k in values if k in move[1]
    )


# over the clients


def of_one(theorem, state):
    """Whether a state has a quantity of one client, so that the spread of a vector is without what this client has in it."""
    read = [reads(f)[0] for of in ("forms", "begun") for f in theorem.forms(state[of]).values()]
    return bool(set().union(*read) & set(map(int, state["own"])))


def placed(theorem, form, move, state, use):
    """A form with vectors in the place of vectors, in which a spread may be the whole one, with d/(m - 1)^(1/2) beside it."""
    form = T.image(form, *move)
    if not (use.get("whole") and of_one(theorem, state)):
        return form
    own, out = {spread: int(k) for k, spread in state["own"].items()}, [form]
    for (kind, *places), c in form.items():
        if kind == "G" and set(places) & set(own):
            require(set(places) <= set(own), "a spread beside what is none")
            out.append({("G", *sorted(own[k] for k in places)): product(c, over({("m",): 1, (): -1}))})
    return T.sum_of(out)


def averaged(theorem, form, state, why):
    """A form of one client in the mean over the clients: deviations have products with deviations alone.

    The mean of such a product is that of the spreads; in a state with a quantity of one client what this one has is not in them.
    """
    own, out, alone = {int(k): spread for k, spread in state["own"].items()}, [], of_one(theorem, state)
    for key, c in form.items():
        kind, *places = key
        require(not T.names_in(c) & set(state["each"]), f"{why}: a mean of what has a factor of each client")
        require(kind != "G" or not set(places) & set(own.values()), f"{why}: a mean of means")
        if kind == "v":
            key = ("v", state["means"].get(str(places[0]), places[0]))
        elif kind == "G" and set(places) & set(own):
            if not set(places) <= set(own):
                continue
            key = ("G", *sorted(own[k] for k in places))
            out += [{("G", *places): product(c, over({("m",): 1, (): -1}))}] if alone else []
        out.append({key: c})
    return T.sum_of(out)


def of_each_client(theorem, lemma, use, at, lost, why):
    """A theorem about runs of one client says of the means over the clients what it says of every one of them."""
    mean, one_state = {*use["averaged"]}, of_one_state(lemma)
    require(
        theorem.model is not None and not means_of(theorem) and not means_of(lemma), f"{why}: there are other means"
    )
    alone = all((s["sizes"], s["at"], s["each"], s["own"]) == ([], {}, [], {}) for s in lemma.states())
    alone = alone and not any(s.get("clients") for s in lemma.states())
    require(alone and mean <= {*lemma.model["quantities"]} - lost, f"{why}: it is not about one client")
    for k, (state, own) in enumerate(zip(theorem.states(), use["run"], strict=True)):
        theirs, there = lemma.states()[own["state"]], stands_for(theorem, lemma, use, at, state, own)
        size, clients = {name: theorem.quotient(n) for name, n in state["at"].items()}, theorem.clients(state)
        for name in lemma.rows[own["state"]]:
            theorem.rows[k].add(own["rows"][name])
            apart = T.less_form(there(theirs["rows"][name]), theorem.form(state["rows"][own["rows"][name]]))
            known = theorem.runs.as_long(state, own["rows"][name], theirs, name)
            known = known and not (clients.of_one(apart) if clients else apart)
            require(known, f"{why} rests on {name}, which is not known of the run")
        for of in ("forms", "begun"):
            mine = theorem.forms(state[of])
            for name, data in theirs[of].items():
                if base(name) in lost or (one_state and (of == "begun" or T.QUOTE in name)):
                    continue
                form = at_the_start(theorem, of, there(data), state)
                form = averaged(theorem, form, state, why) if base(name) in mean and not clients else form
                said = theorem.runs.as_form(put(theorem.moved(({(name,): 1}, {}), {}, at), size), mine)
                require(base(name) in mean or not clients, f"{why}: {name} is of one client, and all are means here")
                apart = T.less_form(form, said)
                require(not (clients.mean(apart) if clients else apart), f"{why}: {name} is something else in the run")
    moves_alike(theorem, lemma, use, at, {*lemma.model["quantities"]}, why)
    linear(theorem, lemma, mean, at, why)


def alike(form, other):
    return not T.less_form(form, other)


def moves_alike(theorem, lemma, use, at, quantities, why):
    """Quantities of the other run, with the vectors of this one, move with these and begin with them where that is used."""
    quantities = quantities & {base(name) for state in lemma.states() for name in state["forms"]}
    if not quantities or of_one_state(lemma):
        return
    require(not lemma.loose, f"{why}: it rests on how another run moves")
    theorem.loose = True  # what it says is of a run that moves so, and not of all with its quantities
    for state, own in zip(theorem.states(), use["run"], strict=True):
        shares = theorem.chances.shares(theorem, state["moves"] or (), state)
        theirs, moves = lemma.states()[own["state"]], [theorem.substitution(draw) for draw in state["moves"] or ()]
        there = stands_for(theorem, lemma, use, at, state, own)
        require(moves, f"{why}: how the run moves is not written")
        begin = state.get("starts")
        for name, form in theirs["forms"].items():
            if (
                base(name) in quantities and name != f"{base(name)}[{T.ANY}]"
            ):  # after a step, or of a number, which stays
                now = there(theirs["forms"][name.replace(T.QUOTE, "")])
                after = T.sum_of(T.times_form(c, T.image(now, *move)) for c, move in zip(shares, moves, strict=True))
                require(alike(after, there(form)), f"{why}: {name} is something else after the step")
        for name in said_of_the_start(lemma):
            if base(name) in quantities:
                require(begin, f"{why}: how the run begins is not written")
                later = f"{base(name)}[{T.ANY}{T.QUOTE if name.endswith('[1]') else ''}]"
                now = there(theirs["forms"][later if "[" in name else name])
                begun = at_the_start(theorem, "begun", there(theirs["begun"][name]), state)
                same = alike(T.image(now, *theorem.substitution(begin)), begun)
                require(same, f"{why}: {name} begins elsewhere")


def at_the_start(theorem, of, form, state):
    """A form of another run in this one; at the start with what stands there, where that is written."""
    if of == "forms" or not state.get("starts"):
        return form
    vectors, values = theorem.substitution(state["starts"])
    mine = reads(form)
    return T.image(form, vectors, values) if mine[0] <= set(vectors) and mine[1] <= set(values) else form


def stands_for(theorem, lemma, use, at, state, own):
    """What takes a form of another run to this one, in a state."""
    size = {name: theorem.quotient(n) for name, n in state["at"].items()}
    here = {name: put(q, size) if type(name) is str else q for name, q in at.items()}
    shift, move = {lemma.index: tuple(use["place"])}, theorem.substitution(own)
    return lambda data: T.image(theorem.at_names(lemma.form(data), here, shift), *move)


def said_of_the_start(theorem):
    """The quantities of which something is known at the start of a run."""
    own = {name for scope, _, value in theorem.known if scope == "start" for name in T.names_in(value)}
    quantities = theorem.model["quantities"] if theorem.model else ()
    return {n for n in own if base(n) in quantities}.union(*map(said_of_the_start, theorem.rests))


def of_one_state(lemma):
    """Whether a theorem at any t is about one state, and nothing that it rests on is about a step or the start."""

    def places(value):
        found = [T.ELEMENT.fullmatch(name) for name in T.names_in(value)]
        return {element.groups()[1:] for element in found if element}, any(
            n in (T.ANY, lemma.index) for n in T.names_in(value)
        )

    if lemma.scope != "t" or lemma.defined or not all(of_one_state(other) for other in lemma.rests):
        return False
    for scope, _, value in lemma.known:
        at, times = places(value)
        if scope == "start" or len(at) > 1 or (at and times):
            return False
    return all(places(value) == ({("", T.ANY, "")}, False) for _, value in lemma.statement)


def linear(theorem, lemma, mean, at, why):
    """What is asked reads nothing that is averaged; what is said is affine in that, with coefficients of all clients alike."""
    quantities, own = {*lemma.model["quantities"]}, unlike(theorem)
    for name, q in at.items():
        if type(name) is str and base(name) not in quantities:
            read = {base(n) for n in T.names_in(q)}
            require(not read & {*theorem.model["quantities"]}, f"{why}: {name} is of the run")
    for _, _, value in lemma.stated:
        require(not {base(n) for n in behind(lemma, value)} & mean, f"{why}: it asks something of every client")
    stated = [value for _, value in lemma.statement]
    sums = {base(n) for value in stated for n in behind(lemma, value)} & {*lemma.defined}
    like = {s for s in sums if quantities & {base(n) for q in lemma.defined[s] for n in behind(lemma, q)}}
    said = [*stated, *(q for s in like for q in lemma.defined[s])]
    for value in said:
        require(
            not {base(n) for n in T.names_in(value)} & (quantities - mean), f"{why}: it says something of every client"
        )
        counts = [sum(base(n) in mean | like for n in a) for a in value[0]]
        below = {base(n) for p in value[1] for a in dict(p) for n in a}
        require(max(counts, default=0) <= 1 and not below & (mean | like), f"{why}: it is not affine in the means")
    told = [theorem.moved(value, {}, at) for value in (*stated, *(q for s in sums for q in lemma.defined[s]))]
    require(
        not set().union(*(behind(theorem, q) for q in told)) & own, f"{why}: every client has a factor of its own in it"
    )
