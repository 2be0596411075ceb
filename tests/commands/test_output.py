"""What the terminal shows: at 80 columns, in a pipe, without colours, in an ASCII locale."""

import os
import pty
import re
import subprocess
import sys

import pytest

from fedtheory.cli import main
from fedtheory.show.points import scalars_of
from fedtheory.show.screen import LINES, screen
from fedtheory.show.screen import shown as printed
from fedtheory.show.tables import short
from fedtheory.show.verdicts import verdict_lines, witness_line
from problems import Scalars, Sequences, positive

RUN = [sys.executable, "-m", "fedtheory"]
TWO = ["verify", "pfedme/lemma1a", "--jobs", "1"]
WIDE = """\
id                       verdict    trust     tier         tightness    slack   time  witness or scope
pfedme/lemma1a           refuted    replayed  exact                5    -0.67  0.00s  25 <= 5 fails at m=1 batch=1 lam=1 nu=10 mu=1
pfedme/lemma1a~repaired  certified  kernel    certificate          1  0.00021  0.00s  m <= 2, batch <= 2, 3 points
2 claims: 1 certified, 1 refuted
"""
NARROW = """\
id                       verdict    trust     tier         tightness    slack
pfedme/lemma1a           refuted    replayed  exact                5    -0.67
    25 <= 5 fails at m=1 batch=1 lam=1 nu=10 mu=1
pfedme/lemma1a~repaired  certified  kernel    certificate          1  0.00021
    m <= 2, batch <= 2, 3 points
2 claims: 1 certified, 1 refuted
"""
MANY = """\
refuted  a/long-name-of-a-claim-with-hyphens@reading: 25 <= 5 fails at m=1 lam=1
         rho=(1/2,1/3)
         repair a/b~repaired: proved
unknown  b/c: no engine decided it
crashed  b/d: an engine crashed
10 more, proved, certified or supported: --all prints every row
a  11: 10 proved, 1 refuted
b   2: 2 unknown
13 claims: 10 proved, 1 refuted, 2 unknown
"""


def entry(id="a/b", verdict="proved", **more):
    """An entry of a report."""
    empty = {"tier": "smt", "tightness": None, "min_slack": 0.0, "seconds": 0.1, "witness": None, "repair": None}
    rest = {"scope": "all", "trials": 7, "domain": "", "reason": "", "crashed": False}
    return {**empty, **rest, "id": id, "verdict": verdict, **more}


WITNESS = {
    "shape": {"m": 1, "d": 1, "select": 1}, "scalars": {"lam": "1", "rho": ["1/2", "1/3"]}, "lhs": "25", "op": "<=",
    "rhs": "5", "relation": "",
}  # fmt: skip
LIST = [
    *[entry(f"a/true{i}") for i in range(10)],
    entry("b/c", "unknown", reason="no engine decided it"),
    entry(
        "a/long-name-of-a-claim-with-hyphens@reading", "refuted", witness=WITNESS,
        repair={"id": "a/b~repaired", "verdict": "proved"},
    ),
    entry("b/d", "unknown", crashed=True, reason="an engine crashed\nmore"),
]  # fmt: skip


def untimed(text):
    """The text with every time as zero, and the slack that a search found as it was found once."""
    return re.sub(r"0\.000\d+|\d\.\de-0\d", "0.00021", re.sub(r"\d+\.\d\ds", "0.00s", text))


def shown(*args, **options):
    """The lines in plain text."""
    return [line.plain for line in verdict_lines(*args, **options)]


def piped(*args, **env):
    """What a command writes into a pipe."""
    return subprocess.run([*RUN, *args], env={**os.environ, **env}, capture_output=True, check=True).stdout.decode()


def in_terminal(*args, **env):
    """What a command writes on a terminal of 80 columns."""
    here, there = pty.openpty()
    with subprocess.Popen(
        [*RUN, *args], stdout=there, stderr=subprocess.DEVNULL, env={**os.environ, "COLUMNS": "80", **env}
    ) as child:
        os.close(there)
        text = b""
        while True:
            try:
                part = os.read(here, 65536)
            except OSError:
                break
            if not part:
                break
            text += part
        assert child.wait() == 0
    os.close(here)
    return text.decode().replace("\r\n", "\n")


