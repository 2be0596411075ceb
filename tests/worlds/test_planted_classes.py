"""No verdict is wrong on statements about the newer classes, half of them false by a hundredth; most are decided."""

import pytest
from planted_classes import PLANTED, ROWS

from fedtheory import claim, verify

NECESSARY = "Lipschitz monotone, by name"  # only necessary inequalities, and nothing draws operators that have names
OPEN = {(NECESSARY, name) for name in PLANTED[NECESSARY][1]} | {
    ("support", "homogeneous"),  # two inequalities are equalities there, and no instance meets them by a margin
}


def verdicts(kind, name):
    """On the statement, and on the same with 99 % of its right side."""
    world, body = PLANTED[kind]
    body = body[name]
    lower = lambda x: body(x, x.ratio(99, 100))  # noqa: E731
    return [verify(claim("planted/class", world=world)(b)) for b in (lambda x: body(x), lower)]


@pytest.mark.lies
@pytest.mark.in_turn(3)
@pytest.mark.parametrize("row", ROWS, ids="/".join)
def test_no_verdict_is_wrong(row):
    """The true one is proved or certified; the false one refuted, in exact numbers, or left open where the class says why."""
    true, false = verdicts(*row)
    assert true.verdict in ("proved", "certified"), (true.verdict, true.reason)
    assert false.verdict == "refuted" or (row in OPEN and false.verdict == "unknown"), (false.verdict, false.reason)
