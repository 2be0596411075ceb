"""`fedtheory run` and `fedtheory data` at the command line: bad input, what is written, the same bytes, interruptions."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from fedtheory.cli import main
from fedtheory.commands import experiment, run
from fedtheory.commands.options import value
from fedtheory.errors import UsageError
from fedtheory.method import Method, Option
from fedtheory.registry import methods
from fedtheory.runs import store

DATA = ["--data", "breast-cancer", "--with", "features=mean", "--standardise", "--l2", "0.1", "--m", "3"]
RUN = [*DATA, "--rounds", "3"]

CASES = {
    "unknown method": (["fedadm", *RUN], "run METHOD must be one of beer, dfedavgm"),
    "a method of the list unknown": (["fedavg,fedprx", *RUN], "got 'fedprx'; did you mean fedprox"),
    "a method twice": (["fedavg,fedavg", *RUN], "--METHOD has an entry twice"),
    "an empty method": (["fedavg,", *RUN], "--METHOD has an empty entry"),
    "no method": ([*RUN], "the following arguments are required: METHOD"),
    "no data": (["fedavg"], "--data NAME is needed"),
    "unknown data": (["fedavg", "--data", "breast_cancer"], "did you mean breast-cancer"),
    "data file missing": (["fedavg", "--data", "{tmp}/none.csv"], "none.csv"),
    "data file without samples": (["fedavg", "--data", "{tmp}/empty.csv"], "empty.csv"),
    "unknown option": (["fedavg", *RUN, "--etta", "1"], "unrecognized arguments: --etta 1; did you mean --eta"),
    "abbreviated option": (["fedavg", *RUN, "--bat", "1"], "unrecognized arguments: --bat"),
    "option of another method": (["fedavg", *RUN, "--lam", "1"], "fedavg has no option --lam"),
    "option of none of the methods": (["fedavg,fedprox", *RUN, "--k0", "2"], "fedavg, fedprox has no option --k0"),
    "negative step": (["fedavg", *RUN, "--eta", "-1"], "--eta must be positive, got -1"),
    "step zero": (["fedavg", *RUN, "--eta", "0"], "--eta must be positive, got 0"),
    "step nan": (["fedavg", *RUN, "--eta", "nan"], "--eta needs a number such as 0.01 or 1/3, got 'nan'"),
    "step infinite": (["fedavg", *RUN, "--eta", "inf"], "--eta needs a number such as 0.01 or 1/3, got 'inf'"),
    "step too large for a float": (["fedavg", *RUN, "--eta", "1e999"], "--eta needs a number such as 0.01 or 1/3, got '1e999'"),
    "step of a quotient by zero": (["fedavg", *RUN, "--eta", "1/0"], "--eta needs a number such as 0.01 or 1/3, got '1/0'"),
    "steps that are no number": (["fedavg", *RUN, "--E", "two"], "--E needs a whole number, got 'two'"),
    "half a step": (["fedavg", *RUN, "--E", "1.5"], "--E needs a whole number, got '1.5'"),
    "no step": (["fedavg", *RUN, "--E", "0"], "--E must be at least 1, got 0"),
    "an empty value of a list": (["fedavg", *RUN, "--eta", "0.1,,0.2"], "--eta has an empty entry: '0.1,,0.2'"),
    "too many runs": (
        ["fedavg", *RUN, "--E", ",".join(map(str, range(1, 12))), "--S", "1,2,3", "--batch", "1,2,3,4"],
        "these lists ask for 132 runs; at most 100",
    ),
    "more selected than clients": (["fedavg", *RUN, "--S", "4"], "--S must be at most the 3 clients, got 4"),
    "none selected": (["fedavg", *RUN, "--S", "0"], "--S must be at least 1, got 0"),
    "share above one": (["fedavg", *RUN, "--participation", "1.5"], "--participation must be above 0 and at most 1, got 1.5"),
    "share and number": (["fedavg", *RUN, "--S", "1", "--participation", "0.5"], "--S and --participation exclude each other"),
    "fedadmm's rho above one": (["fedadmm", *RUN, "--rho", "2"], "--rho must be above 0 and at most 1, got 2"),
    "fedadmm's rho and share": (["fedadmm", *RUN, "--rho", "0.5", "--participation", "0.5"], "give one of them"),
    "two penalties": (["fedadmm", *RUN, "--sigma", "1", "--sigma0", "1"], "--sigma and --sigma0 exclude each other"),
    "nu out of range": (["fedadmm", *RUN, "--nu", "0.4"], "--nu must be at least 1/2 and below 1, got 0.4"),
    "nu out of range for one of two": (["pfedme,fedadmm", *RUN, "--nu", "0.4"], "--nu of fedadmm must be at least 1/2 and below 1"),
    "cycle too short": (["fedadmm", *RUN, "--S", "1", "--s0", "2"], "FedADMM(s0=...) must be an integer of at least 3"),
    "unknown inner solver": (["fedadmm", *RUN, "--inner", "gradent"], "--inner must be one of exact, gradient, adversarial"),
    "inner steps of an exact solver": (["fedadmm", *RUN, "--inner-steps", "3"], "--inner-steps goes with --inner gradient"),
    "gradient solver without steps": (["pfedme", *RUN, "--inner", "gradient"], "--inner gradient needs --inner-steps"),
    "adversarial without an accuracy": (["flame", *RUN, "--inner", "adversarial"], "--inner adversarial of flame needs --eps"),
    "adversarial without a length": (["pfedme", *RUN, "--inner", "adversarial"], "--inner adversarial and --delta go together"),
    "decay without an accuracy": (["flame", *RUN, "--decay", "0.5"], "--decay needs --eps"),
    "fewer candidates than selected": (["flame", *RUN, "--S", "2", "--candidates", "1"], "FLAME(candidates=...) must be"),
    "difference without a distance": (["perfedavg", *RUN, "--hessian", "difference"], "--hessian difference and --delta go"),
    "no rounds": (["fedavg", *DATA, "--rounds", "0"], "--rounds must be at least 1, got 0"),
    "rounds no number": (["fedavg", *DATA, "--rounds", "many"], "--rounds needs a whole number, got 'many'"),
    "every negative": (["fedavg", *RUN, "--every", "-1"], "--every must be at least 0, got -1"),
    "negative seed": (["fedavg", *RUN, "--seed", "-1"], "--seed must be at least 0, got -1"),
    "a seed of the list no number": (["fedavg", *RUN, "--seed", "0,x"], "--seed needs a whole number, got 'x'"),
    "a seed twice": (["fedavg", *RUN, "--seed", "1,1"], "--seed has an entry twice"),
    "seed too large": (["fedavg", *RUN, "--seed", str(2**64)], "must be an integer from 0 to 2^64 - 1"),
    "unknown rule": (["fedadmm", *RUN, "--stop", "5.2x"], "--stop needs a number such as 0.01 or 1/3, got '5.2x'"),
    "negative level": (["fedadmm", *RUN, "--stop", "-1"], "--stop must be positive, got -1"),
    "no clients": (["fedavg", "--data", "diabetes", "--m", "0"], "--m must be at least 1, got 0"),
    "more clients than samples": (["fedavg", "--data", "diabetes", "--m", "500"], "must be an integer from 1 to 442, got 500"),
    "negative regulariser": (["fedavg", "--data", "diabetes", "--l2", "-1"], "--l2 must be at least 0, got -1"),
    "model of other targets": (["fedavg", "--data", "digits", "--model", "logistic"], "needs two labels, and digits has 10"),
    "smoothing of another model": (["fedavg", *RUN, "--smoothing", "1"], "goes with model='margin', got model='logistic'"),
    "a model without Lipschitz gradients": (["fedadmm", "--data", "digits", "--model", "margin"], "needs Lipschitz gradients"),
    "generated data divided": (["fedavg", "--data", "example5.1", "--partition", "iid"], "leave partition out"),
    "option twice": (["fedavg", *RUN, "--with", "bias=true", "--with", "features=all"], "is given twice"),
    "unknown backend": (["fedavg", *RUN, "--backend", "jax"], "--backend must be one of numpy, torch, cupy, got 'jax'"),
    "device of numpy": (["fedavg", *RUN, "--device", "cuda"], "--device goes with --backend torch, got --backend numpy"),
    "runs into a file": (["fedavg", *RUN, "--out", "{tmp}/file/runs"], "cannot be written"),
    "picture of unknown format": (["fedavg", *RUN, "--plot", "{tmp}/a.gif"], "--plot FILE must end in .svg, .png, .pdf"),
    "picture into no folder": (["fedavg", *RUN, "--plot", "{tmp}/none/a.svg"], "its folder is missing"),
    "batch larger than a client, without": (["pfedme", *RUN, "--batch", "0"], "--batch must be at least 1, got 0"),
    "data: unknown action": (["data", "statu"], "data ACTION must be status, got 'statu'; did you mean status"),
    "data: no action": (["data"], "the following arguments are required: action"),
    "data: unknown option": (["data", "status", "--rot", "x"], "unrecognized arguments: --rot x; did you mean --root"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_bad_input(case, tmp_path, capsys, monkeypatch):
    """One line on stderr that names what is wrong, exit status 2, nothing written."""
    arguments, message = CASES[case]
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "file").write_text("x")
    monkeypatch.chdir(tmp_path)
    words = [a.replace("{tmp}", str(tmp_path)) for a in arguments]
    assert main(words if words[0] == "data" else ["run", *words]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert len(err.strip().splitlines()) == 1 and "Traceback" not in err
    assert sorted(f.name for f in tmp_path.iterdir()) == ["empty.csv", "file"]


def ran(folder, *words):
    """Run in a folder; its finished runs by name."""
    assert main(["run", *words, "--out", str(folder)]) == 0
    return {p.name: p for p in sorted(folder.iterdir())}


def payload(path):
    """The bytes that must not depend on when a run was made."""
    return (path / "run.json").read_bytes(), (path / "trace.npz").read_bytes()


METHODS = methods()


@pytest.mark.parametrize("method", METHODS)
def test_every_method_runs_with_its_defaults_and_gives_the_same_bytes(method, tmp_path, capsys):
    """Two folders, the same names and the same bytes; the table has the run, the JSON what it came from."""
    words = [method, *RUN, *(["--eta", "0.05"] if "eta" in METHODS[method].defaults else [])]
    one, other = ran(tmp_path / "1", *words), ran(tmp_path / "2", *words)
    assert one.keys() == other.keys() and len(one) == 1
    (a,), (b,) = one.values(), other.values()
    assert payload(a) == payload(b)
    data = json.loads((a / "run.json").read_text())
    assert data["inputs"]["method"] == method and data["results"]["last"]["communications"] == 3
    assert data["results"]["optimal"] < data["results"]["last"]["objective"]
    out = capsys.readouterr().out
    assert "logistic, m = 3 clients of 189 to 190 samples" in out and re.search(rf"^{method} +0 +3 ", out, re.M)


def test_a_finished_run_is_loaded_and_not_repeated(tmp_path, capsys, monkeypatch):
    """The second time no step is taken, the files stay, the table and the picture are those of the first."""
    words = ["fedadmm", *RUN, "--stop", "none", "--k0", "2", "--plot", str(tmp_path / "a.svg")]
    (path,) = ran(tmp_path / "runs", *words).values()
    first, picture, before = capsys.readouterr().out, (tmp_path / "a.svg").read_bytes(), payload(path)
    stamp = (path / "trace.npz").stat().st_mtime_ns
    monkeypatch.setattr(experiment, "run", lambda *a, **k: pytest.fail("the run was repeated"))
    ran(tmp_path / "runs", *words)
    second = capsys.readouterr().out
    assert payload(path) == before and (path / "trace.npz").stat().st_mtime_ns == stamp
    assert (tmp_path / "a.svg").read_bytes() == picture and "loaded" in second

    def but_seconds(out):
        return [
            line.rsplit(maxsplit=2)[0] if line.startswith("fedadmm ") else line.rstrip() for line in out.splitlines()
        ]

    assert but_seconds(second) == but_seconds(first)


@pytest.mark.parametrize("method", ["fedadmm", "pfedme", "flame", "fedavg-stored"])
def test_an_interrupted_run_exits_130_and_goes_on_to_the_same_bytes(method, tmp_path, capsys, monkeypatch):
    """Ctrl-C in the fifth step keeps a checkpoint and no run; the same command ends it bit for bit."""
    words = [method, *DATA, "--rounds", "6", "--S", "2", *(["--R", "1"] if method == "pfedme" else [])]
    words += ["--k0", "2", "--stop", "none"] if "k0" in METHODS[method].defaults else []
    (whole,) = ran(tmp_path / "whole", *words).values()
    kind = type(METHODS[method].make({**METHODS[method].defaults}, _problem())[0])
    real, steps = kind.step, []

    def step(self, *args):
        steps.append(1)
        if len(steps) == 5:
            raise KeyboardInterrupt
        return real(self, *args)

    monkeypatch.setattr(kind, "step", step)
    assert main(["run", *words, "--out", str(tmp_path / "cut")]) == 130
    captured = capsys.readouterr()
    assert (
        "interrupted; the same command goes on from the checkpoint" in captured.err and "Traceback" not in captured.err
    )
    assert [p.name for p in (tmp_path / "cut").iterdir()] == [f"{whole.name}.partial"]
    taken = len(steps)
    (resumed,) = ran(tmp_path / "cut", *words).values()
    assert payload(resumed) == payload(whole) and resumed.name == whole.name
    total = json.loads((whole / "run.json").read_text())["results"]["last"]["t"]
    assert len(steps) - taken == total - 4  # what was done is not done again


def _problem():
    from problems.build import build

    return build("breast-cancer", m=3, l2=0.1, standardise=True, features="mean").problem


def test_lists_run_each(tmp_path, capsys):
    """Methods, a hyper-parameter and seeds: the product, each in a folder of its own, an option only where it is taken."""
    found = ran(
        tmp_path / "r", "fedadmm,fedavg", *RUN, "--k0", "1,2", "--seed", "0,1", "--plot", str(tmp_path / "p.png")
    )
    inputs = [json.loads((p / "run.json").read_text())["inputs"] for p in found.values()]
    assert sorted((i["method"], i["options"].get("k0"), i["seed"]) for i in inputs if i["method"] == "fedadmm") == [
        ("fedadmm", k0, seed) for k0 in (1, 2) for seed in (0, 1)
    ]
    assert len(found) == 6 and (tmp_path / "p.png").stat().st_size > 10_000
    assert len(re.findall(r"^fedadmm +[12] +[01] +3 ", capsys.readouterr().out, re.M)) == 4


def test_the_seed_of_the_data_is_that_of_the_run_unless_it_is_given(tmp_path):
    """Two seeds: other partitions, unless --data-seed fixes them; then only the draws differ."""

    def samples(*words):
        found = ran(tmp_path / str(len(words)), "fedavg", *RUN, "--S", "2", "--seed", "0,1", *words)
        return [json.loads((p / "run.json").read_text()) for p in found.values()]

    free, fixed = samples(), samples("--data-seed", "7")
    assert len({r["inputs"]["data"]["samples"] for r in free}) == 2
    assert len({r["inputs"]["data"]["samples"] for r in fixed}) == 1
    assert len({r["results"]["last"]["objective"] for r in fixed}) == 2


def test_the_rule_of_the_paper_ends_example_5_1(tmp_path, capsys):
    """(5.1) at a small size: the squared gradient is at most 5 n 10^-4/d at the end and above it one communication before."""
    words = [
        "fedadmm",
        "--data",
        "example5.1",
        "--m",
        "6",
        "--with",
        "d=5",
        "--rho",
        "0.5",
        "--k0",
        "10",
        "--rounds",
        "300",
    ]
    (path,) = ran(tmp_path / "r", *words, "--inner", "gradient", "--inner-steps", "3", "--dual", "zero").values()
    data = json.loads((path / "run.json").read_text())
    columns = dict(np.load(path / "trace.npz"))
    level = data["results"]["stop_at"]
    samples = sum(map(int, re.findall(r"clients of (\d+) to (\d+)", data["results"]["problem"])[0]))
    assert samples and data["stopped"] == "rule" and columns["error"][-1] <= level < columns["error"][-2]
    assert data["results"]["last"]["objective"] - data["results"]["optimal"] <= 1e-2
    assert "|grad|^2 <= " in capsys.readouterr().out


def test_bounds_that_hold_and_conditions_that_fail_are_in_table_json_and_picture(tmp_path, capsys):
    """FedADMM above and below its least penalty."""
    picture = tmp_path / "a.svg"
    (path,) = ran(tmp_path / "1", "fedadmm", *RUN, "--sigma0", "3", "--plot", str(picture)).values()
    out = capsys.readouterr().out
    assert len(re.findall(r"holds on this trace", out)) == 3 and "Lemma 4.1 summed" in out
    found = {c["name"]: c for c in json.loads((path / "run.json").read_text())["results"]["curves"]}
    assert (
        found["lyapunov"]["outcome"] == "holds on this trace"
        and found["lyapunov"]["last"][1] >= found["lyapunov"]["last"][0]
    )
    assert picture.read_text().startswith("<?xml") and "<dc:date>" not in picture.read_text()
    (path,) = ran(tmp_path / "2", "fedadmm", *RUN).values()
    out = capsys.readouterr().out
    assert "holds on this trace" not in out and re.search(
        r"lyapunov: sigma_i > 5 alpha_i r_i/2 fails for client \d", out
    )
    found = {c["name"]: c for c in json.loads((path / "run.json").read_text())["results"]["curves"]}
    assert found["lyapunov"]["last"][1] is None and "11.5 times the right side" in found["lyapunov"]["notes"][0]


def test_a_start_that_breaks_an_invariant_has_no_bound(tmp_path, capsys):
    """Section 5.2's pi_i^0 = 0 with an accuracy below |g_i^0|^2: (7.6) fails before the first step."""
    ran(tmp_path, "fedadmm", *RUN, "--sigma0", "3", "--dual", "zero", "--eps0", "1e-6")
    out = capsys.readouterr().out
    assert "(7.6) fails at the start: |g_i^0 + pi_i^0|^2 is " in out and "holds on this trace" not in out


