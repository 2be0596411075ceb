"""Networks on the command line: every method, what is measured, what is refused, interrupted runs, the example."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fedtheory.cli import main
from fedtheory.errors import UsageError
from fedtheory.random import stream
from fedtheory.registry import method
from fedtheory.runs import store
from fedtheory.runs.loop import draws_of, index, run
from problems.build import build

torch = pytest.importorskip("torch")

from array_api_compat import torch as xp  # noqa: E402

from problems.networks import (  # noqa: E402
    cnn,
    initialised,
    mlp,
    training,
)
from problems.references import references  # noqa: E402

ROOT = Path(__file__).parents[2]
DIGITS = ["--data", "digits", "--m", "6", "--partition", "shards", "--backend", "torch", "--with", "train=0.75"]
STEPS = ["--inner", "gradient", "--inner-steps", "3", "--inner-eta", "0.05"]
METHODS = {
    "fedavg": ["--eta", "0.1", "--E", "5", "--batch", "20"], "fedprox": ["--eta", "0.1", "--E", "5", "--batch", "20"],
    "perfedavg": ["--eta", "0.1", "--inner-eta", "0.05", "--E", "5", "--batch", "20"],
    "scaffold": ["--eta", "0.1", "--E", "5", "--batch", "20"], "fedadmm": [*STEPS[:4], "--stop", "none", "--k0", "5"],
    "flame": [*STEPS, "--lam", "1", "--batch", "20"], "pfedme": [*STEPS, "--eta", "0.02", "--R", "3", "--batch", "20"],
    **{m: ["--eta", "0.05", "--E", "2", "--batch", "20"] for m in ("ditto", "dfedavgm", "dfedsam", "gossipfl")},
    "beer": ["--eta", "0.05", "--batch", "20"],
}  # fmt: skip
OWN = {"dfedavgm": ("own", "local"), "dfedsam": ("own", "local"), "gossipfl": ("own",), "beer": ("own",)}


def digits(model="mlp", seed=0, **options):
    """Six clients of two label shards each."""
    return build("digits", m=6, model=model, partition="shards", train=0.75, seed=seed, xp=xp, **options)


@pytest.mark.parametrize("model", ["mlp", "cnn"])
@pytest.mark.parametrize("name", METHODS)
def test_every_method_trains_a_network(name, model, tmp_path, capsys, monkeypatch):
    """Two rounds on clients of two labels each lower the loss; accuracies stand beside their reference points."""
    monkeypatch.setattr(training, "STEPS", 2)
    words = ["run", name, *DIGITS, "--model", model, *METHODS[name], "--rounds", "2", "--out", str(tmp_path)]
    assert main([w for w in words if not (name == "fedadmm" and w in ("--inner-eta", "0.05"))]) == 0
    said = capsys.readouterr().out
    assert f"{model}, m = 6 clients" in said and "d = " in said
    assert all(row in said for row in ("majority label", "local only", "centralised", "accuracy"))
    (folder,) = (p.parent for p in tmp_path.glob("*/run.json"))
    columns = dict(np.load(folder / "trace.npz"))
    assert columns["objective"][-1] < columns["objective"][0] and 0 <= columns["accuracy"][-1] <= 1
    assert ("personal_accuracy" in columns) == (name in ("flame", "pfedme", "perfedavg", "ditto"))
    assert {c for c in columns if c.endswith("_accuracy")} >= {f"{kind}_accuracy" for kind in OWN.get(name, ())}


@pytest.mark.parametrize("model", ["softmax", "margin"])
def test_reference_points_of_a_linear_model_are_the_same_on_torch(model):
    """Newton's method on either backend."""
    options = {"m": 3, "model": model, "partition": "shards", "train": 0.75, "bias": True}
    want, got = references(build("digits", **options)), references(build("digits", xp=xp, **options))
    for name, shares in want.items():
        assert got[name] == pytest.approx(shares, abs=0.01), name


def test_estimates_are_recorded_and_called_so(tmp_path, capsys):
    """Without test samples a network's run has estimates, at the method's point, in columns that say so."""
    words = ["run", "fedavg", *DIGITS[:-2], "--model", "mlp", "--with", "hidden=5", "--rounds", "2", "--every", "2"]
    assert main([*words, "--E", "2", "--out", str(tmp_path)]) == 0
    assert "L_estimate" in capsys.readouterr().out
    (folder,) = (p.parent for p in tmp_path.glob("*/run.json"))
    columns = dict(np.load(folder / "trace.npz"))
    f = build("digits", m=6, model="mlp", hidden=5, partition="shards", xp=xp).problem
    assert columns["L_estimate"][0] == pytest.approx(f.constants().L, rel=1e-12)
    G = f.grad(f.start).numpy()
    assert columns["diversity_estimate"][0] == pytest.approx(((G - G.mean(axis=0)) ** 2).sum(axis=1).mean(), rel=1e-12)
    assert columns["noise_estimate"].min() > 0


