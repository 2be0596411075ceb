"""The generated page: duplicates show what they repeat, the scope stands next to the verdict, no printed row is lost."""

import pytest

from fedtheory import claim, le
from fedtheory.engines.prove.listed import skipped_shapes
from fedtheory.paper import Paper
from fedtheory.show.page import page, scope_text
from problems import Scalars, positive
from proofs_checks import claims


def entry(id, verdict, scope, tier="certificate", numbers=None):
    """An entry of a report."""
    evidence = [{"engine": "gram", "outcome": "certifies", "numbers": numbers or {}, "scope": scope, "reason": ""}]
    return {
        **{
            "id": id,
            "verdict": verdict,
            "tier": tier,
            "scope": scope,
            "tightness": None,
            "repair": None,
            "witness": None,
        },
        **{"domain": "", "reason": "", "evidence": evidence},
    }


def row(kind="inequality"):
    """A row of an inventory."""
    return {"kind": kind, "locator": "Section 1", "formula": "a", "conditions": ""}


@pytest.fixture
def shown():
    """A page of five rows: a refuted claim, its duplicate, a duplicate of the duplicate, two rows with a reading alone, of
    which one is bound."""

    def body(x):
        return le(x.a, x.a)

    ids = ("made/one", "made/four@part", "made/five@drawn")
    made = {i: claim(i, world=Scalars(a=positive()), latex="a", locator="Section 1")(body) for i in ids}
    rows = {f"made/{n}": row() for n in ("one", "two", "three", "four", "five")}
    bindings = {
        "made/two": {"binding": "duplicate", "to": "made/one"},
        "made/three": {"binding": "duplicate", "to": "made/two", "reason": "half of it"},
        "made/four": {"binding": "prose", "reason": "words"},
    }
    paper = Paper("made", "Made", lambda: made, inventory=lambda: rows, bindings=lambda: bindings)
    entries = [entry("made/one", "refuted", None), entry("made/four@part", "proved", "all")]
    entries.append(entry("made/five@drawn", "proved", "all"))
    return page(paper, made, {"budget": "quick", "seed": 0, "claims": entries})


def test_a_row_of_which_readings_alone_are_claims_is_bound_to_them(shown):
    """It is counted so, apart from claims as printed, and what is bound otherwise stays that."""
    assert "| rows bound to a claim | 1 |\n| rows bound to readings of a claim | 1 |\n" in shown
    assert "| `five` | a | in a reading | | | |  |" in shown and "| `four` | a | prose |" in shown


def test_a_duplicate_shows_the_verdict_of_what_it_repeats(shown):
    """Also over two steps, with its reason."""
    assert "| `two` | a | duplicate of `one`: ✘ refuted | | | |  |" in shown
    assert "| `three` | a | duplicate of `one`: ✘ refuted | | | | half of it |" in shown


def test_a_row_with_readings_alone_stays(shown):
    """The printed row comes before its readings."""
    assert shown.index("| `four` | a | prose") < shown.index("| `four@part` |  | ✔ proved |")


def test_the_scope_of_a_certified_claim():
    """Sizes as ranges, parameters counted; what was not sought and what has no certificate."""
    scope = [{"m": m, "d": 1, "R": R, "lam": lam} for m in (1, 2) for R in (1, 2, 3) for lam in ("1/2", "4")]
    numbers = {"skipped": [{"R": 16}], "declined": [{"m": 3, "d": 1, "R": 3, "lam": "4"}]}
    said = "m <= 2, R <= 3, 2 points; not sought: R = 16; no certificate: m = 3, R = 3 at 1 points"
    assert scope_text(entry("a/b", "certified", scope, numbers=numbers)) == said
    assert scope_text(entry("a/b", "supported", [{"m": 2, "d": 1, "T": 48}], "falsify")) == "m = 2, d = 1, T = 48"
    assert scope_text(entry("a/b", "proved", "all")) == ""


def test_sizes_at_which_no_certificate_is_sought_are_kept():
    """Lemma 5 of pFedMe lists R = 16, and its certificates stop at R = 3."""
    assert skipped_shapes(claims()["pfedme/lemma5"].world, 2) == [{"R": 16}]


def test_a_claim_that_no_row_names_stands_below_them():
    """With the first paragraph of its docstring in the place of the printed text."""

    def body(x):
        """What it says.

        More of it.
        """
        return le(x.a, x.a)

    made = {"made/new": claim("made/new", world=Scalars(a=positive()))(body)}
    paper = Paper("made", "Made", lambda: made, inventory=lambda: {"made/one": row()}, bindings=dict)
    text = page(paper, made, {"budget": "quick", "seed": 0, "claims": [entry("made/new", "proved", "all")]})
    rows, others = text.split("### Claims that no row names")
    assert "| `new` | What it says. | ✔ proved | certificate |" in others and "`new`" not in rows
