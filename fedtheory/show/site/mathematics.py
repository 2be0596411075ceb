"""Printed statements and proofs as HTML, with their formulas in MathML, which browsers set by themselves."""

from __future__ import annotations

import re
from functools import cache

from latex2mathml.converter import convert
from markupsafe import Markup, escape

UNKNOWN = re.compile(r"<mi>\\|merror")  # a command that the library does not know
OURS = (
    (re.compile(r"\\arg\b(?!\s*\\?m)"), r"\\operatorname{arg}"),
    (re.compile(r"\\arg\s*\\(min|max)\b"), r"\\operatorname{arg\1}"),
)
SHORT = 70  # signs of LaTeX up to which a formula stands in the line


@cache
def formula(latex: str, *, display: bool = False) -> Markup:
    """One formula as MathML, or as it is written where it cannot be read.

    Parameters
    ----------
    latex : str
        Without dollars.
    display : bool
        Whether it stands on a line of its own.

    Examples
    --------
    >>> "<mfrac>" in formula(r"\\frac{1}{2} L")
    True
    """
    text = latex
    for known, said in OURS:
        text = known.sub(said, text)
    try:
        found = convert(text, display="block" if display else "inline")
    except Exception:  # whatever a library of others raises on what it does not know
        return Markup('<code class="latex">{}</code>').format(latex)
    if UNKNOWN.search(found):
        return Markup('<code class="latex">{}</code>').format(latex)
    return Markup(re.sub(r' xmlns="[^"]*"', "", found))


def printed(text: str) -> Markup:
    """A printed statement: formulas between dollars, and words; a long formula that is all of it stands alone.

    Examples
    --------
    >>> str(printed("for L < 1"))
    'for L &lt; 1'
    """
    parts = text.split("$")
    if len(parts) % 2 == 0:  # a dollar too few
        return Markup('<code class="latex">{}</code>').format(text)
    alone = not "".join(parts[::2]).strip(" .,;")
    display = alone and len(parts) == 3 and len(text) > SHORT
    return Markup("").join(formula(p, display=display) if k % 2 else escape(p) for k, p in enumerate(parts))


def plain(text: str) -> str:
    """A printed statement in words for a search and for titles, without dollars and commands of layout.

    Examples
    --------
    >>> plain(r"$\\|w\\|^2 \\le \\frac{1}{2}$ holds")
    '\\\\|w\\\\|^2 le frac 1 2 holds'
    """
    text = re.sub(r"\\([A-Za-z]+)", r"\1 ", text.replace("$", ""))
    return " ".join(re.sub(r"[{}]", " ", text).split())


def proof_line(line: str) -> tuple[int, Markup]:
    """(depth, HTML) of a line of `show.proofs.proof_lines` in LaTeX."""
    depth = (len(line) - len(line.lstrip())) // 2
    parts = line.strip().split("$")
    out = [formula(p) if k % 2 else escape(words(p)) for k, p in enumerate(parts)]
    return depth, Markup("").join(out)


ESCAPED = re.compile(r"\\(textbackslash|textless|textgreater|textbar|\^|~)\{\}|\\([#$%&_{}])")
SIGNS = {"textbackslash": "\\", "textless": "<", "textgreater": ">", "textbar": "|"}


def words(text: str) -> str:
    """Words as they were before `show.proofs.escaped`.

    Examples
    --------
    >>> words("mu\\\\_0 \\\\textless{} 5 \\\\%")
    'mu_0 < 5 %'
    """
    return ESCAPED.sub(lambda m: m[2] or SIGNS.get(m[1], m[1]), text)
