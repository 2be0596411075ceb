"""Lines of LaTeX and of plain text: read as meant, in every reading, or refused with the place."""

import ast
import tomllib
from pathlib import Path

import pytest
from pairs import PAIRS

from fedtheory import drafts
from fedtheory.commands.check import taken_names
from fedtheory.errors import UsageError
from fedtheory.latex.line import conditions, read_line
from fedtheory.latex.tokens import Unread
from fedtheory.referee.decide import verify
from proofs_checks import claims

LINES = tomllib.loads(Path(__file__).with_name("lines.toml").read_text(encoding="utf-8"))["line"]
OPTIONS = ("where", "functions", "envelope", "vectors")


def read(line, **options):
    return read_line(line, taken=taken_names(), **options)


def bodies(python):
    """What the claims of a file return, without their docstrings, in one line each."""
    out = []
    for function in (n for n in ast.parse(python).body if isinstance(n, ast.FunctionDef)):
        out.append(" ".join(ast.get_source_segment(python, one) for one in function.body[1:]))
    return out


def claims_of(python, folder, name="line.py"):
    path = folder / name
    path.write_text(python, encoding="utf-8")
    return drafts.load([str(path)])


@pytest.mark.parametrize("row", LINES, ids=[row["line"][:40] for row in LINES])
def test_every_line_is_read_as_meant_or_asks_back(row):
    options = {name: row[name] for name in OPTIONS if name in row}
    if "refused" in row:
        with pytest.raises(UsageError) as told:
            read(row["line"], **options)
        assert str(told.value).split("\n")[0] == row["refused"]
    else:
        found = read(row["line"], **options)
        assert bodies(found.python) == row["read"] and len(found.readings) == len(found.ids) == len(row["read"])


def test_what_is_read_is_a_claim(tmp_path):
    """Every file that comes out is one that `verify` takes: its world is built, its body evaluated."""
    rows = [row for row in LINES if "read" in row]
    assert len(rows) >= 60
    for k, row in enumerate(rows):
        found = read(row["line"], **{name: row[name] for name in OPTIONS if name in row})
        assert list(claims_of(found.python, tmp_path, f"line{k}.py")) == list(found.ids), row["line"]


@pytest.mark.parametrize(("id", "line", "options"), PAIRS, ids=[id for id, *_ in PAIRS])
def test_the_verdict_is_that_of_the_claim_written_by_hand(id, line, options, tmp_path):
    (own,) = claims_of(read(line, **options).python, tmp_path).values()
    by_hand = verify(claims()[id], budget="quick", seed=0, backend="numpy")
    assert verify(own, budget="quick", seed=0, backend="numpy").verdict == by_hand.verdict


@pytest.mark.parametrize(
    ("line", "place", "why"),
    [
        ("", 0, "ends too early"),
        (r"\frac{a}{} \le 1", 9, "cannot stand here"),
        ("a <= b >= c", 0, "one direction"),
        ("a <= 1e400", 5, "power of ten"),
        (r"\sum a_i \le 1", 1, "over what"),
        (r"\nabla f \le 1", 7, "without a point"),
        (r"\sqrt[3]{a} \le 1", 1, "square roots"),
        ("x 2 <= 1", 2, "in front of"),
        ("x^10 \\le 1", 2, "write {10}"),
        (r"(a] \le 1", 2, "closes"),
        (r"\foo \le 1", 1, "not known"),
        (r"a \approx b", 3, "no exact relation"),
        (r"\mathbb{R} \le 1", 1, "not read"),
        ("x.y <= 1", 1, "not read"),
        ("f(w) <= 1", 0, "--class"),
        ("lam <= lambda", 7, "one name"),
        (r"\|a\| \le \|b", 13, "not closed"),
        ("(" * 2000 + "a" + ")" * 2000 + " <= 1", 0, "too many brackets"),
        (r"\frac{1}{" * 300 + "a" + "}" * 300 + r" \le 1", 0, "too many brackets"),
        ("a^{999999999} <= 1", 0, "too large"),
        ("10^{10^{10}} <= 1", 0, "too large"),
        ("x/0 <= 1", 0, "divides by zero"),
        ("f(w) <= g(w)", 8, "functions are called f and F"),
    ],
)
def test_what_is_not_understood_is_said_with_its_place(line, place, why):
    options = {"functions": "convex"} if "g(w)" in line else {}
    with pytest.raises(Unread) as told:
        read(line, **options)
    said, shown, mark = str(told.value).split("\n")
    assert why in said and shown == f"    {line}" and mark == " " * (4 + place) + "^"


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("1/2 L <= 1", "1/(2 L) <= 1"),
        ("log a b <= 1", "log(a b) <= 1"),
        ("ab <= a + b", "a b <= a + b"),
        ("e^2 <= x", "e^2 <= x"),
        (r"q^k \le 1", r"q_{k} \le 1"),
    ],
)
def test_what_two_may_read_in_two_ways_is_decided_in_none_in_silence(line, other):
    found = read(line)
    assert len(found.readings) == 2 and len(set(bodies(found.python))) == 2
    assert all(f"@reading-{k}" in id for k, id in enumerate(found.ids, 1))
    if other != line:
        assert bodies(read(other).python)[0] in [b.replace("(x.a*x.b)", "(x.a*x.b)") for b in bodies(found.python)]


