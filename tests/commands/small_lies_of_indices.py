"""Small false theorems in which an index, a length, or one element of a sequence stands for another one."""

from typing import Any

from small_lies import NAMES, Claim, D, at_least, by_steps, equal, known, lemma, of_run, part, row, run, theorem, use
from small_lies_of_runs import FAR, INDICES

ADD = ("1", {"0": 1}), ("1", {"1": 1})
LATER = {**NAMES, "DF": "D[t:any']"}
BELOW = lemma(
    "l/below",
    part("", "a b", FAR, at_least("a", ("1", {"0": 1})), at_least("b - a - 1", ("1", {"1": 1}))),
)


def grows(by: str = "1", id: str = "l/grows") -> tuple[Claim, Claim]:
    """(D[T] >= D[0] + T times a number, by which D grows at every t; what is stated and named)."""
    stated, said = [["t", ">=", f"DF - Dt - {by}", "it grows"]], f"D0 - {by}*T"
    after = f"DN - {said} - {by}"
    entries: Claim = {"stated": stated, "names": LATER}
    facts = [f"DN - DT - {by} >= 0", f"DT - {said} >= 0"]
    return by_steps(id, f"DT - {said}", after, "DT DN D0 T a", facts, *ADD, **entries), entries


def at_another(what: str, to: str, said: str) -> list[Claim]:
    """What grows by 1, where another number stands for an element of it or for the length."""
    of, entries = grows()
    used = use("l/grows", said, at={what: to}, sequences=D)
    return [of, theorem("false", said, known(said, "DT D0 T"), uses=[used], **entries)]


def at_any() -> list[Claim]:
    """D[t+1] >= D[0] + t + 1, where another number stands for t."""
    of, entries = grows()
    first, said = "DF - D0 - t - 1", "DF - D0 - 2*t - 1"
    used = use("l/grows", first, place=["t:any", 1], sequences=D)
    entries |= {"by": ["any"]}
    every = theorem("l/every", first, known(first, "DF D0 t", "any"), uses=[used], **entries)
    used = use("l/every", said, at={"t:any": "2*t"}, sequences=D)
    return [of, every, theorem("false", said, known(said, "DF D0 t", "any"), uses=[used], **entries)]


def another_at_another_t() -> list[Claim]:
    """D[t+1] >= D[0] + t (t + 1), as D grows by t: by one number at every t it would be so."""
    of, entries = grows("a")
    of["theorem"]["names"] = entries["names"] = {**LATER, "a": "a"}
    said = "DF - D0 - a*t - a"
    used = use("l/grows", said, place=["t:any", 1], sequences=D)
    every = theorem("l/every", said, known(said, "DF D0 a t", "any"), by=["any"], uses=[used], **entries)
    entries["stated"] = [["t", ">=", "DF - Dt - t", "it grows"]]
    said = "DF - D0 - t^2 - t"
    used = use("l/every", said, at={"a": "t"}, sequences=D)
    return [of, every, theorem("false", said, known(said, "DF D0 t", "any"), by=["any"], uses=[used], **entries)]


def powers_of_t() -> list[Claim]:
    """(t - 1) S = P - 1 of factorials, as (a - 1) (1 + a + ... + a^(T - 1)) = a^T - 1."""
    names = {"S": "S[t:any]", "P": "P[t:any]", "ST": "S[T]", "PT": "P[T]", "t": "t:any"}
    said, minus = "a*ST - ST - PT + 1", "ST - a*ST + PT - 1"
    after, less = "a*ST + a*PT - ST - PT - a*PT + 1", "ST + PT - a*ST - a*PT + a*PT - 1"
    sums = {"S": ["0", "S + P"]}
    shown = [part("base", "", [], at_least("0")), equal("step", "ST PT a", after, less, (said, "1"))]
    entries: Claim = {"op": "==", "names": names}
    first = theorem("l/sum", said, *shown, by=["base", "step"], defined=sums | {"P": ["1", "a*P"]}, **entries)
    both = [text.replace("a*", "t*") for text in (said, minus)]
    used = use("l/sum", both[0], op="==", at={"a": "t"}, sequences={"S": [["1", "S"]], "P": [["1", "P"]]})
    entries |= {"by": ["any"], "uses": [used], "defined": sums | {"P": ["1", "t*P"]}}
    return [first, theorem("false", both[0], equal("any", "ST PT t", *both, (both[0], "1")), **entries)]


