"""Hyper-parameters on the command line: how a word becomes a value, which method takes which, what the help says of them."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..errors import UsageError, did_you_mean
from ..formats import Json
from ..graphs import named
from ..method import Method, Option, Rule
from ..registry import method, methods
from ..show.runs import shown

MOST_RUNS = 100
COLUMN, WIDTH = 30, 110  # of the help


def value(name: str, option: Option, word: str) -> Any:
    """One word of the command line as the value of a hyper-parameter.

    Examples
    --------
    >>> value("eta", Option("positive", "step size"), "1/200"), value("R", Option("count", "local rounds"), "20")
    (0.005, 20)
    """
    if option.kind in ("choice", "flag"):
        known = option.choices or ("true", "false")
        if word not in known:
            raise UsageError(f"--{name} must be one of {', '.join(known)}, got {word!r}{did_you_mean(word, known)}")
        return word == "true" if option.kind == "flag" else word
    if option.kind == "graph":
        return named(word)
    if option.kind in ("count", "count from 0"):
        return count(name, word, 1 if option.kind == "count" else 0)
    if option.kind in ("positive", "least 0"):
        return positive(name, word, zero=option.kind == "least 0")
    return within(name, "(0, 1]" if option.kind == "share" else option.kind, word)


def count(name: str, word: str, least: int) -> int:
    """A whole number of at least `least`."""
    try:
        found = int(word)
    except ValueError:
        raise UsageError(f"--{name} needs a whole number, got {word!r}") from None
    if found < least:
        raise UsageError(f"--{name} must be at least {least}, got {word}")
    return found


def number(name: str, word: str) -> float:
    """A finite number such as 0.01 or 1/3."""
    try:
        return float(Fraction(word))
    except (ValueError, ZeroDivisionError, OverflowError):
        raise UsageError(f"--{name} needs a number such as 0.01 or 1/3, got {word!r}") from None


def positive(name: str, word: str, *, zero: bool = False) -> float:
    """A positive finite number such as 0.01 or 1/3; with `zero` also 0."""
    found = number(name, word)
    if found < 0 or (found == 0 and not zero):
        raise UsageError(f"--{name} must be {'at least 0' if zero else 'positive'}, got {word}")
    return found


def within(name: str, interval: str, word: str) -> float:
    """A number of an interval; a square bracket takes its end in.

    Examples
    --------
    >>> within("nu", "[1/2, 1)", "0.95")
    0.95
    """
    found = number(name, word)
    low, high = (end.strip() for end in interval[1:-1].split(","))
    above = found >= Fraction(low) if interval[0] == "[" else found > Fraction(low)
    below = found <= Fraction(high) if interval[-1] == "]" else found < Fraction(high)
    if not (above and below):
        least, most = "at least" if interval[0] == "[" else "above", "at most" if interval[-1] == "]" else "below"
        raise UsageError(f"--{name} must be {least} {low} and {most} {high}, got {word}")
    return found


def listed(value: object) -> list[Any]:
    """A value of TOML that may be one of several, as a list of them."""
    return value if isinstance(value, list) else [value]


def words(name: str, text: str) -> list[str]:
    """The comma-separated words of an option."""
    found = [w.strip() for w in text.split(",")]
    if not all(found):
        raise UsageError(f"--{name} has an empty entry: {text!r}")
    if len(set(found)) < len(found):
        raise UsageError(f"--{name} has an entry twice: {text}")
    return found


def grid(names: list[str], given: Mapping[str, str], *, most: int = MOST_RUNS) -> list[tuple[str, Json]]:
    """Every method with every combination of the values given for the options that it takes.

    Raises
    ------
    UsageError
        If a method is unknown, an option is taken by none of the methods or has no effect beside the others, a value is out of
        range, or there are too many.
    """
    chosen = [method(name) for name in names]
    for name in given:
        if not any(name in m.options for m in chosen):
            taken = sorted({o for m in chosen for o in m.options})
            raise UsageError(
                f"{', '.join(names)} has no option --{name}{did_you_mean(name, taken)}; "
                f"it takes {', '.join('--' + o for o in taken)}"
            )
    out = []
    for m in chosen:
        of = f" of {m.name}" if len(chosen) > 1 else ""
        own = {
            name: [value(name + of, m.options[name], w) for w in words(name, text)]
            for name, text in given.items()
            if name in m.options
        }
        for values in itertools.product(*own.values()):
            options = {**m.defaults, **dict(zip(own, values, strict=True))}
            for name in (n for n in own if (flag := m.options[n].only_with) and not options[flag]):
                flag = m.options[name].only_with
                raise UsageError(f"--{name}{of} has no effect with --{flag} false; leave it out")
            out.append((m.name, options))
    if len(out) > most:
        raise UsageError(f"these lists ask for {len(out)} runs; at most {most} at a time")
    return out


def rules(own: Method | None = None) -> dict[str, Rule]:
    """The stopping rules of the installed methods by name; of two with one name that of `own`, else the first."""
    found: dict[str, Rule] = {}
    for m in (*([own] if own else []), *methods().values()):
        for rule in m.rules:
            found.setdefault(rule.name, rule)
    return found


def described(m: Method) -> str:
    """The part of the help on one method: its reference, its options with their defaults, in their own words."""
    lines = [f"{m.name}: {m.title}" if m.title else m.name]
    for name, option in m.options.items():
        what = option.what + (f": {', '.join(option.choices)}" if option.choices else "")
        what += "" if option.default is None else f" (default: {shown(option.default)})"
        head = f"  --{name} {option.kind.upper()}"
        gap = " " * max(COLUMN - len(head), 2)
        lines.append(textwrap.fill(what, WIDTH, initial_indent=head + gap, subsequent_indent=" " * COLUMN))
    return "\n".join(lines)
