"""The one source of randomness: keyed by seed, round and purpose, and by nothing else."""

import numpy as np
import pytest

from fedtheory.errors import UsageError
from fedtheory.random import stream


def test_equal_keys_give_equal_numbers_and_others_do_not():
    """Whatever was drawn before; the largest seed and round included."""
    keys = [(0, 0, "a"), (0, 1, "a"), (1, 0, "a"), (0, 0, "b"), (2**64 - 1, 2**64 - 1, "a"), (2**64 - 1, 0, "a")]
    first = [stream(*k).integers(2**63, size=4).tolist() for k in keys]
    again = [stream(*k).integers(2**63, size=4).tolist() for k in reversed(keys)][::-1]
    assert first == again
    assert len({tuple(f) for f in first}) == len(keys)


def test_the_numbers_are_fixed():
    """A change of the construction would change every published run."""
    assert stream(0, 0, "participation").integers(1000, size=5).tolist() == [459, 518, 15, 199, 454]


def test_rounds_are_parts_of_one_sequence():
    """Round r starts where the counter's highest word is r, so no two rounds overlap."""
    a, b = (stream(3, r, "noise").bit_generator.state["state"] for r in (5, 6))
    assert (a["key"] == b["key"]).all()
    assert a["counter"].tolist() == [0, 0, 0, 5] and b["counter"].tolist() == [0, 0, 0, 6]


@pytest.mark.parametrize(
    "args",
    [(-1, 0, "a"), (2**64, 0, "a"), (0, -1, "a"), (0, 0, ""), (0, 0, 1), (0.0, 0, "a"), (True, 0, "a"), (None, 0, "a")],
)
def test_bad_keys_are_refused(args):
    """Negative, too large, or of another type."""
    with pytest.raises(UsageError, match=r"`stream\("):
        stream(*args)


def test_numpy_integers_are_integers():
    """As they come out of an array."""
    assert stream(np.int64(3), np.uint8(2), "a").random() == stream(3, 2, "a").random()
