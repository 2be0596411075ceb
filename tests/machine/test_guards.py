"""Every call comes back: a solver that a count does not end, a body that loops, a process that does not answer."""

import json
import random
import threading
import time

import pytest
import z3

from fedtheory import Control, claim, guard, le
from fedtheory.cli import main
from fedtheory.engines.budget import BUDGETS, smaller
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.scalars import smt
from fedtheory.engines.z3 import terms
from fedtheory.processes import each
from fedtheory.referee.decide import verify
from problems import Scalars, positive

SECONDS = 0.2  # of the guard in these tests
LATE = 1.5  # seconds of this thread within which z3 notices that it is to end
WITHOUT_END = 4_000_000_000  # steps that z3 may take, nearly the most that it can be told
x, y, z, w, u, v = z3.Reals("x y z w u v")
a, b, c, n, k = z3.Ints("a b c n k")


def power(base, to):
    out = base
    for _ in range(to - 1):
        out = out * base
    return out


def drawn(names, degree, seed, terms_=12):
    """A polynomial with drawn powers and coefficients."""
    rng, total = random.Random(seed), z3.RealVal(0)
    for _ in range(terms_):
        term = z3.RealVal(rng.randint(-9, 9))
        for name in names:
            for _ in range(rng.randint(0, degree)):
                term = term * name
        total = total + term
    return total


def nested(depth):
    """A body of ifs in ifs."""
    out = x
    for i in range(depth):
        out = z3.If(out * y > i * z, out * out - y, z * out + z3.RealVal(1) / (i + 1))
    return out


def product(names, shift):
    return z3.Product([name - z3.RealVal(i) / shift for i, name in enumerate(names)])


def cyclic(*, above):
    return [
        1 / (x - y * z) + 1 / (y - z * w) + 1 / (z - w * x) + 1 / (w - x * y) == above * x * y * z * w,
        x > 0,
        y > 0,
    ]


# questions to which z3 gives no answer in ten seconds, and did not within the guard of a quick budget
OBLIGATIONS = {
    "four names, degree 4": [drawn((x, y, z, w), 4, 1) > 0, drawn((x, y, z, w), 4, 2) < 0, drawn((x, y, z, w), 4, 3) == 1],
    "six names, degree 3": [drawn((x, y, z, w, u, v), 3, s) == s for s in range(1, 5)],
    "six names, degree 4": [drawn((x, y, z, w, u, v), 4, s) == s for s in range(1, 4)],
    "two curves, degree 30": [drawn((x, y), 30, 1) == 1, drawn((x, y), 30, 2) == 1],
    "two curves, degree 40": [drawn((x, y), 40, 4) == 1, drawn((x, y), 40, 5) == 1],
    "between curves, degree 60": [drawn((x, y), 60, 1) == 0, drawn((x, y), 60, 2) > 0, drawn((x, y), 60, 3) < 0],
    "ifs in ifs, 6": [nested(6) < 0, x > 0, y > 0, z > 0, nested(6) * nested(4) > 2],
    "ifs in ifs, 10": [nested(10) == 3, x > 0, y > 0, z > 0],
    "ifs in ifs, 14": [nested(14) == 3, x > 0, y > 0, z > 0],
    "Schur with more names": [
        power(x, 5) * (x - y) * (x - z) + power(y, 5) * (y - x) * (y - z) + power(z, 5) * (z - x) * (z - y) + w * w * u * u < 0,
        x > 0, y > 0, z > 0, w * u * x + v * v * v * y == z,
    ],
    "sums of cubes": [
        power(x, 3) + power(y, 3) + power(z, 3) + power(w, 3) == power(u, 3) + 1,
        power(x, 5) - power(y, 5) == power(v, 4) - z, x * y * z * w * u * v == 1, x > 1,
    ],
    "many roots": [product([x] * 30, 7) * product([y - x] * 25, 3) == 1, x * y * y - z * z * z == 3, z * x - power(y, 7) > 2],
    "quotients": [*cyclic(above=1), (x + y) / (z * w + 1) + (z - w) / (x * y - 2) == z3.RealVal(1) / 3],
    "quotients of quotients": [*cyclic(above=2), 1 / (1 / (x - w) - 1 / (y - z)) + 1 / (x * w - y * z) == 7],
    "elimination": [
        power(x, 7) * y - power(y, 7) * x + z * z * z * w == z3.RealVal(1) / 9, power(z, 7) * x - power(w, 5) * y == 1,
        power(w, 6) + power(x, 4) * z == 2, x * y + z * w == 1,
    ],
    "elimination, five names": [
        power(x, 5) * y + z == 2, power(y, 5) * z + w == 3, power(z, 5) * w + u == 5, power(w, 5) * u + x == 7,
        power(u, 5) * x + y == 11,
    ],
    "thirty-three": [z3.ToReal(n) * n * n + z3.ToReal(k) * k * k == z3.ToReal(a) * a * a + 33, n > 1000],
    "fourth powers": [power(a, 4) + power(b, 4) == 3 * power(c, 4) + 7 * a, a > 0, b > 5],
    "fifth powers": [power(a, 5) + power(b, 5) + power(n, 5) == power(c, 5) + 2 * k, a > 9, b > a, n > b, k > 3],
    "for all and there is": [
        z3.ForAll([x, y], z3.Exists([z], x * x * power(z, 5) - y * z + x * power(y, 3) < z * z)),
        drawn((u, v, w), 5, 0) == 0, drawn((u, v, w), 5, 7) == 0,
    ],
    "for all, degree 6": [z3.ForAll([x], z3.Exists([y, z], drawn((x, y, z), 6, 8) * w == power(y, 6) + u)), w * u > 1],
    "a least value": [
        drawn((x, y, z, w), 3, 11) == u, z3.ForAll([x, y], drawn((x, y, z, w), 3, 12) >= u), power(z, 5) * w == 3,
    ],
}  # fmt: skip


