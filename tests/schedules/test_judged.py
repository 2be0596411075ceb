"""Empirical rows that schedules decide: each kind of test, true, false and open, and what is refused."""

import pytest

from fedtheory import UsageError
from fedtheory.measure.paired import INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED
from fedtheory.schedules.judged import on_schedules


def verdict(draws=200, **test):
    return on_schedules([{"K": 12, **test}], draws=draws).verdict


def test_along_an_axis():
    """1/(M + 1) falls with M, exactly; a longer wait for more clients, by draws; what is equal is not below."""
    assert verdict(M=[1, 3, 5], N=["M"], column="par0", falls="M") == REPRODUCED
    assert verdict(M=[1, 3, 5], N=["M"], column="par0", rises="M") == NOT_REPRODUCED
    assert verdict(M=[5], N=[1, 2], column="par0", falls="N") == NOT_REPRODUCED
    assert verdict(M=[6], N=[1, 3, "M"], column="wait", rises="N") == REPRODUCED
    assert verdict(M=[11], N=[2, "M"], column="wait", rises="N") == REPRODUCED  # exact: N = M = K - 1 waits K - 1 times
    assert verdict(M=[6], N=[1, 3, "M"], column="wait", falls="N") == NOT_REPRODUCED
    assert verdict(draws=3, M=[6], N=[4, 5], column="wait", rises="N") == INCONCLUSIVE


def test_the_other_axis_is_held():
    """N = 1 and N = M are two lines along M."""
    found = on_schedules([{"K": 12, "M": [2, 5], "N": [1, "M"], "column": "par0", "falls": "M"}], draws=10)
    assert found.verdict == REPRODUCED and found.why.count("par0") == 2


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ({"M": [2], "N": [1], "fals": "M"}, "did you mean falls"),
        ({"M": [2], "N": [1], "column": "waits", "falls": "M"}, "no column 'waits'"),
        ({"M": [2], "N": [1]}, "needs one of rises, falls, got"),
        ({"M": [2], "N": [1], "falls": "M", "rises": "M"}, "needs one of"),
    ],
)
def test_what_is_refused(test, message):
    with pytest.raises(UsageError, match=message):
        on_schedules([{"K": 12, **test}], draws=2)