def test_no_observation_still_ends_with_the_last_value(tmp_path, capsys):
    """--every 0 observes twice, --every 2 every other communication and the end; the iterates are the same."""
    ends = []
    for every in ("0", "1", "2"):
        (path,) = ran(tmp_path / every, "flame", *RUN, "--every", every).values()
        columns = dict(np.load(path / "trace.npz"))
        assert columns["communications"].tolist() == {"0": [0, 3], "1": [0, 1, 2, 3], "2": [0, 2, 3]}[every]
        ends.append(columns["objective"][-1])
    assert len(set(ends)) == 1
    assert "observe with every = 1" in capsys.readouterr().out


def test_backends_agree(tmp_path):
    """The same command on torch: the same participation, values to rounding."""
    pytest.importorskip("torch")
    objectives = []
    for backend in ("numpy", "torch"):
        (path,) = ran(tmp_path / backend, "flame", *RUN, "--S", "2", "--backend", backend).values()
        objectives.append(np.load(path / "trace.npz")["objective"])
    assert np.allclose(*objectives, rtol=1e-10, atol=0)


def test_a_run_that_leaves_the_numbers_says_so(tmp_path, capsys):
    """A step far too large ends at the first value that is not finite."""
    with np.errstate(all="ignore"):
        words = ["fedavg", "--data", "diabetes", "--m", "2", "--rounds", "50", "--eta", "1e200", "--E", "1"]
        ran(tmp_path / "r", *words, "--seed", "0,1")
    out = capsys.readouterr().out
    assert "is not finite after" in out and re.search(r"fedavg +std .* nan", out)  # no deviation of what is no number