def earlier_of_none() -> list[Claim]:
    """-5 >= P[T] >= 5 for T >= 1, as any index below the first one is its element."""
    names = {**INDICES, "PT": "P[T]"}
    used = use("l/below", "s", "t - s - 1", at={"a": "s", "b": "t"}, place=["t:any", 0])
    low, high = (
        at_least("-s - 5", ("5", {"1": 1}), ("4", {"0": 1})),
        at_least("s - 5", ("6", {"0": 1}), ("5", {"1": 1})),
    )
    shown = [part(context, "s", ["s >= 0", "-1 - s >= 0"], low, high) for context in ("base", "step")]
    entries: Claim = {"first": 1, "names": names, "defined": {"P": ["0", "s"]}, "uses": [used]}
    false = theorem("false", "-PT - 5", *shown, by=["base", "step"], **entries)
    false["theorem"]["statement"].append([">=", "PT - 5"])
    return [BELOW, false]


def sequence_of_earlier() -> list[Claim]:
    """t >= 1, as 0 <= s <= t - 1 for an index s below t."""
    stated = [["t", ">=", value, "range"] for value in ("Dt", "t - 1 - Dt")]
    shown = part("any", "t Dt", ["Dt >= 0", "t - 1 - Dt >= 0"], at_least("t - 1", *ADD))
    first = theorem("l/one", "t - 1", shown, by=["any"], stated=stated)
    used = use("l/one", "t - 1", sequences={"D": [["s", ""]]})
    return [first, theorem("false", "t - 1", known("t - 1", "t", "any"), by=["any"], names=INDICES, uses=[used])]


def called_as_an_index(low: str, high: str, said: str, way: str) -> list[Claim]:
    """b >= 1 where a >= 0 and b >= a + 1, with numbers that are called as indices are."""
    facts = [f"{low} >= 0", f"{high} - {low} - 1 >= 0"]
    of = lemma("l/one", part("", f"{low} {high}", facts, at_least(f"{high} - 1", *ADD)))
    used = use("l/one", said, place=["t:any" if way == "any" else "T", 0])
    return [of, theorem("false", said, known(said, said[0], way), by=[way], names=INDICES, uses=[used])]


def a_number_t() -> list[Claim]:
    """T >= 1, by a theorem about numbers of which one is called t: K >= 1, as K >= t + 1 and t >= 0."""
    stated = [["given", ">=", value, "range"] for value in ("t", "K - t - 1")]
    shown = part("direct", "t K", ["t >= 0", "K - t - 1 >= 0"], at_least("K - 1", *ADD))
    first = theorem("l/K", "K - 1", shown, index="", stated=stated)
    return [first, theorem("false", "T - 1", known("T - 1", "T"), uses=[use("l/K", "T - 1", at={"K": "T"})])]


def at_the_start() -> list[Claim]:
    """(T - 1) |x|^2 >= 0 of the first x, as T >= t + 1."""
    square = {"times": ["1", {"0": 1}], "square": {"0": "1"}}
    of = lemma("l/sq", part("", "a", ["a >= 0"], {**at_least(""), "rhs": {"G 0 0": "a"}, "pieces": [square]}))
    state = {"forms": {"D[t:any]": {"G 0 0": "1"}}, "begun": {"D[0]": {"G 0 0": "1"}}, "leaves": {"0": "x"}}
    used = of_run("l/sq", {"D[0]": "T - t - 1"}, {"rows": [{}]}, of="begun", at={"a": "T - t - 1"})
    used["values"] = [[">=", "T*D0 - t*D0 - D0"]]
    said = "T*D0 - D0"
    return [of, theorem("false", said, known(said, "T D0"), model=run(state), uses=[used])]


def stated_of_the_start() -> list[Claim]:
    """T >= 1, as it is "stated of the start" that T >= t + 1."""
    return [theorem("false", "T - 1", known("T - 1", "T"), stated=[["start", ">=", "T - t - 1", "range"]])]


def sum_of_the_last() -> list[Claim]:
    """S[1] = D[T] of the sum of D[T] over t, which has no meaning."""
    names, defined = {**NAMES, "S": "S[t:any]", "S1": "S[1]"}, {"S": ["0", "S + DT"]}
    shown = part("direct", "", [], at_least("0"))
    return [theorem("false", "S1 - DT", shown, op="==", names=names, defined=defined, first=1)]


def of_the_last(scope: str) -> list[Claim]:
    """The sum of 1 - E[t+1] is at most 0, as the last E is at least 1; the others need not be."""
    names = {**NAMES, "Z": "Z[t:any]", "ZT": "Z[T]", "EF": "E[t:any']"}
    step = part("step", "ZT EN", ["-ZT >= 0", "EN - 1 >= 0"], at_least("-ZT - 1 + EN", *ADD))
    entries: Claim = {"stated": [[scope, ">=", "ET - 1", "range"]], "defined": {"Z": ["0", "Z + 1 - EF"]}}
    base = part("base", "", [], at_least("0"))
    return [theorem("false", "-ZT", base, step, by=["base", "step"], names=names, **entries)]


