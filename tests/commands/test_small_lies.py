"""The stand-alone checker accepts every lemma of a small false theorem, and not the theorem."""

import pytest
import small_lies
import small_lies_of_indices as of_indices
import small_lies_of_runs as of_runs
from small_lies import (
    after_the_last,
    at_least_one,
    coefficient_of_a_run,
    common_factor,
    exponential,
    exponential_of,
    first_of_none,
    longer,
    of_another_exponential,
    powers_of_another_exponential,
    quickly,
)

from fedtheory import fedtheory_check

LIES = small_lies.LIES | of_runs.LIES | of_indices.LIES


@pytest.mark.parametrize("what", LIES)
def test_a_small_lie_is_rejected(what):
    build, why = LIES[what]
    *lemmas, false = build()
    earlier: dict = {}
    for one in lemmas:
        good, said = fedtheory_check.accepted(one, earlier)
        assert good, f"{one['id']}: {said}"
    good, said = fedtheory_check.accepted(false, earlier)
    assert not good and why in said


TRUE = [
    lambda: first_of_none(first=1),
    lambda: after_the_last("DT", "DT"),
    lambda: quickly("1 - PT - T*PT*y"),
    exponential,
    lambda: common_factor(">"),
    exponential_of,
    lambda: exponential_of("3 - e", "1"),
    lambda: exponential_of("e - 1 - T", "T"),
    lambda: exponential_of("PT - 1 - T*v"),
    lambda: exponential_of("PT - e - T*e*v + e*v"),
    lambda: exponential_of("1 - e + e*v"),
    lambda: of_another_exponential(v="v"),
    lambda: coefficient_of_a_run({"exponentials": {"e": "v"}}),
    lambda: powers_of_another_exponential("e"),
    lambda: at_least_one("a - 2"),
    lambda: longer(least="q - 1"),
    lambda: longer("PT - P - T*P", "T", "P + T*P"),
]


@pytest.mark.parametrize("build", TRUE)
def test_what_is_true_beside_a_small_lie_is_accepted(build):
    earlier: dict = {}
    for one in build():
        good, said = fedtheory_check.accepted(one, earlier)
        assert good, f"{one['id']}: {said}"