@pytest.fixture
def short(monkeypatch):
    """A guard that fires soon, behind a count that never does."""
    monkeypatch.setattr(terms, "WAIT", SECONDS)
    monkeypatch.setattr(terms, "STEPS", 1e300)


def test_there_are_at_least_twenty_obligations():
    """As many as are asked for."""
    assert len(OBLIGATIONS) >= 20


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", OBLIGATIONS)
def test_a_question_without_an_answer_costs_its_guard_and_no_more(short, name):
    """z3 is ended, nothing is said, and the next question is answered."""
    with guard.noting() as fired:
        before = time.thread_time()
        said = terms.solve(OBLIGATIONS[name], WITHOUT_END)
        spent = time.thread_time() - before
    assert said == (None, None) and len(fired) == 1 and fired[0].startswith("z3 gave no answer")
    assert spent < SECONDS + LATE
    assert terms.solve([x * y == 6, x == 2, y < 3], WITHOUT_END)[0] is False


def test_an_answer_in_time_fires_nothing(short):
    """Also where the guard is just over."""
    with guard.noting() as fired:
        for _ in range(50):
            assert terms.solve([x * x == 2, x > 0], WITHOUT_END)[0] is True
    assert fired == [] and threading.active_count() < 10


def test_the_time_of_others_does_not_count(short, monkeypatch):
    """A guard counts what its own thread computes, so that a busy machine changes nothing."""
    monkeypatch.setattr(terms, "WAIT", 0.05)
    with guard.noting() as fired, guard.guarded("sleep", 0.05, lambda: None):
        time.sleep(0.3)
    assert fired == []


@claim(
    "guards/curves", world=Scalars(p=positive(), q=positive()), control=Control("by a half", lambda x: le(x.p, x.p / 2))
)
def curves(x):
    """Two curves of high degree."""
    p, q = x.p, x.q
    return le(p**40 * q**3 - 3 * p**17 * q**29 + 7 * p * q**38 - 5 * q**11, p**50 + q**50 + 100 + 9 * p**33 * q**21)


def test_an_engine_declines_and_the_next_one_runs(short):
    """What z3 does not say is not said, and the claim is searched."""
    with guard.noting() as fired:
        said = smt(curves, Docket())
    assert fired and said.outcome == "declines"
    v = verify(curves)
    assert v.guards and any(e.engine in ("falsify", "control") for e in v.evidence)


LOOPS = """
from fedtheory import Control, claim, le
from problems import Scalars, positive

W = Scalars(a=positive(), b=positive())


@claim("draft/loops", world=W)
def loops(x):
    while True:
        pass
    return le(x.a, x.b)


@claim("draft/catches", world=W)
def catches(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            if not hasattr(catches, "seen"):
                object.__setattr__(catches, "seen", 1)
                continue
            raise


@claim("draft/fine", world=W, control=Control("for a = b", lambda x: le(x.a**2 + x.b**2, x.a*x.b)))
def fine(x):
    return le(2*x.a*x.b, x.a**2 + x.b**2)
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_body_that_loops_costs_the_limit_of_a_claim(tmp_path, capsys, jobs):
    """It is unknown and says why; the rest goes on, and nothing of it is kept."""
    draft, report = tmp_path / "loops.py", tmp_path / "r.json"
    draft.write_text(LOOPS)
    before = time.monotonic()
    assert main(["verify", str(draft), "--claim-limit", "1.5", "--jobs", jobs, "--json", str(report)]) == 0
    assert time.monotonic() - before < 40
    found = {e["id"]: e for e in json.loads(report.read_text())["claims"]}
    assert {id: e["verdict"] for id, e in found.items()} == {
        "draft/loops": "unknown", "draft/catches": "unknown", "draft/fine": "proved",
    }  # fmt: skip
    assert "not decided within 1.5 s" in found["draft/loops"]["reason"] and found["draft/loops"]["key"] is None
    assert set(json.loads(report.read_text())["guards"]) == {"draft/loops", "draft/catches"}
    assert "draft/loops: it was not decided" in capsys.readouterr().err


def test_a_limit_that_is_none_is_refused(capsys):
    """Below zero there is no time."""
    assert main(["verify", "pfedme/lemma1a", "--claim-limit", "0"]) == 2
    assert "--claim-limit must be above 0" in capsys.readouterr().err


def stuck(item):
    """Without an end where nothing in the process can end it, for the first item."""
    if item == 0:
        threading.Lock().acquire() and 7 ** (10**9)  # of C, which no signal interrupts
    return item


def test_a_worker_that_does_not_answer_is_ended():
    """The others go on."""
    before = time.monotonic()
    got = dict(each(stuck, [0, 1, 2], 2, limit=3.0, late=lambda item: "late"))
    assert got == {0: "late", 1: 1, 2: 2} and time.monotonic() - before < 60


def test_a_larger_budget_says_no_less(certificates):
    """At more clients a certificate is missing, and those at fewer stand: the scope says at which."""
    from proofs_checks import claims

    v = verify(claims()["pfedme/lemma1a~repaired"], budget="standard", stored=dict(certificates))
    assert v.verdict == "certified" and v.trust == "kernel"
    assert max(where["m"] for where in v.scope) == BUDGETS["quick"].largest_m
    undefined = verify(claims()["pfedme/lemma4"], budget="standard", stored=dict(certificates))  # for one client
    assert undefined.verdict == "proved" and "undefined" in undefined.domain
    assert [one.name for one in smaller(BUDGETS["deep"])] == ["standard", "quick"] and smaller(BUDGETS["quick"]) == []
