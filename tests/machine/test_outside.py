"""What a body and its conditions read from outside is what it was when the claim was made."""

from fractions import Fraction

import pytest

import fedtheory
from fedtheory import claim, le
from fedtheory.cli import main
from fedtheory.errors import UsageError
from problems import Scalars, Sequences, at_least, condition, positive

ONE = {"a": positive()}


def in_a_file(tmp_path, text):
    (tmp_path / "draft_of_mine.py").write_text(f"from fedtheory import claim, le\nfrom problems import *\n{text}")
    return tmp_path / "draft_of_mine.py"


LOOP = """
for k in (1, 5):
    @claim(f"mine/a{k}", world=Scalars(a=positive(), given=(condition(f"a <= {k}", lambda x: le(x.a, k)),)))
    def bounded(x): return le(x.a, 5)
"""
BODIES = """
for k in (1, 5):
    @claim(f"mine/b{k}", world=Scalars(a=positive()))
    def bounded(x): return le(x.a, (1 + k)*x.a)
"""
AGAIN = """
def bound(x): return 2*x.a
@claim("mine/again", world=Scalars(a=positive()))
def again(x): return le(3*x.a, bound(x))
def bound(x): return 4*x.a
"""
LATER = """
@claim("mine/later", world=Scalars(a=positive()))
def later(x): return le(3*x.a, bound(x))
def bound(x): return 4*x.a
for a in (1, 2): pass
"""


@pytest.mark.parametrize(
    ("text", "says"), [(LOOP, "reads k, which was 1 and is 5 now"), (AGAIN, "reads bound, which is another one now")]
)
@pytest.mark.parametrize("relative", [False, True])
def test_a_name_that_is_used_again(tmp_path, capsys, monkeypatch, text, says, relative):
    file = in_a_file(tmp_path, text)
    monkeypatch.chdir(tmp_path)
    assert main(["verify", file.name if relative else str(file), "--jobs", "1"]) == 2
    assert says in " ".join(capsys.readouterr().err.split())


def test_a_helper_that_comes_later_is_no_other_one(tmp_path, capsys):
    assert main(["verify", str(in_a_file(tmp_path, LATER)), "--jobs", "1"]) == 0
    assert "1 proved" in capsys.readouterr().out


def made_in_a_loop(hand_over):
    out = []
    for k in (Fraction(1), Fraction(2)):
        if hand_over:
            out.append(claim(f"draft/k{k}", world=Scalars(**ONE))(lambda x, k=k: le(x.a, (1 + k) * x.a)))
        else:
            out.append(claim(f"draft/k{k}", world=Scalars(**ONE))(lambda x: le(x.a, (1 + k) * x.a)))  # noqa: B023
    return out


def test_closures_of_a_loop():
    first, last = made_in_a_loop(hand_over=False)
    with pytest.raises(UsageError, match=r"reads k, which was Fraction\(1, 1\) and is Fraction\(2, 1\) now"):
        fedtheory.verify(first)
    assert fedtheory.verify(last).verdict == "proved"
    assert [fedtheory.verify(c).verdict for c in made_in_a_loop(hand_over=True)] == ["proved", "proved"]


def test_conditions_for_every_t():
    def worlds():
        for q in (1, 2):
            falls = condition("D_{t+1} <= q D_t", lambda x, t: le(x.D[t + 1], q * x.D[t]))  # noqa: B023
            yield Sequences("T", sequences={"D": at_least(0)}, every=(falls,))

    first, last = list(worlds())
    with pytest.raises(UsageError, match="reads q, which was 1 and is 2 now"):
        fedtheory.verify(claim("draft/every", world=first)(lambda x: le(x.D[1], 2 * x.D[0])))
    assert fedtheory.verify(claim("draft/every", world=last)(lambda x: le(x.D[1], 2 * x.D[0]))).verdict != "refuted"


HELPERS = """
K = 1
def bound(x): return K*x.a
@claim("mine/helper", world=Scalars(a=positive()))
def helped(x): return le(bound(x), x.a)
K = 5
"""
CELL = """
def bound(x): return 2*x.a
@claim("mine/cell", world=Scalars(a=positive()))
def first(x): return le(x.a, bound(x))
def bound(x): return 2*x.a
L = 1
@claim("mine/own", world=Scalars(L=positive()))
def own(x):
    L = x.L
    return le(L, sum([L*k for k in (1, 2)]))
L = 2
"""


def test_a_number_that_a_helper_reads(tmp_path, capsys):
    assert main(["verify", str(in_a_file(tmp_path, HELPERS)), "--jobs", "1"]) == 2
    assert "reads bound.K, which was 1 and is 5 now" in " ".join(capsys.readouterr().err.split())


def test_a_cell_that_runs_again_and_names_of_its_own(tmp_path, capsys):
    assert main(["verify", str(in_a_file(tmp_path, CELL)), "--jobs", "1"]) == 0
    assert "2 proved" in capsys.readouterr().out
