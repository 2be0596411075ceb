"""Small certificate files of false theorems, written by hand: what each says is wrong, and all else in it is right."""

from typing import Any

Claim = dict[str, Any]
IDENTITY = {"leaves": {str(i): {str(i): "1"} for i in range(4)}, "values": {}}
NAMES = {
    "DT": "D[T]",
    "DN": "D[T']",
    "D0": "D[0]",
    "Dt": "D[t:any]",
    "ET": "E[T]",
    "EN": "E[T']",
    "E0": "E[0]",
    "t": "t:any",
}


def theorem(id: str, statement: str, *parts: Claim, op: str = ">=", **entries: Any) -> Claim:
    """A theorem, directly and for every length of at least 0 where nothing else is said."""
    whole: Claim = {"index": "T", "first": 0, "model": None, "names": NAMES, "defined": {}, "stated": [], "uses": []}
    whole |= {"by": ["direct"], "statement": [[op, statement]] if statement else [], **entries}
    return {"id": id, "verdict": "proved", "scope": "all", "parts": list(parts), "theorem": whole}


def lemma(id: str, *parts: Claim) -> Claim:
    return {"id": id, "verdict": "proved", "scope": "all", "parts": list(parts)}


def use(lemma: Any, *values: str, op: str = ">=", **entries: Any) -> Claim:
    whole: Claim = {
        "lemma": lemma,
        "at": {},
        "sequences": {},
        "place": ["T", 0],
        "states": [],
        "parts": [],
        "of": "forms",
    }
    return {**whole, "says": [], "values": [[op, value] for value in values], **entries}


def at_least(value: str, *times: Any) -> Claim:
    """A relation: it is at least 0, as the sum of products of facts."""
    return {"lhs": {}, "op": "<=", "rhs": {"": value}, "pieces": [{"times": list(one)} for one in times]}


def part(context: str, names: str, facts: list[Any], *relations: Claim) -> Claim:
    read = [fact if isinstance(fact, dict) else {"says": fact, "from": "what is known"} for fact in facts]
    return {"where": "all", "context": context, "names": names.split(), "facts": read, "relations": list(relations)}


def known(value: str, names: str, context: str = "direct") -> Claim:
    """What is known is what is said."""
    return part(context, names, [f"{value} >= 0"], at_least(value, ("1", {"0": 1})))


D = {"D": [["1", "D"]]}
SQUARE_FACT = {"says": "c^2 >= 0", "by": [["1", {"not": 1}], ["1", {}, ["c"]]]}
SQUARE = lemma("l/square", part("", "c", [SQUARE_FACT], at_least("c^2", ("1", {"0": 1}))))


def not_zero(value: Any, **at: Any) -> list[Claim]:
    """b^2 > 0, as a square is divided by b."""
    root = {"says": "b^2 > 0", "from": "what is known", "root": [["b", 1]]}
    shown = part("direct", "b", [root], {**at_least("b^2", ("1", {"0": 1})), "op": "<"})
    used = {**use("l/square", **at), "values": [[">=", value]]}
    return [SQUARE, theorem("false", "b^2", shown, op=">", uses=[used])]


def divided() -> list[Claim]:
    return not_zero(["a^2*b", [["b", 1]]], at={"c": "a"})


def at_a_quotient() -> list[Claim]:
    return not_zero(["1", [["b", 2]]], at={"c": ["1", [["b", 1]]]})


def at_an_element() -> list[Claim]:
    """P[T'] is P[T]/b, of which nothing says that it is defined."""
    claims = not_zero("PN^2", at={"c": "PN"})
    claims[1]["theorem"] |= {"names": {"PN": "P[T']", "P": "P[t:any]"}, "defined": {"P": ["1", ["P", [["b", 1]]]]}}
    return claims


def by_steps(id: str, statement: str, after: str, read: str, facts: list[str], *times: Any, **entries: Any) -> Claim:
    """A theorem by induction whose first case is 0 >= 0."""
    step = part("step", read, facts, at_least(after, *times))
    return theorem(id, statement, part("base", "", [], at_least("0")), step, by=["base", "step"], **entries)


CUBE = "T^3 - 3*T^2 + 2*T"


def at_a_number() -> list[Claim]:
    """a (a - 1) (a - 2) >= 0 for whole numbers a >= 1, but not for others."""
    times = ("1", {"1": 1}), ("3", {"0": 2}), ("3", {"0": 1})
    whole = by_steps("l/whole", CUBE, "T^3 - T", "T", ["T - 1 >= 0", f"{CUBE} >= 0"], *times, first=1)
    said, stated = CUBE.replace("T", "a"), [["given", ">=", "a - 1", "range"]]
    used = use("l/whole", said, place=["a", 0])
    return [whole, theorem("false", said, known(said, "a"), stated=stated, uses=[used])]


def one_step_later() -> list[Claim]:
    """D falls at every t below T, and so up to T, not to T + 1."""
    stated, times = [["t", ">=", "Dt - DF", "it falls"]], (("1", {"0": 1}), ("1", {"1": 1}))
    entries: Claim = {"stated": stated, "names": {**NAMES, "DF": "D[t:any']"}}
    falls = by_steps("l/falls", "D0 - DT", "D0 - DN", "DT DN D0", ["DT - DN >= 0", "D0 - DT >= 0"], *times, **entries)
    used = use("l/falls", "D0 - DN", place=["T", 1], sequences={"D": [["1", "D"]]})
    return [falls, theorem("false", "D0 - DN", known("D0 - DN", "D0 DN"), uses=[used], **entries)]


