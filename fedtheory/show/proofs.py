"""A certificate as mathematics: the slack of every relation as a sum of terms that are not negative, in text or in LaTeX.

What is printed is what `fedtheory_check.py` checks: ``u0, u1 ...`` are the unknown vectors of the certificate, ``v0, v1 ...`` its
unknown numbers, and a row is an inequality of the function class, by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "eta", "kappa", "lam", "mu", "nu", "rho", "sigma", "tau", "theta", "Delta",
)  # fmt: skip
WORD = re.compile(r"[A-Za-z]\w*(\[\d+\])?")
Data = Mapping[str, Any]


def proof_lines(certificate: Data, *, latex: bool = False) -> Iterator[str]:
    """The lines of one claim's certificate, a part after the other."""
    style = Latex() if latex else Plain()
    for part in certificate["parts"]:
        yield f"{part['where'] or 'all'}:" if not isinstance(part["where"], Mapping) else f"{_places(part['where'])}:"
        yield from _part(part, style, "  ")


def _places(where: Data) -> str:
    return ", ".join(f"{k}={v}" for k, v in where.items())


def _part(part: Data, style: Plain, indent: str) -> Iterator[str]:
    if "limit" in part:
        said = part["limit"]
        yield f"{indent}so that {style.text(said['of'])} {said['says']}, by the rule '{said['rule']}'"
        for name, lemma in said["names"]["null"].items():
            yield f"{indent}given that {style.text(name)} tends to 0 ({lemma})"
        return
    if "each" in part:
        for each in part["each"]:
            yield from _part(each, style, indent)
        return
    if "split" in part:
        for word, sign in (("yes", ">= 0"), ("no", "< 0")):
            yield f"{indent}where {style.text(part['split'])} {style.op(sign)}:"
            yield from _part(part[word], style, indent + "  ")
        return
    facts = [fact["says"].rsplit(" ", 2) for fact in part["facts"]]
    for fact, (poly, op, _) in zip(part["facts"], facts, strict=True):
        says = f"{style.text(poly)} {style.op(op)} 0"
        if "by" in fact:
            yield f"{indent}{says}, for if it were not, {_sum(fact['by'], facts, (poly, op), style)} = 0"
        else:
            yield f"{indent}given {says} ({fact['from']})"
    for relation in part["relations"]:
        sides = [_form(relation[side], facts, style) for side in ("lhs", "rhs")]
        yield f"{indent}claim {sides[0]} {style.op(relation['op'])} {sides[1]}"
        terms = [_piece(piece, facts, style) for piece in relation["pieces"]]
        yield f"{indent}{style.slack} = {terms[0] if terms else '0'}"
        yield from (f"{indent}{' ' * len(style.slack)} + {term}" for term in terms[1:])
        for name, row in relation.get("rows", {}).items():
            yield f"{indent}where {style.row(name)} = {_form(row, facts, style)} {style.op('>=')} 0"


def _sum(terms: Sequence[Any], facts: Sequence[Sequence[str]], goal: tuple[str, str], style: Plain) -> str:
    """The sum that would be both positive and zero."""
    negated = f"-{goal[0]}" if WORD.fullmatch(goal[0]) else f"-({goal[0]})"
    against = goal[0] if goal[1] in ("==", "!=") else negated
    out = []
    for c, powers, *squares in terms:
        factors = [(against if place == "not" else facts[int(place)][0], n) for place, n in powers.items()]
        out.append(style.product(c, [*factors, *((q, 2) for q in (squares[0] if squares else []))]))
    return " + ".join(out)


def _piece(piece: Data, facts: Sequence[Sequence[str]], style: Plain) -> str:
    c, powers = piece["times"]
    factors = [(facts[int(place)][0], n) for place, n in powers.items()]
    if "row" in piece:
        return style.product(c, factors, style.row(piece["row"]))
    if "square" in piece:
        return style.product(
            c, factors, style.squared(_form({f"u {i}": q for i, q in piece["square"].items()}, facts, style))
        )
    return style.product(c, factors)


