"""The tokens of a line: LaTeX, or the plain text that people type, as one list for one grammar.

LaTeX is taken where the line has a backslash. There letters stand for themselves, ``ab`` is a times b; in plain text a
word is a name. What is spacing or type (``\\left``, ``\\,``, ``\\mathbf``) is dropped. Bars are told apart by what stands before
them: a bar closes where one is open and something precedes it that may end.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from lark import Token
from lark.lexer import Lexer

from ..errors import UsageError, did_you_mean

GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi", "pi",
    "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma",
    "Phi", "Psi", "Omega", "ell", "varepsilon", "varphi", "vartheta", "varrho", "varsigma",
)  # fmt: skip
DROPPED = (
    "left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "bigg", "Bigg", "biggl", "biggr", "Biggl", "Biggr",
    "displaystyle", "textstyle", "limits", "nonumber", "notag", "rm", "bf", "middle", "!", ",", ";", ":", " ", ">",
)  # fmt: skip
ACCENTS = {"bar": "bar", "hat": "hat", "tilde": "tilde", "overline": "bar", "widehat": "hat", "widetilde": "tilde"}
CHANGES = {"triangle": "change", "vartriangle": "change"}  # a letter in front of others, and no product
BOLD = ("mathbf", "boldsymbol", "bm", "mathbm")
FONTS = ("mathbf", "boldsymbol", "bm", "mathcal", "mathbm")
STYLES = ("mathbb", "operatorname", "mathrm", "mathit", "mathsf", "mathop", "text", "textrm")
MEANT = {  # commands, and words of plain text
    "cdot": "TIMES", "times": "TIMES", "frac": "FRAC", "tfrac": "FRAC", "dfrac": "FRAC", "sqrt": "SQRT", "exp": "EXP",
    "log": "LOG", "ln": "LOG", "sum": "SUM", "prod": "SUM", "nabla": "GRAD", "grad": "GRAD", "langle": "LANGLE", "rangle": "RANGLE",
    "star": "STAR", "ast": "STAR", "in": "IN", "prime": "PRIME", "top": "TRANSPOSE", "intercal": "TRANSPOSE", "prox": "PROX",
    "inf": "LEAST", "naturals": "NATURALS", "lVert": "NORM_OPEN", "rVert": "NORM_CLOSE", "lvert": "ABS_OPEN", "rvert": "ABS_CLOSE",
}  # fmt: skip
DEFINES = re.compile(r"\\(?:triangleq|coloneqq|vcentcolon)(?![A-Za-z])|:=")  # in conditions, and no claim
RELATIONS = {
    "triangleq": "=", "coloneqq": "=", ":=": "=",
    "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=", "geq": ">=", "geqslant": ">=", "lt": "<", "gt": ">", "<": "<",
    ">": ">", "=": "=", "<=": "<=", ">=": ">=", "==": "=", "≤": "<=", "≥": ">=",
}  # fmt: skip
SIGNS = {
    "+": "PLUS",
    "-": "MINUS",
    "−": "MINUS",
    "/": "SLASH",
    "^": "SUP",
    "_": "SUB",
    ",": "COMMA",
    "'": "PRIME",
    "·": "TIMES",
    "∈": "IN",
}
SYMBOLS = {"∇": "GRAD", "∑": "SUM", "∏": "SUM", "√": "SQRT", "⟨": "LANGLE", "⟩": "RANGLE", "×": "TIMES", "𝔼": "EXPECT"}
OPENING, CLOSING = {"(": "LPAR", "[": "LPAR", "{": "LBRACE"}, {")": "RPAR", "]": "RPAR", "}": "RBRACE"}
ENDS = (
    "NUM",
    "NAME",
    "RPAR",
    "RBRACE",
    "NORM_CLOSE",
    "ABS_CLOSE",
    "RANGLE",
    "STAR",
    "PRIME",
    "TRANSPOSE",
)  # what may end an operand
GOES_ON = ("REL", "PLUS", "MINUS", "TIMES", "SLASH", "COMMA", "RPAR", "RBRACE", "RANGLE", "NORM_CLOSE", "ABS_CLOSE")
NOT_READ = {
    "lesssim": "hides a constant", "approx": "is no exact relation", "sim": "is no exact relation",
    "neq": "sides that differ are no inequality", "implies": "what a relation follows from goes to --where",
    "Rightarrow": "what a relation follows from goes to --where", "iff": "a claim is one relation", "int": "integrals are not read",
    "infty": "infinity is not read", "binom": "is not read", "pm": "is two lines",
}  # fmt: skip
ENGLISH = frozenset((
    "if", "or", "and", "where", "when", "for", "such", "that", "holds", "then", "iff", "implies", "with", "all", "any",
    "every", "is", "are", "let", "since", "because", "hence", "thus", "given", "else", "not", "otherwise", "whenever",
    "provided", "from", "subject", "assuming", "under", "suppose", "always", "surely", "whp",
))  # fmt: skip
CALLED = frozenset((
    "sin", "cos", "tan", "tanh", "sinh", "cosh", "arctan", "sign", "sgn", "abs", "tr", "trace", "diag", "det", "dim", "rank",
    "argmin", "argmax", "Var", "Cov", "Pr", "poly", "dist", "proj", "sup", "lim", "limsup", "liminf", "mod", "erf", "conv",
    "dom", "span", "relu", "mean", "avg", "norm",
))  # fmt: skip
FOR_ALL = re.compile(
    r"[\s,;]*(?:\\[,;: ]|\\q?quad)*\s*(?:\\text\{\s*for all\s*\}|\\forall|\bfor all\b).*$", re.DOTALL
)  # all names are for all
FENCES = re.compile(
    r"^\s*(?:\$\$?|\\\[|\\\(|\\begin\{(?:equation|align|gather)\*?\})|(?:\\[,;:!]|[\s.,;])*(?:\$\$?|\\\]|\\\)|\\end\{(?:equation|align|gather)\*?\})?(?:\\[,;:!]|[\s.,;])*$"
)
WORD = re.compile(r"\s*(?:\{\s*([A-Za-z]+)\s*\}|([A-Za-z])(?![A-Za-z]))")
ACCENTED = re.compile(
    r"\s*(?:\{\s*\\(?:mathbf|boldsymbol|bm)\s*\{\s*(\\[A-Za-z]+|[A-Za-z])\s*\}\s*\}"
    r"|\{\s*(?:\\(?:mathbf|boldsymbol|bm)\s+)?(\\[A-Za-z]+|[A-Za-z])\s*\}|(\\[A-Za-z]+|[A-Za-z]))"
)
LETTER = re.compile(r"\s*(?:\{\s*(\\?[A-Za-z]+)\s*\}|(\\[A-Za-z]+|[A-Za-z]))")
POWER_OF_TEN = re.compile(r"[eE][+-]?\d")
PIECE = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|\\(?P<command>[A-Za-z]+|.)|(?P<word>[A-Za-z]+)|(?P<sign><=|>=|==|:=|\*\*|\|\||.))",
    re.DOTALL,
)


SAYS_MORE = re.compile(r"[<>=≤≥]|\\(?:le|ge|[lg]t|leq|geq|leqslant|geqslant|neq?|subset)(?![A-Za-z])")
MEMBERS = re.compile(r"(?:\\in(?![A-Za-z])|∈|\bin\b)\s*(\S.*?)(?=,|;|$)")
EVERYTHING = re.compile(
    r"\\mathbb\s*\{?\s*R\s*\}?(?:\s*\^\s*(?:\{\s*\w+\s*\}|\w))?|R(?:\^\w)?|\[\s*\w\s*\]|\\\{\s*1\s*,.*\\\}|\{\s*1\s*,.*\}"
)  # sets that say nothing of a name


class Bold(Token):
    """The token of a bold letter, which is a vector to everybody."""


class Unread(UsageError):
    """A line that is not understood, with the place.

    Parameters
    ----------
    line : str
        The line.
    at : int
        Where in it.
    why : str
        What is wrong there.
    """

    def __init__(self, line: str, at: int, why: str) -> None:
        at = min(at, len(line))
        super().__init__(f"{why}\n    {line}\n    {' ' * at}^")


def is_latex(line: str) -> bool:
    """Whether a line is LaTeX rather than plain text."""
    return "\\" in line


def unfenced(line: str) -> str:
    """The line without dollars, an equation environment and a full stop, each as wide a blank, so that places stay."""
    line = STACKED.sub(lambda found: f"{':=' if DEF.search(found[1]) else found[2]} ".rjust(len(found[0])), line)
    line = SIZED.sub(lambda found: found[1].rjust(len(found[0])), ASIDES.sub(_blank, line))
    line = ANGLES.sub(lambda found: ("\\langle" if found[2] == "<" else "\\rangle").ljust(len(found[0])), line)
    return FENCES.sub(_blank, FOR_ALL.sub(_blank, FENCES.sub(_blank, line)))


SIZED = re.compile(r"\\[bB]igg?[lrm]?\s*\{\s*(\\?[][(){}|.])\s*\}")  # \big{[}
STACKED = re.compile(
    r"\\(?:stackrel|overset)\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}\s*\{\s*(\\?[A-Za-z]+|[<>=])\s*\}"
)  # a number over a sign
DEF = re.compile(r"def|triangle|\\Delta")
ANGLES = re.compile(r"\\(left|right)\s*([<>])")
ASIDES = re.compile(r"\\(?:tag|label)\*?\{[^}]*\}")


def _bold(font: str, letter: str) -> bool:
    """Whether a letter is a bold small one."""
    return font in BOLD and letter[0].islower()


def _apart(text: str, start: int, end: int) -> bool:
    """Whether what stands there has blanks or the ends of the line around it."""
    return (start == 0 or text[start - 1].isspace()) and (end == len(text) or text[end].isspace())


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


class Tokens(Lexer):
    """The lexer of the grammar; of what lark hands to it, which terminals there are, it needs nothing."""

    def __init__(self, lexer_conf: Any) -> None:
        self.terminals = lexer_conf.terminals

    def lex(self, data: object, parser_state: object = None) -> Iterator[Token]:
        return iter(tokens(str(data)))


def tokens(line: str) -> list[Token]:
    """The tokens of a line.

    Raises
    ------
    Unread
        Where something stands that has no meaning here.
    """
    return _Reader(line).read()


class _Reader:
    def __init__(self, line: str) -> None:
        self.line, self.text, self.latex = line, unfenced(line).rstrip(), is_latex(line)
        self.out: list[Token] = []
        self.open: list[str] = []  # the fences that are open
        self.single = 0  # arguments to come, of \frac, ^ and _, which are one character where no brace stands
        self.waiting: list[int] = []  # the same outside of each brace that is open
        self.at = 0
        self.types: dict[str, str] = {}  # in which a letter stands, \\mathbf; "in" for a set
        self.change = ""  # \\triangle, of the letter to come
        self.gap = -1  # where a \\quad stands that nothing has followed yet

    def read(self) -> list[Token]:
        self._for_all()
        while self.at < len(self.text):
            found = PIECE.match(self.text, self.at)
            kind = found.lastgroup if found is not None else None
            if found is None or kind is None:
                break
            start = found.start(kind)
            if not self.latex and "\n" in self.text[self.at : start] and self.gap < 0:
                self.gap = start  # plain text on the next line
            self.at = found.end()
            if kind == "number":
                self._number(found[kind], start)
            elif kind == "command":
                self._command(found[kind], start)
            elif kind == "word":
                self._word(found[kind], start)
            else:
                self._sign(found[kind], start)
        if self.open:
            raise self._wrong(len(self.text), f"{self.open[-1]} is not closed")
        return self.out

    def _for_all(self) -> None:
        """What is for all may be left out, unless a condition stands there too."""
        found = FOR_ALL.search(FENCES.sub(_blank, self.line))
        if found is None:
            return
        more = SAYS_MORE.search(found.group())
        sets = [one for one in MEMBERS.finditer(found.group()) if not EVERYTHING.fullmatch(one[1].rstrip(" .$"))]
        starts = [one.start() for one in (more, *sets[:1]) if one is not None]
        if starts:
            raise self._wrong(found.start() + min(starts), 'a condition behind "for all" goes to --where')

    def _wrong(self, at: int, why: str) -> Unread:
        return Unread(self.line, at, why)

    def _add(self, kind: str, value: str, at: int, token: type[Token] = Token) -> None:
        if self.change:
            if kind != "NAME":
                raise self._wrong(at, "\\triangle stands in front of one letter, the change of it")
            value, self.change = f"{value}_{self.change}", ""
        if self.gap >= 0:
            if self._before in ENDS and kind not in GOES_ON:
                raise self._wrong(
                    self.gap, "what stands behind a gap is no part of the relation; conditions go to --where"
                )
            self.gap = -1
        self.out.append(token(kind, value, start_pos=at))
        if self.latex and kind in ("FRAC", "SUP", "SUB", "SQRT"):
            self.single = 2 if kind == "FRAC" else 1
        elif kind in ("NUM", "NAME", "STAR", "TRANSPOSE"):
            self.single = max(self.single - 1, 0)

    @property
    def _before(self) -> str:
        return self.out[-1].type if self.out else ""

    def _in_script(self) -> bool:
        return [t.type for t in self.out[-2:]][-1:] == ["SUB"] or [t.type for t in self.out[-2:]] == ["SUB", "LBRACE"]

    def _number(self, number: str, at: int) -> None:
        """\\frac12 is 1/2; x^10 is x times 0 to LaTeX, which nobody means."""
        if POWER_OF_TEN.match(self.text, self.at):
            raise self._wrong(at, "a power of ten is written 10^k")
        if self._before in ENDS and self._before != "RBRACE" and not self.single:
            raise self._wrong(at, "a number stands in front of what it multiplies, or is a power with ^")
        if not self.single:
            self._add("NUM", number, at)
            return
        script = self._before in ("SUP", "SUB")
        if script and len(number) > 1:
            raise self._wrong(at, f"LaTeX takes one digit here; write {{{number}}}")
        self.at = at + 1
        self._add("NUM", number[0], at)

    def _command(self, word: str, at: int) -> None:
        if word in ("quad", "qquad"):
            self.gap = at
        elif word in DROPPED:
            return
        elif word in GREEK:
            self._add("NAME", word.removeprefix("var"), at)
        elif word in RELATIONS:
            self._add("REL", RELATIONS[word], at)
        elif word in CHANGES and not self.change:
            self.change = CHANGES[word]
        elif word in ACCENTS:
            self._accent(word, at)
        elif word in FONTS:
            self._font(word, at)
        elif word in ("|", "Vert", "vert"):
            self._bar("|" if word == "vert" else "||", at)
        elif word in "{}":
            self._sign("(" if word == "{" else ")", at)
            self.out[-1] = Token(self.out[-1].type, f"\\{word}", start_pos=at)  # no round one: a set is no interval
        elif word in ("min", "max", "inf") and self._in_script():
            self._add("NAME", word, at)
        elif word in ("min", "max"):
            follows = self.text[self.at :].lstrip()
            several = follows.startswith(("(", "[", "\\{", "\\left", "\\big", "\\Big"))
            if word == "max" and not several:
                raise self._wrong(at, "max over an index is not read; max{a, b} is")
            self._add("EXTREME" if several else "LEAST", word, at)
        elif word in STYLES:
            self._styled(word, at)
        elif word in NOT_READ:
            raise self._wrong(at, f"\\{word}: {NOT_READ[word]}")
        elif word in MEANT:
            if word == "sqrt" and self.text[self.at :].lstrip().startswith("["):
                raise self._wrong(at, "only square roots are read")
            self._meant(MEANT[word], "\\sqrt" if word == "sqrt" else word, at)
        else:
            raise self._wrong(at, f"\\{word} is not known{did_you_mean(word, (*MEANT, *RELATIONS, *GREEK))}")

    def _styled(self, word: str, at: int) -> None:
        """Upright words: \\mathbb E is an expectation, \\operatorname{prox} a prox, and any other a name."""
        found = WORD.match(self.text, self.at)
        if found is None:
            if word in ("mathbb", "operatorname", "text"):
                raise self._wrong(at, f"\\{word} of what?")
            return  # \mathrm{...} of something that is read by itself
        self.at, name = found.end(), found[1] or found[2]
        if word == "mathbb" and name == "N":
            self._add("NATURALS", "N", at)
            return
        if word == "mathbb" and name != "E":
            raise self._wrong(at, f"\\mathbb {name} is not read; \\mathbb E is, and \\mathbb N behind \\in")
        if word == "mathbb" or (name == "E" and word in ("operatorname", "mathrm")):
            self._add("EXPECT", "E", at)
        elif name in MEANT and not self._in_script():
            self._meant(MEANT[name], name, at)
        else:
            self._no_word(name, at)
            self._add("NAME", name, at)

    def _no_word(self, word: str, at: int) -> None:
        """A word of English, or of what papers call, is no name of a number."""
        if self._in_script():
            return
        if word.lower() in ENGLISH:
            raise self._wrong(at, f"{word!r} is no part of a relation; conditions go to --where")
        if word in CALLED:
            raise self._wrong(at, f"{word!r} is a function that is not read")

    def _accent(self, word: str, at: int) -> None:
        found = ACCENTED.match(self.text, self.at)
        name = next(filter(None, found.groups())) if found else ""
        if found is None or (name.startswith("\\") and name[1:] not in GREEK):
            raise self._wrong(at, f"\\{word} stands over one letter")
        self.at = found.end()
        bold = any(_bold(type_, name.removeprefix("\\")) for type_ in BOLD if f"\\{type_}" in found.group())
        letter = name.removeprefix("\\").removeprefix("var")
        self._add("NAME", f"{letter}_{ACCENTS[word]}", at, Bold if bold else Token)

    def _font(self, word: str, at: int) -> None:
        """A letter in another type is the letter."""
        found = LETTER.match(self.text, self.at)
        name = (found[1] or found[2]).removeprefix("\\") if found else ""
        if found is not None and (len(name) == 1 or name in GREEK):
            self.at = found.end()
            self._typed(name, "\\mathcal" if word == "mathcal" else "\\mathbf", at)
            self._add("NAME", name.removeprefix("var"), at, Bold if _bold(word, name) else Token)

    def _meant(self, kind: str, word: str, at: int) -> None:
        if kind in ("LANGLE", "NORM_OPEN", "ABS_OPEN"):
            self.open.append(kind)
        elif kind in ("RANGLE", "NORM_CLOSE", "ABS_CLOSE"):
            opened = self.open.pop() if self.open else "nothing"
            if opened.partition("_")[0] != kind.partition("_")[0].replace("RANGLE", "LANGLE"):
                raise self._wrong(at, f"{word} closes {opened}")
        self._add(kind, word, at)

    def _typed(self, name: str, kind: str, at: int) -> None:
        """A letter in two types would be one; but S is the size of the set \\mathcal S."""
        if self._before == "IN" or self.types.get(name) == "in":
            self.types[name] = "in"
        elif self.types.setdefault(name, kind) != kind:
            raise self._wrong(at, f"{name} stands in two types; letters of a line need names of their own")

    def _word(self, word: str, at: int) -> None:
        if self.latex:
            if len(word) > 1 and word.lower() in ENGLISH and _apart(self.text, at, at + len(word)):
                self._no_word(word, at)
            self.at = at + 1
            self._typed(word[0], "", at)
            self._add("NAME", word[0], at)
        elif word in GREEK:
            self._add("NAME", word.removeprefix("var"), at)
        elif word in ("min", "max"):
            self._command(word, at)
        elif word in MEANT and word not in ("star", "ast", "times", "prime", "top"):
            self._meant(MEANT[word], word, at)
        elif word == "E" and self.text[self.at :].lstrip()[:1] in ("[", "|", "_"):
            self._add("EXPECT", word, at)
        else:
            self._no_word(word, at)
            self._add("NAME", word, at)

    def _sign(self, sign: str, at: int) -> None:
        ended = self._before in ENDS
        if sign == "<" and not self.latex and not ended:
            self._meant("LANGLE", sign, at)
        elif sign == ">" and self.open[-1:] == ["LANGLE"]:
            self._meant("RANGLE", sign, at)
        elif sign in RELATIONS:
            self._add("REL", RELATIONS[sign], at)
        elif sign in OPENING:
            self.open.append(sign)
            if sign == "{":
                self.waiting.append(max(self.single - 1, 0))
                self.single = 0
            self._add(OPENING[sign], sign, at)
        elif sign in CLOSING:
            opened = self.open.pop() if self.open else "nothing"
            if (opened == "{") != (sign == "}") or opened not in OPENING:
                raise self._wrong(at, f"{sign} closes {opened}")
            self._add(CLOSING[sign], sign, at)
            if sign == "}":
                self.single = self.waiting.pop()
        elif sign in ("|", "||"):
            self._bar(sign, at)
        elif sign in ("*", "**"):
            self._star(sign, at, ended)
        elif sign in SIGNS:
            self._add(SIGNS[sign], sign, at)
        elif unicodedata.name(sign[0], "").startswith("GREEK SMALL LETTER "):
            self._add("NAME", unicodedata.name(sign).split()[-1].lower().replace("lamda", "lambda"), at)
        elif sign in SYMBOLS:
            self._meant(SYMBOLS[sign], sign, at)
        elif sign == "²":
            self._add("SUP", sign, at)
            self._add("NUM", "2", at)
        elif sign == "‖":
            self._bar("||", at)
        elif sign not in "&~":
            raise self._wrong(at, f"{sign!r} is not read")

    def _star(self, sign: str, at: int, ended: bool) -> None:
        """A star that is a script, f^* or f*, or a product."""
        rest = self.text[self.at :].lstrip()
        if sign == "**":
            self._add("SUP", sign, at)
        elif self._before in ("SUP", "SUB") or (self._before == "LBRACE" and rest[:1] == "}"):
            self._add("STAR", sign, at)
        elif (
            ended
            and not self.latex
            and not self._spaced(at, sign)
            and (not rest or rest[0] in ")]},+-<>=*/" or (rest[0] == "|" and self.open))
        ):
            if rest[:1] == "-" and (self.text[self.at : self.at + 1] == "-" or not rest[1:2].isspace()):
                raise self._wrong(at, "a product or a star? a product with a sign has brackets, a star is ^*")
            self._add("SUP", "^", at)
            self._add("STAR", sign, at)
        else:
            self._add("TIMES", sign, at)

    def _spaced(self, at: int, sign: str) -> bool:
        """Whether a star has a blank before it: x * -y is a product."""
        return sign == "*" and self.text[at - 1 : at].isspace()

    def _bar(self, bar: str, at: int) -> None:
        if bar == "||" and self.open[-1:] == ["ABS_OPEN"]:  # |x||y|
            self._bar("|", at)
            bar = "|"
        kind = "NORM" if bar == "||" else "ABS"
        closes = self.open[-1:] == [f"{kind}_OPEN"] and self._before in ENDS
        self._meant(f"{kind}_CLOSE" if closes else f"{kind}_OPEN", bar, at)
