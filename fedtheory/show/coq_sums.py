"""Steps of a proof in Coq: signs of products and sums, as terms, and a sum that is compared entry by entry.

A signed text is (text, sign, proof): a formula of Coq, ``>``, ``>=`` or ``==``, and a term that proves that sign. The lemmas that
they name stand in ``preamble.v`` or in Coq's standard library.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

Signed = tuple[str, str, str]


class Names(dict[str, str]):
    """Names that Coq takes for any text, each for one text only.

    Examples
    --------
    >>> names = Names("p_")
    >>> names["sigma[0]"], names["sigma_0"], names["S"]
    ('p_sigma_0', "p_sigma_0'2", 'p_S')
    """

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self.prefix = prefix

    def __missing__(self, text: str) -> str:
        stem = self.prefix + re.sub(r"\W", "_", text, flags=re.ASCII).rstrip("_")
        names = itertools.chain([stem], (f"{stem}'{k}" for k in itertools.count(2)))
        self[text] = next(name for name in names if name not in self.values())
        return self[text]


def raised(text: str, n: int) -> str:
    """A formula to a power."""
    return text if n == 1 else f"{text}^{n}"


def power(text: str, sign: str, proof: str, n: int) -> Signed:
    """A power, perhaps a negative one; of an equation and of what is not zero too, where that has a sign."""
    out = raised(text, abs(n))
    if sign == "==":
        return out, sign, proof
    if sign == "!=":
        proof, sign = f"(even_pos _ {abs(n) // 2} {proof})", ">"
    elif abs(n) > 1:
        proof = f"(pow_{'lt' if sign == '>' else 'le'} _ {abs(n)} {proof})"
    return (f"/ {out}", sign, f"(Rinv_0_lt_compat _ {proof})") if n < 0 else (out, sign, proof)


def multiplied(c: str, factors: Sequence[Signed]) -> Signed:
    """A constant of at least 0, or any polynomial if a factor is zero, times the factors."""
    text = " * ".join([c, *(factor[0] for factor in factors)])
    for _, sign, proof in factors:
        if sign == "==":
            return text, sign, f"(ltac:(rewrite {proof}; ring) : {text} = 0)"
    sign, proof = (">=", "(Rle_refl 0)") if c == "0" else (">", f"(ltac:(constant) : 0 < {c})")
    for _, own, known in factors:
        sign, proof = both(sign, proof, own, known)
    return text, sign, proof


def both(sign: str, proof: str, own: str, known: str) -> tuple[str, str]:
    """The sign of a product of two, and its proof."""
    if sign == own == ">":
        return ">", f"(Rmult_lt_0_compat _ _ {proof} {known})"
    return ">=", f"(Rmult_le_pos _ _ {weak(sign, proof)} {weak(own, known)})"


def identity(text: str) -> str:
    """The tactic that decides whether a formula is zero, whatever its letters are."""
    return "fractions" if "/" in text else "ring"


def weak(sign: str, proof: str) -> str:
    """A proof that something of this sign is at least 0."""
    return {">": f"(Rlt_le _ _ {proof})", ">=": proof, "==": f"(zero_le _ {proof})"}[sign]


def added(terms: Sequence[Signed]) -> Signed:
    """The sum of terms that are not negative."""
    terms = [(text, *((sign, proof) if sign == ">" else (">=", weak(sign, proof)))) for text, sign, proof in terms]
    if not terms:
        return "0", ">=", "(Rle_refl 0)"
    text, sign, proof = terms[0]
    for more, own, known in terms[1:]:
        lemma = {">>": "Rplus_lt_0_compat", ">>=": "Rplus_lt_le_0_compat", ">=>": "Rplus_le_lt_0_compat"}
        proof = f"({lemma.get(sign + own, 'Rplus_le_le_0_compat')} _ _ {proof} {known})"
        text, sign = f"{text} + {more}", ">" if ">" in (sign, own) else ">="
    return text, sign, proof


class Sums:
    """A sum of coefficients for every entry, with letters c0, c1 ... for the coefficients, so that no identity is long.

    An entry is an inner product, a number or 1.
    """

    def __init__(self) -> None:
        self.letters: dict[str, str] = {}
        self.entries: dict[str, list[str]] = {}

    def letter(self, text: str) -> str:
        """The letter for a coefficient."""
        return self.letters.setdefault(text, f"c{len(self.letters)}")

    def add(self, entry: str, coefficient: str) -> None:
        """Add to the sum of an entry."""
        self.entries.setdefault(entry, []).append(f"({coefficient})")

    def square(self, factor: str, vector: Sequence[tuple[int, str]]) -> str:
        """The square of a vector as ``square`` of the preamble writes it; take it, times the factor, from the sums."""
        if not vector:
            return "0"
        (i, text), *rest = vector
        a, cross = self.letter(text), "0"
        self.add(f"ip u{i} u{i}", f"- {factor} * ({a} * {a})")
        for j, other in reversed(rest):
            b = self.letter(other)
            self.add(f"ip u{i} u{j}", f"- {factor} * (2 * ({a} * {b}))")
            cross = f"(2 * ({a} * {b}) * ip u{i} u{j} + {cross})"
        return f"({a} * {a} * ip u{i} u{i} + {cross} + {self.square(factor, rest)})"

    def proved(self, goal: str) -> Iterator[str]:
        """The steps to ``all : goal``: every sum is zero, and so, for any coefficients, the goal, here for these ones."""
        sums = {entry: " + ".join(terms) for entry, terms in self.entries.items()}
        texts = {letter: text for text, letter in self.letters.items()}
        for k, text in enumerate(sums.values()):
            written = re.sub(r"\bc\d+\b", lambda at: f"({texts[at[0]]})", text)
            yield f"  assert (e{k} : {written} = 0) by {identity(written)}."
        whole, proof = "0", "eq_refl"
        for k, (entry, text) in reversed(list(enumerate(sums.items()))):
            whole, proof = f"({text}) * {entry} + ({whole})", f"(none_by _ _ _ z{k} {proof})"
        given = "".join(f"\n    (z{k} : {text} = 0)" for k, text in enumerate(sums.values()))
        letters = f" ({' '.join(texts)} : R)" if texts else ""
        yield f"  assert (any : {f'forall{letters}{given},' if letters else ''}\n    {goal})."
        yield f"  {{ intros. apply Rminus_diag_uniq. transitivity ({whole}); [ring | exact {proof}]. }}"
        values = [*(f"({text})" for text in self.letters), *(f"e{k}" for k in range(len(sums)))]
        yield f"  pose proof ({' '.join(['any', *values])}) as all."
