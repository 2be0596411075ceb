"""Steps of a proof in Coq: signs of products and sums, as terms, and what is left of a sum entry by entry.

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


def power(known: Signed, n: int) -> Signed:
    """A power, perhaps a negative one; of an equation and of what is not zero too, where that has a sign."""
    text, sign, proof = known
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


class Slack:
    """Two forms and the pieces between them, as lists of (entry, coefficient) for the lemmas of the preamble.

    An entry is an inner product, a number or 1; `add` takes what stands in right - left - pieces, in this order.
    """

    def __init__(self) -> None:
        self.sums: dict[str, list[str]] = {}

    def at(self, entry: str) -> str:
        """The place of an entry."""
        self.sums.setdefault(entry, [])
        return f"{list(self.sums).index(entry)}%nat"

    def add(self, terms: Sequence[tuple[str, str]], factor: str = "") -> str:
        """Take terms into the sums, times what is less than zero of a factor; their list."""
        for entry, q in terms:
            self.sums.setdefault(entry, []).append(f"- ({factor}) * ({q})" if factor else f"({q})")
        return f"[{'; '.join(f'({self.at(entry)}, {q})' for entry, q in terms)}]"

    def vanishes(self) -> Iterator[str]:
        """The steps to e0, e1 ...: what is left of each entry is zero."""
        for k, terms in enumerate(self.sums.values()):
            text = "".join(f"{term} + (" for term in terms) + "0" + ")" * len(terms)
            yield f"  assert (e{k} : {text} = 0) by {identity(text)}."

    def arguments(self) -> tuple[str, str]:
        """(the number of entries, the proof that nothing is left of them)."""
        proof = "I"
        for k in range(len(self.sums)):
            proof = f"(conj {proof} e{k})"
        return f"{len(self.sums)}%nat", proof


def squared(vector: Sequence[tuple[int, str]]) -> list[tuple[str, str]]:
    """(entry, coefficient) of the square of a vector, in the order of ``square`` of the preamble."""
    return [
        (f"ip u{i} u{j}", f"({a}) * ({a})" if i == j else f"2 * (({a}) * ({b}))")
        for k, (i, a) in enumerate(vector)
        for j, b in vector[k:]
    ]
