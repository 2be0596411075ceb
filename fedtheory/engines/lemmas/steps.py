"""Statements on the way of a proof from lemmas: each follows from what is known of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...relation import Relation
from ..budget import Products, Questions
from ..certificates.parts import Kept, Part, components, parts_of
from ..certificates.products.recall import sought
from ..context import Docket
from ..prove.induction import NotShown, implied, names_of_each, narrowed, possible
from ..z3.terms import Real

ANY_TIME = "t:any"  # an index below the length, at which what holds for every t is used
ANY_ELEMENT = "s:any"  # an index below that one, where a lemma about sequences is used at the length t


def follow(
    where: str, names: Sequence[str], given: Sequence[Relation], needed: Sequence[Relation], docket: Docket
) -> Part | None:
    """The part of a certificate that shows that conditions follow from what is given; None if z3 alone says so.

    Raises
    ------
    NotShown
        If one of them does not follow.
    """
    stated = components(given)  # terms that are alive keep their numbers
    known = {(a.get_id(), op, b.get_id()) for a, op, b, _ in stated}
    asked = [r for r in needed if any((a.get_id(), op, b.get_id()) not in known for a, op, b, _ in components([r]))]
    if not asked:
        return {}
    each: list[Part | None] = []
    programs = Products.long if docket.limits.thorough else Products.short
    of_all = Kept()
    once = [Relation(Real(a), op, Real(b), name) for a, op, b, name in stated]
    read = names_of_each(once)
    for k, r in enumerate(asked):  # each with the whole budget
        if not docket.certificates and implied(given, [r], min(Questions.glance, docket.limits.rlimit)):
            each.append(None)
            continue
        enough = stated if (own := narrowed(once, [r], read)) is once else components(own)
        kept = of_all if enough is stated else Kept()

        def search(
            recalled: Mapping[str, str], r: Relation = r, enough: Any = enough, kept: Kept = kept
        ) -> tuple[Part, dict[str, str]]:
            return parts_of(names, enough, components([r]), recalled, programs=programs, kept=kept)

        key = f"{where} products {r.name or k} of {len(enough)}"
        part = sought(docket.stored, key, programs, search)
        if part is None and implied(given, [r], docket.limits.rlimit) is not True:
            raise NotShown(
                f"{where}: its condition {r.name} is not met where it is used{possible(given, [r], docket.limits.rlimit)}"
            )
        each.append(part)
    return None if None in each else {"where": f"{where} applies", "each": each}