def up_to_t() -> list[Claim]:
    """-1 >= D_t where T - t - 2 >= D_t at every t < T, which is so of no T; at the length t + 1 it is so of those below t alone."""
    names = {**NAMES, "Dl": "D['T]", "Ds": "D[s:any]", "s": "s:any"}
    never = theorem(
        "l/never",
        "-Dl - 1",
        known("-Dl - 1", "Dl"),
        first=1,
        names=names,
        stated=[["t", ">=", "T - t - Dt - 2", "never"]],
    )
    facts, times = ["t - s - 1 >= 0", "-Ds >= 0"], (("1", {"0": 1}), ("1", {"1": 1}))
    shown = part("any", "t s Ds", facts, at_least("t - s - Ds - 1", *times))
    used = use("l/never", "-Dt - 1", place=["t:any", 1], sequences={"D": [["1", "D"]]}, parts=[shown])
    entries: Claim = {"by": ["any"], "first": 1, "names": names, "stated": [["t", "==", "Dt", "nothing"]]}
    return [never, theorem("false", "-Dt - 1", known("-Dt - 1", "Dt", "any"), uses=[used], **entries)]


def before_the_first() -> list[Claim]:
    """t >= 1 wherever there is an index below t."""
    facts, times = ["s >= 0", "t - s - 1 >= 0"], (("1", {"0": 1}), ("1", {"1": 1}))
    shown = part("any", "t s", facts, at_least("t - 1", *times))
    return [theorem("false", "t - 1", shown, by=["any"], names={**NAMES, "s": "s:any"})]


def of_no_length() -> list[Claim]:
    """What has no name is at least 5, and T need not be."""
    of = theorem("l/nameless", "T - 5", known("T - 5", "T"), index="", first=5, names={"T": ""})
    return [of, theorem("false", "T - 5", known("T - 5", "T"), uses=[use("l/nameless", "T - 5")])]


def run(*states: Claim, quantities: Any = ("D",), **entries: Any) -> Claim:
    """A model; of a state what is not said is empty, and there is no move."""
    empty: Claim = {key: {} for key in ("at", "forms", "begun", "rows", "own", "means", "leaves", "values")}
    empty |= {"where": "all", "sizes": [], "each": [], "names": [], "moves": None, "starts": None}
    return {"states": [{**empty, **state} for state in states], "quantities": list(quantities), **entries}


def row(id: str, form: Claim, names: str = "") -> Claim:
    """A lemma: what is known not to be negative is not."""
    piece = {"times": ["1", {}], "row": "r"}
    relation = {"lhs": {}, "op": "<=", "rhs": form, "rows": {"r": form}, "pieces": [piece]}
    return lemma(id, part("", names, [], relation))


def of_run(id: str, says: Claim, *states: Claim, op: str = ">=", **entries: Any) -> Claim:
    """A use of a lemma about functions; in a state it has the row "r" and its own vectors."""
    here = [{"part": 0, "draws": [IDENTITY], "rows": [{"r": "r"}], "mean": False, **state} for state in states or ({},)]
    return use(id, states=here, says=[[op, says]], **entries)


def bounded(number: str, **of: Any) -> tuple[list[Claim], Claim]:
    """(|x|^2 <= a number of the run, and its lemma; the model)."""
    held = {"": number, "G 0 0": "-1"}
    model = run({"forms": {"D[t:any]": {"G 0 0": "1"}}, "rows": {"r": held}, "leaves": {"0": "x"}})
    names, d = {**NAMES, "DK": "D[K]"}, "DK" if of.get("index") == "K" else "DT"
    said = f"{number} - {d}"
    used = of_run("l/row", {"": number, "D[t:any]": "-1"}, at={"L": number})
    shown = theorem("l/bounded", said, known(said, f"{number} {d}"), model=model, names=names, uses=[used], **of)
    return [row("l/row", {"": "L", "G 0 0": "-1"}, "L"), shown], model


def smaller(number: str, said: str, **used: Any) -> list[Claim]:
    claims, model = bounded(number, **used.pop("of", {}))
    by = used.pop("by", "direct")
    shown = known(said, "L t T Dt DT", by)
    names = claims[-1]["theorem"]["names"]
    entries: Claim = {"model": model, "names": names, "by": [by], "uses": [use("l/bounded", said, **used)]}
    return [*claims, theorem("false", said, shown, **entries)]


def another_name() -> list[Claim]:
    """D is at most what L stands for in the model, which is K, and not at most L."""
    claims, model = bounded("L")
    names = {**claims[-1]["theorem"]["names"], "L": "K", "M": "L"}
    entries: Claim = {"model": model, "names": names, "uses": [use("l/bounded", "M - DT")]}
    return [*claims, theorem("false", "M - DT", known("M - DT", "M DT"), **entries)]


def of_any_sign() -> list[Claim]:
    """b c >= b d wherever c >= d, as it would be if b were positive."""
    whole = lemma("l/itself", part("", "x", ["x >= 0"], at_least("x", ("1", {"0": 1}))))
    used = use("l/itself", "b*c - b*d", at={"x": "b*c - b*d"}, place=["", 0])
    stated = [["given", ">=", "c - d", "c >= d"], ["given", ">=", "b + 1", "b >= -1"]]
    return [whole, theorem("false", "b*c - b*d", known("b*c - b*d", "b c d"), stated=stated, uses=[used])]


