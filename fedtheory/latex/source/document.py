"""A paper's source from its first section to its last: statements, displays and algorithm lines with what LaTeX prints at them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pylatexenc.latexwalker import LatexNode, LatexWalker, LatexWalkerParseError

from . import algorithms
from .counters import SECTIONS, Counters
from .displays import Display, clean, displays, is_display
from .files import NO_LINE, Text, Unfit, joined
from .macros import Macros, argument, bracketed

USUAL = {  # environments that classes declare themselves
    "theorem": "Theorem", "lemma": "Lemma", "proposition": "Proposition", "corollary": "Corollary", "definition": "Definition",
    "assumption": "Assumption", "remark": "Remark", "claim": "Claim", "conjecture": "Conjecture", "fact": "Fact",
    "condition": "Condition", "example": "Example", "problem": "Problem", "observation": "Observation", "property": "Property",
}  # fmt: skip
FLOATS = ("algorithm", "algorithm2e", "algorithmic", "algorithmicx", "procedure", "algo")
SKIPPED = ("tikzpicture", "thebibliography", "tabular", "tabularx", "pgfpicture", "picture", "filecontents")
REFERENCE = re.compile(r"\\(?:[cC]ref|autoref|ref|hyperref|eqref|thref|Cref)\*?\s*(?:\[([^\]]*)\])?\s*\{([^{}]*)\}")
LITERAL = re.compile(r"([A-Z][a-z]+)[~\s]+\$?([A-Z]?[\d.]*\d)")
CITED = re.compile(f"{REFERENCE.pattern}|[A-Z][a-z]+[~\\s]+[A-Z]?[\\d.]*\\d")
UNCLOSED = "the formula that begins here is not closed before its paragraph ends"
NOTES = re.compile(r"~?\\(?:label|cite[a-z]*|footnote|thanks|vspace\*?)\*?\s*(?:\[[^\]]*\])*\s*\{[^{}]*\}")


@dataclass
class Statement:
    """A theorem, lemma, assumption or the like.

    Attributes
    ----------
    environment, title : str
        ``lemma``, and ``Lemma`` as it is printed.
    number, label, name : str
        As printed; the name in brackets.
    text : str
        All that it says, as LaTeX in one line.
    section, at : str
        Where it stands, in the paper and in its files.
    """

    environment: str
    title: str
    number: str
    label: str
    name: str
    text: str
    section: str
    at: str

    @property
    def called(self) -> str:
        """As it is cited."""
        return f"{self.title} {self.number}".strip()


@dataclass(frozen=True)
class Formula:
    """A display, or a link of one, with what it stands in: a statement, a proof of it, or a section."""

    shown: Display
    section: str
    statement: Statement | None
    proof: bool


@dataclass(frozen=True)
class Line:
    """A line of an algorithm."""

    algorithm: str
    number: str
    latex: str
    section: str
    at: str


@dataclass
class Document:
    """What a paper states, in its order.

    Attributes
    ----------
    items : list of Statement, Formula and Line
    title, authors : str
        As printed; empty where the source does not say.
    undeclared : list of str
        Environments that no newtheorem declares, and that were numbered by themselves.
    """

    items: list[Any] = field(default_factory=list)
    title: str = ""
    authors: str = ""
    undeclared: list[str] = field(default_factory=list)


def read_document(path: Path) -> Document:
    """Read a paper's source.

    Raises
    ------
    Unfit
        With file and line, where it is not understood.
    UsageError
        If a file cannot be read.
    """
    source, packages = joined(path)
    macros = Macros()
    macros.put_in(packages)
    whole = macros.put_in(source)
    return Walk(whole).document()


class Walk:
    """One walk through a paper with its macros put in."""

    def __init__(self, whole: Text) -> None:
        self.whole, self.text = whole, whole.text
        found = re.search(r"\\documentclass\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}", self.text)
        self.counters = Counters(found[1].strip() if found else "article")
        self.theorems: dict[str, tuple[str, str]] = {}  # an environment, its counter and its title
        self.found = Document()
        self.section, self.head = "", ""
        self.statement: Statement | None = None
        self.inside: Statement | None = None
        self.proof = False
        self.of_proof = ""
        self.proofs: list[tuple[int, str]] = []  # displays of proofs by their place in the items, and of what
        self.by_id: dict[str, Statement] = {}  # statements by what stands for them there
        self.algorithm = ""
        self.until = 0

    def document(self) -> Document:
        """What the paper states."""
        try:
            nodes, _, _ = LatexWalker(self.text, tolerant_parsing=False).get_latex_nodes()
        except LatexWalkerParseError as error:
            odd = odd_dollar(self.text[: error.pos or 0])
            if odd is not None:
                raise Unfit(self.said(odd), UNCLOSED) from None
            raise Unfit(self.said(error.pos or 0), str(error.msg)[0].lower() + str(error.msg)[1:]) from None
        except RecursionError:
            raise Unfit(self.said(0), "too many environments and braces within each other") from None
        self.nodes(nodes)
        self.assign()
        return self.found

    def said(self, at: int) -> str:
        """FILE:LINE of a place."""
        return self.whole.said(at)

    def nodes(self, nodes: list[LatexNode]) -> None:
        """Walk over nodes in their order."""
        for n in nodes:
            if n is None or n.pos < self.until:
                continue
            if hasattr(n, "environmentname"):
                self.environment(n)
            elif hasattr(n, "displaytype"):
                if n.displaytype == "display":
                    self.display("", n, n.pos + 2, n.pos + n.len - 2)
                elif re.search(r"\n[ \t]*\n", self.text[n.pos : n.pos + n.len]):
                    raise Unfit(
                        self.said(n.pos), "the formula that begins here is not closed before its paragraph ends"
                    )
            elif hasattr(n, "macroname"):
                self.macro(n.macroname, n.pos, n.pos + 1 + len(n.macroname), n)
            elif getattr(n, "nodelist", None):
                self.nodes(n.nodelist)

    def display(self, name: str, n: LatexNode, start: int, end: int) -> None:
        """A display, and its place in the paper."""
        for shown in displays(name, n.nodelist, self.text, start, end, self.counters, self.said):
            of = self.inside
            proves = self.of_proof if self.proof else self.head if proof_of(self.head) else ""
            if of is None and proves:
                self.proofs.append((len(self.found.items), proves))
            self.found.items.append(Formula(shown, self.section, of, of is None and bool(proves)))

    def environment(self, n: LatexNode) -> None:
        """Statements, proofs, displays and algorithms; what holds others is gone through."""
        name = n.environmentname
        start = self.text.index("}", n.pos) + 1
        end = self.text.rindex("\\end", n.pos, n.pos + n.len)
        if is_display(name):
            if name.rstrip("*") in ("alignat", "xalignat", "IEEEeqnarray"):
                _, start = argument(self.text, start)
            self.display(name, n, start, end)
        elif name in SKIPPED:
            self.until = max(self.until, n.pos + n.len)
        elif name.rstrip("*") in FLOATS:
            self.lines(name.rstrip("*"), n, start, end)
        elif name == "subequations":
            self.subequations(n)
        elif name in ("appendices", "appendix"):
            self.counters.begin_appendix()
            self.nodes(n.nodelist)
        elif "proof" in name.lower():
            self.prove(n, start)
        elif name.rstrip("*") == "restatable" or name == "thmbox":
            _, at = bracketed(self.text, start)
            inner, at = argument(self.text, at)
            _, at = argument(self.text, at)
            self.state(n, inner or "theorem", start, at, end)
        elif name in self.theorems or name.rstrip("*") in USUAL:
            self.state(n, name, start, start, end)
        else:
            self.nodes(n.nodelist)

    def state(self, n: LatexNode, name: str, start: int, body: int, end: int) -> None:
        """A statement with the displays within it."""
        if name not in self.theorems:
            self.declare_usual(name)
        counter, title = self.theorems[name]
        printed, at = bracketed(self.text, start)
        body = max(at, body)
        number = ""
        if counter:
            self.counters.step(counter)
            number = self.counters.number(counter, self.said(n.pos))
        raw = self.text[body:end]
        outside = re.sub(r"\\begin\{(\w+)\*?\}.*?\\end\{\1\*?\}", "", raw, flags=re.DOTALL)
        label = re.search(r"\\label\s*\{([^{}]*)\}", outside)
        one = Statement(
            name,
            title,
            number,
            label[1] if label else "",
            tidied(printed or ""),
            said_in(raw),
            self.section,
            self.said(n.pos),
        )
        self.found.items.append(one)
        before, self.inside, self.until = self.inside, one, max(self.until, body)
        self.nodes(n.nodelist)
        self.inside, self.statement = before, one

    def declare_usual(self, name: str) -> None:
        """A statement of which the class knows, or nobody: its counter is its own."""
        base = name.rstrip("*")
        if name.endswith("*"):
            self.theorems[name] = "", USUAL.get(base, base.capitalize())
            return
        if base not in self.counters.values:
            self.counters.new(base)
        self.theorems[name] = base, USUAL.get(base, base.capitalize())
        self.found.undeclared.append(name)

    def prove(self, n: LatexNode, start: int) -> None:
        """A proof, of what its head names or of the statement before."""
        head, at = bracketed(self.text, start)
        before = self.proof, self.of_proof
        named = head if head is not None and CITED.search(head) else self.head if proof_of(self.head) else ""
        if not named and self.statement is not None:
            named = f"\x00{id(self.statement)}"
            self.by_id[named] = self.statement
        self.proof, self.of_proof = True, named or "it"
        self.until = max(self.until, at if head is not None else start)
        self.nodes(n.nodelist)
        self.proof, self.of_proof = before

    def assign(self) -> None:
        """Give the displays of proofs the statements that they prove, once all labels are known."""
        statements = [one for one in self.found.items if isinstance(one, Statement)]
        labels = {one.label: one for one in statements if one.label}
        cited = {one.called: one for one in reversed(statements)}
        for k, of in self.proofs:
            own = self.by_id.get(of)
            if own is None:
                for found in REFERENCE.finditer(of):
                    own = own or labels.get(found[2].split(",")[0].strip())
                literal = LITERAL.search(of)
                if own is None and literal:
                    own = cited.get(f"{literal[1]} {literal[2]}")
            old = self.found.items[k]
            self.found.items[k] = Formula(old.shown, old.section, own, True)

    def subequations(self, n: LatexNode) -> None:
        """Equations with one number and letters."""
        counters = self.counters
        counters.step("equation")
        number, kept = counters.number("equation", self.said(n.pos)), counters.values["equation"]
        form = counters.shown["equation"]
        counters.values["equation"], counters.shown["equation"] = 0, number + r"\alph{equation}"
        self.nodes(n.nodelist)
        counters.values["equation"], counters.shown["equation"] = kept, form

    def lines(self, name: str, n: LatexNode, start: int, end: int) -> None:
        """An algorithm: its number, and its lines."""
        floating = name in ("algorithm", "algorithm2e", "algo", "procedure")
        if floating:
            if r"\caption" in self.text[start:end]:
                self.counters.step("algorithm")
                self.algorithm = self.counters.number("algorithm", self.said(n.pos))
            inner = [c for c in n.nodelist if getattr(c, "environmentname", "").startswith("algorithmic")]
        else:
            inner = [n]
        parts = inner or [n]
        for part in parts:
            first = self.text.index("}", part.pos) + 1
            _, first = bracketed(self.text, first)
            last = self.text.rindex("\\end", part.pos, part.pos + part.len)
            for step in algorithms.steps(self.text, first, last):
                self.found.items.append(Line(self.algorithm, step.number, step.latex, self.section, self.said(step.at)))
        self.until = max(self.until, n.pos + n.len)
        if floating:
            self.algorithm = ""

    def macro(self, name: str, pos: int, at: int, n: LatexNode) -> None:
        """A command outside of displays: sections, counters, and what declares statements."""
        if name in SECTIONS:
            self.begin_section(name, at)
        elif name in ("appendix", "appendices"):
            self.counters.begin_appendix()
        elif name in ("newtheorem", "spnewtheorem", "declaretheorem", "newaliascnt"):
            getattr(self, f"_{name}")(pos, at)
        elif name in ("setcounter", "addtocounter", "stepcounter", "refstepcounter"):
            self.set_counter(name, pos, at)
        elif name in ("numberwithin", "counterwithin", "counterwithout"):
            self.within(name, pos, at)
        elif name in ("renewcommand", "newcommand", "providecommand", "def"):
            self.format(at)
        elif name in ("title", "icmltitle"):
            _, at = bracketed(self.text, at)
            self.found.title = self.found.title or tidied(argument(self.text, at)[0] or "")
        elif name in ("author", "icmlauthor"):
            _, at = bracketed(self.text, at)
            said = authors_of(argument(self.text, at)[0] or "")
            self.found.authors = ", ".join(one for one in (self.found.authors, said) if one)
            self.until = max(self.until, argument(self.text, at)[1])
        else:
            for part in getattr(getattr(n, "nodeargd", None), "argnlist", None) or []:
                if getattr(part, "nodelist", None) and r"\[" in self.text[part.pos : part.pos + part.len]:
                    self.nodes(part.nodelist)

    def begin_section(self, name: str, at: int) -> None:
        starred = self.text[at : at + 1] == "*"
        _, at = bracketed(self.text, at + starred)
        title, at = argument(self.text, at)
        self.until = max(self.until, at)
        self.head = " ".join((title or "").split())
        if starred:
            self.section = f"Section {tidied(title or '')}"
            return
        self.counters.step(name)
        kind = "Appendix" if self.counters.appendix else "Chapter" if name == "chapter" else "Section"
        self.section = f"{kind} {self.counters.number(name, self.said(at))}"

    def _newtheorem(self, pos: int, at: int) -> None:
        starred = self.text[at : at + 1] == "*"
        name, at = argument(self.text, at + starred)
        shared, at = bracketed(self.text, at)
        title, at = argument(self.text, at)
        within, at = bracketed(self.text, at)
        if name is None or title is None:
            raise Unfit(self.said(pos), "\\newtheorem needs a name and a title in braces")
        self.until = max(self.until, at)
        self.declare(name.strip(), title, "" if starred else name.strip(), shared, within, pos)

    def declare(self, name: str, title: str, counter: str, shared: str | None, within: str | None, pos: int) -> None:
        """A kind of statements."""
        if shared and shared.strip() not in self.counters.values and shared.strip() not in self.counters.shared:
            if shared.strip() not in USUAL:
                raise Unfit(self.said(pos), f"\\newtheorem{{{name}}}[{shared}]: no counter is called {shared.strip()}")
            self.declare_usual(shared.strip())
        if counter:
            if shared and shared.strip() == counter:  # an alias of newaliascnt
                pass
            elif shared:
                self.counters.shared[counter] = shared.strip()
            else:
                self.counters.shared.pop(counter, None)
                self.counters.new(counter, (within or "").strip())
        self.theorems[name] = counter, tidied(title)

    def _spnewtheorem(self, pos: int, at: int) -> None:
        starred = self.text[at : at + 1] == "*"
        name, at = argument(self.text, at + starred)
        shared, at = bracketed(self.text, at)
        title, at = argument(self.text, at)
        within, at = bracketed(self.text, at)
        for _ in range(2):  # how the head and the body are set
            _, at = argument(self.text, at)
        self.until = max(self.until, at)
        self.declare((name or "").strip(), title or "", "" if starred else (name or "").strip(), shared, within, pos)

    def _declaretheorem(self, pos: int, at: int) -> None:
        said, at = bracketed(self.text, at)
        name, at = argument(self.text, at)
        more, after = bracketed(self.text, at)
        self.until = max(self.until, after if more else at)
        words = dict(
            (k.strip(), v.strip().strip("{}"))
            for k, _, v in (one.partition("=") for one in ",".join(filter(None, (said, more))).split(","))
        )
        numbered = words.get("numbered", "yes") not in ("no", "false") and "numbered=unless" not in words
        shared = words.get("sibling") or words.get("numberlike") or words.get("sharenumber")
        within = words.get("numberwithin") or words.get("parent") or words.get("within")
        for one in (name or "").split(","):
            title = words.get("name") or words.get("title") or one.strip().capitalize()
            self.declare(one.strip(), title, one.strip() if numbered else "", shared, within, pos)

    def _newaliascnt(self, pos: int, at: int) -> None:
        name, at = argument(self.text, at)
        other, at = argument(self.text, at)
        self.until = max(self.until, at)
        self.counters.shared[(name or "").strip()] = (other or "").strip()

    def set_counter(self, name: str, pos: int, at: int) -> None:
        counter, at = argument(self.text, at)
        own = self.counters.own((counter or "").strip())
        if name in ("stepcounter", "refstepcounter"):
            self.counters.step(own)
            return
        value, at = argument(self.text, at)
        said = re.sub(r"\\value\s*\{(\w+)\}", lambda k: str(self.counters.values.get(k[1], 0)), value or "").strip()
        said = re.sub(r"^--", "", said)
        if not re.fullmatch(r"-?\d+", said):
            if own in self.counters.values:
                raise Unfit(self.said(pos), f"\\{name}{{{own}}}{{{value}}}: its value is not understood")
            return
        self.until = max(self.until, at)
        if own in self.counters.values:
            self.counters.values[own] = int(said) + (self.counters.values[own] if name == "addtocounter" else 0)

    def within(self, name: str, pos: int, at: int) -> None:
        starred = self.text[at : at + 1] == "*"
        inner, at = argument(self.text, at + starred)
        outer, at = argument(self.text, at)
        inner, outer = (inner or "").strip(), (outer or "").strip()
        self.until = max(self.until, at)
        kept = self.counters.values.get(inner, 0)
        self.counters.new(inner, "" if name == "counterwithout" else outer)
        self.counters.values[inner] = kept

    def format(self, at: int) -> None:
        """How a counter is printed from here on."""
        at += self.text[at : at + 1] == "*"
        name, at = argument(self.text, at)
        _, at = bracketed(self.text, at)
        body, at = argument(self.text, at)
        self.until = max(self.until, at)
        counter = (name or "").strip().removeprefix("\\the")
        if body is not None and (name or "").strip().startswith("\\the"):
            self.counters.shown[counter] = body


def odd_dollar(text: str) -> int | None:
    """The last dollar of the first paragraph that has an odd number of them; None where there is no such paragraph."""
    start = 0
    for end in [*(found.start() for found in re.finditer(r"\n[ \t]*\n", text)), len(text)]:
        dollars = [found.start() for found in re.finditer(r"(?<!\\)\$", text[start:end])]
        if len(dollars) % 2:
            return start + dollars[-1]
        start = end
    return None


def proof_of(head: str) -> bool:
    """Whether the head of a section says that it proves something that it names."""
    return bool(re.search(r"[Pp]roof", head)) and bool(CITED.search(head))


def said_in(text: str) -> str:
    """What a statement says in one line, without labels, citations and footnotes."""
    return " ".join(NOTES.sub("", text.replace(NO_LINE, " ")).replace("~", " ").split())


def tidied(text: str) -> str:
    """Text in one line, without labels, citations and line breaks that only say how it is set."""
    text = NOTES.sub("", text)
    text = re.sub(r"\\(?:centering|noindent|small|newline|\\)(?![A-Za-z])", " ", text)
    return clean(text.replace("~", " "))


def authors_of(text: str) -> str:
    """The names of the authors, as far as commas and "and" divide them; without what stands behind them."""
    names = []
    for one in re.split(r"\\(?:and|And|AND)(?![A-Za-z])|\\IEEEauthorblockN|,", text):
        first = re.split(
            r"\\\\|\\thanks|\\IEEEauthorblockA|\\textsuperscript|\\footnotemark|\$", one.strip().lstrip("{")
        )[0]
        said = tidied(re.sub(r"\\[A-Za-z]+\*?(?:\{[^{}]*\})?|[{}]", " ", first))
        if said and len(said) < 60:
            names.append(said)
    return ", ".join(names)