def _form(form: Data, facts: Sequence[Sequence[str]], style: Plain) -> str:
    """An affine form, or a combination of vectors."""
    out = []
    for key, q in form.items():
        text, below = (q, {}) if isinstance(q, str) else q
        factors = [(facts[int(place)][0], -n) for place, n in below.items()]
        out.append(style.product(text, factors, style.entry(key)))
    return " + ".join(out).replace("+ -", "- ") or "0"


class Plain:
    """Text for a terminal."""

    slack = "right - left"

    def op(self, op: str) -> str:
        return op

    def text(self, poly: str) -> str:
        return poly

    def row(self, name: str) -> str:
        return f"[{name}]"

    def entry(self, key: str) -> str:
        kind, *at = key.split(" ")
        if kind == "G":
            return f"|u{at[0]}|^2" if at[0] == at[1] else f"<u{at[0]}, u{at[1]}>"
        return kind + at[0] if at else ""

    def squared(self, vector: str) -> str:
        return f"|{vector}|^2"

    def fraction(self, top: str, bottom: str) -> str:
        return f"{top}/{bottom}" if _single(bottom) else f"{top}/({bottom})"

    def power(self, poly: str, n: int) -> str:
        base = self.text(poly)
        base = base if WORD.fullmatch(poly) else f"({base})"
        return base if n == 1 else f"{base}^{n}"

    def product(self, c: str, factors: Sequence[tuple[str, int]], last: str = "") -> str:
        """c times powers of polynomials, those of negative exponent below a line, times what comes last."""
        above = [self.power(p, n) for p, n in factors if n > 0]
        below = [self.power(p, -n) for p, n in factors if n < 0]
        c = self.text(c)
        if " " in c and (above or below or last):
            c = f"({c})"
        if above or last:
            c = {"1": "", "-1": "-"}.get(c, c)
        top = c + (" " if c not in ("", "-") and above else "") + " ".join(above)
        if below:
            top = self.fraction(top if top not in ("", "-") else f"{top}1", " ".join(below))
        return f"{top}{' ' if top not in ('', '-') and last else ''}{last}" or "1"


class Latex(Plain):
    """The same for a paper."""

    slack = r"\text{right} - \text{left}"

    def op(self, op: str) -> str:
        for plain, symbol in (("<=", r"\le"), (">=", r"\ge"), ("==", "="), ("!=", r"\ne")):
            op = op.replace(plain, symbol)
        return op

    def text(self, poly: str) -> str:
        poly = re.sub(r"(\d+)/(\d+)", r"\\frac{\1}{\2}", poly)
        poly = re.sub(r"\^(\d+)", r"^{\1}", poly)
        return WORD.sub(lambda m: _letter(m[0]) if m[0] != "frac" else m[0], poly).replace("*", " ")

    def row(self, name: str) -> str:
        return rf"[\text{{{name.replace('_', chr(92) + '_')}}}]"

    def entry(self, key: str) -> str:
        kind, *at = key.split(" ")
        if kind == "G":
            i, j = (f"u_{{{k}}}" for k in at)
            return rf"\|{i}\|^2" if i == j else rf"\langle {i}, {j} \rangle"
        return f"{kind}_{{{at[0]}}}" if at else ""

    def squared(self, vector: str) -> str:
        return rf"\|{vector}\|^2"

    def fraction(self, top: str, bottom: str) -> str:
        return rf"\frac{{{_bare(top)}}}{{{_bare(bottom)}}}"


def _single(factor: str) -> bool:
    return " " not in factor or _bare(factor) != factor


def _bare(text: str) -> str:
    """The text without a pair of brackets around the whole of it."""
    return text[1:-1] if text.startswith("(") and text.find(")") == len(text) - 1 else text


def _letter(name: str) -> str:
    """A name in code as a letter with subscripts: ``L_F``, ``\\lambda``, ``\\sigma_{f,sq}``."""
    word, _, client = name.partition("[")
    first, *rest = word.split("_")
    if first in GREEK:
        letter = rf"\{'lambda' if first == 'lam' else first}"
    else:
        letter = first if len(first) == 1 else rf"\mathrm{{{first}}}"
    under = ",".join([*rest, *([client.rstrip("]")] if client else [])])
    return f"{letter}_{{{under}}}" if under else letter
