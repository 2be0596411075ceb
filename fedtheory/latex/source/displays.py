"""Displays: their rows with printed numbers, and the links of a chain, each as the relation that it states."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pylatexenc.latexwalker import LatexNode

from .counters import Counters
from .files import NO_LINE
from .macros import argument

ONE = ("equation", "multline", "dmath")  # environments with one number,
ROWS = ("align", "gather", "flalign", "alignat", "xalignat", "eqnarray", "IEEEeqnarray")  # and those with one a row
BARE = ("displaymath", "math")
INSIDE = ("aligned", "alignedat", "split", "gathered", "array")  # which only say how the rows of one number stand
RELATION = re.compile(
    r"(?::=|=:|=|<|>|≤|≥|\\(?:le|leq|leqslant|ge|geq|geqslant|lt|gt|approx|sim|ll|gg|lesssim|gtrsim|coloneqq|triangleq|equiv|to|"
    r"rightarrow|leftarrow|gets|in|propto|neq|ne|preceq|succeq|simeq|doteq|colonequals|longrightarrow|mapsto|prec|succ)(?![A-Za-z]))"
)
SYSTEMS = (
    "cases",
    "dcases",
    "rcases",
)  # which are rows of their own where nothing stands before them, and no conditions behind
CHAINED = ("=", ":=", "<", ">", "≤", "≥", r"\le", r"\leq", r"\leqslant", r"\ge", r"\geq", r"\geqslant")
APART = re.compile(r"[,;]|\\(?:q?quad|text|mbox|mathrm|forall)(?![A-Za-z])")
ABOVE = re.compile(r"\\(?:overset|stackrel|underset|overbrace)(?![A-Za-z])")
FREE = re.compile(
    r"^(?:\s|\{\}|~|\\[,;:!> ]|\\(?:quad|qquad|hspace\*?\{[^}]*\}|hphantom\{\}|displaystyle|mathrel|mathbin)(?![A-Za-z]))*"
)
GONE = re.compile(
    r"\\(?:nonumber|notag|IEEEnonumber|IEEEyesnumber|IEEEeqnarraynumspace|allowdisplaybreaks|noalign|displaybreak)\*?(?![A-Za-z])(?:\[\d\])?"
)
TAKING = re.compile(r"\\(label|tag|intertext|shortintertext|vspace|vskip|phantom|hphantom|vphantom)\*?(?=\s*\{)")


@dataclass(frozen=True)
class Display:
    """One formula of a display.

    Attributes
    ----------
    number, label : str
        As printed, empty where there is none.
    latex : str
        The relation that it states; of a link of a chain the former right side stands in front.
    link : str
        ``a``, ``b``, ... of several with one number.
    at : str
        FILE:LINE.
    display : int
        Where the display begins, which is one for all of its links.
    """

    number: str
    label: str
    latex: str
    link: str
    at: str
    display: int


@dataclass
class Row:
    """A row of a display before it is put together: its cells as one text."""

    latex: str
    continues: bool
    number: str
    label: str
    at: int


def is_display(environment: str) -> bool:
    """Whether an environment is a display."""
    return environment.rstrip("*") in (*ONE, *ROWS, *BARE)


def displays(
    name: str, nodes: list[LatexNode], text: str, start: int, end: int, counters: Counters, said: Any
) -> list[Display]:
    """The formulas of a display.

    Parameters
    ----------
    name : str
        The environment; empty for ``\\[ \\]``.
    nodes : list
        What it holds.
    text : str
        The text of the paper, of which the display goes from `start` to `end`.
    counters : Counters
        What numbers it steps.
    said : callable
        From a place to FILE:LINE.
    """
    inner = _inside(nodes, text, start, end)
    numbered = name in (*ONE, *ROWS)
    by_row = name.rstrip("*") in ROWS
    whole = text[start:end]
    number, label = "", ""
    if not by_row:
        number, label = _number(whole, numbered, counters, said(start))
    rows: list[Row] = []
    for first, last in inner:
        raw = text[first:last]
        latex = clean(raw.replace(r"\&", "\x00").replace("&", " ")).replace("\x00", r"\&")
        own = _number(raw, numbered, counters, said(first)) if by_row and (latex or r"\tag" in raw) else (number, label)
        if not latex:
            continue
        aligned = "&" in raw.replace(r"\&", "")
        blank = not aligned or not clean(raw.split("&")[0])
        continues = (
            bool(rows) and blank and (aligned or bool(RELATION.match(bare(latex))) or name.startswith("multline"))
        )
        rows.append(Row(latex, continues, own[0], own[1], first + len(raw) - len(raw.lstrip())))
    return _linked(rows, start, said)


def _inside(nodes: list[LatexNode], text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The rows, of the display or of the one environment within it that only says how they stand."""
    kept = [n for n in nodes if n is not None and not _idle(n)]
    inner = [n for n in kept if getattr(n, "environmentname", "") in INSIDE]
    if not inner:
        systems = [n for n in kept if getattr(n, "environmentname", "") in SYSTEMS]
        inner = [n for n in systems if "&" not in text[n.pos : n.pos + n.len].replace(r"\&", "")]
    if len(inner) == 1 and all(n is inner[0] or _ends(n, text) for n in kept):
        body = [n for n in inner[0].nodelist if n is not None]
        if body:
            first = _behind_options(inner[0], text)
            return _rows(body, first, body[-1].pos + body[-1].len)
    return _rows(kept, start, end)


