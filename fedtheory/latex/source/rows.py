"""The inventory of a paper from its source: a row a statement, formula and algorithm line, with ids, kinds and locators."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from .displays import relations
from .document import Document, Formula, Line, Statement

SHORT = {
    "theorem": "thm", "proposition": "prop", "corollary": "cor", "definition": "def", "assumption": "assump", "lemma": "lemma",
    "thm": "thm", "prop": "prop", "cor": "cor", "lem": "lemma", "defn": "def", "ass": "assump", "assum": "assump", "asmp": "assump",
    "remark": "remark", "coro": "cor", "assumptions": "assump",
}  # fmt: skip
ORDER = (
    "<",
    ">",
    r"\le",
    r"\ge",
    r"\lt",
    r"\gt",
    "≤",
    "≥",
    r"\ll",
    r"\gg",
    r"\lesssim",
    r"\gtrsim",
    r"\prec",
    r"\succ",
)
DEFINES = ("=:", r"\coloneqq", r"\triangleq", r"\colonequals", r"\doteq")
ASSUMED = re.compile(
    r"\b(?:for|any|all|every|each|where|with|let|if|when|whenever|suppose|assume|assuming|given|provided|satisfying|constants?)\b",
    re.IGNORECASE,
)
CONCLUDED = re.compile(r"\b(?:then|have|has|holds?|get|obtain|satisf(?:y|ies)|some|exists?|that)\b", re.IGNORECASE)
INLINE = re.compile(r"(?<!\$)\$(?!\$)([^$]+)\$(?!\$)|\\\((.+?)\\\)")


@dataclass(frozen=True)
class Row:
    """A row of the inventory.

    Attributes
    ----------
    id, kind, locator, formula : str
        As in ``inventory.toml``.
    conditions : tuple of str
        What the statement around it assumes in formulas of its sentences.
    at : str
        FILE:LINE.
    said : str
        The relation without dollars, empty where the row is none.
    group : str
        The statement or the section that it belongs to, as the name of a module.
    """

    id: str
    kind: str
    locator: str
    formula: str
    conditions: tuple[str, ...]
    at: str
    said: str
    group: str


class Rows:
    """The rows of a paper.

    Parameters
    ----------
    paper : str
        The part of the ids before the slash.
    """

    def __init__(self, paper: str) -> None:
        self.paper = paper
        self.rows: list[Row] = []
        self.taken: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.displays: dict[str, int] = {}  # the last one of each, whose links have one number

    def of(self, document: Document) -> list[Row]:
        """All of them, in the order of the paper."""
        names: dict[int, str] = {}
        for item in document.items:
            if isinstance(item, Statement):
                names[id(item)] = self.statement(item)
            elif isinstance(item, Formula):
                self.formula(item, names)
            elif isinstance(item, Line):
                self.line(item)
        return self.rows

    def free(self, name: str) -> str:
        """The name, or with a number where it is taken."""
        self.taken[name] += 1
        return name if self.taken[name] == 1 else self.free(f"{name}-{self.taken[name]}")

    def statement(self, one: Statement) -> str:
        """The row of a statement."""
        word = re.sub(r"[^a-z]", "", one.title.lower()) or re.sub(r"[^a-z]", "", one.environment.lower()) or "statement"
        short = SHORT.get(word, SHORT.get(one.environment.rstrip("*").lower(), word))
        number = slug(one.number)
        if not number:
            self.counts[short] += 1
            number = f"-{self.counts[short]}"
        name = self.free(f"{short}{number}")
        called = f"{one.called} ({one.name})" if one.name else one.called
        self.rows.append(
            Row(f"{self.paper}/{name}", word, placed(one.section, called), one.text, (), one.at, "", module(name))
        )  # fmt: skip
        return name

    def formula(self, item: Formula, names: dict[int, str]) -> None:
        """The row of a display or of one link of it."""
        shown, of = item.shown, item.statement
        own = names.get(id(of), "") if of is not None else ""
        base = (
            own + ("-proof" if item.proof else "")
            if own
            else slug(item.section.split(" ", 1)[-1] if item.section else "")
        )
        if shown.number:
            name = f"eq{slug(shown.number)}"
        else:
            if not own:
                base = ("app" if item.section.startswith("Appendix") else "sec") + (base or "0")
            self.counts[base] += self.displays.get(base) != shown.display
            self.displays[base] = shown.display
            name = f"{base}-s{self.counts[base]}"
        name += f"-{shown.link}" if shown.link else ""
        called = of.called if of is not None else ""
        called = f"proof of {called}" if item.proof and called else "proof" if item.proof else called
        number = f"({shown.number})" if shown.number else ""
        conditions = assumed(of.text) if of is not None else ()
        self.rows.append(
            Row(
                f"{self.paper}/{self.free(name)}", kind_of(shown.latex), placed(item.section, called, number),
                f"${shown.latex}$", conditions, shown.at, shown.latex,
                module(own or slug(item.section) or "introduction"),
            )
        )  # fmt: skip

    def line(self, item: Line) -> None:
        """The row of a line of an algorithm."""
        base = f"alg{slug(item.algorithm) or '0'}"
        if item.number:
            name = f"{base}-l{item.number}"
        else:
            self.counts[base] += 1
            name = f"{base}-head{self.counts[base]}"
        called = f"Algorithm {item.algorithm}".strip() + (f", line {item.number}" if item.number else "")
        at = placed(item.section, called)
        self.rows.append(
            Row(f"{self.paper}/{self.free(name)}", "algorithm", at, item.latex, (), item.at, "", module(base))
        )


def slug(number: str) -> str:
    """A printed number as a part of an id: small letters, digits and dots."""
    for sign, word in (
        ("'", "p"),
        (r"\prime", "p"),
        (r"\dagger", "dagger"),
        (r"\star", "star"),
        (r"\ast", "star"),
        ("*", "star"),
    ):
        number = number.replace(sign, word)
    return re.sub(r"[^a-z0-9.]+", "-", re.sub(r"\\[A-Za-z]+|[${}()]", "", number).lower()).strip("-.")


def module(name: str) -> str:
    """The name of a file of Python."""
    return re.sub(r"\W+", "_", name).strip("_")


def placed(*parts: str) -> str:
    """A locator: what is not empty, with commas."""
    return ", ".join(part for part in parts if part) or "the paper"


def kind_of(latex: str) -> str:
    """What a formula is by its relations, as inventories name it."""
    signs = [found[0] for found in relations(latex)]
    if any(sign in DEFINES or sign == ":=" for sign in signs) or re.search(r":\s*=", latex):
        return "definition"
    if any(sign.startswith(ORDER) and sign not in (r"\leftarrow",) for sign in signs):
        return "inequality"
    if "=" in signs:
        return "identity"
    return "formula"


def assumed(text: str) -> tuple[str, ...]:
    """The conditions in the sentences of a statement: formulas behind "for all", "let", "if" and their like, up to "then"."""
    outside = re.sub(r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}|\\\[.*?\\\]|\$\$.*?\$\$", " . ", text)
    found: list[str] = []
    last, taken = 0, False
    for one in INLINE.finditer(outside):
        before = outside[last : one.start()]
        sentence = re.split(r"[.;]\s", before)[-1]
        words = " ".join(sentence.split()[-8:])
        listed = taken and re.fullmatch(r"\s*(?:,|and|,\s*and|,\s*with)?\s*", before) is not None
        hint = ASSUMED.search(words)
        concluded = [m.start() for m in CONCLUDED.finditer(words)]
        taken = listed or (hint is not None and not (concluded and concluded[-1] > hint.start()))
        latex = " ".join((one[1] or one[2]).split())
        if taken and relations(latex):
            found.append(latex)
        last = one.end()
    return tuple(dict.fromkeys(found))