def test_many_claims_show_what_is_not_true_first():
    """Refuted, then unknown and crashed, then counts; every line fits."""
    assert "\n".join(shown(LIST, 80)) + "\n" == MANY


def row(id, verdict="proved", locator="Section 1, below Theorem 9", step=False, kind="rate", repair=None, **more):
    """An entry of a paper's claim."""
    repair = repair and {"id": repair, "verdict": "certified"}
    return entry(id, verdict, locator=locator, step=step, kind=kind, repair=repair, witness=None, **more)


PAPERS = [
    *[row(f"a/fine{i}") for i in range(10)],
    row("a/lemma2", "refuted", "Section 3, Lemma 2; proof A.2", repair="a/lemma2~repaired"),
    row("a/thm1b", "refuted", "Section 4, Theorem 1 (b)", repair="a/thm1@other"),
    row("a/thm1c", "vacuous", "Section 4, Theorem 1 (c)"),
    row("a/thm1a", "proved", "Section 4, Theorem 1 (a)"),
    row("a/thm1a@literal", "refuted", "Section 4, Theorem 1 (a)"),
    row("a/thm1-s2", "refuted", "Proof of Theorem 1", step=True),
    row("a/thm1-s3", "refuted", "Proof of Theorem 1", step=True),
    row("a/rem", "refuted"),
    row("a/cond", "refuted", "Theorem 1", kind="condition"),
    row("b/eq1", "unknown", "Theorem 2", reason="draft/one: its condition a <= b is not met: a = 2, b = 1 is possible there"),
]  # fmt: skip
SCREEN = """\
  falls      refuted                 repaired
a  19: 11 proved, 7 refuted, 1 vacuous
  Theorem 1  thm1b, thm1c (vacuous)  certified thm1@other
  Lemma 2    lemma2                  certified lemma2~repaired
  also refuted: 2 steps of proofs, 1 reading, 1 in the text, 1 condition
b  1: 1 unknown
  unknown  b/eq1: draft/one: its condition a <= b is not met: a = 2, b = 1 is
           possible there
20 claims: 11 proved, 7 refuted, 1 vacuous, 1 unknown
next: fedtheory explain a/thm1b; --refuted: witnesses; --all: every row
"""


def test_the_first_screen_has_the_statements_that_fall():
    """Theorems, then lemmas, with their repairs; the rest by kind; what is not decided with its reason; what to type next."""
    lines = [line.plain for line in screen(PAPERS, 80)]
    assert "\n".join(lines) + "\n" == SCREEN


@pytest.mark.parametrize("statements", [1, 6, 12, 30])
def test_the_first_screen_has_twenty_lines_at_most(statements):
    """However many statements fall: those that find no place are named in a line, or counted there."""
    papers = [row(f"{p}/lemma{i}", "refuted", f"Lemma {i}") for p in "abc" for i in range(1, statements + 1)]
    lines = [line.plain for line in screen(papers, 80)]
    every = " ".join(lines)
    assert len(lines) <= LINES and all(len(line) <= 80 for line in lines)
    named = {int(n) for n in re.findall(r"Lemma (\d+)", every)}
    left = max((int(n) for n in re.findall(r"and (\d+) more", every)), default=0)
    assert named == set(range(1, statements - left + 1))


def test_drafts_and_few_claims_keep_their_lines():
    """The screen is of more than ten claims of papers; --refuted and --all print lines in any case."""
    ids = {e["id"] for e in PAPERS}

    def lines(entries, **options):
        return [line.plain for line in printed(entries, 80, **options)]

    assert lines(PAPERS, published=ids) == SCREEN.splitlines()
    assert lines(PAPERS, published=()) == shown(PAPERS, 80)
    assert lines(PAPERS[:3], published=ids) == shown(PAPERS[:3], 80)
    assert lines(PAPERS, published=ids, every=True) == shown(PAPERS, 80, every=True)
    every = lines(PAPERS, published=ids, refuted=True)
    assert (
        every == shown(PAPERS, 80, refuted=True) and sum(line.startswith(("refuted", "vacuous")) for line in every) == 8
    )
    assert lines([*LIST, *PAPERS], published=ids)[-len(SCREEN.splitlines()) :] == SCREEN.splitlines()