def _behind_options(node: LatexNode, text: str) -> int:
    """Where the body of an environment begins, behind its arguments."""
    at = text.index("}", node.pos) + 1
    if node.environmentname in ("array", "alignedat"):
        _, at = argument(text, at)
    return at


def _idle(node: LatexNode) -> bool:
    return (hasattr(node, "chars") and not node.chars.strip()) or getattr(node, "macroname", "") in (
        "label", "nonumber", "notag", "displaystyle",
    )  # fmt: skip


def _ends(node: LatexNode, text: str) -> bool:
    """Whether a node is a sign behind the formula, or its tag."""
    own = text[node.pos : node.pos + node.len]
    return own.strip() in (".", ",", ";", "*") or own.startswith((r"\tag", "{", r"\quad", r"\,", r"\;", r"\ "))


def _rows(nodes: list[LatexNode], start: int, end: int) -> list[tuple[int, int]]:
    out = []
    for n in nodes:
        if getattr(n, "macroname", "") in ("\\", "newline", "cr", "tabularnewline") and n.pos >= start:
            out.append((start, n.pos))
            start = n.pos + n.len
    return [*out, (start, end)]


def _number(raw: str, numbered: bool, counters: Counters, at: str) -> tuple[str, str]:
    """The number of a row and its label; a tag is one, and steps none."""
    label = re.search(r"\\label\s*\{([^{}]*)\}", raw)
    tag = re.search(r"\\tag\*?(?=\s*\{)", raw)
    own = label[1] if label else ""
    if tag is not None:
        return (argument(raw, tag.end())[0] or "").strip().strip("()$"), own
    if not numbered or re.search(r"\\(?:nonumber|notag|IEEEnonumber)(?![A-Za-z])", raw):
        return "", own
    counters.step("equation")
    return counters.number("equation", at), own