STEP = {"leaves": {"0": "x", "1": "y"}, "moves": [{"leaves": {"0": {"1": "1"}}, "values": {}}]}
DISTANCE = {"D[t:any]": {"G 0 0": "1"}, "D[t:any']": {"G 1 1": "1"}}
SAME = {name.replace("D", "E"): form for name, form in DISTANCE.items()}


def equal(context: str, names: str, value: str, minus: str, *facts: tuple[str, str]) -> Claim:
    """A value is 0, as the sum of multiples of what is 0."""
    known: list[Claim] = [{"says": f"{says} == 0", "from": "what is known"} for says, _ in facts]
    for sign, shown in (("", value), ("-", minus)):
        weights = [(sign + c).replace("--", "") for _, c in facts]
        known.append(
            {"says": f"{shown} >= 0", "by": [["1", {"not": 1}], *([c, {str(k): 1}] for k, c in enumerate(weights))]}
        )
    relations = [at_least(shown, ("1", {str(len(facts) + k): 1})) for k, shown in enumerate((value, minus))]
    return part(context, names, known, *relations)


def lost(number: int, **of: Any) -> tuple[Claim, Claim]:
    """(E = D of a run with both; what uses it in a run without E)."""
    draw = {"part": 0, "draws": [], "rows": [], "mean": False}
    same = use(None, states=[draw], says=[["==", {"E[t:any]": "1", "D[t:any]": "-1"}]])
    both = run({"forms": DISTANCE | SAME, **STEP}, quantities=("D", "E"))
    shown = equal("direct", "ET DT", "ET - DT", "DT - ET", ("ET - DT", "1"))
    first = theorem("l/same", "ET - DT", shown, op="==", model=both, uses=[same])
    other = [{"state": 0, "rows": {}, **IDENTITY}]
    used = use("l/same", "E - DT", op="==", sequences={"D": [["1", "D"]]}, run=other)
    entries: Claim = {
        "names": {**NAMES, "E": f"E#{number}[T]"},
        "model": run({"forms": DISTANCE, **STEP}),
        "uses": [used],
    }
    return first, theorem("false", **{**entries, **of})


def constant() -> list[Claim]:
    """What is only of the lemma moves with the length as well."""
    facts = ("DT - D0", "1"), ("E - DT", "1"), ("E - DN", "-1")
    step = equal("step", "DT DN D0 E", "DN - D0", "-DN + D0", *facts)
    first, false = lost(1, statement="DT - D0", op="==", by=["base", "step"])
    false["parts"] = [part("base", "", [], at_least("0")), step]
    return [first, false]


def collides() -> list[Claim]:
    """What is stated of another number of the same name is not of that of the lemma."""
    negative = {"says": "-DT >= 0", "by": [["1", {"not": 1}], ["1", {"1": 1}], ["1", {"0": 1}]]}
    equation = {"says": "E - DT == 0", "from": "what is known"}
    shown = part("direct", "DT E", ["-E >= 0", equation, negative], at_least("-DT", ("1", {"2": 1})))
    first, false = lost(2, statement="-DT", stated=[["given", ">=", "-E", "range"]])
    false["parts"] = [shown]
    return [first, false]


def many_clients() -> list[Claim]:
    """(m - 10) |x|^2 >= 0 for 12 clients and for 10 or more, but not for 2."""
    of_one = {"where": "m=1", "at": {"m": "12"}}
    states = [{**one, "forms": {"D[t:any]": {"G 0 0": "1"}}} for one in (of_one, {"sizes": ["m - 10"]})]
    square = {"times": ["1", {"0": 1}], "square": {"0": "1"}}
    several = part("", "m", ["m - 10 >= 0"], {**at_least(""), "rhs": {"G 0 0": "m - 10"}, "pieces": [square]})
    twice = {**at_least(""), "rhs": {"G 0 0": "2"}, "pieces": [{"times": ["2", {}], "square": {"0": "1"}}]}
    said = {"D[t:any]": "m - 10"}
    used = of_run("l/square", said, {"part": 1, "rows": [{}]}, {"rows": [{}]})
    shown = known("m*Dt - 10*Dt", "Dt m", "any")
    false = theorem("false", "m*Dt - 10*Dt", shown, model=run(*states), by=["any"], uses=[used])
    return [
        lemma("l/square", {**several, "where": "every m, m >= 2"}, {**part("", "", [], twice), "where": "m=1"}),
        false,
    ]


def limits(of: list[Claim], defined: Claim, names: Claim) -> list[Claim]:
    """Limits of sequences for any s > 0, and nothing else."""
    entries: Claim = {"by": ["limits"], "printed": [], "limits": of, "defined": defined, "names": names, "first": 1}
    return [theorem("false", "", stated=[["given", ">", "s", "range"]], **entries)]


def any_number() -> list[Claim]:
    """E is s at every t, and so no null sequence, though -s <= E <= s for every s > 0."""
    base = part("base", "s", ["s > 0"], at_least("0"), at_least("2*s", ("2", {"0": 1})))
    said = at_least("ET + s", ("1", {"0": 1})), at_least("s - ET", ("1", {"1": 1}))
    shown = [base, part("step", "ET s", ["ET + s >= 0", "s - ET >= 0"], *said)]
    one = {"rule": "for_every", "of": ["Et"], "to": {"for_every": "s", "b": "0", "B": "s"}}
    one["roles"] = {"bound": {"by": ["base", "step"], "parts": shown}}
    return limits([one], {"E": ["s", "Et"]}, {"Et": "E[t:any]", "ET": "E[T]"})


