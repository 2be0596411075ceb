"""fedtheory best: the smallest constant in closed form with its proof, and what comes near below it."""

import importlib.util
import re
import shlex
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from fedtheory.cli import main
from fedtheory.latex.smallest import number, scaled, simplest, smallest
from fedtheory.referee.decide import verify
from proofs_checks import claims

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "best.md"
LINES = tomllib.loads((DOCS / "examples" / "pepit" / "lines.toml").read_text(encoding="utf-8"))["line"]


@pytest.fixture
def best(capsys):
    """Run the command; its status, and what it prints."""

    def run(line, *, of="", where="", more=()):
        words = ["best", line, *(["--class", of] if of else []), *(["--where", where] if where else []), *more]
        status = main(words)
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def commands():
    """The commands of the page, and what they find."""
    for line in re.findall(r"^fedtheory best .*  # c = .*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE):
        command, found = line.split("  # c = ")
        yield shlex.split(command)[1:], found


COMMANDS = list(commands())


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(("words", "constant"), COMMANDS, ids=[words[1][:30] for words, _ in COMMANDS])
def test_the_smallest_constant_of_the_page_is_found_and_proved(words, constant, capsys):
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"c = {constant} holds (proved, kernel)")
    assert ("both sides are equal at an instance" in out) is ("prox" not in words[1])
    assert ("with 1000/999 of it" if r"\ge c" in words[1] else "with 999/1000 of it") in out and " fails at " in out
    assert "draft/line  proved" in out and "from fedtheory import" in out


def test_the_page_has_its_commands_and_the_first_output():
    assert len(COMMANDS) == 13
    assert "c = 2*L/3 holds (proved, kernel); both sides are equal at an instance with L = 1" in PAGE.read_text(
        encoding="utf-8"
    )


def test_a_bound_that_holds_with_no_constant_says_what_still_fails(best):
    status, out, _ = best("x^2 <= c*x", where="x >= 1")
    assert status == 1 and "no closed form and no number c was proved" in out and " fails: " in out


@pytest.mark.parametrize(
    ("line", "where", "said"),
    [
        ("a <= c^2*b", "a, b > 0", "as a factor alone"),
        ("a <= b/(1 + c)", "a, b > 0", "as a factor alone"),
        ("a <= d*b", "", "no such letter stands"),
        ("a*b <= c*a", "", "has no sign"),
        ("a = c*b", "", "an equation"),
    ],
)
def test_what_has_no_best_constant_is_refused(best, line, where, said):
    status, _, err = best(line, where=where)
    assert status == 2 and said in err