def _linked(rows: list[Row], start: int, said: Any) -> list[Display]:
    """Rows as formulas: one that goes on begins with the right side of the one before, or is the rest of it."""
    chains: list[list[Row]] = []
    for row in rows:
        if not row.continues:
            chains.append([row])
        elif RELATION.match(bare(row.latex)):
            before = chains[-1][-1]
            side = right_side(before.latex)
            chains[-1].append(Row(f"{side} {bare(row.latex)}", True, row.number, row.label, row.at))
        else:
            last = chains[-1][-1]
            last.latex = f"{last.latex} {row.latex}"
            last.number, last.label = last.number or row.number, last.label or row.label
    found: list[tuple[str, str, Row]] = []
    for chain in ([link for row in chain for link in links(row)] for chain in chains):
        for k, row in enumerate(chain):
            printed = next((r for r in [*chain[k:], *reversed(chain[:k])] if r.number), row)
            found.append((printed.number, row.label or printed.label, row))
    out = []
    for k, (number, label, row) in enumerate(found):
        alike = [j for j, (n, _, _) in enumerate(found) if n == number]
        link = letters(alike.index(k)) if len(alike) > 1 else ""
        out.append(Display(number, label, row.latex, link, said(row.at), start))
    return out


def links(row: Row) -> list[Row]:
    """A row by the links of the chain that it is; a row with a sign between its relations, which may be several, by itself."""
    signs = relations(row.latex)
    if len(signs) < 2 or any(sign[0] not in CHAINED for sign in signs):
        return [row]
    cuts = [0, *(sign.start() for sign in signs), len(row.latex)]
    sides = [row.latex[cuts[0] : cuts[1]], *(row.latex[a.end() : b] for a, b in zip(signs, cuts[2:], strict=True))]
    if any(APART.search(outside(side.strip().rstrip(",.; "))) for side in sides):
        return [row]
    return [
        Row(f"{left.strip()} {sign[0]} {right.strip()}", k > 0 or row.continues, row.number, row.label, row.at)
        for k, (left, sign, right) in enumerate(zip(sides, signs, sides[1:], strict=False))
    ]


def outside(latex: str) -> str:
    """What of a side stands in no braces or brackets."""
    depth, out = 0, []
    for letter in latex:
        depth += letter in "{(["
        out.append(letter if depth == 0 else " ")
        depth -= letter in "})]"
    return "".join(out)


def letters(k: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    return (letters(k // 26 - 1) if k >= 26 else "") + chr(ord("a") + k % 26)


def clean(latex: str) -> str:
    """A formula without what says how it is set: labels, tags, spaces around it, and signs over relations."""
    latex = GONE.sub(" ", latex.replace(NO_LINE, " "))
    while found := TAKING.search(latex):
        _, end = argument(latex, found.end())
        if end <= found.end():
            break
        latex = latex[: found.start()] + latex[end:]
    while found := ABOVE.search(latex):
        _, middle = argument(latex, found.end())
        relation, end = argument(latex, middle)
        if relation is None:
            break
        latex = f"{latex[: found.start()]} {relation} {latex[end:]}"
    return " ".join(latex.split())


def bare(latex: str) -> str:
    """A formula without the space in front of it."""
    return latex[FREE.match(latex).end() :]  # type: ignore[union-attr]


def relations(latex: str) -> list[re.Match[str]]:
    """The relations of a formula that stand in no braces, brackets or scripts."""
    depth, out, at = 0, [], 0
    while at < len(latex):
        if found := RELATION.match(latex, at):
            if depth == 0:
                out.append(found)
            at = found.end()
        elif latex[at] == "\\":
            name = re.compile(r"\\(?:[A-Za-z]+|.)", re.DOTALL).match(latex, at)
            word = name[0] if name else "\\"
            depth += (word in (r"\{", r"\begin", r"\lfloor", r"\lceil", r"\langle")) - (
                word in (r"\}", r"\end", r"\rfloor", r"\rceil", r"\rangle")
            )
            at += len(word)
        else:
            depth += (latex[at] in "{([") - (latex[at] in "})]")
            at += 1
    return out


def right_side(latex: str) -> str:
    """What stands behind the last relation of a formula, without the sign that ends a sentence."""
    found = relations(latex)
    side = latex[found[-1].end() :] if found else latex
    side = re.split(r"\\qquad|\\quad", side)[0] if found else side
    return side.strip().rstrip(",.;").strip()