def coefficient_of_t() -> list[Claim]:
    """t |x|^2 stays 0, as x stays where it is."""
    state: Claim = {"leaves": {"0": "x"}, "begun": {"D[0]": {}}}
    state["forms"] = {"D[t:any]": {"G 0 0": "t"}, "D[t:any']": {"G 0 0": "t"}}
    state["moves"] = [{"leaves": {"0": {"0": "1"}}, "values": {}}]
    draw = {"part": 0, "draws": [], "rows": [], "mean": False}
    stays = use(None, states=[draw], says=[["==", {"D[t:any']": "1", "D[t:any]": "-1"}]])
    stays["values"] = [["==", "DF - Dt"]]
    begun = use(None, of="begun", states=[draw], says=[["==", {"D[0]": "1"}]], values=[["==", "D0"]])
    base = equal("base", "D0", "D0", "-D0", ("D0", "1"))
    step = equal("step", "DT DN", "DN", "-DN", ("DN - DT", "1"), ("DT", "1"))
    entries: Claim = {"model": run(state), "names": LATER, "uses": [stays, begun]}
    return [theorem("false", "DT", base, step, op="==", by=["base", "step"], **entries)]


def called_one() -> list[Claim]:
    """T >= 1, as a number that is called 1 is T."""
    return [theorem("false", "T - 1", part("direct", "", [], at_least("0")), names={**NAMES, "1": "T"})]


def before_the_first() -> list[Claim]:
    """q^(T - 1) <= 1 for every T >= 0, as q <= 1."""
    stated = [["given", ">=", value, "range"] for value in ("q", "1 - q")]
    names = {**NAMES, "PT": "P['T]", "P": "P[t:any]"}
    shown = part("direct", "", [], at_least("0"))
    return [theorem("false", "1 - PT", shown, names=names, defined={"P": ["1", "q*P"]}, stated=stated)]


def square_that_is_zero() -> list[Claim]:
    """-b^2 >= 0, as b is not zero, and so "b^2 == 0" is the square of what is not."""
    fact = {"says": "b^2 == 0", "from": "what is known", "root": [["b", 1]]}
    low = {"says": "-b^2 >= 0", "by": [["1", {"not": 1}], ["-1", {"0": 1}]]}
    shown = part("direct", "b", [fact, low], at_least("-b^2", ("1", {"1": 1})))
    return [theorem("false", "-b^2", shown, stated=[["given", ">", "b", "range"]])]


DRAW: Claim = {"part": 0, "draws": [], "rows": [], "mean": False}
FIVE: Claim = {"G 0 0": "1", "": "-5"}


def nothing_that_is_more(op: str) -> list[Claim]:
    """0 > 0, or 0 != 0, of a quantity that is nothing at the start."""
    model = run({"forms": {"D[t:any]": {}}, "begun": {"D[0]": {}}})
    used = use(None, of="begun", states=[DRAW], says=[[op, {"D[0]": "1"}]], values=[[op, "D0"]])
    said, n = ("D0", 1) if op == ">" else ("D0^2", 2)
    shown = part("direct", "D0", [f"D0 {op} 0"], {**at_least(said, ("1", {"0": n})), "op": "<"})
    return [theorem("false", said, shown, op=">", model=model, uses=[used])]


def called_as_a_row() -> list[Claim]:
    """A number b is at least 0, as an inequality of a model that is called b."""
    model = run({"forms": {"D[t:any]": {"G 0 0": "1"}}, "rows": {"b": {"G 0 0": "1"}}, "leaves": {"0": "x"}})
    used = of_run("l/row", {"b": "1"}, {"rows": [{"r": "b"}]}, of="rows")
    used["values"] = [[">=", "b"]]
    return [row("l/row", {"G 0 0": "1"}), theorem("false", "b", known("b", "b"), model=model, uses=[used])]


def of_a_quantity(name: str, *quantities: str) -> list[Claim]:
    """A number, or the length, is at least 5, as |x|^2 is, which is called so."""
    forms = {"D[t:any]": {"G 0 0": "1"}, name: {"G 0 0": "1"}}
    model = run({"forms": forms, "rows": {"r": FIVE}, "leaves": {"0": "x"}}, quantities=("D", *quantities))
    said = f"{name} - 5"
    used = of_run("l/row", {name: "1", "": "-5"})
    used["values"] = [[">=", said]]
    return [row("l/row", FIVE), theorem("false", said, known(said, name), model=model, uses=[used])]