def test_constants_of_a_network_are_estimates(capsys):
    """L, mu and both variances are labelled as estimates; what needs a minimiser is unknown."""
    words = ["constants", "pfedme", *DIGITS[:-2], "--model", "mlp", "--with", "hidden=5"]
    assert main(words) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.split()]
    lines = {line.split()[0]: line for line in reversed(rows)}
    assert all(" estimate " in lines[name] for name in ("L", "mu", "sigma_f_sq", "gamma_f_sq"))
    assert "unknown" in lines["Delta_F"] or "unknown" in lines["Delta_0"]


def test_a_region_of_a_network_is_one_of_estimates(tmp_path, capsys, monkeypatch):
    """--solve and --map say so, the picture as well; a constant on the command line is none."""
    monkeypatch.chdir(tmp_path)
    words = ["constants", "flame", *DIGITS[:-2], "--model", "mlp", "--with", "hidden=2", "--lam", "10"]
    said = "at estimates of L, taken at one point: no statement about all points"
    assert main([*words, "--solve", "rho"]) == 0
    assert said in capsys.readouterr().out
    assert main([*words, "--map", "rho", "lam", "--theorem", "Lemma 1, repaired, with descent"]) == 0
    assert said in capsys.readouterr().out and "(an estimate)" in (tmp_path / "flame-rho-lam.svg").read_text()
    assert main([*words, "--L", "2", "--solve", "rho"]) == 0
    assert "at estimates" not in capsys.readouterr().out


WATCHED = {
    "flame": (("Theta", "W", "Pi", "Z"), {"inner": "gradient", "inner-steps": 2, "inner-eta": 0.05, "lam": 1.0}, ("(25)", "l16")),
    "fedadmm": (("W", "Pi", "Z", "eps"), {"inner": "gradient", "inner-steps": 2}, ("(3.7)", "(7.6)")),
    "pfedme": ((), {"inner": "gradient", "inner-steps": 2, "inner-eta": 0.05, "R": 2, "eta": 0.02}, ()),
}  # fmt: skip


@pytest.mark.parametrize("name", WATCHED)
def test_a_trace_of_a_network_is_watched(name, tmp_path, capsys):
    """Invariants hold on the trace, and fail where a dual variable moves half as far; nothing more is said of a network."""
    fields, options, held = WATCHED[name]
    entry, f = method(name), digits(hidden=3).problem
    algorithm, s = entry.make({**entry.defaults, **options}, f)
    found = [s]
    while s.communications < 3:
        s = algorithm.step(f, s, draws_of(algorithm, f, s, 0))
        found.append(s)
    columns = {field: np.stack([getattr(s, field).numpy() for s in found]) for field in ("w", *fields)}
    counts = np.array([[index(s), s.communications] for s in found])
    columns |= {"w": columns["w"][:, 0], "t": counts[:, 0], "communications": counts[:, 1]}
    typed = [w for k, v in options.items() for w in (f"--{k}", str(v))]

    def outcomes():
        np.savez(tmp_path / "t.npz", **columns)
        words = ["watch", str(tmp_path / "t.npz"), name, *DIGITS, "--model", "mlp", "--with", "hidden=3", *typed]
        assert main([*words, "--json", str(tmp_path / "w.json")]) == 0
        rows = json.loads((tmp_path / "w.json").read_text())["inequalities"]
        return {r["name"]: r["outcome"] for r in rows}, capsys.readouterr().out

    seen, out = outcomes()
    assert all(seen[n] == "holds on this trace" for n in held)
    assert all(o == "no bound" or o.startswith(("holds on this trace", "fails on this trace")) for o in seen.values())
    assert "by Lanczos: an estimate" in out and "condition at these estimates: " in out
    assert (name == "fedadmm") == ("F(w) needs proximal points" not in out)
    if held:
        columns["Pi"] = columns["Pi"][:1] + (columns["Pi"] - columns["Pi"][:1]) / 2
        assert outcomes()[0][held[0]].startswith("fails on this trace in row ")


