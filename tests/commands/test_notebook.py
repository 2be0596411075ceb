"""fedtheory.experiment and what a notebook shows."""

import numpy as np
import pytest

import fedtheory
from fedtheory import UsageError, experiment
from fedtheory.cli import main
from fedtheory.numbers import Fractions
from fedtheory.trace import read_npz
from fedtheory.world import Free
from problems import Scalars, positive

WORDS = {"m": 4, "l2": 0.01, "data_options": {"standardise": True}}


def test_it_is_what_the_command_does(tmp_path, capsys):
    """The same trace as `fedtheory run`, entry by entry."""
    words = ["--m", "4", "--l2", "0.01", "--standardise", "--rounds", "6", "--sigma0", "3"]
    assert main(["run", "fedadmm", "--data", "breast-cancer", *words, "--out", str(tmp_path)]) == 0
    (folder,) = tmp_path.iterdir()
    kept = read_npz(folder / "trace.npz")
    done = experiment("fedadmm", "breast-cancer", rounds=6, sigma0=3, **WORDS)
    assert set(done.trace.columns) == set(kept)
    assert all(np.array_equal(done.trace[name], column) for name, column in kept.items())
    assert str(done.runs[0].plan.data["samples"]) and repr(done).splitlines()[0] in capsys.readouterr().out


def test_runs_are_kept_where_it_is_asked_for(tmp_path, monkeypatch):
    """And loaded from there; by default nothing is left behind."""
    monkeypatch.chdir(tmp_path)
    assert experiment("fedavg", "breast-cancer", rounds=2, **WORDS).runs[0].seconds is not None
    assert not list(tmp_path.iterdir())
    for seconds in (False, True):
        done = experiment("fedavg", "breast-cancer", rounds=2, out="kept", **WORDS)
        assert (done.runs[0].seconds is None) is seconds
    assert len(list((tmp_path / "kept").iterdir())) == 1


def test_lists_are_runs_and_one_figure():
    """Methods, seeds, and values of a hyper-parameter; a notebook gets a table and a picture."""
    done = experiment(["fedavg", "scaffold"], "breast-cancer", rounds=2, seed=[0, 1], eta=[0.1, 0.2], **WORDS)
    assert [(f.plan.method, f.plan.options["eta"], f.plan.seed) for f in done.runs][:3] == [
        ("fedavg", 0.1, 0), ("fedavg", 0.1, 1), ("fedavg", 0.2, 0),
    ]  # fmt: skip
    assert len(done.runs) == 8 and done.figure().axes
    page = done._repr_html_()
    assert "<svg" in page and "</svg>" in page and "scaffold" in page
    with pytest.raises(UsageError, match="there are 8 runs"):
        _ = done.trace


@pytest.mark.parametrize(
    "words, message",
    [({"methods": "fedavgg"}, "did you mean fedavg"), ({"etaa": 1}, "no option etaa; did you mean eta"),
     ({"eta": -1}, "experiment argument eta must be positive, got -1"), ({"m": 0}, "m must be at least 1, got 0"),
     ({"rounds": 1.5}, "rounds needs a whole number, got '1.5'"), ({"seed": -1}, "seed must be at least 0, got -1"),
     ({"data_options": {"standardize": True}}, "did you mean standardise"), ({"backend": "cupi"}, "did you mean cupy"),
     ({"stop": "never"}, "experiment argument stop needs a number"), ({"batch": 10**6}, "batch")],
)  # fmt: skip
def test_what_cannot_be_run(words, message):
    """One line that names the argument and the value."""
    with pytest.raises(UsageError, match=message) as error:
        experiment(**{"methods": "fedavg", "data": "breast-cancer", **words})
    assert "\n" not in str(error.value) and "--" not in str(error.value)


def test_names_are_completed():
    """Of the package, also those that are imported when they are asked for, and of an instance."""
    assert {"verify", "experiment", "Instance", "claim"} <= set(dir(fedtheory))
    assert set(fedtheory.__all__) <= set(dir(fedtheory)) and all(getattr(fedtheory, name) for name in fedtheory.__all__)
    x = Scalars(a=positive(), b=positive()).build(Free({}, {"a": 1, "b": 2}), Fractions())
    assert {"a", "b", "sq", "mean"} <= set(dir(x))
    with pytest.raises(AttributeError, match="no attribute 'verfy'"):
        _ = fedtheory.verfy
