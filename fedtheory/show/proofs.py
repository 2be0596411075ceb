"""A certificate as mathematics: the slack of every relation as a sum of terms that are not negative, in text or in LaTeX.

What is printed is what `fedtheory_check.py` checks. Its unknown vectors and numbers have the names of the world, ``w``, ``w*``,
``grad f(w)``, where these are short; others are ``u0, u1 ...`` and ``v0, v1 ...``, and a line says what each is. A row is an
inequality of the function class, by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..formats import Document
from .proof_names import Names

GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "eta", "kappa", "lam", "mu", "nu", "rho", "sigma", "tau", "theta", "Delta",
)  # fmt: skip
NAMED = re.compile(r"(\\[A-Za-z]+)|[A-Za-z]\w*(\[\d+\])?\*?")  # a name, or a word of LaTeX
WORDS = {
    "grad": r"\nabla", "mean": r"\text{mean }", "spread": r"\text{spread }", "deviation": r"\text{deviation }",
    "selected": r"\text{selected }", "of": r"\text{of }", "itself": r"\text{itself}",
}  # fmt: skip
SPECIAL = {
    "\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    **{c: f"\\{c}" for c in "#$%&_{}"},
}  # fmt: skip
WORD = re.compile(r"[A-Za-z]\w*(\[\d+\])?")
Data = Document


def proof_lines(certificate: Data, *, latex: bool = False) -> Iterator[str]:
    """The lines of one claim's certificate, a part after the other."""
    kind = Latex if latex else Plain
    for part in certificate["parts"]:
        where = _places(part["where"]) if isinstance(part["where"], Mapping) else part["where"] or "all"
        yield f"{kind().words(where)}:"
        yield from _part(part, kind(), "  ")


def _places(where: Data) -> str:
    return ", ".join(f"{k}={v}" for k, v in where.items())


def _part(part: Data, style: Plain, indent: str) -> Iterator[str]:
    if "limit" in part:
        said = part["limit"]
        how = style.words(f"{said['says']}, by the rule '{said['rule']}'")
        yield f"{indent}so that {style.math(style.text(said['of']))} {how}"
        for name, lemma in said["names"]["null"].items():
            yield f"{indent}given that {style.math(style.text(name))} tends to 0 ({style.words(lemma)})"
        return
    if "leaves" in part or "values" in part:
        style = type(style)(Names(part))
        for own, what in style.names.told.items():
            yield f"{indent}with {style.math(f'{style.called(own)} = {style.called(what)}')}"
    if "each" in part:
        for each in part["each"]:
            yield from _part(each, style, indent)
        return
    if "split" in part:
        for word, sign in (("yes", ">= 0"), ("no", "< 0")):
            case = f"{style.text(part['split'])} {style.op(sign)}"
            yield f"{indent}where {style.math(case)}:"
            yield from _part(part[word], style, indent + "  ")
        return
    facts = [fact["says"].rsplit(" ", 2) for fact in part["facts"]]
    for fact, (poly, op, _) in zip(part["facts"], facts, strict=True):
        says = style.math(f"{style.text(poly)} {style.op(op)} 0")
        if "by" in fact:
            zero = style.math(f"{_sum(fact['by'], facts, (poly, op), style)} = 0")
            yield f"{indent}{says}, for if it were not, {zero}"
        else:
            yield f"{indent}given {says} ({style.words(fact['from'])})"
    for relation in part["relations"]:
        sides = [_form(relation[side], facts, style) for side in ("lhs", "rhs")]
        claimed = f"{sides[0]} {style.op(relation['op'])} {sides[1]}"
        yield f"{indent}claim {style.math(claimed)}"
        terms = [_piece(piece, facts, style) for piece in relation["pieces"]]
        yield from style.sum(indent, terms or ["0"])
        for name, row in relation.get("rows", {}).items():
            stated = f"{style.row(name)} = {_form(row, facts, style)} {style.op('>=')} 0"
            yield f"{indent}where {style.math(stated)}"


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


def escaped(text: str) -> str:
    """Words as LaTeX sets them.

    Examples
    --------
    >>> print(escaped("mu_0 < 5 %"))
    mu\\_0 \\textless{} 5 \\%
    """
    return "".join(SPECIAL.get(c, c) for c in text)


def printed(text: str) -> str:
    """A printed statement as LaTeX: formulas between dollars as they are, words escaped."""
    return "$".join(part if k % 2 else escaped(part) for k, part in enumerate(text.split("$")))