def table():
    """Claims of the page, how much of their right sides is enough, how near that is, and on what it rests."""
    rows = re.findall(
        r"^\| `(\S+/\S+)` \| (.+?) \| (the smallest|to 1/1000)(?:, by (z3))? \|$",
        PAGE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    return [(*row[:3], row[3] or "kernel") for row in rows]


@pytest.mark.in_turn(12)
@pytest.mark.parametrize(("id", "part", "how", "trust"), table(), ids=[id for id, *_ in table()])
def test_how_much_is_enough_of_a_claim_of_the_page(best, id, part, how, trust):
    status, out, _ = best(id)
    assert status == 0 and f"\nc = {part} holds (proved, {trust})" in out and "with 999/1000 of it" in out
    assert ("it is the smallest" in out) is (how == "the smallest")


def test_the_page_has_its_claims():
    assert len(table()) == 31


@pytest.mark.in_turn(6)
@pytest.mark.parametrize("row", LINES, ids=[row["example"] for row in LINES])
def test_an_example_of_pepit_as_a_line(best, row):
    status, out, _ = best(row["line"], of=row["class"], where=row["where"])
    assert status == 0 and out.startswith(f"c = {row['c']} holds (proved, kernel)") and "with 999/1000 of it" in out
    assert ("where it is the smallest" in out) is (row["how"] == "the smallest")


def beside():
    """The script that sets PEPit beside."""
    spec = importlib.util.spec_from_file_location("beside_pepit", DOCS / "examples" / "beside_pepit.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_has_the_examples_of_pepit():
    """Constant, how near it is, its value at PEPit's parameters, and the lines that are written."""
    script, text = beside(), PAGE.read_text(encoding="utf-8")
    cells = r"(.*?) \| (\S+) \| (\S+) \| \S+ \| \S+ \| (\d+) \| \d+"
    shown = re.findall(rf"^\| `([\w-]+)` \| `(.*?)` \| {cells} \|$", text, re.MULTILINE)
    assert len(shown) == len(LINES) >= 10
    for row, (example, constant, how, there, theirs, lines) in zip(LINES, shown, strict=True):
        value = script.value(row["c"], row.get("at", {})) * Fraction(row.get("times", 1))
        assert (example, constant, how) == (row["example"], row["c"], row["how"]) and there == f"{float(value):.6f}"
        assert float(theirs) == pytest.approx(float(value), rel=2e-4) and int(lines) == script.written(row)


@pytest.mark.in_turn(6)
@pytest.mark.parametrize("row", LINES, ids=[row["example"] for row in LINES])
def test_pepit_has_the_value_of_the_page(row):
    """An upper bound that is proved, and PEPit's floats at or below it but for the accuracy of its solver."""
    pytest.importorskip("PEPit")
    script = beside()
    tau = script.theirs(row)[0]
    ours = float(script.value(row["c"], row.get("at", {})) * Fraction(row.get("times", 1)))
    assert ours * 0.9998 <= tau <= ours * 1.0001


def test_the_proof_of_the_page_is_what_comes_out(best):
    """The multipliers in closed form, and what they multiply."""
    text = PAGE.read_text(encoding="utf-8")
    command = next(line for line in text.splitlines() if line.startswith("fedtheory best") and line.endswith("--proof"))
    shown = re.search(r"^```\n( +right - left.*?)```", text, re.DOTALL | re.MULTILINE)[1]
    _, _, line, _, of, _, where, more = shlex.split(command)
    status, out, _ = best(line, of=of, where=where, more=(more,))
    assert status == 0 and shown in out and "where [interpolation[0] 1 2] = " in out


def test_a_number_for_all_parameters_is_said_to_be_no_formula(best):
    line, where = r"f(v) - f^* \le c (f(w) - f^*)", r"v = w - \frac{1}{3L} \nabla f(w)"  # (1 - mu/(3 L))^2
    status, out, _ = best(line, of=r"L-smooth, \mu-strongly convex", where=where)
    assert status == 0 and out.startswith("c = 1 holds (proved, kernel)")
    assert "as one number for all parameters; a formula in them is smaller" in out and "says c = 0." in out


def test_a_claim_of_a_paper(best):
    """Its printed 3 may be 2: two thirds of the right side are enough, and no less."""
    status, out, _ = best("pfedme/eq18-b")
    assert status == 0 and "c = 2/3 holds (proved, kernel)" in out and "it is the smallest" in out
    base = claims()["pfedme/eq18-b"]
    assert verify(scaled(base, number(Fraction(2, 3)))).verdict == "proved"
    assert verify(scaled(base, number(Fraction(3, 5)))).verdict == "refuted"


def test_a_false_claim_needs_a_larger_constant():
    found = smallest(claims()["flame/eq24"])
    assert found.constant.text == "1" and found.attained


def test_what_a_claim_has_no_use_for_is_refused(best):
    assert "are for a LINE" in best("pfedme/eq18-b", where="a > 0")[2]
    assert best("flame/lemma3-proof-s1")[0] == 2


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [("1/3", "1/2", "1/2"), ("5/7", "6/7", "3/4"), ("2", "3", "2"), ("1/100", "1/90", "1/90"), ("7/5", "17/12", "7/5")],
)
def test_the_simplest_fraction_between_two(low, high, found):
    low, high = Fraction(low), Fraction(high)
    assert simplest(low, high) == Fraction(found)
    smaller = range(1, Fraction(found).denominator)
    assert not [d for d in smaller for n in range(4 * d) if low <= Fraction(n, d) <= high]
