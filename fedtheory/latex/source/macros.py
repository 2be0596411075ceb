"""Macros of a paper, put in place of their names: newcommand and its like, def, DeclareMathOperator, paired delimiters, let."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from .files import Text, Unfit

DEPTH = 60  # of macros within macros
TOKEN = re.compile(r"\\([A-Za-z@]+)\*?|\\.|[^\\]+", re.DOTALL)
DEFINES = ("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "def", "gdef", "edef", "let")
OPERATORS = ("DeclareMathOperator", "DeclarePairedDelimiter")
ENVIRONMENTS = ("newenvironment", "renewenvironment")
KEPT = re.compile(r"the[a-zA-Z]+$|qed$|qedsymbol$|proofname$|label$|ref$|tag$|section$|subsection$")
ENVIRONMENT = re.compile(r"\{\s*([A-Za-z*]+)\s*\}")


@dataclass(frozen=True)
class Macro:
    """What a name is replaced with.

    Attributes
    ----------
    arguments : int
        How many, with the one that may be left out.
    default : str or None
        Of the first argument, which then stands in square brackets.
    body : str
        With ``#1`` for the first argument.
    ready : bool
        Whether the body is not looked at again.
    star : bool
        Whether a star behind the name belongs to it.
    """

    arguments: int
    default: str | None
    body: str
    ready: bool = False
    star: bool = False


class Macros:
    """The macros of a paper, as they are defined from one place to the next."""

    def __init__(self) -> None:
        self.known: dict[str, Macro] = {}
        self.environments: dict[str, tuple[Macro, str]] = {}

    def put_in(self, source: Text) -> Text:
        """The text with its macros put in and their definitions left out.

        Raises
        ------
        Unfit
            Where a definition or a use of a macro is not understood, or macros go round in a circle.
        """
        out = Text()
        text, at = source.text, 0
        while at < len(text):
            next_at, written = self._step(text, at, source, at, 0)
            file, line = source.place(at)
            if written is None:  # as it stands: by the lines of its pieces
                for start, end in _pieces(source, at, next_at):
                    out.add(text[start:end], *source.place(start))
            else:
                file, line = source.place(at)
                out.add(written, file, line, copied=False)
            at = next_at
        return out

    def _step(self, text: str, at: int, source: Text, origin: int, depth: int) -> tuple[int, str | None]:
        """Where the next token ends, and what it is replaced with; None where it stays."""
        found = TOKEN.match(text, at)
        if found is None:  # a backslash at the end
            return len(text), None
        name = found[1]
        if name is None:
            return found.end(), None
        behind = at + 1 + len(name)
        if name in DEFINES or name in OPERATORS:
            return self._define(name, text, behind, source, origin)
        if name in ENVIRONMENTS:
            return self._environment(text, behind, source, origin)
        if name in ("begin", "end") and (own := ENVIRONMENT.match(text, behind)) and own[1] in self.environments:
            macro, last = self.environments[own[1]]
            if name == "end":
                return own.end(), self._whole(last, source, origin, depth + 1)
            return self._use(macro, "begin{" + own[1] + "}", text, own.end(), source, origin, depth)
        if name in self.known:
            return self._use(self.known[name], name, text, behind, source, origin, depth)
        return behind, None

    def _whole(self, text: str, source: Text, origin: int, depth: int) -> str:
        """A text with its macros put in."""
        if depth > DEPTH:
            raise Unfit(source.said(origin), f"macros within macros, {DEPTH} deep: one of them stands in itself")
        out, at, size = [], 0, 0
        while at < len(text):
            next_at, written = self._step(text, at, source, origin, depth)
            out.append(text[at:next_at] if written is None else written)
            size += len(out[-1])
            if size > 1_000_000:
                raise Unfit(source.said(origin), "a macro writes more than 1000000 letters")
            at = next_at
        return "".join(out)

    def _use(
        self, macro: Macro, name: str, text: str, at: int, source: Text, origin: int, depth: int
    ) -> tuple[int, str]:
        if macro.star and text[at : at + 1] == "*":
            at += 1
        given: list[str] = []
        if macro.default is not None:
            optional, at = bracketed(text, at)
            given.append(macro.default if optional is None else optional)
        while len(given) < macro.arguments:
            one, at = argument(text, at)
            if one is None:
                raise Unfit(source.said(origin), f"\\{name} needs {macro.arguments} arguments, and has {len(given)}")
            given.append(one)
        if macro.ready:
            return at, macro.body
        body = re.sub(r"#([1-9])", lambda k: given[int(k[1]) - 1] if int(k[1]) <= len(given) else "", macro.body)
        written = self._whole(body, source, origin, depth + 1)
        if re.search(r"\\[A-Za-z@]+$", written) and text[at : at + 1].isalpha():
            written += " "
        return at, written

    def _define(self, how: str, text: str, at: int, source: Text, origin: int) -> tuple[int, str | None]:
        begin = at
        if text[at : at + 1] == "*":
            at += 1
        named, at = argument(text, at)
        name = (named or "").strip().lstrip("\\")
        if named is None or not re.fullmatch(r"[A-Za-z@]+|[^A-Za-z]", name):
            raise Unfit(source.said(origin), f"\\{how} of what? Its name is not understood: {_start(text, begin)}")
        if how == "let":
            at = _behind(text, at)
            at += text[at : at + 1] == "="
            other, at = argument(text, at)
            same = self.known.get((other or "").lstrip("\\"))
            self.known[name] = same or Macro(0, None, other or "", ready=True)
            return at, ""
        if how in OPERATORS:
            return self._operator(how, name, text, at, source, origin)
        count, default = 0, None
        if how in ("def", "gdef", "edef"):
            found = re.compile(r"((?:#\d)*)\s*(?=\{)").match(text, at)
            if found is None:
                raise Unfit(
                    source.said(origin), f"\\{how}\\{name}: parameters with signs between them are not understood"
                )
            count, at = found[1].count("#"), found.end()
        else:
            number, at = bracketed(text, at)
            count = int(number) if number and number.strip().isdigit() else 0
            default, at = bracketed(text, at) if count else (None, at)
        body, at = argument(text, at)
        if body is None:
            raise Unfit(source.said(origin), f"\\{how}{{\\{name}}} has no body in braces")
        if KEPT.match(name):
            return at, text[begin - len(how) - 1 : at]
        if how != "providecommand" or name not in self.known:
            self.known[name] = Macro(count, default, body, ready=count == 0 and body.strip() == f"\\{name}")
        return at, ""

    def _operator(self, how: str, name: str, text: str, at: int, source: Text, origin: int) -> tuple[int, str]:
        first, at = argument(text, at)
        if first is None:
            raise Unfit(source.said(origin), f"\\{how}{{\\{name}}} has no text in braces")
        if how == "DeclareMathOperator":
            self.known[name] = Macro(0, None, f"\\operatorname{{{first}}}", ready=True)
            return at, ""
        second, at = argument(text, at)
        self.known[name] = Macro(1, None, f"{first} #1 {second}", star=True)
        return at, ""

    def _environment(self, text: str, at: int, source: Text, origin: int) -> tuple[int, str]:
        """An environment of the paper's own; one that opens no other is left as it is, without what it sets."""
        if text[at : at + 1] == "*":
            at += 1
        name, at = argument(text, at)
        number, at = bracketed(text, at)
        default, at = bracketed(text, at) if number else (None, at)
        first, at = argument(text, at)
        last, at = argument(text, at)
        if name is None or first is None or last is None:
            raise Unfit(source.said(origin), "\\newenvironment needs a name, what it begins and what it ends with")
        if r"\begin" in first or not KNOWN_ENVIRONMENT.match(name.strip()):
            count = int(number) if number and number.strip().isdigit() else 0
            self.environments[name.strip()] = (Macro(count, default, _opened(first)), _opened(last))
        return at, ""


