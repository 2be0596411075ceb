"""The lines of an algorithm with the numbers that stand at them: algorithmic, algpseudocode and algorithm2e."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .displays import clean
from .macros import argument, bracketed

COMMAND = re.compile(r"\\([A-Za-z]+)\*?|\\\\|\\;|\\.", re.DOTALL)
PLAIN = ("state", "statex", "return", "print", "call")  # lines
HEADS = (
    "require", "ensure", "input", "output", "inputs", "outputs", "initialize", "init", "data", "result",
    "kwin", "kwout", "kwdata", "kwresult", "kwinput", "kwoutput",
)  # fmt: skip
OPENS = (
    "for", "forall", "foreach", "while", "if", "elsif", "elseif", "repeat", "loop", "else", "function", "procedure", "until",
)  # fmt: skip
SAID = {
    "forall": "for all", "foreach": "for each", "elsif": "else if", "elseif": "else if", "fn": "function",
    "forpar": "for in parallel",
    "kwin": "input", "kwinput": "input", "kwdata": "data", "kwout": "output", "kwoutput": "output", "kwresult": "result",
}  # fmt: skip
BLOCKS = (
    "For", "ForEach", "ForAll", "ForPar", "While", "If", "uIf", "eIf", "ElseIf", "uElseIf", "lIf", "lFor", "lForEach", "lElse",
    "Else", "uElse", "Repeat", "Fn", "Function",
)  # fmt: skip
NOTE = re.compile(r"\\(?:COMMENT|Comment|tcp|tcc|label|caption|SetKwInOut|SetKwInput|SetKwFunction|SetKw)\*?(?=[{(])")
SETTING = re.compile(
    r"\\(?:begin|end)\s*\{[^{}]*\}(?:\[[^\]]*\])?|\\hspace\*?\{[^}]*\}|"
    r"\\(?:LinesNumbered|SetAlgo[A-Za-z]*|DontPrintSemicolon|small|footnotesize|centering|BlankLine)(?![A-Za-z])"
)
VLINED = re.compile(
    r"\\(?:usepackage|documentclass)\s*\[[^\]]*\b(?:vlined|noend)\b[^\]]*\]|\\SetAlgoVlined|\\SetAlgoNoEnd"
)


@dataclass(frozen=True)
class Step:
    """A line of an algorithm: its printed number, empty where it has none, its LaTeX, and where it stands in the text."""

    number: str
    latex: str
    at: int


def steps(text: str, start: int, end: int) -> list[Step]:
    """The lines between two places of a text; those of algorithm2e end with ``\\;``, the others begin with a command.

    The numbers are those of ``linesnumbered``; where the blocks of algorithm2e have no line at their sides, their ends have one.
    """
    body = text[start:end]
    if r"\;" in body and not re.search(r"\\(?:STATE|State)(?![A-Za-z])", body):
        return _numbered(
            [(latex, start + at, counts) for latex, at, counts in _ended(body, 0, not VLINED.search(text))]
        )
    return _begun(body, start)


def _begun(body: str, start: int) -> list[Step]:
    found: list[tuple[str, int, bool]] = []
    marks = [m for m in COMMAND.finditer(body) if m[1] and _line(m[1])]
    for k, mark in enumerate(marks):
        last = marks[k + 1].start() if k + 1 < len(marks) else len(body)
        word = mark[1].lower()
        inside = body[mark.end() : last]
        if word in ("return", "print") and found and not found[-1][0] and mark[1] != mark[1].upper():
            found[-1] = (f"return {tidy(inside)}", found[-1][1], True)  # algpseudocode: \State \Return
            continue
        if word.startswith("end"):
            found.append(("", start + mark.start(), True))
            continue
        _, after = bracketed(body, mark.end())
        said = tidy(body[after:last])
        if word in OPENS:
            said = f"{SAID.get(word, word)} {said}".strip()
        elif word in ("return", "print"):
            said = f"{word} {said}"
        elif word in HEADS:
            said = f"{SAID.get(word, word)}: {said}"
        found.append((said, start + mark.start(), word not in (*HEADS, "statex")))
    return _numbered(found)


def _line(name: str) -> bool:
    word = name.lower()
    known = word in PLAIN or word in HEADS or word in OPENS
    return (known or (word.startswith("end") and word[3:] in OPENS)) and (name[0].isupper() or name in HEADS)


def _numbered(found: list[tuple[str, int, bool]]) -> list[Step]:
    out, n = [], 0
    for latex, at, counted in found:
        n += counted
        if latex:
            out.append(Step(str(n) if counted else "", latex, at))
    return out


def _ended(body: str, base: int, ends: bool) -> list[tuple[str, int, bool]]:
    """The lines of algorithm2e, with those of its blocks: LaTeX, place, and whether a number stands there."""
    out: list[tuple[str, int, bool]] = []
    at = begin = 0
    while at < len(body):
        found = COMMAND.search(body, at)
        if found is None:
            break
        name = found[1] or ""
        if found[0] == r"\;":
            _say(out, body[begin : found.start()], base + begin)
            begin = at = found.end()
        elif name.lower() in HEADS and (inside := argument(body, found.end()))[0] is not None:
            word = name.lower()
            out.append((f"{SAID.get(word, word)}: {tidy(inside[0] or '')}", base + found.start(), False))
            begin = at = inside[1]
        elif name in BLOCKS:
            _say(out, body[begin : found.start()], base + begin)
            begin = at = _block(out, body, found, base, ends)
        else:
            at = found.end()
    _say(out, body[begin:], base + begin)
    return out


def _block(out: list[tuple[str, int, bool]], body: str, found: re.Match[str], base: int, ends: bool) -> int:
    """The lines of a block; returns where it ends."""
    name = found[1]
    _, at = bracketed(body, found.end())
    word = re.sub(r"^[ule](?=[A-Z])", "", name).lower()
    said = "else"
    if word != "else":
        condition, at = argument(body, at)
        said = f"{SAID.get(word, word)} {tidy(condition or '')}"
    out.append((said, base + found.start(), True))
    for part in range(2 if name == "eIf" else 1):
        inside, after = argument(body, at)
        if part:
            out.append(("else", base + body.find("{", at), True))
        out += _ended(inside or "", base + body.find("{", at) + 1, ends)
        at = after
    if ends and name[0] not in "ul":
        out.append(("", base + at, True))
    return at


def _say(out: list[tuple[str, int, bool]], latex: str, at: int) -> None:
    if said := re.sub(r"^\\(?:Return|KwRet)(?![A-Za-z])\s*\{?(.*?)\}?$", r"return \1", tidy(latex)):
        out.append((said, at + len(latex) - len(latex.lstrip()), True))


def tidy(latex: str) -> str:
    """A line without labels, captions, comments and the spaces around it."""
    while found := NOTE.search(latex):
        end = argument(latex, found.end())[1]
        if latex[found.end()] == "(":
            end = latex.find(")", found.end()) + 1
        latex = latex[: found.start()] + latex[max(end, found.end()) :]
    latex = SETTING.sub(" ", latex)
    said = clean(latex)
    while said.startswith("{") and argument(said, 0)[1] == len(said):
        said = said[1:-1].strip()
    return said