def test_separable_data_have_no_optimum_and_no_gap(tmp_path, capsys):
    """Without a regulariser the logistic loss of separable data has no minimiser; the run goes on without f*."""
    rows = "\n".join(f"{x},{int(x > 0)}" for x in (-2.0, -1.0, -1.5, 1.0, 2.0, 1.5))
    (tmp_path / "s.csv").write_text(rows + "\n")
    ran(tmp_path / "r", "fedadmm", "--data", str(tmp_path / "s.csv"), "--m", "2", "--rounds", "3", "--sigma0", "3")
    assert "the optimal value is not known: " in capsys.readouterr().out


def test_a_damaged_run_is_one_line(tmp_path, capsys):
    """Exit 2 and the file's name, not a traceback."""
    (path,) = ran(tmp_path, "fedavg", *RUN).values()
    (path / "run.json").write_text("{")
    capsys.readouterr()
    assert main(["run", "fedavg", *RUN, "--out", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert "run.json: cannot be read" in err and len(err.strip().splitlines()) == 1


def test_the_help_has_every_method_with_its_options_in_its_own_words(capsys):
    """One paragraph a method; --rho and --nu are explained under each method that takes them, and the rules by name."""
    assert main(["run", "--help"]) == 0
    paragraphs = {p.split(":")[0]: " ".join(p.split()) for p in capsys.readouterr().out.split("\n\n")}
    for name, m in METHODS.items():
        assert all(f"--{o} " in paragraphs[name] and option.what in paragraphs[name] for o, option in m.options.items())
        assert m.stop == "none" or m.stop in paragraphs["stopping rules"]
    assert "--rho POSITIVE penalty (default: 0.01)" in paragraphs["flame"]
    assert "--rho SHARE the paper's letter for --participation" in paragraphs["fedadmm"]
    assert (
        "--nu [1/2, 1) accuracy factor" in paragraphs["fedadmm"]
        and "--nu POSITIVE accuracy of (8)" in paragraphs["pfedme"]
    )


def test_a_method_may_not_take_an_option_of_the_command(capsys, monkeypatch):
    """A stranger's option that `run` has itself is refused with the method's name, not by argparse."""
    stranger = Method("stranger", lambda o, p: None, {"seed": Option("count", "a seed of its own")})
    monkeypatch.setattr(run, "methods", lambda: {"stranger": stranger})
    assert main(["run", "stranger", *RUN]) == 2
    assert "the method stranger has an option --seed, which fedtheory run takes itself" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "word", "wanted"),
    [
        (Option("flag", ""), "true", True), (Option("flag", ""), "false", False), (Option("least 0", ""), "0", 0.0),
        (Option("(0, 1]", ""), "1", 1.0), (Option("[1/2, 1)", ""), "1/2", 0.5), (Option("choice", "", "a", ("a", "b")), "b", "b"),
    ],
)  # fmt: skip
def test_words_become_values(option, word, wanted):
    """The kinds of hyper-parameters, at the ends of their ranges."""
    assert value("name", option, word) == wanted


