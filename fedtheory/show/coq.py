"""Certificates as a file for Coq: every relation a lemma over an abstract real inner-product space, with its proof.

A claim is a module; a lemma is one relation of one part. Its hypotheses are the "from" facts and the rows of the certificate,
its proof is the certificate's: lemmas by the contradiction that they name, then every piece not negative, then their sum.
Nothing is searched for, and Coq's standard library is enough. A parameter ``lam`` is called ``p_lam``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..formats import Document
from .coq_sums import Names, Signed, Slack, added, identity, multiplied, power, raised, squared, weak

PREAMBLE = Path(__file__).with_name("preamble.v")
SAYS = {">": "0 < {}", ">=": "0 <= {}", "==": "{} = 0", "!=": "{} <> 0"}
AGAINST = {
    ">": ("gt_by", ">=", "(- {})"),
    ">=": ("ge_by", ">", "(- {})"),
    "==": ("eq_by", "!=", "{}"),
    "!=": ("ne_by", "==", "{}"),
}
CONCLUSION = {"<=": ("<=", "le_by"), "<": ("<", "lt_by"), "==": ("=", "same_by")}
Data = Document


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


def _where(where: object) -> str:
    text = ", ".join(f"{k}={v}" for k, v in where.items()) if isinstance(where, Mapping) else str(where)
    return _comment(text or "all")


def _part(part: Data, name: str) -> Iterator[str]:
    """The lemmas of a part; a case of a split is a hypothesis of its lemmas."""
    if "limit" in part:  # the lemmas of its finite parts are above; a rule about a run that never ends is none of them
        yield f"(* not stated here: {_comment(part['limit']['says'])}, by the rule '{_comment(part['limit']['rule'])}' *)"
    elif "each" in part:
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
        self.facts = [(text, op) for text, op, _ in (fact["says"].rsplit(" ", 2) for fact in part["facts"])]
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

    def form(self, form: Data) -> str:
        """An affine form."""
        return " + ".join(f"{q} * {entry}" for entry, q in self.entries(form)) or "0"

    def product(
        self, c: str, powers: Mapping[str, int], squares: Sequence[str] = (), *, no: Signed = ("", "", "")
    ) -> Signed:
        """c times powers of facts and of the negation `no` of a fact, times squares of polynomials."""
        factors = []
        for place, n in powers.items():
            known = no if place == "not" else (self.fact(int(place)), self.facts[int(place)][1], f"f{place}")
            factors.append(power(known, n))
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
        slack, lists, signs = Slack(), list[str](), list[str]()
        right = slack.add(list(self.entries(self.relation["rhs"])))
        left = slack.add(list(self.entries(self.relation["lhs"])), "1")
        pieces = [(piece, self.product(*piece["times"])) for piece in self.relation["pieces"]]
        pieces = [(piece, known) for piece, known in pieces if known[1] != "=="]  # which are zero
        step, strict, given = CONCLUSION[self.relation["op"]][1], "", ""
        positive = [k for k, (piece, known) in enumerate(pieces) if set(piece) == {"times"} and known[1] == ">"]
        if step == "lt_by" and positive:  # without one, Coq rejects what comes
            factor, _, proof = pieces.pop(positive[0])[1]
            slack.add([("1", "1")], factor)
            strict, given = f" ({factor}) {slack.at('1')}", f" {proof} eq_refl"
        for piece, (factor, sign, proof) in pieces:
            if "row" in piece:
                terms = slack.add(list(self.entries(self.rows[piece["row"]])), factor)
                known = f"(row_is g {terms} r{list(self.rows).index(piece['row'])})"
            elif "square" in piece:
                vector = sorted((int(i), self.ratio(q)) for i, q in piece["square"].items())
                terms = slack.add(squared(vector), factor)
                known = f"(square_nonneg V [{'; '.join(f'({q}, u{i})' for i, q in vector)}])"
            else:
                terms, known = slack.add([("1", "1")], factor), "one"
            lists.append(f"({factor}, {terms})")
            signs.append(f"(conj (conj {weak(sign, proof)} {known}) ")
        for k, (text, op) in enumerate(self.facts):
            if op == ">" and self.divides(str(k)):
                yield f"  pose proof (pos_ne {self.poly(text)} f{k}) as n{k}."
        yield from slack.vanishes()
        number, nothing = slack.arguments()
        yield f"  pose (g := [{'; '.join(slack.sums)}] : list R)."
        parts = f"{strict} [{'; '.join(lists)}]{given} {''.join(signs)}I{')' * len(signs)}"
        between = "" if step == "same_by" else parts
        yield f"  exact ({step} g {number} {right} {left}{between} eq_refl {nothing})."

    def divides(self, k: str) -> bool:
        """Whether a fact stands below a line."""
        below = [q[1] for form in (*self.forms, *self.vectors) for q in form.values() if not isinstance(q, str)]
        return any(k in b for b in below) or any(piece["times"][1].get(k, 0) < 0 for piece in self.relation["pieces"])