def multiple_that_grows() -> list[Claim]:
    """A = 1 at every t, which is s C for every s > 0, as C is 1/s."""
    over = ["1", [["s", 1]]]
    positive = {"says": "s > 0", "from": "what is known"}
    inverse = {"lhs": {}, "op": "<=", "rhs": {"": ["1", {"0": 1}]}, "pieces": [{"times": ["1", {"0": -1}]}]}
    twice = {**inverse, "rhs": {"": ["2", {"0": 1}]}, "pieces": [{"times": ["2", {"0": -1}]}]}
    difference = {
        "lhs": {},
        "op": "<=",
        "rhs": {"": ["1 - s*CT", {"0": 1}]},
        "pieces": [{"times": ["1", {"1": 1, "0": -2}]}],
    }
    total = {
        "lhs": {},
        "op": "<=",
        "rhs": {"": ["1 + s*CT", {"0": 1}]},
        "pieces": [{"times": ["1", {"2": 1, "0": -2}]}],
    }
    steps = [
        part("base", "s", [positive], at_least("0"), twice),
        part("step", "CT s", [positive, "s - s^2*CT >= 0", "s + s^2*CT >= 0"], difference, total),
    ]
    bound = {
        "rule": "stays",
        "of": ["Ct"],
        "to": {"B": over},
        "roles": {"bound": {"by": ["base", "step"], "parts": steps}},
    }
    fixed = [
        part("base", "", [], at_least("0"), at_least("2", ("2", {}))),
        part(
            "step",
            "AT CT s",
            ["s*CT - AT >= 0", "s*CT + AT >= 0"],
            at_least("s*CT - AT", ("1", {"0": 1})),
            at_least("s*CT + AT", ("1", {"1": 1})),
        ),
    ]
    null = {"rule": "for_every", "of": ["At"], "to": {"for_every": "s", "b": "0", "B": "s*Ct"}}
    null["roles"] = {"bound": {"by": ["base", "step"], "parts": fixed}}
    names = {"Ct": "C[t:any]", "CT": "C[T]", "At": "A[t:any]", "AT": "A[T]"}
    return limits([bound, null], {"C": [over, "Ct"], "A": ["1", "At"]}, names)


def any_weight() -> list[Claim]:
    """sum eta_t <w_t, g> = T eta_t <w_bar, g> at any t, though eta_t is another number at another t."""
    fact, minus = "ST - WT*eta*n", "WT*eta*n - ST"
    names = {"eta": "eta[t:any]", "ST": "S[T]", "WT": "W[T]", "S": "S[t:any]", "W": "W[t:any]", "q": "q[t:any]"}
    state: Claim = {"forms": {"q[t:any]": {"G 0 1": "eta"}, "n": {"G 1 2": "1"}}, "mean": {"bar": [0, 2]}}
    state |= {"still": {"leaves": [1, 2], "values": []}, "apart": {"leaves": [0, 1], "values": []}}
    model = run(state, quantities=("q", "n"), means={"bar": "1"})
    sums = {"S": ["0", "S + q"], "W": ["0", "W + 1"]}
    used = {**use(None, of="means"), "mean": "bar", "quantity": "q", "by": {"n": "eta"}, "sums": ["S", "W"]}
    shown = equal("any", "ST WT eta n", fact, minus, (fact, "1"))
    return [theorem("false", fact, shown, op="==", names=names, by=["any"], model=model, defined=sums, uses=[used])]


def no_moves() -> list[Claim]:
    """D[T] >= T where D >= E, and E grows by 1 with a step of the run; not where no step is written."""
    grow, above = {"": "-1", "G 1 3": "1", "G 0 3": "-1"}, {"G 0 2": "1", "G 0 3": "-1"}
    d = {"D[t:any]": {"G 0 2": "1"}, "D[t:any']": {"G 1 2": "1"}}
    both = d | {"E[t:any]": {"G 0 3": "1"}, "E[t:any']": {"G 1 3": "1"}}
    rows: Claim = {"rows": {"grow": grow, "above": above}, "leaves": {"0": "x", "1": "y", "2": "c", "3": "b"}}
    leaves = {str(k): {str(k): "1"} for k in (1, 2, 3)}
    moves: Claim = {"moves": [{"leaves": {"0": {"1": "1"}, "2": {"2": "1"}, "3": {"3": "1"}}, "values": {}}]}
    moves |= {"starts": {"leaves": {"0": {}, **leaves}, "values": {}}}
    model = run({**rows, **moves, "forms": both, "begun": {"D[0]": {}, "E[0]": {}}}, quantities=("D", "E"))
    alone = {**rows, "forms": d, "begun": {"D[0]": {}}}
    grows = of_run("l/grow", {"E[t:any']": "1", "E[t:any]": "-1", "": "-1"}, {"rows": [{"r": "grow"}]})
    over = of_run("l/over", {"D[t:any]": "1", "E[t:any]": "-1"}, {"rows": [{"r": "above"}]})
    begun = use(
        None, of="begun", states=[{"part": 0, "draws": [], "rows": [], "mean": False}], says=[["==", {"E[0]": "1"}]]
    )
    zero = {"says": "E0 >= 0", "by": [["1", {"not": 1}], ["1", {"0": 1}]]}
    base = part("base", "E0", [{"says": "E0 == 0", "from": "what is known"}, zero], at_least("E0", ("1", {"1": 1})))
    add = ("1", {"0": 1}), ("1", {"1": 1})
    step = part("step", "ET EN T", ["EN - ET - 1 >= 0", "ET - T >= 0"], at_least("EN - T - 1", *add))
    first = theorem("l/E", "ET - T", base, step, by=["base", "step"], model=model, uses=[grows, begun])
    sums = part("direct", "ET DT T", ["ET - T >= 0", "DT - ET >= 0"], at_least("DT - T", *add))
    second = theorem("l/D", "DT - T", sums, model=model, uses=[over, use("l/E", "ET - T")])
    other = [{"state": 0, "rows": {"grow": "grow", "above": "above"}, **IDENTITY}]
    shown = known("DT - T", "DT T")
    used = use("l/D", "DT - T", sequences={"D": [["1", "D"]]}, run=other)
    third = theorem("l/run", "DT - T", shown, model=run({**alone, **moves}), uses=[used])
    false = theorem("false", "DT - T", shown, model=run(alone), uses=[use("l/run", "DT - T")])
    return [row("l/grow", grow), row("l/over", above), first, second, third, false]


