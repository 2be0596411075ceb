"""What runs and pictures show: announcements, notes, several seeds, text in svg, every kind of verdict."""

import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from fedtheory.cli import main
from fedtheory.measure.curves import Curve
from fedtheory.show.dots import verdicts
from fedtheory.show.plots import ALONE, PALETTE, figure, math

DOCS = Path(__file__).parents[2] / "docs"
RUN = [
    "--data",
    "breast-cancer",
    "--standardise",
    "--l2",
    "0.1",
    "--m",
    "3",
    "--with",
    "features=mean",
    "--rounds",
    "3",
]
WITNESS = {"shape": {"m": 1}, "scalars": {}, "lhs": "0", "op": "<=", "rhs": "-1", "relation": ""}
EMPTY = {"tightness": None, "witness": None, "repair": None, "reason": "", "domain": "", "scope": "all"}


def texts(path):
    """The texts of an svg file: they are text, not outlines."""
    return [unescape(t) for t in re.findall(r"<text[^>]*>([^<]*)<", path.read_text(encoding="utf-8"))]


def test_optimum_is_announced_and_timed_once(tmp_path, capsys):
    """One announcement a data set, a column, mean and deviation of the seeds."""
    words = [
        "--seed",
        "0,1",
        "--data-seed",
        "0",
        "--S",
        "2",
        "--out",
        str(tmp_path / "r"),
        "--plot",
        str(tmp_path / "a.svg"),
    ]
    assert main(["run", "fedavg", *RUN, *words]) == 0
    out = capsys.readouterr()
    assert out.err.count("computing f* and the constants of breast-cancer") == 1
    assert re.search(r"seconds  f\* seconds\n", out.out)
    assert re.search(r"^fedavg  mean +3 ", out.out, re.M) and re.search(r"^fedavg +std +0 ", out.out, re.M)
    assert "measured: mean of 2 seeds, band from least to largest" in texts(tmp_path / "a.svg")


def test_notes_of_a_run(tmp_path, capsys):
    """It diverges; a minibatch is too large; the model of a csv is said; no warning of NumPy."""
    out = ["--out", str(tmp_path / "r")]
    assert main(["run", "fedavg", *RUN, "--eta", "1e3", *out]) == 0
    said = capsys.readouterr()
    assert "fedavg diverges: objective" in said.out and "Warning" not in said.err
    assert main(["run", "fedavg", *RUN, "--batch", "1000", *out]) == 2
    assert "--batch of fedavg must be at most 189, the samples of client" in capsys.readouterr().err
    (tmp_path / "my.csv").write_text("a,b,y\n" + "".join(f"{i},{i * i % 7},{i % 3}\n" for i in range(30)))
    assert (
        main(["run", "fedavg", "--data", str(tmp_path / "my.csv"), "--m", "2", "--l2", "1", "--rounds", "1", *out]) == 0
    )
    assert "model softmax by the targets of" in capsys.readouterr().out


def test_a_narrow_terminal_cuts_no_number():
    """Two tables where one is too wide."""
    from fedtheory.show import runs

    line = dict.fromkeys(("method", "seed", "communications"), "12345678")
    table = runs._of([line], tuple(line), ("seed",))
    assert table.columns[1].no_wrap and not table.columns[0].no_wrap


@pytest.mark.parametrize("kinds", [("refuted",), ("proved", "refuted"), ("proved",), ("unknown", "vacuous"), ()])
def test_pictures_of_verdicts(kinds, tmp_path):
    """Every kind has a mark; the rest is counted; nothing fails where a ratio is missing."""
    entries = [
        {
            **EMPTY,
            "id": f"a/{kind}{i}",
            "verdict": kind,
            "tightness": ratio,
            "witness": WITNESS if kind == "refuted" else None,
        }
        for kind in kinds
        for i, ratio in enumerate([None, 0.5, 7.0e5] if kind == "refuted" else [None, 0.5, 1.0])
    ]
    verdicts(entries, str(tmp_path / "v.svg"))
    said = texts(tmp_path / "v.svg")
    assert any(t.startswith(f"{len(entries)} claims") for t in said)
    if "refuted" in kinds:
        assert {"a/refuted2", "7e+05"} <= set(said) and not {"a/refuted0", "a/refuted1"} & set(said)
        assert any("no ratio lhs/rhs is defined: a/refuted0 (0 <= -1), a/refuted1" in t for t in said)
    if "proved" in kinds:
        assert {"a/proved1", "0.5", "a/proved2", "1"} <= set(said)  # those that attain it too, where they are few