@pytest.mark.parametrize(
    ("option", "word", "message"),
    [
        (Option("flag", ""), "yes", "--name must be one of true, false, got 'yes'"),
        (Option("least 0", ""), "-1", "--name must be at least 0, got -1"),
        (Option("(0, 1]", ""), "0", "--name must be above 0 and at most 1, got 0"),
        (Option("[1/2, 1)", ""), "1", "--name must be at least 1/2 and below 1, got 1"),
    ],
)
def test_words_out_of_range_are_refused(option, word, message):
    """Just outside."""
    with pytest.raises(UsageError, match=re.escape(message)):
        value("name", option, word)


def test_data_status(capsys, tmp_path):
    """Every set, whether it is here, and where a missing file goes."""
    assert main(["data", "status", "--root", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^digits +bundled ", out, re.M) and re.search(r"^example5.1 +generated ", out, re.M)
    assert "missing" in out and "train-images-idx3-ubyte.gz" in out


def test_the_key_of_a_run_is_a_promise():
    """A change of the hash would silently repeat everyone's runs."""
    assert store.key({"a": [1, 2.5, None, True], "b": {"c": float("inf")}}) == "547dd901118aca77"


RUN_MD = Path(__file__).parents[2] / "docs" / "run.md"


@pytest.mark.parametrize("paper", ["flame", "pfedme", "fedadmm", "dadpfl"])
def test_the_page_shows_what_constants_prints(paper, capsys):
    """The failing conditions at the papers' settings, all of them and no other, figure by figure."""
    blocks = re.findall(
        rf"^\$ fedtheory constants ({paper} .*)\n((?:[^$`].*\n)+)", RUN_MD.read_text(encoding="utf-8"), re.M
    )
    ((words, lines),) = blocks
    assert main(["constants", *words.split()]) == 0
    failing = [
        line.split() for line in capsys.readouterr().out.splitlines() if " fails " in line and "off by" not in line
    ]
    assert failing == [line.split() for line in lines.splitlines()]


def test_one_thread_of_blas_unless_the_environment_says_otherwise(monkeypatch):
    from threadpoolctl import threadpool_info, threadpool_limits

    from fedtheory.commands.problem import THREADS, place

    def threads():
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    with threadpool_limits(2, user_api="blas"):  # a pool may have fewer
        before = threads()
        monkeypatch.setenv(THREADS[0], "2")
        place("numpy", "")
        assert threads() == before and 2 in before
        for name in THREADS:
            monkeypatch.delenv(name, raising=False)
        place("numpy", "")
        assert set(threads()) == {1}