def any_vector(places: str = "02", names: str = "xy") -> list[Claim]:
    """|y| <= 1, as it would be if y were the spread of the deviations x of all clients, of which |x| <= 1."""
    held = {"": "1", "G 0 0": "-1"}
    alone = {"where": "m=1", "at": {"m": "1"}, "forms": {"D[t:any]": {}}}
    several = {"where": "every m, m >= 2", "sizes": ["m - 2"], "rows": {"r": held}}
    spread = {**several, "forms": {"D[t:any]": {"G 1 1": "1"}}, "own": {"0": 1}, "leaves": {"0": "x", "1": "y"}}
    one = part("", "", [], at_least("1", ("1", {})))
    lemmas = [{**row("", held)["parts"][0], "where": "every m, m >= 2"}, {**one, "where": "m=1"}]
    states = {"part": 1, "rows": [{}]}, {"mean": True}
    used = of_run("l/row", {"": "1", "D[t:any]": "-1"}, *states)
    shown = known("-Dt + 1", "Dt", "any")
    first = theorem("l/spread", "-Dt + 1", shown, by=["any"], model=run(alone, spread), uses=[used])
    x, y = tuple(places)
    here = {**several, "forms": {"D[t:any]": {f"G {y} {y}": "1"}}, "leaves": dict(zip(places, names, strict=True))}
    to = {"leaves": {"0": {x: "1"}, "1": {y: "1"}}, "values": {}}
    runs = [{"state": 0, "rows": {}, **to}, {"state": 1, "rows": {"r": "r"}, **to}]
    used = use("l/spread", "-Dt + 1", sequences={"D": [["1", "D"]]}, run=runs)
    false = theorem("false", "-Dt + 1", shown, by=["any"], model=run(alone, here), uses=[used])
    return [lemma("l/row", *lemmas), first, false]


def at_its_range() -> list[Claim]:
    """(a - 1)^2 > 0, as a square is divided by it; a is at least 1, and so may be 1."""
    root = {"says": "a^2 - 2*a + 1 > 0", "from": "what is known", "root": [["a - 1", 1]]}
    shown = part("direct", "a", [root], {**at_least("a^2 - 2*a + 1", ("1", {"0": 1})), "op": "<"})
    used = {**use("l/square", at={"c": ["1", [["a - 1", 1]]]}), "values": [[">=", ["1", [["a - 1", 2]]]]]}
    stated = [["given", ">=", "a - 1", "range"]]
    return [SQUARE, theorem("false", "a^2 - 2*a + 1", shown, op=">", stated=stated, uses=[used])]


def first_of_none(**of: Any) -> list[Claim]:
    """D[0] >= 0, as D[t] is at every t below the length; where that is 0 there is no t."""
    return [theorem("false", "D0", known("D0", "D0"), stated=[["t", ">=", "Dt", "range"]], **of)]


def after_the_last(said: str = "DN - DT", names: str = "DN DT") -> list[Claim]:
    """D[T'] >= D[T] >= 0, as D grows with a step and is not negative; no step is taken after the last one."""
    grow, least = {"G 1 1": "1", "G 0 0": "-1"}, {"G 0 0": "1"}
    relations = [
        {"lhs": {}, "op": "<=", "rhs": form, "rows": {"r": form}, "pieces": [{"times": ["1", {}], "row": "r"}]}
        for form in (grow, least)
    ]
    relations[1] |= {"rows": {"l": least}, "pieces": [{"times": ["1", {}], "row": "l"}]}
    both = [[">=", {"D[t:any']": "1", "D[t:any]": "-1"}], [">=", {"D[t:any]": "1"}]]
    used = {**of_run("l/both", {}, {"rows": [{"r": "r", "l": "l"}]}), "says": both}
    model = run({"forms": DISTANCE, "rows": {"r": grow, "l": least}, **STEP})
    shown = known(said, names)
    return [lemma("l/both", part("", "", [], *relations)), theorem("false", said, shown, model=model, uses=[used])]


def quickly(said: str = "1 - PT - 2*T*PT*y", at: str = "P[T]", step: str = "q*P") -> list[Claim]:
    """q^T (1 + 2 T y) <= 1 as q (1 + y) <= 1, which gives 1 + T y; or what is so of q^T of q^(T - 1) or of T! q^T."""
    stated = [["given", ">=", value, "range"] for value in ("q", "y", "1 - q - q*y", "1 - q")]
    names = {"PT": at, "P": "P[t:any]", "t": "t:any"}
    shown = known(said, "PT T y")
    return [theorem("false", said, shown, first=1, stated=stated, names=names, defined={"P": ["1", step]})]


