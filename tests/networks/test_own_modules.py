"""Modules, losses and data as people have them: normalisation in its mode, integer features, weighed losses, and the way back."""

import re
import textwrap
from pathlib import Path

import numpy as np
import pytest

from fedtheory.algorithms import FedAvg
from fedtheory.errors import UsageError
from fedtheory.runs.loop import run

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from problems.networks import TorchProblem  # noqa: E402

SIZES = (5, 9, 7)


def data(shape=(4,), labels=3):
    """Three clients of unequal size."""
    draws = [np.random.default_rng(i) for i in range(3)]
    return [(r.standard_normal((n, *shape)), r.integers(labels, size=n)) for r, n in zip(draws, SIZES, strict=True)]


def normalised():
    """A module with BatchNorm that has seen samples."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 3)).double()
    model(torch.randn(50, 4, dtype=torch.float64))
    return model


def plain(model, loss, client):
    """Torch's own loss of a client, a number."""
    X, y = (torch.as_tensor(a) for a in client)
    return float(loss(model(X), y).detach())


def test_batch_norm_counts_in_its_mode():
    """In eval() it is an affine layer, whose losses are torch's; in train() it is refused, with what to do."""
    model = normalised()
    with pytest.raises(UsageError, match=r"averages over a batch.*model\.eval\(\)"):
        TorchProblem(model, nn.CrossEntropyLoss(), data())
    f = TorchProblem(model.eval(), nn.CrossEntropyLoss(), data())
    expected = [plain(model, nn.CrossEntropyLoss(), client) for client in data()]
    np.testing.assert_allclose(f.value(f.start).numpy(), expected, rtol=1e-12)


@pytest.mark.parametrize(
    "loss", [nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 5.0]).double()), nn.CrossEntropyLoss(ignore_index=0)]
)
def test_a_loss_with_weights_divides_as_torch_does(loss):
    """Values of the clients, and gradients of minibatches, are those of a plain loop."""
    torch.manual_seed(1)
    model = nn.Linear(4, 3).double()
    f = TorchProblem(model, loss, data())
    np.testing.assert_allclose(f.value(f.start).numpy(), [plain(model, loss, client) for client in data()], rtol=1e-12)
    rows = np.array([[0, 1, 2], [2, 3, 8], [1, 4, 6]])
    found = f.grad(f.start.expand(3, -1), rows)
    for i, (X, y) in enumerate(data()):
        model.zero_grad()
        loss(model(torch.as_tensor(X[rows[i]])), torch.as_tensor(y[rows[i]])).backward()
        own = torch.cat([p.grad.reshape(-1) for p in model.parameters()])
        np.testing.assert_allclose(found[i].numpy(), own.numpy(), atol=1e-12)
    with pytest.raises(UsageError, match="count alike"):
        f.sample_variance(f.start)


def test_integers_stay_integers_where_the_module_takes_them():
    """An Embedding gets positions; a linear layer gets the same integers as numbers."""
    text = [(np.random.default_rng(i).integers(30, size=(n, 4)), np.arange(n) % 3) for i, n in enumerate(SIZES)]
    torch.manual_seed(2)
    model = nn.Sequential(nn.Embedding(30, 5), nn.Flatten(), nn.Linear(20, 3))
    f = TorchProblem(model, nn.CrossEntropyLoss(), text)
    expected = [plain(model, nn.CrossEntropyLoss(), client) for client in text]
    np.testing.assert_allclose(f.value(f.start).numpy(), expected, rtol=1e-5)
    assert f.integers and not TorchProblem(nn.Linear(4, 3), nn.CrossEntropyLoss(), text).integers


