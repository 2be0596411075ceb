"""The files of a paper as one text, without comments; every place of it knows its file and line."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import UsageError

LARGEST = 20_000_000  # letters of a paper with all that its macros write
NO_LINE = "\x01"  # where a line was a comment alone, which ends no paragraph
COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")
VERBATIM = re.compile(r"\\begin\{(verbatim\*?|lstlisting|minted|comment|filecontents\*?)\}.*?\\end\{\1\}", re.DOTALL)
INLINE = re.compile(r"\\(?:verb|lstinline)\*?([^\sA-Za-z*{])(?:(?!\1).)*\1")
CONDITIONAL = re.compile(r"\\(if(?:false)?|fi)(?![A-Za-z])|\\if[A-Za-z]+")
INPUT = re.compile(r"\\(?:input|include|subfile)(?![A-Za-z])\s*(?:\{\s*([^{}]+?)\s*\}|([^\s\\{}]+))")
PACKAGES = re.compile(r"\\usepackage\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}")


class Unfit(UsageError):
    """What of a source is not understood, with file and line.

    Parameters
    ----------
    at : str
        FILE:LINE.
    why : str
        What is wrong.
    """

    def __init__(self, at: str, why: str) -> None:
        super().__init__(f"{at}: {why}")


@dataclass
class Text:
    """A text that is put together from pieces of files.

    Attributes
    ----------
    starts, places : list
        Where each piece begins, and its file, its line, and whether its lines are those of the file.
    """

    parts: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    places: list[tuple[str, int, bool]] = field(default_factory=list)
    length: int = 0

    def add(self, text: str, file: str, line: int, *, copied: bool = True) -> None:
        """Add a piece that begins at a line of a file; one that is not `copied` was written by a macro there."""
        if not text:
            return
        self.starts.append(self.length)
        self.places.append((file, line, copied))
        self.parts.append(text)
        self.length += len(text)
        if self.length > LARGEST:
            raise Unfit(f"{file}:{line}", f"its macros write more than {LARGEST} letters")

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.parts)

    def place(self, at: int) -> tuple[str, int]:
        """File and line of a letter."""
        k = max(bisect_right(self.starts, at) - 1, 0)
        if not self.places:
            return "", 1
        file, line, copied = self.places[k]
        return file, line + (self.parts[k].count("\n", 0, at - self.starts[k]) if copied else 0)

    def said(self, at: int) -> str:
        """FILE:LINE of a letter."""
        file, line = self.place(at)
        return f"{file}:{line}"


def joined(path: Path) -> tuple[Text, Text]:
    """The text of a paper with the files that it takes in, and that of the packages of its own beside it.

    Raises
    ------
    Unfit
        If a file that is taken in is not there, or takes in itself.
    UsageError
        If a file cannot be read.
    """
    whole, own = Text(), Text()
    _add(whole, path, path.parent, (), path.name)
    for found in PACKAGES.finditer(whole.text):
        for name in found[1].split(","):
            beside = path.parent / f"{name.strip()}.sty"
            if name.strip() and beside.is_file():
                own.add(_without_comments(_read(beside, beside.name)) + "\n", beside.name, 1)
    return whole, own


def _add(whole: Text, path: Path, folder: Path, open: tuple[Path, ...], shown: str) -> None:
    text = _without_comments(_read(path, shown))
    end = text.find(r"\end{document}")
    if end >= 0 and r"\begin{document}" in text:
        text = text[: end + len(r"\end{document}")]
    elif (end := text.find(r"\endinput")) >= 0:
        text = text[:end]
    done = 0
    for found in INPUT.finditer(text):
        line = 1 + text.count("\n", 0, found.start())
        whole.add(text[done : found.start()], shown, 1 + text.count("\n", 0, done))
        name = found[1] or found[2]
        if name.endswith((".bbl", ".pgf", ".tikz", ".pdf_tex")):
            done = found.end()
            continue
        other = next((p for p in _candidates(name, folder, path.parent) if p.is_file()), None)
        if other is None:
            raise Unfit(f"{shown}:{line}", f"{found[0].strip()}: there is no {name} beside it, with or without .tex")
        if other.resolve() in (*open, path.resolve()):
            raise Unfit(f"{shown}:{line}", f"{found[0].strip()}: the file takes in itself")
        inside = str(other.relative_to(folder)) if other.is_relative_to(folder) else other.name
        _add(whole, other, folder, (*open, path.resolve()), inside)
        whole.add("\n", shown, line)
        done = found.end()
    whole.add(text[done:], shown, 1 + text.count("\n", 0, done))


def _candidates(name: str, folder: Path, own: Path) -> list[Path]:
    return [base / f"{name}{end}" for base in (folder, own) for end in (".tex", "")]


def _read(path: Path, shown: str) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{shown}: cannot be read: {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if "\x00" in text:
        raise UsageError(f"{shown}: is no LaTeX: it holds a byte 0")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _without_comments(text: str) -> str:
    """The text without comments, verbatim material and what stands behind iffalse; its lines keep their numbers."""

    def blank(found: re.Match[str]) -> str:
        return "\n" * found[0].count("\n")

    text = VERBATIM.sub(blank, text)
    text = INLINE.sub("", text)
    lines = (NO_LINE if line.lstrip().startswith("%") else COMMENT.sub(r"\1", line) for line in text.split("\n"))
    text = "\n".join(lines)
    depth, start, out, done = 0, 0, [], 0
    for found in CONDITIONAL.finditer(text):
        if found[1] == "fi":
            if depth == 1:
                out += [text[done:start], "\n" * text.count("\n", start, found.end())]
                done = found.end()
            depth = max(depth - 1, 0)
        elif depth or found[1] == "iffalse":
            start = start if depth else found.start()
            depth += 1
    return "".join([*out, text[done:]])