@pytest.mark.parametrize(
    "line",
    [
        r"\frac{\mu}{2}\|w\|^2 \le 1",
        r"\mu/2 \|w\|^2 \le 1",
        "mu |w|^2/2 <= 1",
        "1/2 mu*|w|^2 <= 1",
        "(1/2) mu |w|^2 <= 1",
    ],
)
def test_half_of_a_square_is_read_by_everybody_in_one_way(line):
    assert len(read(line, where=["mu > 0"], vectors=["w"]).readings) == (2 if line.startswith("1/2 mu") else 1)


def test_a_sum_over_which_a_power_goes_is_one_of_powers():
    assert bodies(read(r"\sum_{k=0}^{K-1} q^k \le 1").python) == ["return le(x.sum(lambda k: x.q**k, x.K), 1)"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a > 0, b > 0", ["a > 0", " b > 0"]),
        ("a, b > 0", ["a  > 0", " b > 0"]),
        (r"\eta \in (0, 1], \mu > 0", [r"\eta \in (0, 1]", r" \mu > 0"]),
        ("<u, v> <= 1, a > 0", ["<u, v> <= 1", " a > 0"]),
        ("a >= 0 and b >= 0", ["a >= 0 ", " b >= 0"]),
    ],
)
def test_conditions_are_divided_by_commas_outside_of_brackets(text, parts):
    assert conditions(text) == parts


def test_a_condition_that_says_what_a_name_is_defines_it():
    found = read(r"\|w_{t+1}\| \le \|w_t\|", where=[r"w_{t+1} = w_t - \eta g, \eta > 0"])
    assert bodies(found.python)[0].startswith("w_t1 = x.w_t - x.eta*x.g return")


def test_a_place_in_a_condition_is_shown_in_the_line_with_its_conditions():
    with pytest.raises(Unread) as told:
        read(r"a \ge 0", where=["b > 0", r"a^{-1} = \log_i(b) + |c|_i"])
    assert str(told.value).split("\n")[1] == r"    a^{-1} = \log_i(b) + |c|_i"  # read by itself, it is shown by itself
    with pytest.raises(Unread) as told:
        read(r"\eta_t \le \eta_0", where=[r"\eta_t = \eta_0/(t+1)"])
    _, shown, mark = str(told.value).split("\n")
    assert shown == r"    \eta_t \le \eta_0, where \eta_t = \eta_0/(t+1)" and shown[mark.index("^")] == "t"


@pytest.mark.parametrize("line", [r"\eta\|g\| \le \|w\|", r"\|w\| \ge \eta\|g\|", r"\frac{\|g\|}{\eta} \le \|w\|"])
@pytest.mark.parametrize("where", [r"\eta = -\mu, \mu > 0", r"\eta = \mu - \nu, \mu > 0, \nu > 0"])
def test_what_may_be_negative_is_not_squared(line, where):
    (body,) = bodies(read(line, where=[where]).python)
    assert "sqrt" in body


def test_the_letters_of_a_class_stand_in_front_of_what_they_are_constants_of():
    line = r"\|\nabla f(w)\|^2 \ge 0"
    python = read(line, functions="L strongly convex mu smooth").python
    assert 'SmoothStronglyConvex("L", "mu")' in python
    assert 'SmoothStronglyConvex("mu", "L")' in read(line, functions="smooth strongly convex L mu").python


@pytest.mark.parametrize(
    "text",
    [
        "2-smooth",
        "smooth L/2",
        "smooth L = 2",
        "convex or smooth",
        "f-smooth",
        "L smooth L strongly convex",
        "non-convex smooth",
        "quasi-convex",
    ],
)
def test_words_of_a_class_that_would_be_left_out_are_refused(text):
    with pytest.raises(UsageError, match="--class"):
        read(r"\|\nabla f(w)\|^2 \ge 0", functions=text)


def test_a_range_of_one_element_is_none_of_the_sequence():
    python = read("D_T > 0", where=["D_0 > 0, D_{t+1} = D_t - 1"]).python
    assert '"D": real()' in python and 'condition("0 < D_0"' in python


@pytest.mark.parametrize("line", [r"D_T \le b", r"\sum_{t=1}^{T} D_t \le b T", r"D_{t+1} \le b"])
def test_a_condition_at_every_t_is_one_at_the_last_too(line, tmp_path):
    python = read(line, where=[r"D_t \le b"]).python
    assert 'given=(condition("D_t <= b at T", lambda x: le(x.D[x.T], x.b)),)' in python
    (own,) = claims_of(python, tmp_path).values()
    assert verify(own, budget="quick", seed=0, backend="numpy").verdict in ("proved", "certified")


@pytest.mark.parametrize(
    ("line", "where"),
    [
        (r"\|w\| \le 1", "w > 0"),
        (r"\|x\|/x \le 1", ""),
        (r"\sqrt{x} \le \|x\|", ""),
        (r"\|x\| \le 1", r"x = y + \|y\|"),
    ],
)
def test_a_vector_where_a_number_has_to_stand_is_refused(line, where):
    with pytest.raises(Unread, match="has to stand here"):
        read(line, where=[where])


@pytest.mark.parametrize("text", ["smoth L", "convex convex L M N", "L", ""])
def test_a_class_that_is_not_known_is_refused(text):
    with pytest.raises(UsageError, match="--class" if text else "is a function"):
        read("f(w) <= 1", functions=text)


@pytest.mark.parametrize("line", ["2 a b <= 1", "|w|^2 <= 1", "sum_{t=0}^{T-1} q^t <= 1"])
def test_what_is_shown_is_read_back_as_the_same(line):
    options = {"vectors": ["w"]} if "w" in line else {}
    (shown,) = read(line, **options).readings
    assert bodies(read(shown.split(";")[0], **options).python) == bodies(read(line, **options).python)
