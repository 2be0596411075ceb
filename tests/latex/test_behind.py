"""What stands behind a relation: conditions in words, sets that say nothing, and what is neither."""

import pytest

from fedtheory.commands.check import taken_names
from fedtheory.latex.behind import apart
from fedtheory.latex.line import conditions, read_line
from fedtheory.latex.tokens import Unread

SMOOTH = {"functions": "smooth L"}
BOUND = r"f(y) \leq f(x) + \langle \nabla f(x), y-x\rangle + \frac{L}{2}\|y-x\|^2"
BOUND_READ = "f(y) <= f(x) + <grad f(x), y - x> + (L/2) |y - x|^2"


@pytest.mark.parametrize(
    ("line", "options", "read"),
    [
        (r"a \ge 0 \quad \forall a > 0", {}, "0 <= a, where 0 < a"),
        (r"\frac{1}{a} \le 1 \quad \text{with } a \ge 1", {}, "1/a <= 1, where 1 <= a"),
        (r"\frac{1}{a} \le 1, \text{ where } a = 1 + b^2", {}, "1/a <= 1, where a = 1 + b^2; b is any number"),
        ("1/a <= 1 if a >= 1 and b > 0", {}, "1/a <= 1, where 1 <= a, 0 < b"),
        (r"a b \le 1 \text{ for all } a > 0 \text{ with } b = 1/a", {}, "a b <= 1, where 0 < a, b = 1/a"),
        (r"x y \le 1, \quad x, y \in \mathbb{R}.", {}, "x y <= 1; x is any number; y is any number"),
        (r"a_i \ge 0, \forall i = 1, \dots, N", {}, "0 <= a_i; a_i is any number"),
        (BOUND + r", \quad \forall x, y \in \mathbb{R}^d", SMOOTH, BOUND_READ),
        (BOUND + r" \quad \text{for all } x, y", SMOOTH, BOUND_READ),
        (
            r"D_t \le (1-a)^t D_0 \text{ for all } t \ge 0",
            {"where": [r"D_{t+1} \le (1-a) D_t, D_t \ge 0", r"a \in (0, 1)"]},
            "D_t <= (1 - a)^t D_0, where 0 <= t, D_{t + 1} <= (1 - a) D_t, 0 <= D_t, a in (0, 1)",
        ),
        ("a b <= 1", {"where": [r"a, b \in \mathbb{R}"]}, "a b <= 1; a is any number; b is any number"),
    ],
)
def test_conditions_behind_a_relation_are_conditions(line, options, read):
    assert read_line(line, taken=taken_names(), **options).readings == (read,)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (r"a \ge 0 \text{ where}", "no condition behind them"),
        (r"w \text{ with } a \ge 0", "there is no relation"),
        (r"a \ge 0 \text{ if } b", "cannot|no relation"),
        (r"a \le 1, a \in \{0, 1\}", "cannot stand here"),
        (r"a \le b, \forall k = 1, \dots, K", "not known"),
        ("a <= b with probability 1", "a number stands in front|no relation"),
    ],
)
def test_words_that_are_no_conditions_are_refused(line, why):
    with pytest.raises(Unread, match=why):
        read_line(line, taken=taken_names())


def test_what_is_left_of_a_line_keeps_its_places():
    line = r"a \le b \quad \forall a > 0"
    assert apart(line, conditions) == (r"a \le b", ["a > 0"])
    assert apart("a <= b", conditions) == ("a <= b", [])