def no_exponential(says: str = "1 - e", **of: Any) -> list[Claim]:
    """a <= 0, as 1 + a <= e <= 1 for some number e of a proof, which there need not be."""
    stated = [["given", ">=", value, "range"] for value in ("e - 1 - a", says)]
    add = ("1", {"0": 1}), ("1", {"1": 1})
    shown = part("direct", "a e", ["e - 1 - a >= 0", "1 - e >= 0"], at_least("-a", *add))
    of = {"parts": [shown], "stated": stated} | of
    first = theorem("l/e", "-a", *of.pop("parts"), **of)
    return [first, theorem("false", "-a", known("-a", "a"), uses=[use("l/e", "-a")])]


def of_its_powers() -> list[Claim]:
    """The same, as e^T <= 1 as well: e is another number here, of which nothing is known but this."""
    stated = [["given", ">=", value, "range"] for value in ("e - 1 - a", "1 - e + a*e")]
    stated.append(["t", ">=", "1 - PF", "powers of it are at most 1"])
    add = ("1", {"0": 1}), ("1", {"1": 1})
    shown = part("base", "a e", ["e - 1 - a >= 0", "1 - e >= 0"], at_least("-a", *add))
    defined = {"P": ["1", "e*P"]}
    entries: Claim = {"names": {"PF": "P[t:any']", "P": "P[t:any]", "t": "t:any"}, "first": 1, "stated": stated}
    parts = [shown, part("step", "a", ["-a >= 0"], at_least("-a", ("1", {"0": 1})))]
    first = theorem("l/e", "-a", *parts, by=["base", "step"], defined=defined, **entries)
    entries |= {"defined": defined, "stated": stated[-1:], "uses": [use("l/e", "-a", sequences={"P": [["1", "P"]]})]}
    return [first, theorem("false", "-a", known("-a", "a"), **entries)]


def exponential() -> list[Claim]:
    """a^2 >= 0 where a <= 1, as e >= 1 + a and e (1 - a) <= 1 for e^a; which is true."""
    range_ = ["given", ">=", "1 - a", "range"]
    facts = ["1 - a >= 0", "e - 1 - a >= 0", "1 - e + a*e >= 0"]
    shown = part("direct", "a e", facts, at_least("a^2", ("1", {"2": 1}), ("1", {"0": 1, "1": 1})))
    own = {"names": {**NAMES, "e": "exp:0"}, "exponentials": {"e": "a"}}
    first = theorem("l/e", "a^2", shown, stated=[range_], **own)
    return [first, theorem("true", "a^2", known("a^2", "a"), stated=[range_], uses=[use("l/e", "a^2")])]


def product_that_may_vanish() -> list[Claim]:
    """a b > 0, as a >= 0 and b > 0."""
    stated = [["given", ">=", "a", "range"], ["given", ">", "b", "range"]]
    shown = part("direct", "a b", ["a*b > 0"], {**at_least("a*b", ("1", {"0": 1})), "op": "<"})
    return [theorem("false", "a*b", shown, op=">", stated=stated)]


def grown(more: str = "D0 - 1", said: str = "DT - 1", by: str = "DT - D0") -> list[Claim]:
    """D[T] >= 1 as D grows, by a theorem in which D[0] >= 1, or T >= 1, which is no e^v."""
    times, step = (("1", {"0": 1}), ("1", {"1": 1})), {"DT - D0": "DF - Dt", "DT - T": "DF - Dt - 1"}[by]
    entries: Claim = {"names": {**NAMES, "DF": "D[t:any']"}, "stated": [["t", ">=", step, "it grows"]]}
    after, grows = {"DT - D0": ("DN - D0", "DN - DT"), "DT - T": ("DN - T - 1", "DN - DT - 1")}[by]
    first = by_steps("l/grows", by, after, "DT DN D0 T", [f"{grows} >= 0", f"{by} >= 0"], *times, **entries)
    if by == "DT - T":
        entries["stated"].append(["given", ">=", "D0", "range"])
        first["parts"][0] = known("D0", "D0", "base")
    shown = part("direct", "DT D0 T", [f"{by} >= 0", f"{more} >= 0"], at_least(said, *times))
    second = theorem("l/above", said, shown, uses=[use("l/grows", by, sequences=D)], **entries)
    second["theorem"]["stated"] = [*entries["stated"], ["given", ">=", more, "range"]]
    used = use("l/above", said, sequences=D)
    return [first, second, theorem("false", said, known(said, "DT"), uses=[used], **entries)]


def common_factor(sign: str = ">=") -> list[Claim]:
    """a (b + c) > 0, as b + c > 0 and a is not negative; where a is positive it is true."""
    stated = [["given", sign, "a", "range"], ["given", ">", "b + c", "range"]]
    shown = part("direct", "a b c", ["a*b + a*c > 0"], {**at_least("a*b + a*c", ("1", {"0": 1})), "op": "<"})
    return [theorem("whole", "a*b + a*c", shown, op=">", stated=stated)]


def quotient_that_may_vanish() -> list[Claim]:
    """(1 - a)^2 > 0, as a square is divided by it and (1 - a)/b is not negative."""
    claims = at_its_range()
    claims[1]["theorem"]["stated"] = [["given", ">=", ["1 - a", [["b", 1]]], "range"], ["given", ">", "b", "range"]]
    return claims


