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


# what is false, and what the checker says of it
LIES = {
    "what it says is divided by what may be zero": (divided, "a divisor may vanish"),
    "at a quotient whose divisor may be zero": (at_a_quotient, "a divisor may vanish"),
    "at an element whose divisor may be zero": (at_an_element, "a divisor may vanish"),
}