@pytest.mark.parametrize("kind", [nn.RNN, nn.GRU, nn.LSTM])
def test_a_recurrent_layer_is_refused_in_a_sentence(kind):
    """Torch maps none of them over clients."""

    class Next(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner, self.out = kind(4, 5, batch_first=True), nn.Linear(5, 3)

        def forward(self, x):
            return self.out(self.inner(x)[0][:, -1])

    with pytest.raises(UsageError, match=r"no nn\.RNN, GRU or LSTM"):
        TorchProblem(Next(), nn.CrossEntropyLoss(), [(X.astype("f4"), y) for X, y in data((2, 4))])


def test_a_client_without_samples_is_named():
    """As a pair of arrays, and as a Dataset."""
    empty = (np.zeros((0, 4)), np.zeros(0, dtype=int))
    for client in (empty, torch.utils.data.TensorDataset(*map(torch.as_tensor, empty))):
        with pytest.raises(UsageError, match="none for client 3; leave it out"):
            TorchProblem(nn.Linear(4, 3).double(), nn.CrossEntropyLoss(), [*data(), client])


def test_a_row_goes_back_into_a_module(tmp_path):
    """What a run ends with is saved by torch, loaded into a module of the same shape, and has the same loss there."""
    f = TorchProblem(normalised().eval(), nn.CrossEntropyLoss(), data())
    method = FedAvg(0.1, 2, momentum=0.5, weight_decay=1e-3, decay=0.9)
    state = run(method, f, method.init(f), rounds=3, seed=0, observers={}).state
    torch.save(f.state_dict(state.w), tmp_path / "model.pt")
    again = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 3)).double()
    again.load_state_dict(torch.load(tmp_path / "model.pt"))
    again.eval()
    expected = [plain(again, nn.CrossEntropyLoss(), client) for client in data()]
    np.testing.assert_allclose(f.value(state.w).numpy(), expected, rtol=1e-12)
    assert (f.value(state.w) != f.value(f.start)).all()
    with pytest.raises(UsageError, match="must get"):
        f.state_dict(state.w[..., 1:])


def test_the_page_trains_saves_and_loads_a_module_in_fifteen_lines(tmp_path, monkeypatch, capsys):
    """docs/run.md, executed: what torch loads has the loss there that the run ended with, and learned."""
    text = (Path(__file__).parents[2] / "docs" / "run.md").read_text(encoding="utf-8")
    code = textwrap.dedent(re.search(r"saved and\n  loaded again:\n\n  ```python\n(.*?)  ```", text, re.S)[1])
    assert len([line for line in code.splitlines() if line]) <= 15
    monkeypatch.chdir(tmp_path)
    torch.manual_seed(0)
    exec(code, {})
    loaded, ran = map(float, capsys.readouterr().out.split())
    assert loaded == pytest.approx(ran, rel=1e-5) and ran < np.log(3) / 2
    assert (tmp_path / "model.pt").is_file()


def test_a_measure_of_ones_own():
    """The share of right labels as a measure is the accuracy."""
    f = TorchProblem(normalised().eval(), nn.CrossEntropyLoss(), data())
    found = f.metric(f.start, lambda outputs, y: (outputs.argmax(-1) == y).to(outputs.dtype))
    np.testing.assert_allclose(found.numpy(), f.accuracy(f.start).numpy(), rtol=1e-12)


def test_momentum_weight_decay_and_step_decay_are_those_of_torchs_sgd():
    """One client, full gradients: three rounds of three steps, the momentum anew each round."""
    client = data()[:1]
    torch.manual_seed(3)
    model = nn.Linear(4, 3).double()
    f = TorchProblem(model, nn.CrossEntropyLoss(), client)
    method = FedAvg(0.1, 3, momentum=0.9, weight_decay=0.01, decay=0.5)
    w = run(method, f, method.init(f), rounds=3, seed=0, observers={}).state.w
    X, y = (torch.as_tensor(a) for a in client[0])
    for t in range(3):
        sgd = torch.optim.SGD(model.parameters(), lr=0.1 * 0.5**t, momentum=0.9, weight_decay=0.01)
        for _ in range(3):
            sgd.zero_grad()
            nn.functional.cross_entropy(model(X), y).backward()
            sgd.step()
    own = torch.cat([p.detach().reshape(-1) for p in model.parameters()])
    np.testing.assert_allclose(w[0].numpy(), own.numpy(), atol=1e-12)