def test_palette_and_formulas():
    """Nine different colours; norms and optima as formulas, other words as they are."""
    assert len(set(PALETTE)) == 9
    assert math("|grad f(w)|^2 [(E/M)^2]") == r"$\Vert\nabla f(w)\Vert^2$ [(E/M)$^2$]"
    assert math("squared residual of (4.1)") == "squared residual of (4.1)"


X = np.arange(41.0)
CURVES = {
    "converges": 2.0 * 0.5**X, "diverges": 2.0 * 4.0**X, "stays": 0 * X + 1.5, "to its rounding": 2e-6 * 0.1**X,
    "grows from little": 1e-9 * 10.0**X, "overflows": np.where(X < 20, 1.0, np.inf), "below": 1.0 - X / 20,
}  # fmt: skip


def in_sight(line, ax):
    """How many points of a line are within the axes."""
    low, high = ax.get_ylim()
    y = np.asarray(line.get_ydata(), dtype=float)
    return int(((y >= low) & (y <= high) & np.isfinite(y)).sum())


@pytest.mark.parametrize("one", CURVES)
@pytest.mark.parametrize("other", CURVES)
def test_every_curve_of_the_legend_is_in_the_picture(one, other):
    """A curve that grows leaves it at the top, and is said to; none hides another."""
    found = [
        (name, [Curve("objective", "f", "E", X, CURVES[name])]) for name in dict.fromkeys((one, other, "converges"))
    ]
    fig = figure(found, "some runs")
    (ax,) = fig.axes
    named = {text.get_text() for legend in fig.legends for text in legend.get_texts()}
    for line in ax.get_lines():
        assert (line.get_label() in named or len(found) == 1) and in_sight(line, ax) >= 3, line.get_label()
    if "diverges" in (one, other):
        assert "diverges leaves the picture, up to 2.42e+24" in ax.get_xlabel()
    assert (ALONE in fig.get_supxlabel()) == (len(found) > 1)


@pytest.mark.parametrize(
    ("more", "said", "drawn"),
    [
        (
            {"bound": 1e9 * 0.9**X, "where": "Theorem 1", "outcome": "holds on this trace"},
            "bound holds on this trace",
            True,
        ),
        ({"notes": ("beta >= 1 fails",)}, "beta >= 1 fails", False),
        ({"bound": X * np.nan, "where": "Theorem 1"}, "the bound is claimed at none of these communications", False),
        ({}, "the paper states no bound on it", False),
    ],
)
def test_a_bound_is_drawn_or_the_picture_says_why_not(more, said, drawn):
    """Of one setting."""
    fig = figure([("run", [Curve("objective", "f", "E", X, CURVES["converges"], **more)])], "a run")
    (ax,) = fig.axes
    bounds = [line for line in ax.get_lines() if str(line.get_label()).startswith("bound")]
    assert said in " ".join(ax.get_xlabel().split()) and bool(bounds) == drawn
    assert all(in_sight(line, ax) >= 3 for line in ax.get_lines())


WIDTH = re.compile(r'viewBox="0 0 ([\d.]+) ')
BESIDE = re.compile(
    r'<text style="font-size: ([\d.]+)px;[^"]*text-anchor: start" x="([\d.]+)" y="[\d.]+"[^>]*>([^<]*)<'
)


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.svg")), ids=lambda path: path.stem)
def test_no_text_of_a_picture_is_cut(path):
    """What stands in a legend ends before the picture does, in the letters of which it is made."""
    text = path.read_text(encoding="utf-8")
    width = float(WIDTH.search(text)[1])
    for size, x, said in BESIDE.findall(text):
        own = FontProperties(family="DejaVu Sans")
        ends = float(x) + TextPath((0, 0), unescape(said), size=float(size), prop=own).get_extents().x1
        assert ends <= width, f"{said!r} ends at {ends:.0f} of {width:.0f}"
