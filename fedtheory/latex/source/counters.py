"""The numbers that LaTeX prints: counters, within one another or shared, in the styles that a paper sets."""

from __future__ import annotations

import re

from .files import Unfit

STYLES = ("arabic", "alph", "Alph", "roman", "Roman")
ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"),
    (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
PART = re.compile(
    rf"\\({'|'.join(STYLES)})\s*\{{\s*(\w+)\s*\}}|\\the([A-Za-z]+)(?![A-Za-z])|\\[A-Za-z]+|[{{}}]|([^\\{{}}]+)"
)
SECTIONS = ("chapter", "section", "subsection", "subsubsection")


class Counters:
    """The counters of a paper.

    Parameters
    ----------
    of_class : str
        The class of the document, which says how sections are numbered.
    """

    def __init__(self, of_class: str) -> None:
        self.values: dict[str, int] = {}
        self.within: dict[str, str] = {}
        self.shown: dict[str, str] = {}
        self.shared: dict[str, str] = {}
        self.appendix = False
        chapters = of_class in ("book", "report", "memoir", "scrbook", "scrreprt")
        ieee = of_class == "IEEEtran"
        self.top = "chapter" if chapters else "section"
        self.new("chapter")
        self.new("section", "chapter" if chapters else "", r"\Roman{section}" if ieee else "")
        self.new("subsection", "section", r"\thesection-\Alph{subsection}" if ieee else "")
        self.new("subsubsection", "subsection", r"\thesubsection\arabic{subsubsection}" if ieee else "")
        self.new("equation", "chapter" if chapters else "")
        for name in ("algorithm", "figure", "table", "parentequation"):
            self.new(name)

    def new(self, name: str, within: str = "", shown: str = "") -> None:
        """A counter, which begins anew with each step of the one that it is within."""
        self.values[name] = 0
        self.within.pop(name, None)
        if within:
            self.within[name] = within
        self.shown[name] = shown or (rf"\the{within}." if within else "") + rf"\arabic{{{name}}}"

    def own(self, name: str) -> str:
        """The counter itself of what shares that of another."""
        seen: set[str] = set()
        while name in self.shared and name not in seen:
            seen.add(name)
            name = self.shared[name]
        return name

    def step(self, name: str, by: int = 1) -> None:
        """The next number; what is within it begins anew."""
        name = self.own(name)
        self.values[name] = self.values.get(name, 0) + by
        todo = [name]
        while todo:
            outer = todo.pop()
            for inner in (n for n, of in self.within.items() if of == outer):
                self.values[inner] = 0
                todo.append(inner)

    def number(self, name: str, at: str) -> str:
        """The number as it is printed.

        Raises
        ------
        Unfit
            If its form is not understood.
        """
        return self._number(name, at, 0)

    def _number(self, name: str, at: str, depth: int) -> str:
        name = self.own(name)
        form = self.shown.get(name)
        if form is None or depth > 10:
            raise Unfit(at, f"the counter {name} is declared nowhere" if form is None else f"\\the{name} is in itself")
        out = []
        for found in PART.finditer(form):
            style, of, the, letters = found.groups()
            if style:
                out.append(written(self.values.get(self.own(of), 0), style))
            elif the:
                out.append(self._number(the, at, depth + 1))
            elif letters:
                out.append(letters)
        return "".join(out).strip()

    def begin_appendix(self) -> None:
        """From here on sections, or chapters, have letters."""
        if not self.appendix:
            self.values[self.top] = 0
            for name in SECTIONS[SECTIONS.index(self.top) + 1 :]:
                self.values[name] = 0
        self.appendix = True
        self.shown[self.top] = rf"\Alph{{{self.top}}}"


def written(n: int, style: str) -> str:
    """A number in a style; ``0`` where the style has no sign for it."""
    if style == "arabic" or n < 1:
        return str(n)
    if style in ("roman", "Roman"):
        out = ""
        for value, sign in ROMAN:
            out += sign * (n // value)
            n %= value
        return out.upper() if style == "Roman" else out
    if n > 26:
        return str(n)
    return chr(ord("a" if style == "alph" else "A") + n - 1)
