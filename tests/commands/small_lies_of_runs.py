"""Small false theorems about indices that need not be there, and a run that reads its length."""

from typing import Any

from small_lies import NAMES, Claim, at_least, equal, known, lemma, limits, part, run, theorem, use

FAR = ["a >= 0", "b - a - 1 >= 0"]
BOTH = ("1", {"0": 1}), ("1", {"1": 1})
INDICES = {**NAMES, "s": "s:any"}
BEYOND = lemma("l/beyond", part("", "a b", FAR, at_least("b - 1", *BOTH)))


def beyond(of: Claim, **entries: Any) -> list[Claim]:
    """b >= 1 where a >= 0 and b >= a + 1, of indices that need not be there."""
    said = "t - 1" if entries.pop("by") == "any" else "T - 1"
    way, at = ("any", {"a": "s", "b": "t"}) if said == "t - 1" else ("direct", {"a": "t", "b": "T"})
    used = use(of["id"], said, at=at, place=["t:any" if way == "any" else "T", 0])
    return [of, theorem("false", said, known(said, said[0], way), by=[way], names=INDICES, uses=[used])]


def numbers() -> Claim:
    stated = [["given", ">=", fact.removesuffix(" >= 0"), "range"] for fact in FAR]
    return theorem("l/beyond", "b - 1", part("direct", "a b", FAR, at_least("b - 1", *BOTH)), index="", stated=stated)


def on_the_way(by: str) -> list[Claim]:
    """The same, shown on the way."""
    _, false = beyond(BEYOND, by=by)
    false["theorem"]["uses"][0]["lemma"] = {"parts": BEYOND["parts"]}
    return [false]


def reads_its_length() -> list[Claim]:
    """<x, v> = T (T + 1)/2 as every step adds T |v|^2, which is one; it is T^2."""
    state: Claim = {"leaves": {"0": "x", "1": "v"}, "forms": {"D[t:any]": {"G 0 1": "1"}}, "begun": {"D[0]": {}}}
    state["forms"] |= {"D[t:any']": {"G 0 1": "1", "G 1 1": "T"}, "n": {"G 1 1": "1"}}
    state["begun"] |= {"n": {"G 1 1": "1"}}
    state["moves"] = [{"leaves": {"0": {"0": "1", "1": "T"}, "1": {"1": "1"}}, "values": {}}]
    state["starts"] = {"leaves": {"0": {}, "1": {"1": "1"}}, "values": {}}
    draw = {"part": 0, "draws": [], "rows": [], "mean": False}
    grows = use(None, states=[draw], says=[["==", {"D[t:any']": "1", "D[t:any]": "-1", "n": "-T"}]])
    grows["values"] = [["==", "DF - Dt - n*T"]]
    begun = use(None, of="begun", states=[draw], says=[["==", {"D[0]": "1"}]], values=[["==", "D0"]])
    names = {**NAMES, "DF": "D[t:any']"}
    said, after = "DT - 1/2*n*T^2 - 1/2*n*T", "DN - 1/2*n*T^2 - 3/2*n*T - n"
    step = equal("step", "DN DT T n", after, "-DN + 1/2*n*T^2 + 3/2*n*T + n", ("DN - DT - n*T - n", "1"), (said, "1"))
    base = equal("base", "D0", "D0", "-D0", ("D0", "1"))
    entries: Claim = {"model": run(state, quantities=("D", "n")), "names": names, "uses": [grows, begun]}
    return [theorem("false", said, base, step, op="==", by=["base", "step"], **entries)]


def null_of_another() -> list[Claim]:
    """P = 1 at every t tends to 0, as powers of 1/2 do."""
    roles = {"sign": ["any"], "power": ["direct"], "ratio": ["direct"]}
    linear: Claim = {"rule": "linear", "of": ["P"], "to": {"q": "1/2", "power": "PT"}}
    linear["roles"] = {role: {"by": by, "parts": []} for role, by in roles.items()}
    names = {"P": "P[t:any]", "PT": "P[T]"}
    (half,) = limits([linear], {"P": ["1", "1/2*P"]}, names)
    null: Claim = {"rule": "null", "of": ["P"], "to": {"b": "0"}, "roles": {}}
    (false,) = limits([null], {"P": ["1", "P"]}, names)
    false["theorem"]["uses"] = [use("l/half", sequences={"P": [["1", "P"]]})]
    for one in (half, false):
        one["theorem"] |= {"stated": [], "first": 0}
    return [{**half, "id": "l/half"}, false]


def of_the_last(scope: str) -> list[Claim]:
    """D is at least 1, as it is at the start where the last E, of one step alone, is at least 1."""
    stated = [
        [scope, ">=", "ET - 1", "the last one"],
        ["given", ">=", "D0 - E0", "above E"],
        ["t", ">=", "DF - Dt", "it grows"],
    ]
    base = part("base", "D0 E0", ["D0 - E0 >= 0", "E0 - 1 >= 0"], at_least("D0 - 1", *BOTH))
    step = part("step", "DN DT", ["DN - DT >= 0", "DT - 1 >= 0"], at_least("DN - 1", *BOTH))
    names = {**NAMES, "DF": "D[t:any']"}
    return [theorem("false", "DT - 1", base, step, by=["base", "step"], names=names, stated=stated)]


def below_the_last() -> list[Claim]:
    """D[0] is at least E[1], as every D is at least the last E."""
    stated = [["t", ">=", "Dt - ET", "above the last E"]]
    base, step = (known("D0 - E1", "D0 E1", context) for context in ("base", "step"))
    names = {**NAMES, "E1": "E[1]"}
    return [theorem("false", "D0 - E1", base, step, by=["base", "step"], first=1, names=names, stated=stated)]


LIES = {
    "an induction over what is given of the last": (lambda: of_the_last("given"), "DT - 1 >= 0 is not known"),
    "an induction over what the last one is": (lambda: of_the_last("length"), "DT - 1 >= 0 is not known"),
    "an induction over what is above the last": (below_the_last, "depends on the length"),
    "a limit of another sequence": (null_of_another, "P is something else here"),
    "an index below any one, by a lemma": (lambda: beyond(BEYOND, by="any"), "there need not be an index"),
    "an index below the length, by a lemma": (lambda: beyond(BEYOND, by="direct"), "a condition is not shown"),
    "an index below any one, by a theorem": (lambda: beyond(numbers(), by="any"), "there need not be an index"),
    "an index below the length, by a theorem": (lambda: beyond(numbers(), by="direct"), "a condition is not shown"),
    "an index below any one, on the way": (lambda: on_the_way("any"), "there need not be an index"),
    "an index below the length, on the way": (lambda: on_the_way("direct"), "a condition is not shown"),
    "a run that reads its length, by steps": (reads_its_length, "depends on the length"),
}
