"""Certificates as a file for Coq: every relation a lemma over an abstract real inner-product space, with its proof.

A claim is a module; a lemma is one relation of one part. Its hypotheses are the "from" facts and the rows of the certificate,
its proof is the certificate's: lemmas by the contradiction that they name, then every piece not negative, then their sum.
Nothing is searched for, and Coq's standard library is enough. A parameter ``lam`` is called ``p_lam``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .coq_sums import Names, Signed, Sums, added, both, identity, multiplied, power, raised, weak

PREAMBLE = Path(__file__).with_name("preamble.v")
SAYS = {">": "0 < {}", ">=": "0 <= {}", "==": "{} = 0", "!=": "{} <> 0"}
AGAINST = {
    ">": ("gt_by", ">=", "(- {})"),
    ">=": ("ge_by", ">", "(- {})"),
    "==": ("eq_by", "!=", "{}"),
    "!=": ("ne_by", "==", "{}"),
}
CONCLUSION = {"<=": ("<=", "le_by"), "<": ("<", "lt_by"), "==": ("=", "same_by")}
Data = Mapping[str, Any]


def coq_file(certificates: Iterable[Data]) -> str:
    """The text of a file that states and proves claims.

    Parameters
    ----------
    certificates : iterable of dict
        Claims of certificate files, which ``fedtheory_check`` describes.
    """
    out, modules = [PREAMBLE.read_text(encoding="utf-8")], Names("claim_")
    for certificate in certificates:
        module = modules[certificate["id"]]
        out += [f"(* {_comment(certificate['id'])}: {certificate['verdict']} *)", f"Module {module}."]
        for k, part in enumerate(certificate["parts"], 1):
            out += [f"\n(* {_where(part['where'])} *)", *_part(part, f"part_{k}")]
        out.append(f"End {module}.\n")
    return "\n".join(out)


def _comment(text: str) -> str:
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")


def _where(where: Any) -> str:
    text = ", ".join(f"{k}={v}" for k, v in where.items()) if isinstance(where, Mapping) else str(where)
    return _comment(text or "all")


def _part(part: Data, name: str) -> Iterator[str]:
    """The lemmas of a part; a case of a split is a hypothesis of its lemmas."""
    if "each" in part:
        for k, each in enumerate(part["each"], 1):
            yield from _part(each, f"{name}_{k}")
    elif "split" in part:
        for word in ("yes", "no"):
            yield from _part(part[word], f"{name}_{word}")
    else:
        for k, relation in enumerate(part["relations"], 1):
            yield from Lemma(part, relation).lines(f"{name}_relation_{k}")


class Lemma:
    """One relation of a part: its statement, and the steps of its proof."""

    def __init__(self, part: Data, relation: Data) -> None:
        self.names = Names("p_")
        self.parameters = [self.names[name] for name in part["names"]]
        self.facts = [tuple(fact["says"].rsplit(" ", 2)[:2]) for fact in part["facts"]]
        self.part, self.relation = part, relation
        self.rows: Data = relation.get("rows", {})
        self.vectors = [piece.get("square", {}) for piece in relation["pieces"]]
        self.forms = [relation["lhs"], relation["rhs"], *self.rows.values()]

    def lines(self, name: str) -> Iterator[str]:
        """The lemma with its proof."""
        op, _ = CONCLUSION[self.relation["op"]]
        yield f"Lemma {name} {self.variables()}"
        for k, fact in enumerate(self.part["facts"]):
            if "by" not in fact:
                yield f"  (f{k} : {self.says(k)}) (* {_comment(fact['from'])} *)"
        for k, (row, form) in enumerate(self.rows.items()):
            yield f"  (r{k} : 0 <= {self.form(form)}) (* {_comment(row)} *)"
        yield f"  : {self.form(self.relation['lhs'])} {op} {self.form(self.relation['rhs'])}.\nProof."
        for k, fact in enumerate(self.part["facts"]):
            if "by" in fact:
                yield from self.contradiction(k, fact["by"])
        yield from self.conclusion()
        yield "Qed."

    def variables(self) -> str:
        """The space, and all that is unknown in it."""
        keys = [key.split(" ") for form in self.forms for key in form]
        vectors = {int(i) for kind, *at in keys if kind == "G" for i in at} | {int(i) for v in self.vectors for i in v}
        numbers = {int(at[0]) for kind, *at in keys if kind == "v"}
        reals = [*(f"v{k}" for k in sorted(numbers)), *self.parameters]
        out = [f"({' '.join(f'u{i}' for i in sorted(vectors))} : V)"] if vectors else []
        return " ".join(["(V : space)", *out, *([f"({' '.join(reals)} : R)"] if reals else [])])

    def poly(self, text: str) -> str:
        """A polynomial in the names of Coq, in brackets where it is no single word."""
        out = ""
        for term in text.replace(" - ", " + -").split(" + "):
            factors = []
            for factor in term.removeprefix("-").split("*"):
                name, _, n = factor.partition("^")
                known = name in self.names
                factors.append(
                    raised(self.names[name], int(n or 1)) if known else f"({factor})" if "/" in factor else factor
                )
            out += ("- " if term.startswith("-") else "+ ") + " * ".join(factors) + " "
        out = out.removeprefix("+ ").rstrip()
        return f"({out})" if " " in out else out

    def fact(self, k: int) -> str:
        """The polynomial of a fact."""
        return self.poly(self.facts[k][0])

    def says(self, k: int) -> str:
        """A fact as a proposition."""
        return SAYS[self.facts[k][1]].format(self.fact(k))

    def ratio(self, data: Any) -> str:
        """A polynomial over powers of facts."""
        text, below = (data, {}) if isinstance(data, str) else data
        return self.poly(text) + "".join(f" * / {raised(self.fact(int(k)), n)}" for k, n in below.items())

    def entries(self, form: Data) -> Iterator[tuple[str, str]]:
        """(entry, coefficient) of an affine form."""
        for key, q in form.items():
            kind, *at = key.split(" ")
            names = {"G": "ip " + " ".join(f"u{i}" for i in sorted(map(int, at))), "v": "v" + "".join(at), "": "1"}
            yield names[kind], self.ratio(q)

    def form(self, form: Data, shown: Callable[[str], str] = str) -> str:
        """An affine form, its coefficients as they are to be shown."""
        return f"({' + '.join(f'{shown(q)} * {entry}' for entry, q in self.entries(form)) or '0'})"

    def product(
        self, c: str, powers: Mapping[str, int], squares: Sequence[str] = (), *, no: tuple[str, ...] = ()
    ) -> Signed:
        """c times powers of facts and of the negation `no` of a fact, times squares of polynomials."""
        factors = []
        for place, n in powers.items():
            text, sign, proof = (
                no if place == "not" else (self.fact(int(place)), self.facts[int(place)][1], f"f{place}")
            )
            factors.append(power(text, sign, proof, n))
        return multiplied(self.poly(c), [*factors, *((f"{self.poly(q)}^2", ">=", "(pow2_ge_0 _)") for q in squares)])

    def contradiction(self, k: int, terms: Sequence[Sequence[Any]]) -> Iterator[str]:
        """A fact, since a sum of its negation and of other terms would be positive and zero."""
        step, sign, negated = AGAINST[self.facts[k][1]]
        no = (negated.format(self.fact(k)), sign, "no")
        total, _, proof = added([self.product(*term, no=no) for term in terms])
        yield f"  assert (f{k} : {self.says(k)}).\n  {{ apply {step}. intro no."
        yield f"    exact (cannot ({total}) {proof} ltac:({identity(total)})). }}"

    def conclusion(self) -> Iterator[str]:
        """The right less the left side is the sum of the pieces, and these are not negative."""
        sums, pieces, rows = Sums(), list[Signed](), list(self.rows)
        for k, (text, op) in enumerate(self.facts):
            if op == ">" and self.divides(str(k)):
                yield f"  pose proof (pos_ne {self.poly(text)} f{k}) as n{k}."
        for side, minus in (("rhs", ""), ("lhs", "- ")):
            for entry, q in self.entries(self.relation[side]):
                sums.add(entry, minus + sums.letter(q))
        for k, piece in enumerate(self.relation["pieces"]):
            text, sign, proof = self.product(*piece["times"])
            if sign == "==":  # it is zero, and no part of the sum
                continue
            factor = sums.letter(text)
            if "row" in piece:
                row = self.rows[piece["row"]]
                for entry, q in self.entries(row):
                    sums.add(entry, f"- {factor} * {sums.letter(q)}")
                known = both(sign, proof, ">=", f"r{rows.index(piece['row'])}")
                pieces.append((f"{factor} * {self.form(row, sums.letter)}", *known))
            elif "square" in piece:
                vector = sorted((int(i), self.ratio(q)) for i, q in piece["square"].items())
                yield f"  pose proof (square_nonneg V [{'; '.join(f'({q}, u{i})' for i, q in vector)}]) as s{k}."
                pieces.append((f"{factor} * {sums.square(factor, vector)}", *both(sign, proof, ">=", f"s{k}")))
            else:
                sums.add("1", f"- {factor}")
                pieces.append((factor, sign, proof))
        left, right = (self.form(self.relation[side], sums.letter) for side in ("lhs", "rhs"))
        total, sign, proof = added(pieces)
        yield from sums.proved(f"{right} - {left} = {total}")
        _, step = CONCLUSION[self.relation["op"]]
        yield f"  exact ({step} _ _ _ {'eq_refl' if step == 'same_by' else weak(sign, proof) if step == 'le_by' else proof} all)."

    def divides(self, k: str) -> bool:
        """Whether a fact stands below a line."""
        below = [q[1] for form in (*self.forms, *self.vectors) for q in form.values() if not isinstance(q, str)]
        return any(k in b for b in below) or any(piece["times"][1].get(k, 0) < 0 for piece in self.relation["pieces"])