@pytest.mark.parametrize("width", [40, 60, 80, 120, 10_000])
@pytest.mark.parametrize("every", [True, False])
def test_every_line_fits(width, every):
    """Nothing is cut, and a line is longer than the terminal only where an id is."""
    lines = shown(LIST, width, every=every)
    assert all(len(line) <= max(width, 56) and line == line.rstrip() for line in lines)
    said = " ".join(" ".join(lines).split())
    assert "25 <= 5 fails at m=1 lam=1 rho=(1/2,1/3)" in said and "no engine decided it" in said
    assert ("a/true3" in said) == every


def test_a_pipe_gets_whole_lines_without_blanks():
    """One line a claim, as long as it is, in an ASCII locale too."""
    assert untimed(piped(*TWO)) == WIDE
    assert untimed(piped(*TWO, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")) == WIDE
    assert "Lemma 1" in piped("list", "pfedme/lemma1*", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_a_terminal_without_colours(env):
    """80 columns: the witness stands below its row, and no escape sequence is written."""
    assert untimed(in_terminal(*TWO, **env)) == NARROW


def test_colours_are_of_the_verdict_alone():
    """The words are the same with colours."""
    text = untimed(in_terminal(*TWO, TERM="xterm", NO_COLOR=""))
    assert "\x1b[" in text and re.sub(r"\x1b\[[\d;]*m", "", text) == NARROW


def test_an_ascii_terminal():
    """The ellipsis of a cut line becomes a tilde."""
    text = in_terminal("list", "pfedme/lemma1*", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", NO_COLOR="1")
    assert text.isascii() and "~" in text


def test_a_ball_shows_its_exponent():
    """Ends that agree are printed once, with their power of ten."""
    assert short(["1.18170032946366308502e-28", "1.18170032946366330923e-28"]) == "1.1817e-28"
    assert short(["-1.5", "2.5"]) == "[-1.5, 2.5]"


@pytest.mark.parametrize(
    ("exact", "said"),
    [("9999999/10000000", "0.9999999"), (f"{10**30 - 1}/{10**30}", "1 - 1e-30"), (f"1/{10**30}", "1e-30"),
     ("4999999999/10000000000", "0.4999999999"), ("-100000001/100000000", "-1.00000001"), ("123456789/10000", "12345.7")],
)  # fmt: skip
def test_a_number_of_a_witness_looks_like_no_other_one(exact, said):
    """One that is slightly below 1 is not 1, for which the claim may hold; nor is the side of a relation."""
    w = {"shape": {}, "scalars": {"p": exact, "alpha": [exact, "1"]}, "lhs": exact, "op": "<=", "rhs": "0"}
    assert witness_line(w) == f"{said} <= 0 fails at p={said} alpha=({said},1)"


def test_a_dimension_is_shown_where_it_is_not_one():
    """Of the coordinates of a vector a claim may fail from two of them on alone."""
    w = {"shape": {"m": 1, "d": 3, "select": 2}, "scalars": {}, "lhs": "9", "op": "<=", "rhs": "6"}
    assert witness_line(w) == "9 <= 6 fails at m=1 d=3"
    assert witness_line({**w, "shape": {"m": 1, "d": 1}}) == "9 <= 6 fails at m=1"


def test_a_witness_has_a_sequence_up_to_its_length():
    world = Sequences("T", sequences={"a": positive(), "b1": positive()}, a1b=positive())
    scalars = {"a1b": "5", **{f"{s}{t}": "1" for s in ("a", "b1") for t in range(4)}}
    assert set(scalars_of({"shape": {"T": 2}, "scalars": scalars}, world)) == {
        "a1b",
        "a0",
        "a1",
        "a2",
        "b10",
        "b11",
        "b12",
    }
    plain = Scalars(a3=positive())
    assert scalars_of({"shape": {}, "scalars": {"a3": "1"}}, plain) == {"a3": "1"}


LEMMA = """
from fedtheory import Control, claim, le
from problems import Points, Scalars, SmoothStronglyConvex, positive, weights
@claim("draft/x", world={world}, control=Control("x", lambda x: le(1, 0)))
def lemma(x):
    return le({left}, 0)
"""
POINTS = "Points(SmoothStronglyConvex('mu', 'L'), mu=positive(), L=positive(), alpha=weights())"
OF = "__import__('proofs_checks').claims()['{}'].world"
SAID = {
    "x.sq(x.f.gradient(x.w))": (POINTS, "(it has grad, infimum, m, prox, value; did you mean grad?)"),
    "x.sq(x.f[0](x.w))": (POINTS, "clients have no numbers"),
    "x.sq(x.alpha*x.f.grad(x.w))": (POINTS, "multiplies vectors as s[..., None]"),
    "x.mu if x.sq(x.w) > x.L else x.L": (POINTS, "write x.minimum(a, b) or x.maximum(a, b)"),
    "x.state.foo": (OF.format("fedadmm/lemma4.1"), "(it has w, W, Pi, Z"),
    "x.alg.foo": (OF.format("fedadmm/lemma4.1"), "(it has sigma"),
    "x.E(lambda: x.state)": (
        OF.format("pfedme/eq18-c@assumption1b"),
        "x.E(fn) hands the draw to fn, so write x.E(lambda draw: ...)",
    ),
}


@pytest.mark.parametrize("left", SAID)
def test_a_wrong_name_or_shape_is_told_what_there_is(left, tmp_path, capsys):
    """Names of clients, of states and of the algorithm; what E hands over; how scalars multiply vectors."""
    world, said = SAID[left]
    (tmp_path / "bad.py").write_text(LEMMA.format(world=world, left=left))
    assert main(["verify", str(tmp_path / "bad.py")]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "needs"),
    [("replay", "REPORT.json, ID"), ("explain", "ID|PATTERN|FILE.py"), ("mutants", "REPORT.json"), ("run", "METHOD[,METHOD]")],
)  # fmt: skip
def test_a_command_without_words_says_what_it_needs(command, needs, capsys):
    """Nothing that is optional."""
    assert main([command]) == 2
    assert f"required: {needs} (" in capsys.readouterr().err


@pytest.mark.parametrize("swapped", [False, True])
def test_explain_takes_file_and_id_in_any_order(swapped, tmp_path, capsys):
    """Scope and evidence are shown, a hypothesis once, and a folder may be called like a file."""
    (tmp_path / "dir.py").mkdir()
    text = LEMMA.format(world="Scalars(a=positive())", left="1 + x.a + x.a**2/2 - x.exp(x.a)")
    (tmp_path / "dir.py" / "mine.py").write_text(text)
    words = [str(tmp_path / "dir.py"), "draft/x"]
    assert main(["explain", *(words[::-1] if swapped else words)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("draft/x supported") and re.search(r"scope: +\d+ instances", out)
    assert "evidence:   control refutes" in out and out.count("0 < a") == 1


CONSTANTS = {
    "flame --L 1e400 --lam 5 --rho 1 --m 2": (0, "2e+400"),
    "flame --L 1 --lam 1e-400 --rho 1 --m 2": (0, "1e-400"),
    "fedadmm --m 3 --r 1e300 --sigma0 1e300": (0, "3.33333e+599"),
    "pfedme --lam 1e308 --L 1e308 --mu 1 --accuracy 1e-3": (0, "1.33333e-926"),
    "pfedme --L 16 --lam 15 --mu 1 --sigma_f_sq 2": (0, "not defined: lam > 2 sqrt(2) L, squared fails"),
    "pfedme --m 2.5": (2, "--m must be a whole number, got 2.5"),
    "pfedme --data diabetes --L 1e400": (2, "--L is out of the range of floats"),
    "pfedme --help": (0, "--lam, --lambda: Moreau parameter"),
}


@pytest.mark.parametrize("words", CONSTANTS)
def test_constants(words, capsys):
    """Exact numbers of any size; a variance that is not defined; whole numbers; the parameters of a paper."""
    status, said = CONSTANTS[words]
    assert main(["constants", *words.split()]) == status
    out = capsys.readouterr()
    assert said in out.out + out.err


def test_the_advice_for_a_missing_backend_names_extras_that_exist():
    """Every extra in the advice is one of pyproject.toml."""
    import tomllib
    from pathlib import Path

    from fedtheory._arrays import INSTALL

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    named = re.findall(r"fedtheory\[(\w+)\]", " ".join(INSTALL.values()))
    assert named and set(named) <= set(project["optional-dependencies"])