def power_of_zero() -> list[Claim]:
    """0 >= q^T, as q = 0; but 0^0 is one."""
    low = {"says": "-PT >= 0", "by": [["1", {"not": 1}], ["-1", {"0": 1}]]}
    shown = part("direct", "PT", ["PT == 0", low], at_least("-PT", ("1", {"1": 1})))
    entries: Claim = {"stated": [["given", "==", "q", "range"]], "defined": {"P": ["1", "q*P"]}}
    return [theorem("false", "-PT", shown, names={**NAMES, "PT": "P[T]", "P": "P[t:any]"}, **entries)]


def longer(said: str = "PT - q*P", least: str = "q", step: str = "q*P", at: str = "P[t:any]") -> list[Claim]:
    """q^T - q^(t + 1) >= 0, as t < T; for q >= 1 it is true."""
    stated = [["given", ">=", least, "range"], ["given", ">=", "q", "range"]]
    names = {"PT": "P[T]", "P": at, "t": "t:any"}
    shown = known(said, "PT P q T", "any")
    return [theorem("whole", said, shown, by=["any"], stated=stated, names=names, defined={"P": ["1", step]})]


def longer_powers_of_the_length() -> list[Claim]:
    """(T + 1)^T - (T + 1)^(t + 1) >= 0 at one length; of all lengths there are no such powers."""
    claims = longer("PT - P - T*P", "T", "P + T*P")
    claims[0]["theorem"]["by"] = ["base", "step"]
    return claims


def exponential_of(
    said: str = "e - 1 - v", v: str = "v", name: str = "exp:0", by: str = "direct", **of: Any
) -> list[Claim]:
    """What is said of e, which is called e^v, and of P[T], its power; e >= 1 + v is true."""
    names = {**NAMES, "e": name, "PT": "P[T]", "P": "P[t:any]"}
    shown = known(said, "e v PT T t", by)
    of = {"names": names, "defined": {"P": ["1", "e*P"]}, "exponentials": {"e": v}, "by": [by]} | of
    whole = theorem("whole", said, shown)
    whole["theorem"] |= of
    return [whole]


def of_another_exponential(stands: str = "e", v: str = "2*v") -> list[Claim]:
    """e^v >= 1 + 2 v, by e^u >= 1 + u of a lemma for u = 2 v, in the place of whose e^u stands e^v; at u = v it is true."""
    said, own = f"e - 1 - {v}", {"names": {**NAMES, "u": "v", "e": "exp:0"}, "exponentials": {"e": "u"}}
    shown = known("e - 1 - u", "e u")
    names = {**NAMES, "e": "exp:1"}
    used = use("l/e", said, at={"v": v, "exp:0": stands})
    entries: Claim = {"names": names, "exponentials": {"e": "v"}, "uses": [used]}
    return [theorem("l/e", "e - 1 - u", shown, **own), theorem("whole", said, known(said, "e v"), **entries)]


def powers_of_another_exponential(stands: str = "1") -> list[Claim]:
    """1 >= 1 + T v, as powers of e^v are at least that, which are taken for powers of 1; of e^v it is true."""
    said, own = (
        "PT - 1 - T*v",
        {"names": {**NAMES, "e": "exp:0", "PT": "P[T]", "P": "P[t:any]"}, "exponentials": {"e": "v"}},
    )
    own |= {"defined": {"P": ["1", "e*P"]}}
    used = use("l/e", said, at={"exp:0": stands}, sequences={"P": [["1", "P"]]})
    entries: Claim = {**own, "defined": {"P": ["1", f"{stands}*P"]}, "uses": [used]}
    return [
        theorem("l/e", said, known(said, "PT T v"), **own),
        theorem("whole", said, known(said, "PT T v"), **entries),
    ]


def coefficient_of_a_run(says: Any = None) -> list[Claim]:
    """e |x|^2 >= (1 + v) |x|^2 of a run that reads e: e^v in the lemma, and any number here; where it is e^v it is true."""
    states = {"forms": {"D[t:any]": {"G 0 0": "e"}, "E[t:any]": {"G 0 0": "1"}}, "rows": {}, "leaves": {"0": "x"}}
    names = {**NAMES, "e": "exp:0", "Et": "E[t:any]"}
    entries: Claim = {"model": run(states, quantities=("D", "E")), "names": names, "by": ["any"]}
    zero = {
        "lhs": {},
        "op": "<=",
        "rhs": {"G 0 0": "e - 1 - v"},
        "pieces": [{"times": ["1", {"0": 1}], "square": {"0": "1"}}],
    }
    step = lemma("l/step", part("", "e v", ["e - 1 - v >= 0"], zero))
    used = {**of_run("l/step", {"D[t:any]": "1", "E[t:any]": "-1 - v"}, {"rows": [{}]}), "at": {"e": "e"}}
    said = "Dt - Et - v*Et"
    first = theorem("l/run", said, known(said, "Dt Et v", "any"), uses=[used], exponentials={"e": "v"}, **entries)
    of = use("l/run", said, place=["T", 0])
    second = theorem("whole", said, known(said, "Dt Et v", "any"), uses=[of], **(says or {}), **entries)
    return [step, first, second]


def at_least_one(least: str = "2*a - 1") -> list[Claim]:
    """a >= 1, as a >= 1/2; as a >= 2 it is true."""
    return [theorem("whole", "a - 1", known("a - 1", "a"), stated=[["given", ">=", least, "range"]])]