NETWORK = ["run", "fedavg", *DIGITS, "--model", "mlp"]
REFUSED = {
    "another backend": (["run", "fedavg", "--data", "digits", "--model", "mlp"], "needs torch: take --backend torch"),
    "exact": (["run", "flame", *DIGITS, "--model", "mlp", "--rounds", "1"], "take gradient steps (on the command line --inner gr"),
    "bounds": ([*NETWORK, "--measure", "bounds"], "take accuracy (with --with train=0.75) or estimates"),
    "measure": ([*NETWORK, "--measure", "acuracy"], "got 'acuracy'; did you mean accuracy?"),
    "no test samples": (
        ["run", "fedavg", *DIGITS[:-2], "--model", "mlp", "--measure", "accuracy"], "give train, the share of samples",
    ),
    "option of the other": ([*NETWORK, "--with", "kernel=3"], "`build(kernel=...)` goes with model='cnn', got model='mlp'"),
    "option of a network": (["run", "fedavg", *DIGITS, "--with", "hidden=3"], "`build(hidden=...)` goes with model='mlp' or 'cnn'"),
    "hidden": ([*NETWORK, "--with", "hidden=0"], "`mlp(hidden=...)` must be an integer of at least 1, got 0"),
    "precision": ([*NETWORK, "--with", "precision=float23"], "must be one of float64, float32, got 'float23'"),
    "no image": (["run", "fedavg", *DIGITS, "--bias", "--model", "cnn"], "needs square grey images, got 65 features"),
    "kernel": (["run", "fedavg", *DIGITS, "--model", "cnn", "--with", "kernel=9"], "must leave a pixel of 8 x 8"),
    "channels": (["run", "fedavg", *DIGITS, "--model", "cnn", "--with", "channels=8,x"], "`cnn(channels=...)` must be an integer"),
    "unknown model": (["run", "fedavg", *DIGITS, "--model", "mpl"], "did you mean mlp"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused_in_a_line(name, tmp_path, capsys):
    """Exit status 2 and one line."""
    words, said = REFUSED[name]
    assert main([*words, "--out", str(tmp_path)]) == 2
    err = [line for line in capsys.readouterr().err.splitlines() if line.startswith("fedtheory: ")]
    assert len(err) == 1 and said in err[0]


def test_an_interrupted_run_goes_on_to_the_same_bytes(tmp_path):
    """A checkpoint in the middle, read back from disk, gives the trace and the state of a run without a pause."""
    setup, entry = digits(hidden=8, chunk_size=4), method("flame")
    options = {**entry.defaults, "inner": "gradient", "inner-steps": 2, "inner-eta": 0.05, "batch": 10, "S": 3}
    algorithm, state = entry.make(options, setup.problem)
    settings = {"rounds": 6, "seed": 1, "observers": {"objective": lambda s: setup.problem.value(s.w).mean()[None]}}
    whole = run(algorithm, setup.problem, state, **settings)

    def interrupt(communications):
        if communications == 3:
            raise KeyboardInterrupt

    kept = []
    with pytest.raises(KeyboardInterrupt):
        run(algorithm, setup.problem, state, **settings, progress=interrupt, save=kept.append)
    store.save_checkpoint(tmp_path, {"run": 1}, kept[-1])
    resumed = store.load_checkpoint(tmp_path, {"run": 1}, state, setup.problem)
    assert resumed.state.t == 3
    again = run(algorithm, setup.problem, state, **settings, resume=resumed)
    assert {k: v.tobytes() for k, v in again.columns.items()} == {k: v.tobytes() for k, v in whole.columns.items()}
    assert all(torch.equal(a, b) for a, b in zip(again.state[:5], whole.state[:5], strict=True))


@pytest.mark.parametrize(
    "network, count",
    [
        (lambda: mlp(60, 10, hidden=20), 1430),
        (lambda: mlp(784, 10), 79_510),
        (lambda: cnn(64, 6, channels=(20, 20, 20), kernel=5, padding=1, hidden=256), 206_678),
    ],
)
def test_parameters_are_counted_as_printed(network, count):
    """pFedMe's two-layer network for Synthetic, FLAME's Table I."""
    assert sum(p.numel() for p in network().parameters()) == count


def test_the_settings_of_the_published_networks_have_these_counts():
    """What the tables ask for is what is counted above, on images of the printed sizes."""
    import tomllib

    text = (ROOT / "proofs_checks" / "flame" / "experiments" / "table2_networks.toml").read_text(encoding="utf-8")
    posed = {p["label"].partition(",")[0]: p for p in tomllib.loads(text)["plan"]["problem"]}
    fmnist, mmnist = posed["Fmnist-MLP"], posed["Mmnist-CNN"]
    assert sum(p.numel() for p in mlp(784, 10, hidden=fmnist["hidden"]).parameters()) == 79_510
    layers = {"channels": mmnist["channels"][0], **{k: mmnist[k] for k in ("kernel", "padding", "hidden")}}
    assert sum(p.numel() for p in cnn(64, 6, **layers).parameters()) == 206_678


def test_initial_parameters_are_those_of_the_seed_within_their_bounds():
    """Equal seeds give equal parameters; the first layer's lie within 1/sqrt(features), and fill that interval."""
    one, same, other = (digits(seed=s).problem.start for s in (0, 0, 1))
    assert torch.equal(one, same) and not torch.equal(one, other)
    first = initialised(mlp(64, 10), 0)[1]
    for p in (first.weight, first.bias):
        assert 0.9 / 8 < float(p.detach().abs().max()) <= 1 / 8


def test_a_network_trained_alone_is_what_one_client_gets_without_the_others(monkeypatch):
    """Stacked training is that of each client by itself."""
    f = digits(hidden=8).problem
    monkeypatch.setattr(training, "STEPS", 3)
    W = training.trained(f)
    alone = f.start.clone().requires_grad_()
    optimiser = torch.optim.Adam([alone], lr=training.RATE)
    for step in range(3):
        rows = stream(0, step, "training").integers(f.n[:, None], size=(f.m, training.BATCH))
        own = f.subset(np.array([4]))
        alone.grad = own.grad(alone.detach(), rows[4:5])
        optimiser.step()
    np.testing.assert_allclose(W[4:5], alone.detach(), atol=1e-12)


def test_reference_models_of_a_network_are_better_than_the_majority_label():
    """Trained by each client alone, and on all samples."""
    found = references(digits())
    for name in ("local only", "centralised"):
        assert found[name]["accuracy"] > found["majority label"]["accuracy"] + 0.2, name
    assert set(found) == {"majority label", "local only", "centralised"}


def test_the_example_runs(tmp_path):
    """A module and DataLoaders of the user's own."""
    words = [sys.executable, str(ROOT / "docs" / "examples" / "network.py")]
    done = subprocess.run(words, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    first, last = (float(v) for v in done.stdout.split("objective ")[1].split(" to "))
    assert done.stdout.startswith("d = 195") and last < 0.9 * first


def test_a_dataloader_is_the_same_as_its_samples():
    """Batches of a loader, a Dataset and arrays hold the same clients."""
    from torch.utils.data import DataLoader, TensorDataset

    from problems.networks import TorchProblem

    rng = np.random.default_rng(0)
    pairs = [(rng.standard_normal((n, 4)), rng.integers(3, size=n)) for n in (7, 5)]
    model = initialised(mlp(4, 3, hidden=5), 0).double()
    sets = [TensorDataset(torch.as_tensor(X), torch.as_tensor(y)) for X, y in pairs]
    kinds = [pairs, sets, [DataLoader(s, batch_size=3) for s in sets]]
    arrays, *others = (TorchProblem(model, torch.nn.CrossEntropyLoss(), data) for data in kinds)
    for f in others:
        assert torch.equal(f.grad(f.start), arrays.grad(arrays.start))
    with pytest.raises(UsageError, match="got others for client 1"):
        TorchProblem(model, torch.nn.CrossEntropyLoss(), [pairs[0], DataLoader([(1, 2, 3)])])


def test_channels_and_precision_are_those_asked_for(tmp_path):
    """A list of channels as words; single precision halves the bytes of the vectors."""
    words = ["run", "fedavg", *DIGITS, "--model", "cnn", "--with", "channels=4,6", "--rounds", "1", "--E", "1"]
    sizes = []
    for precision in ("float64", "float32"):
        out = tmp_path / precision
        assert main([*words, "--measure", "estimates", "--with", f"precision={precision}", "--out", str(out)]) == 0
        (kept,) = out.glob("*/run.json")
        sizes.append(json.loads(kept.read_text())["results"]["bytes"])
    d = sum(p.numel() for p in cnn(8, 10, channels=(4, 6)).parameters())
    assert sizes == [6 * 2 * 8 * d, 6 * 2 * 4 * d]


def test_runs_are_kept_with_their_model(tmp_path):
    """A run on disk names its network, and is loaded by the same command."""
    words = ["run", "fedavg", *DIGITS, "--model", "mlp", "--with", "hidden=4", "--rounds", "1", "--E", "1"]
    assert main([*words, "--out", str(tmp_path)]) == 0
    (kept,) = tmp_path.glob("*/run.json")
    data = json.loads(kept.read_text())
    assert data["inputs"]["data"]["model"] == "mlp" and data["inputs"]["data"]["hidden"] == 4
    before = kept.stat().st_mtime_ns
    assert main([*words, "--out", str(tmp_path)]) == 0
    assert kept.stat().st_mtime_ns == before


def test_a_notebook_runs_a_network():
    """`fedtheory.experiment` takes the same options."""
    from fedtheory import experiment

    options = {"model": "mlp", "backend": "torch", "measure": "estimates", "every": 0, "data_options": {"hidden": 3}}
    done = experiment("fedavg", "digits", m=3, rounds=1, eta=0.1, E=1, **options)
    assert done.trace["L_estimate"].shape == (2,) and done.trace["objective"][1] < done.trace["objective"][0]
