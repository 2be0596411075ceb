"""The shelf: every lemma proved by the kernel at its best constant, imported by name, and a theorem that stands on it."""

import pytest

from fedtheory import drafts, shelf
from fedtheory.cli import main
from fedtheory.referee import ledger
from fedtheory.registry import claims, paper

THEOREM = """
from fedtheory import claim, le
from fedtheory.shelf import contraction
from fedtheory.units import CURVATURE, STEP
from problems import Run, SmoothStronglyConvex, condition, positive

GD = Run(SmoothStronglyConvex("mu", "L"), optimum_of="f", step={"w": lambda x: x.w - x.eta*x.mean_vec(x.f.grad(x.w))},
         quantities={"D": lambda x: x.sq(x.w - x.w_star)}, given=(condition("eta <= 1/L", lambda x: le(x.eta*x.L, 1)),),
         mu=positive(CURVATURE), L=positive(CURVATURE), eta=positive(STEP))

@claim("draft/every-T", world=GD, by=(contraction,), expect="proved")
def every_T(x):
    return le(x.D[x.T], (1 - x.eta*x.mu)**x.T*x.D[0])
"""


def test_every_lemma_is_proved_by_the_kernel(verdicts):
    own = {id: v for id, v in verdicts.items() if id.startswith("shelf/")}
    assert len(own) >= 60 and set(own) == set(claims("shelf"))
    assert {id: v.verdict for id, v in own.items() if v.verdict != "proved"} == {}
    entries = ledger.finished([v.to_json() | {"certificate": v.certificate} for v in own.values()], claims("shelf"))
    assert {e["id"] for e in entries if e["trust"] != "kernel"} == set()


def test_no_lemma_has_room(verdicts):
    """The search comes within a tenth of every bound that it can divide, but for those with the constants of their sources."""
    loose = {"gradients-and-noise", "monotone", "contraction", "sublinear", "decreasing-step"}
    loose |= {
        "local-reach",
        "local-drift",
        "local-drift-of-K",
        "feedback-held",
        "dsgd-spread",
        "tracking-trackers",
        "diana-noise",
        "fednova-local",
    }  # simple ones
    tight = {id: v.tightness for id, v in verdicts.items() if id.startswith("shelf/") and v.tightness is not None}
    assert {id.removeprefix("shelf/") for id, t in tight.items() if t < 0.9} <= loose


def test_every_row_has_its_source():
    rows = paper("shelf").inventory()
    assert set(rows) == {id for id in claims("shelf") if "@" not in id}  # a step of a theorem is behind its row
    assert all(row["locator"] and row["formula"].startswith("$") for row in rows.values())


def test_lemmas_are_imported_by_name():
    from fedtheory.shelf import of_a_sum

    assert of_a_sum is claims("shelf")["shelf/of-a-sum"] and "of_a_sum" in dir(shelf)
    with pytest.raises(ImportError, match="cannot import name 'of_a_sun'"):
        from fedtheory.shelf import of_a_sun  # noqa: F401
    with pytest.raises(AttributeError, match=r"no lemma 'of_a_sun'; did you mean of_a_sum,"):
        _ = shelf.of_a_sun


def test_a_theorem_of_a_draft_stands_on_it(tmp_path, monkeypatch, capsys):
    """And the draft has its own claim alone."""
    (tmp_path / "mine.py").write_text(THEOREM, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert list(drafts.load(["mine.py"])) == ["draft/every-T"]
    assert main(["verify", "mine.py", "--no-cache"]) == 0
    out = capsys.readouterr().out
    assert (
        "draft/every-T      proved   kernel" in out and "2 claims: 2 proved" in out
    )  # with the lemma that it stands on


def test_the_shelf_is_listed(capsys):
    assert main(["list", "--shelf"]) == 0
    assert capsys.readouterr().out.count("\nshelf/") == len(claims("shelf"))
    assert main(["list", "--shelf", "--paper", "flame"]) == 2


@pytest.mark.parametrize(
    "name", ["young", "jensen", "contraction", "cocoercive", "prox-contraction", "sample-variance", "telescope"]
)
def test_a_smaller_constant_is_refuted(name):
    """The best constants: the same body at nine tenths of its right side is false."""
    from dataclasses import replace

    from fedtheory.referee.decide import verify
    from fedtheory.relation import Relation

    lemma = claims("shelf")[f"shelf/{name}"]

    def less(x):
        relation = lemma.body(x)
        assert isinstance(relation, Relation)
        return replace(relation, rhs=x.ratio(9, 10) * relation.rhs)

    assert (
        verify(replace(lemma, body=less, id="draft/less"), budget="quick", seed=0, backend="numpy").verdict == "refuted"
    )