# what is false, and what the checker says of it
LIES = {
    "an exponential grows twice as fast": (lambda: exponential_of("e - 1 - 2*v"), "is not known there"),
    "an exponential is below its tangent": (lambda: exponential_of("1 + v - e"), "is not known there"),
    "e is at most 2": (lambda: exponential_of("2 - e", "1"), "is not known there"),
    "an exponential of a large number": (lambda: exponential_of("100 - e", "9"), "is not known there"),
    "a power of an exponential as itself": (lambda: exponential_of("PT - 1 - v"), "is not known there"),
    "a power of an exponential at any length": (lambda: exponential_of("PT - 1 - 2*T*v"), "is not known there"),
    "an exponential of the length": (
        lambda: exponential_of("e - 1 - t", "T", by="any"),
        "is not known there",
    ),
    "an exponential of an index": (
        lambda: exponential_of("e - 1 - t", "t", by="any"),
        "is no exponential is called one",
    ),
    "any number as an exponential": (lambda: exponential_of(name="K"), "is no exponential is called one"),
    "an exponential of something else": (of_another_exponential, "is no exponential of its exponent"),
    "a coefficient of a run that is no exponential": (coefficient_of_a_run, "is no exponential of its exponent"),
    "powers of a number in the place of an exponential": (
        powers_of_another_exponential,
        "is no exponential of its exponent",
    ),
    "a number in the place of an exponential": (
        lambda: of_another_exponential("1 + 2*v"),
        "is no exponential of its exponent",
    ),
    "above one by what is above a half": (at_least_one, "is not known there"),
    "above one by what is below two": (lambda: at_least_one("2 - a"), "is not known there"),
    "above one by two numbers": (lambda: at_least_one("a + b - 2"), "is not known there"),
    "a longer power of what may be below 1": (longer, "is not known there"),
    "a longer power of a negative number": (lambda: longer(least="-q - 1"), "is not known there"),
    "a power two steps later": (lambda: longer("PT - q^2*P", "q - 1"), "is not known there"),
    "a power at the last index": (lambda: longer("P - PT", "q - 1"), "is not known there"),
    "twice a power": (lambda: longer("PT - 2*q*P", "q - 1"), "is not known there"),
    "a longer power of what changes": (lambda: longer("PT - q*P", "q - 1", "q*t*P"), "is not known there"),
    "powers of the length at another length": (longer_powers_of_the_length, "depends on the length"),
    "what it says is divided by what may be zero": (divided, "a divisor may vanish"),
    "at a quotient whose divisor may be zero": (at_a_quotient, "a divisor may vanish"),
    "at an element whose divisor may be zero": (at_an_element, "a divisor may vanish"),
    "at a number that is no length": (at_a_number, "is no length"),
    "one step after the last one": (one_step_later, "is no length"),
    "of the length t + 1 what is so below t": (up_to_t, "a condition is not shown"),
    "of every t what needs an index below it": (before_the_first, "is not what is shown"),
    "of a number of the run another": (lambda: smaller("L", "1/5*L - DT", at={"L": "1/5*L"}), "another model"),
    "of a run that reads its length": (
        lambda: smaller("T", "t - Dt", place=["t:any", 0], by="any"),
        "another model",
    ),
    "of a length that is a number here": (lambda: smaller("K", "T - DT", of={"index": "K"}), "another model"),
    "what a lemma alone speaks of stays as it is": (constant, "is not known there"),
    "what a lemma alone speaks of has a name of the file": (collides, "what a lemma alone speaks of"),
    "ten clients at least": (many_clients, "is not one client"),
    "what is small for every number reads it": (any_number, "the sequence reads the number"),
    "a multiple of a number is not": (multiple_that_grows, "a term is not small"),
    "a weight of one step for all": (any_weight, "depends on t"),
    "of a run that moves otherwise": (no_moves, "how another run moves"),
    "of vectors that are no spreads in another run": (any_vector, "is something else here"),
    "of vectors that are no spreads in the run": (lambda: any_vector("01"), "it is of other spreads"),
    "divided by a number at the end of its range": (at_its_range, "a divisor may vanish"),
    "the first element where there is none": (first_of_none, "is not known there"),
    "a step after the last one": (after_the_last, "is not known there"),
    "a power falls twice as fast": (quickly, "is not known there"),
    "a power of one less": (lambda: quickly("1 - PT - T*PT*y", "P['T]"), "is not known there"),
    "powers of what changes": (lambda: quickly("1 - PT - T*PT*y", step="q*t*P"), "is not known there"),
    "a power of zero is zero": (power_of_zero, "is not known there"),
    "a number of a proof that is none": (no_exponential, "a condition is not shown"),
    "a number of which there are other powers": (of_its_powers, "a condition is not shown"),
    "a product with a factor that may vanish": (product_that_may_vanish, "is not known there"),
    "a first element that is no exponential": (grown, "a condition is not shown"),
    "a length that is no exponential": (lambda: grown("T - 1", by="DT - T"), "a condition is not shown"),
    "a factor of all that may vanish": (common_factor, "is not known there"),
    "a quotient that may vanish": (quotient_that_may_vanish, "a divisor may vanish"),
    "of a name that stands for another number": (another_name, "a name stands for something else there"),
    "multiplied by what may be negative": (of_any_sign, "a condition is not shown"),
    "of a length without a name": (of_no_length, "a condition is not shown"),
}