def document(sections: Sequence[tuple[str, str, Sequence[str]]]) -> Iterator[str]:
    """The lines of a document in LaTeX that compiles by itself.

    Parameters
    ----------
    sections : list of (id, printed statement, lines)
        A claim each; indented lines are those of `proof_lines` in LaTeX.
    """
    yield from (r"\documentclass{article}", r"\usepackage{amsmath,amssymb}", r"\setlength{\parindent}{0pt}")
    yield from (r"\setlength{\parskip}{2pt}", r"\begin{document}", r"\raggedright\small")
    for id, stated, lines in sections:
        yield rf"\section*{{{escaped(id)}}}"
        if stated:
            yield printed(stated) + r"\par"
        for line in lines:
            indent = len(line) - len(line.lstrip())
            yield rf"\hangindent={indent + 4}ex\hspace*{{{indent}ex}}{line.lstrip()}\par"
    yield r"\end{document}"


class Plain:
    """Text for a terminal."""

    slack = "right - left"

    def __init__(self, names: Names | None = None) -> None:
        self.names = Names({}) if names is None else names

    def math(self, formula: str) -> str:
        return formula

    def words(self, text: str) -> str:
        return text

    def called(self, name: str) -> str:
        return name

    def sum(self, indent: str, terms: Sequence[str]) -> Iterator[str]:
        yield f"{indent}{self.slack} = {terms[0]}"
        yield from (f"{indent}{' ' * len(self.slack)} + {term}" for term in terms[1:])

    def op(self, op: str) -> str:
        return op

    def text(self, poly: str) -> str:
        return poly

    def row(self, name: str) -> str:
        return f"[{name}]"

    def entry(self, key: str) -> str:
        kind, *at = key.split(" ")
        if kind == "G":
            i, j = map(self.names.vector, at)
            return f"|{i}|^2" if at[0] == at[1] else f"<{i}, {j}>"
        return self.one(kind, at[0]) if at else ""

    def one(self, kind: str, k: str) -> str:
        return self.names.vector(k) if kind == "u" else self.names.number(k) if kind == "v" else kind + k

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

    def math(self, formula: str) -> str:
        return f"${formula}$"

    def words(self, text: str) -> str:
        return escaped(text)

    def called(self, name: str) -> str:
        name = re.sub(r"(\([^()]*/[^()]*\)|\d+/\d+)", lambda m: self.text(m[0]), name)
        return NAMED.sub(
            lambda m: m[0] if m[1] else WORDS.get(m[0], "") or _letter(m[0].rstrip("*")) + "^*" * m[0].endswith("*"),
            name,
        )

    def sum(self, indent: str, terms: Sequence[str]) -> Iterator[str]:
        yield f"{indent}{self.math(f'{self.slack} = {terms[0]}')}"
        yield from (f"{indent}  {self.math(f'{{}} + {term}')}" for term in terms[1:])

    def op(self, op: str) -> str:
        for plain, symbol in (("<=", r"\le"), (">=", r"\ge"), ("==", "="), ("!=", r"\ne")):
            op = op.replace(plain, symbol)
        return op

    def text(self, poly: str) -> str:
        poly = re.sub(r"(\d+)/(\d+)", r"\\frac{\1}{\2}", poly)
        poly = re.sub(r"\^(\d+)", r"^{\1}", poly)
        return WORD.sub(lambda m: _letter(m[0]) if m[0] != "frac" else m[0], poly).replace("*", " ")

    def row(self, name: str) -> str:
        return rf"[\text{{{escaped(name)}}}]"

    def entry(self, key: str) -> str:
        kind, *at = key.split(" ")
        if kind == "G":
            i, j = (self.called(self.names.vector(k)) for k in at)
            return rf"\|{i}\|^2" if at[0] == at[1] else rf"\langle {i}, {j} \rangle"
        return self.called(self.one(kind, at[0])) if at else ""

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
    if numbered := re.fullmatch(r"([uv])(\d+)", name):
        return f"{numbered[1]}_{{{numbered[2]}}}"
    word, _, client = name.partition("[")
    first, *rest = word.split("_")
    if first in GREEK:
        letter = rf"\{'lambda' if first == 'lam' else first}"
    else:
        letter = first if len(first) == 1 else rf"\mathrm{{{first}}}"
    under = ",".join([*rest, *([client.rstrip("]")] if client else [])])
    return f"{letter}_{{{under}}}" if under else letter