KNOWN_ENVIRONMENT = re.compile(
    r"(?:theorem|lemma|proposition|corollary|assumption|definition|proof|remark|claim)s?\*?$"
)


def _opened(text: str) -> str:
    """What an environment begins or ends with, as far as it opens or closes other ones."""
    return text if re.search(r"\\(?:begin|end)(?![A-Za-z])", text) else ""


def _pieces(source: Text, start: int, end: int) -> list[tuple[int, int]]:
    """A stretch of a text by the pieces of files that it goes over."""
    cuts = [start]
    k = bisect_right(source.starts, start)
    while k < len(source.starts) and source.starts[k] < end:
        cuts.append(source.starts[k])
        k += 1
    return list(zip(cuts, [*cuts[1:], end], strict=True))


def _behind(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _start(text: str, at: int) -> str:
    return " ".join(text[at : at + 30].split())


def bracketed(text: str, at: int) -> tuple[str | None, int]:
    """What stands in square brackets from here on, and where it ends; None where there are none."""
    start = _behind(text, at)
    if text[start : start + 1] != "[":
        return None, at
    depth = 0
    for k in range(start, len(text)):
        depth += (text[k] in "{[") - (text[k] in "}]")
        if depth == 0:
            return text[start + 1 : k], k + 1
    return None, at


def argument(text: str, at: int) -> tuple[str | None, int]:
    """What stands in braces from here on, or one token; None where there is nothing, or the braces do not close."""
    start = _behind(text, at)
    if start >= len(text) or text[start] == "}":
        return None, at
    if text[start] != "{":
        found = re.compile(r"\\[A-Za-z@]+|\\.|.", re.DOTALL).match(text, start)
        return (None, at) if found is None else (found[0], found.end())
    depth, k = 0, start
    while k < len(text):
        if text[k] == "\\":
            k += 2
            continue
        depth += (text[k] == "{") - (text[k] == "}")
        k += 1
        if depth == 0:
            return text[start + 1 : k - 1], k
    return None, at
