"""Printed statements and proofs as HTML, with their formulas in MathML, which browsers set by themselves."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markupsafe import Markup, escape

UNKNOWN = re.compile(r"<mi>\\|merror")  # a command that the library does not know
OURS = (
    (re.compile(r"\\arg\s*\\(min|max)(?![A-Za-z])"), r"\\operatorname{arg\1}"),
    (re.compile(r"\\arg(?![A-Za-z])"), r"\\operatorname{arg}"),
    (re.compile(r":\s*="), r"\\coloneqq "),
)
TEXT = re.compile(r"\\text\{((?:[^{}\\]|\\(?:[A-Za-z]+|.)(?:\{\})?)*)\}")  # with signs that are escaped
HELD = re.compile(r"<mtext>HELD(\d+)</mtext>")
SET = (  # as TeX sets them
    (re.compile(r"<mi>(&#x0039[34];|&#x00398;|&#x0039B;|&#x0039E;|&#x003A[0368];|&#x003A5;|&#x003A9;)</mi>"),
     r'<mi mathvariant="normal">\1</mi>'),
    (re.compile(r"<mo>&#x0002F;</mo>"), '<mo lspace="0" rspace="0">&#x0002F;</mo>'),
    (re.compile(r"<mo>&#x0221E;</mo>"), "<mi>&#x0221E;</mi>"),
    (re.compile(r"<mi>(&#x027E[89];|&#x02016;)</mi>"), r'<mo stretchy="false">\1</mo>'),
    (re.compile(r"<mi>&</mi>"), ""),  # where columns would be aligned
)  # fmt: skip
SHORT = 70  # signs of LaTeX up to which a formula stands in the line
BREAKS = frozenset(
    "=<>\u2264\u2265\u226a\u226b\u2254\u2248\u221d\u2208\u2192\u21d2+-\u2212\u00b1"
)  # before which a line may end
OPENS, CLOSES, TURNS = frozenset("([{\u27e8\u2329"), frozenset(")]}\u27e9\u232a"), frozenset("|\u2016\u2225")


@cache
def formula(latex: str, *, display: bool = False, breaks: bool = False) -> Markup:
    """One formula as MathML, or as it is written where it cannot be read.

    Parameters
    ----------
    latex : str
        Without dollars.
    display : bool
        Whether it stands on a line of its own.
    breaks : bool
        Whether the line may end before its relations, and its plus and minus signs.

    Examples
    --------
    >>> "<mfrac>" in formula(r"\\frac{1}{2} L")
    True
    """
    text = latex
    for known, said in OURS:
        text = known.sub(said, text)
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(re.sub(r"^ | $", "\u00a0", words(found[1])))
        return rf"\text{{HELD{len(held) - 1}}}"

    try:
        found = convert(TEXT.sub(hold, text), display="block" if display else "inline")
    except Exception:  # whatever a library of others raises on what it does not know
        return Markup('<code class="latex">{}</code>').format(latex)
    if UNKNOWN.search(found):
        return Markup('<code class="latex">{}</code>').format(latex)
    for known, said in SET:
        found = known.sub(said, found)
    found = HELD.sub(
        lambda m: f"<mtext>{escape(held[int(m[1])])}</mtext>", re.sub(r' (xmlns|display)="[^"]*"', "", found)
    )
    parts = broken(found) if breaks or display else [found]
    if not display:
        return Markup("<wbr>".join(parts))
    styled = "<wbr>".join(part.replace("<math>", '<math displaystyle="true">') for part in parts)
    return Markup(f'<span class="display">{styled}</span>')


def broken(math: str) -> list[str]:
    """A formula in parts that begin with its relations, plus and minus signs, those in brackets or norms left out.

    Examples
    --------
    >>> [part.count("<mo") for part in broken("<math><mrow><mi>a</mi><mo>=</mo><mi>b</mi><mo>-</mo><mn>1</mn></mrow></math>")]
    [0, 1, 1]
    """
    root = ElementTree.fromstring(math)
    parts: list[list[ElementTree.Element]] = [[]]
    depth, within = 0, False
    for child in root[0] if len(root) else ():
        base = child[0] if child.tag in ("msup", "msub", "msubsup") else child  # as of a bracket with an exponent
        sign = base.text if base.tag == "mo" else ""
        depth += (sign in OPENS) - (sign in CLOSES)
        within ^= sign in TURNS
        if base is child and sign in BREAKS and parts[-1] and not (depth or within):
            child.set("form", "infix")
            parts.append([])
        parts[-1].append(child)
    if len(parts) == 1:
        return [math]
    texts = ["".join(ElementTree.tostring(e, encoding="unicode") for e in part) for part in parts]
    return [f"<math><mrow>{text}</mrow></math>" for text in texts]


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
    return Markup("").join(
        formula(p, display=display, breaks=len(p) > SHORT) if k % 2 else escape(p) for k, p in enumerate(parts)
    )


def coded(text: str) -> Markup:
    """Words in which code stands between backquotes.

    Examples
    --------
    >>> str(coded("along `axis`"))
    'along <code>axis</code>'
    """
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return Markup("").join(Markup("<code>{}</code>").format(p) if k % 2 else escape(p) for k, p in enumerate(parts))


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
    out = [formula(p, breaks=len(p) > SHORT) if k % 2 else escape(words(p)) for k, p in enumerate(parts)]
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
