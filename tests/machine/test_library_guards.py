"""Calls into libraries come back: Clarabel is asked to stop at a step, and flint's factors have a process of their own."""

import random
import time

import flint
import numpy as np
import pytest

from fedtheory import guard
from fedtheory.engines.certificates.sdp import cone
from fedtheory.gram import factored as module
from fedtheory.gram.factored import SHORT, factored

WALL = 60  # seconds of a busy machine in which a call is ended that takes a second of its own
NAMES = tuple("abcdef")
CONTEXT = flint.fmpq_mpoly_ctx.get(NAMES, "lex")


def drawn(terms, degree, seed):
    """A polynomial in six names with drawn powers and coefficients."""
    rng, total = random.Random(seed), CONTEXT.constant(0)
    for _ in range(terms):
        term = CONTEXT.constant(rng.randint(1, 9))
        for name in CONTEXT.gens():
            term = term * name ** rng.randint(0, degree)
        total = total + term
    return total


def product(terms, degree, many):
    out = CONTEXT.constant(flint.fmpq(2, 3))
    for seed in range(many):
        out = out * drawn(terms, degree, seed)
    return out


def largest_eigenvalue(n):
    """Arguments of the least t with ``t I - M`` semidefinite."""
    M = np.arange(float(n * n)).reshape(n, n)
    A, b = -cone.column(np.eye(n))[:, None], -cone.column(M + M.T)
    return {"cost": np.ones(1), "A": np.vstack([[[-1.0]], A]), "b": np.append(1e6, b), "zeros": 0, "signed": 1, "n": n}


def test_a_program_is_solved_and_nothing_fires():
    with guard.noting() as fired:
        found = cone.minimise(**largest_eigenvalue(4))
    M = np.arange(16.0).reshape(4, 4)
    assert np.isclose(found.x[0], np.linalg.eigvalsh(M + M.T)[-1], rtol=1e-6) and not fired


@pytest.mark.parametrize("n", [2, 6, 12])
def test_a_program_that_takes_longer_than_its_guard_has_no_answer(monkeypatch, n):
    monkeypatch.setattr(cone, "WAIT", 0.0)
    with guard.noting() as fired:
        assert cone.minimise(**largest_eigenvalue(n)) is None
    assert fired == ["Clarabel gave no answer in 0 s"]


def test_a_program_ends_where_its_claim_is_over_time(monkeypatch):
    monkeypatch.setattr(guard.signal, "setitimer", lambda *_: None)  # of which code that is not Python takes no notice
    with guard.noting() as fired, guard.limited(0.01):
        time.sleep(0.02)
        assert cone.minimise(**largest_eigenvalue(6)) is None
    assert len(fired) == 1


def test_the_guard_of_a_loop_counts_what_its_own_thread_computes():
    over = guard.overtime("a loop", 0.05)
    time.sleep(0.1)
    assert not over()
    with guard.noting() as fired:
        while not over():
            pass
        assert over() and fired == ["a loop gave no answer in 0.05 s"]


@pytest.mark.parametrize(("terms", "degree", "many"), [(12, 3, 2), (3, 40, 2), (5, 2, 4)])
def test_factors_from_another_process_are_those_of_this_one(terms, degree, many):
    p = product(terms, degree, many)
    assert len(p) > SHORT or sum(p.degrees()) > SHORT
    with guard.noting() as fired:
        assert factored(p) == p.factor()
    assert not fired


@pytest.mark.parametrize(("terms", "degree", "many"), [(30, 4, 3), (24, 6, 3), (12, 8, 4)])
def test_factors_that_do_not_come_cost_their_guard_and_no_more(monkeypatch, terms, degree, many):
    monkeypatch.setattr(module, "SECONDS", 1)
    p = product(terms, degree, many)
    started = time.monotonic()
    with guard.noting() as fired:
        assert factored(p) == (1, [(p, 1)])
    assert fired == ["flint gave no factors in 1 s"] and time.monotonic() - started < WALL


def test_factors_end_where_their_claim_is_over_time():
    p = product(30, 4, 3)
    started = time.monotonic()
    with pytest.raises(guard.OverTime), guard.limited(0.5):
        factored(p)
    assert time.monotonic() - started < module.SECONDS / 2


def test_every_factor_of_the_engines_is_asked_for_behind_the_guard():
    from fedtheory.drafts.source_names import files_of

    own = [f for f in files_of("fedtheory") if {"engines", "gram"} & set(f.parts) and f.name != "factored.py"]
    assert own and not [f for f in own if ".factor()" in f.read_text(encoding="utf-8")]
