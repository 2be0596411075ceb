"""Batches in which every instance has its own parameters: the same numbers as one after the other."""

import array_api_compat.numpy as xp
import numpy as np
import pytest

from fedtheory import Control, claim, le, lt, verify
from fedtheory.engines.budget import Hunting
from fedtheory.engines.counterexamples.exact import judge, slack
from fedtheory.engines.counterexamples.hunt import Hunt, ranked
from fedtheory.engines.search.small import simple
from fedtheory.numbers import Floats
from fedtheory.numbers.per_row import PerRow, over_rows
from fedtheory.units import CURVATURE
from problems import Points, Scalars, SmoothStronglyConvex, condition, positive

OWN = np.array([[1.0], [2.0], [5.0]])
SCALARS, VECTORS = np.arange(6.0).reshape(3, 2), np.arange(12.0).reshape(3, 2, 2)
WORLD = Points(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", mu=positive(CURVATURE), L=positive(CURVATURE),
    given=(condition("mu < L", lambda x: lt(x.mu, x.L)),),
)  # fmt: skip


@pytest.mark.parametrize(
    "fn",
    [
        lambda p, a: p * a,
        lambda p, a: a * p,
        lambda p, a: a / p - a,
        lambda p, a: (1 - p / 2) ** 2 * a + abs(-p),
        lambda p, a: 2 / p + a,
        lambda p, a: p - (p + a),
    ],
)
@pytest.mark.parametrize("array", [SCALARS, VECTORS, VECTORS[:, :1]])
def test_it_is_one_number_in_every_row(fn, array):
    whole = fn(PerRow(OWN), array)
    for k in range(3):
        np.testing.assert_array_equal(whole[k], fn(OWN[k, 0], array[k]))


def test_of_itself_and_numbers_it_stays_one():
    p = PerRow(OWN)
    assert isinstance(2 * p / (1 + p) - p**2, PerRow) and p.shape == (3, 1)
    assert isinstance(over_rows(np.sqrt, p), PerRow)
    assert isinstance(Floats(xp).maximum(p, 2), PerRow) and not isinstance(Floats(xp).maximum(p, SCALARS), PerRow)
    assert p[..., None].shape == (3, 1, 1) and np.asarray(p).tolist() == OWN.tolist()
    assert Floats(xp).total(p, None, 4).values.tolist() == (4 * OWN).tolist() and Floats(xp).mean(p) is p


def step(x, share=1):
    after = x.w - x.mean_vec(x.f.grad(x.w)) / x.L
    return le(x.sq(after - x.w_star), share * (1 - x.mu / x.L) * x.sq(x.w - x.w_star))


@pytest.mark.parametrize("shape", [{"m": 1, "d": 1}, {"m": 3, "d": 2}, {"m": 8, "d": 3}])
def test_a_scattered_batch_says_what_its_instances_say(shape):
    free = WORLD.scattered(np.random.default_rng(3), shape, 20)
    assert all(len(np.unique(v)) > 10 for v in free.scalars.values())
    together = ranked(step, WORLD, free, Floats(), "")
    for k in range(20):
        one = WORLD.pick(free, k)
        alone = ranked(step, WORLD, one.replace(vectors={n: v[None] for n, v in one.vectors.items()}), Floats(), "")
        assert alone.met[0] == together.met[k]
        np.testing.assert_allclose(alone.slack[0], together.slack[k], rtol=0, atol=1e-12)


def test_edits_of_a_scattered_batch_change_scalars_in_half_of_the_rows():
    rng = np.random.default_rng(5)
    one = WORLD.pick(WORLD.scattered(rng, {"m": 2, "d": 1}, 4), 2)
    edits = WORLD.edited(rng, [one], 200)
    same = sum((edits.scalars[k] == one.scalars[k]) for k in one.scalars)[:, 0] == 2
    assert 60 < same.sum() < 180
    assert WORLD.feasible(edits.scalars, one.shape).all()


def test_a_body_that_lines_scalars_up_with_clients_is_searched_in_shared_batches():
    def by_shape(x, share="1/2"):
        return le(x.sq(np.asarray(x.mu) * x.w), x.mu**2 * x.sq(x.w) / 2)

    assert Hunt(step, WORLD).scatters is True
    assert Hunt(by_shape, WORLD).scatters is False
    assert Hunt(by_shape, WORLD).run(400, 3, 0).refuted is not None


