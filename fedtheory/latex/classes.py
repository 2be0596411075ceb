"""The class of functions that some words mean."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import UsageError, did_you_mean
from .tokens import GREEK

PYTHON = {"lambda": "lam"}  # letters that Python has for itself
LETTERS = {name: letter for letter, name in PYTHON.items()}


@dataclass(frozen=True)
class Class:
    """A class of functions with its constants.

    Attributes
    ----------
    name : str
        As it is imported from `problems`.
    constants : tuple of str
        The letters of its constants, in the order that it takes them.
    """

    name: str
    constants: tuple[str, ...]


CLASSES = {  # by what is said of the functions
    frozenset({"convex"}): ("Convex", ()),
    frozenset({"smooth"}): ("Smooth", ("smooth",)),
    frozenset({"smooth", "convex"}): ("SmoothConvex", ("smooth",)),
    frozenset({"strongly"}): ("StronglyConvex", ("strongly",)),
    frozenset({"smooth", "strongly"}): ("SmoothStronglyConvex", ("strongly", "smooth")),
    frozenset({"weakly"}): ("WeaklyConvex", ("weakly",)),
    frozenset({"smooth", "bounded"}): ("SmoothBoundedBelow", ("smooth",)),
    frozenset({"smooth", "pl"}): ("Lojasiewicz", ("pl", "smooth")),
}
MEANS = (
    "Convex",
    "Smooth",
    "SmoothConvex",
    "StronglyConvex",
    "SmoothStronglyConvex",
    "WeaklyConvex",
)  # hold their means
USUAL = {"smooth": "L", "strongly": "mu", "weakly": "rho", "pl": "mu"}
WORDS = {
    "lojasiewicz": "pl",
    "polyak": "pl",
    "below": "",
    "gradient": "",
    "gradients": "",
    "and": "",
    "with": "",
    "functions": "",
    "function": "",
}


def class_of(text: str) -> Class:
    """The class that is meant by words such as ``smooth convex L`` and ``L-smooth, mu-strongly convex``.

    Raises
    ------
    UsageError
        If a word is not known, or there is no such class.
    """
    odd = re.search(r"(?<![\w}])\d|[^\w\s\\${},;.\-]", text)
    if odd is not None:
        raise UsageError(f"--class {text!r}: {odd.group()} is not read; a value stands in --where 'L = 2'")
    words = [w.removeprefix("var") for w in re.findall(r"[A-Za-z]+(?:_\w+)?", text.replace("\\", " "))]
    said: list[str] = []
    constants: dict[str, str] = {}
    loose: list[str] = []
    known = (*USUAL, "convex", "bounded", *WORDS)
    for word in words:
        name = WORDS.get(word.lower(), word.lower())
        if name in USUAL:
            if loose and re.search(rf"\b{re.escape(loose[-1])}\s*\$?\s*-\s*{word}", text):
                constants[name] = loose.pop()
            said.append(name)
        elif name in ("convex", "bounded"):
            said.append(name)
        elif name and len(word.partition("_")[0]) > 1 and word.partition("_")[0] not in (*GREEK, "lam"):
            raise UsageError(
                f"--class: {word!r} is not known{did_you_mean(word.lower(), known)}; such as 'smooth convex L'"
            )
        elif name:
            loose.append(word)
    properties = frozenset(said) - ({"convex"} if {"strongly", "weakly"} & set(said) else set())
    if properties not in CLASSES:
        raise UsageError(f"--class {text!r}: such as {', '.join(sorted(' '.join(sorted(c)) for c in CLASSES))}")
    name, needs = CLASSES[properties]
    free = [n for n in needs if n not in constants]
    before = _in_front(words, [n for n in needs if n not in constants])
    for letter in loose:
        usual = next((n for n in free if USUAL[n] == letter), None)
        place = before.get(letter) or usual or next((n for n in dict.fromkeys(said) if n in free), None)
        if place is None:
            raise UsageError(f"--class {text!r}: {letter} is no constant of {name}")
        if place not in free:
            raise UsageError(f"--class {text!r}: two letters of one constant")
        constants[place] = letter
        free.remove(place)
    if len(set(constants.values())) < len(constants) or {"f", "F"} & set(constants.values()):
        raise UsageError(f"--class {text!r}: the constants need letters of their own, which are not f or F")
    return Class(name, tuple(PYTHON.get(constants.get(n, USUAL[n]), constants.get(n, USUAL[n])) for n in needs))


def _in_front(words: list[str], free: list[str]) -> dict[str, str]:
    """The letters of words that begin with one, "L strongly convex, mu smooth": each stands in front of its property."""
    known = [WORDS.get(word.lower(), word.lower()) for word in words]
    if known[0] in (*USUAL, "convex", "bounded", ""):
        return {}
    return {
        w: name
        for w, name in zip(words, known[1:], strict=False)
        if name in free and w.lower() not in (*USUAL, *WORDS, "convex")
    }