def counted() -> list[Claim]:
    """T <= 1, as D[T] is T by its definition, and |x|^2 <= 1 in a model of which it is a quantity."""
    held = {"": "1", "G 0 0": "-1"}
    model = run({"forms": {"D[t:any]": {"G 0 0": "1"}}, "rows": {"r": held}, "leaves": {"0": "x"}})
    counts = equal("step", "DT T", "DT - T", "T - DT", ("DT - T", "1"))
    whole = theorem("l/T", "DT - T", part("base", "", [], at_least("0")), counts, op="==", by=["base", "step"])
    whole["theorem"] |= {"names": {**NAMES, "D": "D[t:any]"}, "defined": {"D": ["0", "D + 1"]}}
    small = of_run("l/row", {"": "1", "D[t:any]": "-1"})
    both = use("l/T", "DT - T", op="==", sequences=D), {**small, "values": [[">=", "1 - Dt"]]}
    equation = {"says": "DT - T == 0", "from": "what is known"}
    low = {"says": "1 - T >= 0", "by": [["1", {"not": 1}], ["1", {"0": 1}], ["1", {"1": 1}]]}
    shown = part("direct", "DT T", ["1 - DT >= 0", equation, low], at_least("1 - T", ("1", {"2": 1})))
    entries: Claim = {
        "model": model,
        "names": {**NAMES, "D": "D[t:any]"},
        "defined": {"D": ["0", "D + 1"]},
        "uses": [*both],
    }
    return [row("l/row", held), whole, theorem("false", "1 - T", shown, **entries)]


def begins_elsewhere() -> list[Claim]:
    """1 <= 0, as D is 1 at every t, and 0 at the first one."""
    one: Claim = {"D[t:any]": {"": "1"}, "D[t:any']": {"": "1"}}
    state: Claim = {"forms": one, "begun": {"D[0]": {}}, "moves": [{"leaves": {}, "values": {}}]}
    always = use(None, states=[DRAW], says=[["==", {"D[t:any]": "1", "": "-1"}]], values=[["==", "Dt - 1"]])
    begun = use(None, of="begun", states=[DRAW], says=[["==", {"D[0]": "1"}]], values=[["==", "D0"]])
    facts: list[Any] = [{"says": f"{says} == 0", "from": "what is known"} for says in ("D0 - 1", "D0")]
    low = {"says": "-1 >= 0", "by": [["1", {"not": 1}], ["1", {"0": 1}], ["-1", {"1": 1}]]}
    shown = part("direct", "D0", [*facts, low], at_least("-1", ("1", {"2": 1})))
    return [theorem("false", "-1", shown, first=1, model=run(state), uses=[always, begun])]


NO_INDEX, NOT_SHOWN, OTHER = (
    "there need not be an index",
    "a condition is not shown",
    "an index or an element is no name",
)
LIES: dict[str, Any] = {
    "another number for the first element": (lambda: at_another("D[0]", "D0 - 1", "DT - D0 + 1 - T"), OTHER),
    "another number for the length": (lambda: at_another("T", "2*T", "DT - D0 - 2*T"), OTHER),
    "another number for any index": (at_any, OTHER),
    "a number that is another one at every t": (another_at_another_t, "is another one at another t"),
    "powers of what is another number at every t": (powers_of_t, "is another one at another t"),
    "elements that are an index below any one": (earlier_of_none, NO_INDEX),
    "a sequence that is an index below any one": (sequence_of_earlier, NO_INDEX),
    "a number that is called as any index": (lambda: called_as_an_index("t:any", "T", "T - 1", "direct"), NOT_SHOWN),
    "one that is called as an index below": (lambda: called_as_an_index("s:any", "t:any", "t - 1", "any"), NO_INDEX),
    "a number of a theorem that is called t": (a_number_t, NOT_SHOWN),
    "of the start what is so at every t": (at_the_start, NOT_SHOWN),
    "what is stated of the start": (stated_of_the_start, "is said of nothing"),
    "a sum of the last element": (sum_of_the_last, "depends on the length"),
    "of every t what is stated of the last element": (lambda: of_the_last("t"), "depends on the length"),
    "of the length before what is stated of the last": (lambda: of_the_last("length"), "is not known there"),
    "of the length before what is given of the last": (lambda: of_the_last("given"), "is not known there"),
    "a coefficient of t": (coefficient_of_t, "depends on t"),
    "what is called one": (called_one, "a number is called as a name"),
    "a power before the first one": (before_the_first, "is before the first one"),
    "nothing is more than nothing": (lambda: nothing_that_is_more(">"), "it says something else"),
    "nothing is not nothing": (lambda: nothing_that_is_more("!="), "it says something else"),
    "a number that is called as an inequality": (called_as_a_row, "it says something else"),
    "a number that is called as a form": (lambda: of_a_quantity("b"), "a form is of no quantity"),
    "the length that is called as a form": (lambda: of_a_quantity("T", "T"), "a quantity is something else besides"),
    "a quantity that is defined as well": (counted, "a quantity is something else besides"),
    "a quantity that begins elsewhere": (begins_elsewhere, "D[0] begins elsewhere"),
    "a square that is zero, of what is not": (square_that_is_zero, "is not known there"),
}