def test_a_body_that_does_so_at_some_sizes_only_is_looked_at_one_by_one():
    """It is no usage error: with shared scalars the body is in order, and it is refuted all the same."""

    def at_three(x):
        own = np.asarray(x.mu) if x.m == 3 else x.mu
        return le(
            x.sq(own * x.w), (1 if x.m == 3 else 2) * x.mu**2 * x.sq(x.w) / 2 + (x.m - 3) ** 2 * x.mu**2 * x.sq(x.w)
        )

    hunt = Hunt(at_three, WORLD.only({"m": 3, "d": 2}))
    two = Hunt(at_three, WORLD)
    assert two.scatters and two.run(2000, 3, 0, 50).refuted.shape["m"] == 3
    assert simple(Hunt(at_three, WORLD), 2000, 3, 2).refuting[0][1].shape["m"] == 3
    assert not hunt.scatters and hunt.run(400, 3, 0).refuted is not None


def test_what_is_remembered_is_what_was_seen():
    """One instance of every part of a batch, each with its own slack."""
    hunt = Hunt(step, WORLD)
    hunt.look(WORLD.scattered(np.random.default_rng(9), {"m": 2, "d": 2}, 100), 25)
    assert len(hunt.candidates) == 4
    for least, _, free in hunt._leaders():
        exactly = min(slack(side) for side in judge(step, WORLD, free).relations)
        np.testing.assert_allclose(exactly, least, rtol=0, atol=1e-9)


def test_worlds_with_scalars_of_clients_share_them():
    per_client = Points(SmoothStronglyConvex("mu", "L"), mu=positive(CURVATURE, per_client=True), L=positive(CURVATURE))
    assert WORLD.scatters and not per_client.scatters and not Scalars(a=positive()).scatters


def test_a_narrow_window_of_parameters_is_found():
    """A false claim whose counterexamples have 3 < L/mu < 4: one set of parameters in forty."""

    def window(x):
        inside = x.maximum(x.minimum(x.L - 3 * x.mu, 4 * x.mu - x.L), 0)
        return le(inside * x.sq(x.w), 0 * x.mu)

    c = claim("draft/window", world=WORLD, control=Control("it is not 0", lambda x: le(x.sq(x.w), 0)))(window)
    assert [verify(c, seed=s).verdict for s in range(3)] == ["refuted"] * 3


def test_several_instances_are_edited_as_one_batch():
    """Each in its own rows, near to where it was, and no other; within the conditions."""
    rng = np.random.default_rng(6)
    drawn = WORLD.scattered(rng, {"m": 3, "d": 2}, 4)
    starts = [WORLD.pick(drawn, k) for k in (1, 3)]
    edits = WORLD.edited(rng, starts, 60)
    assert WORLD.feasible(edits.scalars, starts[0].shape).all()
    for k, start in enumerate(starts):
        own = slice(60 * k, 60 * (k + 1))
        kept = np.mean([np.mean(edits.vectors[name][own] == v) for name, v in start.vectors.items()])
        other = np.mean([np.mean(edits.vectors[name][60 - 60 * k :][:60] == v) for name, v in start.vectors.items()])
        assert kept > 0.6 > other
        assert np.mean([edits.scalars[name][own] == value for name, value in start.scalars.items()]) > 0.4


def test_leaders_of_one_size_are_evaluated_together():
    """As many instances in fewer evaluations; each leader goes its own way."""
    hunt, sizes = Hunt(step, WORLD.only({"m": 2, "d": 1}), keep=20), []
    evaluate = hunt.ranked
    hunt.ranked = lambda free, close=0.0: sizes.append(len(free.vectors["w"])) or evaluate(free, close)
    hunt.run(8000, 2, 0, 50)
    assert sum(sizes) == 8000 and sizes[0] == 4000 and set(sizes[1:]) == {20 * 100}


def test_rounding_noise_is_replayed_so_often_and_no_more():
    """However many instances a budget keeps: what floats get wrong everywhere is not replayed everywhere."""
    hunt = Hunt(lambda x: le(x.a + x.b - x.b, x.a), Scalars(a=positive(), b=positive()), keep=125).run(20_000, 1, 0, 50)
    assert hunt.refuted is None and 200 < hunt.judged <= Hunting.judged * Hunting.counted
