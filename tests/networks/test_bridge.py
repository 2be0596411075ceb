"""The torch bridge: the closed-form clients over again, and what it refuses."""

import copy
from functools import partial

import algorithm_rows as rows
import numpy as np
import pytest
import serverless_rows as serverless

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from fedtheory.measure import estimates

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from problems.networks import TorchProblem, bridge, cnn, initialised, mlp, recorded  # noqa: E402

TOLERANCE = 1e-10
ROUNDS = 50
# Rows that need proximal points, which a network has not
PROX = ("pfedme", "pfedme, error", "pfedme, exact on minibatches", "fedadmm", "fedadmm, error", "flame", "flame, error")


def softmax(clients=rows.WHOLE, **options):
    """The softmax clients of the table of methods as a linear torch module."""
    model = nn.Linear(3, 3, bias=False).double()
    with torch.no_grad():
        model.weight.zero_()
    data = [rows.data(3)[i] for i in clients]
    return TorchProblem(model, nn.CrossEntropyLoss(), data, l2=0.1, convex=True, **options)


def network(chunk_size=None, dtype=torch.float64, model=None):
    """A small network on clients of unequal size."""
    model = initialised(mlp(3, 3, hidden=4) if model is None else model, 0).to(dtype)
    return TorchProblem(model, nn.functional.cross_entropy, rows.data(3), chunk_size=chunk_size)


@pytest.mark.parametrize("chunk_size", [1, 2, None])
@pytest.mark.parametrize("shape", [(5, 9), (1, 9), (2, 5, 9), (2, 1, 9)])
def test_values_and_derivatives_are_those_of_the_closed_form(shape, chunk_size, rng):
    """Value, gradient, Hessian and its products, accuracy and noise, at one point, at one a client, and at several."""
    closed, bridged = rows.PROBLEMS["softmax"](rows.WHOLE), softmax(chunk_size=chunk_size)
    W, V = rng.standard_normal(shape), rng.standard_normal((5, 9))
    for name in ("value", "grad", "hessian", "accuracy", "sample_variance"):
        got = getattr(bridged, name)(torch.as_tensor(W)).numpy()
        np.testing.assert_allclose(got, getattr(closed, name)(W), atol=TOLERANCE, rtol=0, err_msg=name)
    value, slope = bridged.value_and_grad(torch.as_tensor(W))
    np.testing.assert_allclose(value, closed.value(W), atol=TOLERANCE, rtol=0)
    np.testing.assert_allclose(slope, closed.grad(W), atol=TOLERANCE, rtol=0)
    got = bridged.hessian_product(torch.as_tensor(W), torch.as_tensor(V)).numpy()
    np.testing.assert_allclose(got, closed.hessian_product(W, V), atol=TOLERANCE, rtol=0)


def test_minibatches_and_subsets_are_those_of_the_closed_form(rng):
    """Rows within each client's own samples; clients in the order given."""
    closed, bridged, W = rows.PROBLEMS["softmax"](rows.WHOLE), softmax(chunk_size=2), rng.standard_normal((5, 9))
    picked = rng.integers(4, size=(5, 3))
    np.testing.assert_allclose(bridged.grad(torch.as_tensor(W), picked), closed.grad(W, picked), atol=TOLERANCE, rtol=0)
    some = np.array([3, 0, 1])
    got = bridged.minibatch(picked).subset(some).grad(torch.as_tensor(W[some]))
    np.testing.assert_allclose(got, closed.minibatch(picked).subset(some).grad(W[some]), atol=TOLERANCE, rtol=0)


SERVERLESS = (
    "dfedavgm",
    "dfedsam, tree",
    "gossipfl",
    "beer, random",
    "ditto",
)  # the table is long, and each row costs seconds
EVERY = {**rows.ROWS, **{row: serverless.ROWS[row] for row in SERVERLESS}}


@pytest.mark.parametrize("row", EVERY)
def test_iterates_of_every_method_are_those_of_the_closed_form(row):
    """Fifty rounds of every row of the tables of methods."""
    alg = EVERY[row](rows.scale("softmax"), rows.WHOLE)
    closed, bridged = rows.PROBLEMS["softmax"](rows.WHOLE), softmax(chunk_size=2)
    start = rows.start if row in rows.ROWS else serverless.begin
    want = rows.arrays(rows.play(alg, closed, start(alg, closed), ROUNDS))
    got = rows.arrays(rows.play(alg, bridged, start(alg, bridged), ROUNDS))
    assert set(got) == set(want)
    for name in want:
        assert rows.close(got[name], want[name], TOLERANCE), name


@pytest.mark.parametrize("row", [row for row in EVERY if row not in PROX])
def test_every_method_takes_a_network_in_single_precision(row):
    """A round of every method keeps the dtype, and is the same whatever the chunks, up to their rounding."""
    alg, found = EVERY[row](4.0, rows.WHOLE), []
    for chunk_size in (1, 5):
        f = network(chunk_size, torch.float32)
        state = rows.play(alg, f, alg.init(f), 3)
        assert all(v.dtype == torch.float32 for v in state if torch.is_tensor(v) and v.ndim == 2)
        found.append(rows.arrays(state))
    for name, value in found[0].items():
        assert rows.close(value, found[1][name], 1e-4), name


def test_methods_start_at_the_parameters_and_dual_variables_at_zero():
    """All vectors that are models start at the module's parameters, control variates at zero."""
    f = network()
    flat = np.concatenate(
        [p.detach().numpy().ravel() for p in initialised(mlp(3, 3, hidden=4), 0).double().parameters()]
    )
    L, everyone = 4.0, rows.WHOLE
    scaffold = rows.ROWS["scaffold"](L, everyone).init(f)
    np.testing.assert_array_equal(to_host(scaffold.w)[0], flat)
    assert not scaffold.C.any()
    flame = rows.ROWS["flame, gradients"](L, everyone).init(f)
    np.testing.assert_array_equal(to_host(flame.Theta), np.tile(flat, (5, 1)))
    assert not flame.Pi.any()


def test_the_module_of_the_caller_is_left_alone():
    """Neither parameters nor the mode or the gradients of the module change, and later changes of it do not reach in."""
    model = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5), nn.Linear(4, 3)).double().eval()
    before = copy.deepcopy(model.state_dict())
    f = TorchProblem(model, nn.functional.cross_entropy, rows.data(3))
    value = f.value(f.start)
    f.grad(f.start)
    assert all(torch.equal(before[name], p) for name, p in model.state_dict().items())
    assert not model.training and all(p.requires_grad and p.grad is None for p in model.parameters())
    with torch.no_grad():
        model[0].weight += 1
    assert torch.equal(f.value(f.start), value)


def test_frozen_parameters_are_no_coordinates():
    """A layer that does not require gradients stays as it is."""
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 3)).double()
    model[0].requires_grad_(False)
    f = TorchProblem(model, nn.functional.cross_entropy, rows.data(3))
    assert f.d == 4 * 3 + 3
    X, y = rows.data(3)[1]
    with torch.no_grad():
        want = nn.functional.cross_entropy(model(torch.as_tensor(X)), torch.as_tensor(y))
    assert float(f.value(f.start)[1]) == pytest.approx(float(want), rel=1e-14)


def test_arrays_of_another_library_come_and_go_without_a_copy():
    """NumPy callers get NumPy arrays, by DLPack, which shares memory on a host."""
    f, seen = network(), []
    W = np.zeros((5, f.d))
    plain = f.store.map

    def spied(fn, *stacks, **options):
        seen.append(stacks[0].data_ptr())
        return plain(fn, *stacks, **options)

    object.__setattr__(f.store, "map", spied)
    G = f.grad(W)
    assert isinstance(G, np.ndarray) and seen == [W.ctypes.data]
    np.testing.assert_array_equal(G, f.grad(torch.as_tensor(W)).numpy())


class Foreign:
    """An array of a library that is neither NumPy nor torch, as CuPy's, known by nothing but the array API and DLPack."""

    def __init__(self, values):
        self.values, self.shape = values, values.shape

    def __array_namespace__(self, api_version=None):
        return Foreign

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()

    @staticmethod
    def from_dlpack(tensor):
        return Foreign(np.from_dlpack(tensor))


def test_a_caller_of_a_third_library_needs_no_more_than_dlpack():
    """What comes in by `__dlpack__` is read where it lies, and the result goes back as the caller's own array."""
    f, W = network(), np.linspace(-1, 1, 5 * 31).reshape(5, 31)
    assert f._tensor("grad", Foreign(W)).data_ptr() == W.ctypes.data
    G, v = f.grad(Foreign(W)), f.value(Foreign(W))
    assert isinstance(G, Foreign) and isinstance(v, Foreign)
    np.testing.assert_array_equal(G.values, f.grad(torch.as_tensor(W)).numpy())
    np.testing.assert_array_equal(v.values, f.value(torch.as_tensor(W)).numpy())


def test_images_and_real_targets():
    """A convolution on images ``(n, 1, 4, 4)``, and a regression whose loss has no reduction of torch."""
    rng = np.random.default_rng(0)
    images = [(rng.standard_normal((n, 1, 4, 4)), rng.standard_normal(n)) for n in (3, 5)]
    model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.Flatten(), nn.Linear(8, 1), nn.Flatten(0)).double()
    f = TorchProblem(model, lambda out, y: (out - y) ** 2, images)
    with torch.no_grad():
        want = [float(((model(torch.as_tensor(X)) - torch.as_tensor(y)) ** 2).mean()) for X, y in images]
    np.testing.assert_allclose(f.value(f.start), want, rtol=1e-13)
    with pytest.raises(UsageError, match=r"accuracy\(...\)` needs integer labels"):
        f.accuracy(f.start)


def test_curvature_is_that_of_the_hessians():
    """The ends of the spectra of all clients' Hessians, against all of their eigenvalues."""
    f = network()
    values = np.linalg.eigvalsh(f.hessian(f.start).numpy())
    largest, least = estimates.curvature(f, f.start)
    assert largest == pytest.approx(values.max(), rel=2 * estimates.DIGITS)
    assert least == pytest.approx(values.min(), abs=2 * estimates.DIGITS * abs(values).max())
    size = abs(values).max()
    assert abs(f.constants().L - size) <= 2 * estimates.DIGITS * size
    assert "an estimate" in f.constants().how and f.constants().mu < 0


def test_a_flat_function_has_no_curvature():
    """A Hessian of zeros, and one that is not finite."""
    model = nn.Linear(3, 3, bias=False).double()
    flat = TorchProblem(model, lambda out, y: out[:, 0], rows.data(3))
    assert estimates.curvature(flat, flat.start) == (0.0, 0.0)
    steep = TorchProblem(model, lambda out, y: out[:, 0] ** 3 * 1e200, rows.data(3))
    with pytest.raises(UsageError, match="the Hessian is not finite"):
        estimates.curvature(steep, steep.start + 1e200)


def test_noise_and_diversity_are_those_of_their_definitions():
    """The variance over samples of their gradients, and over clients of theirs."""
    f = network()
    noise = []
    for i, (X, _) in enumerate(rows.data(3)):
        own = f.subset(np.array([i]))
        G = np.stack([own.minibatch(np.array([[j]])).grad(f.start)[0].numpy() for j in range(len(X))])
        noise.append(((G - G.mean(axis=0)) ** 2).sum(axis=1).mean())
    assert float(estimates.noise(f, f.start)) == pytest.approx(max(noise), rel=1e-12)
    G = f.grad(f.start).numpy()
    assert float(estimates.diversity(f, f.start)) == pytest.approx(
        ((G - G.mean(axis=0)) ** 2).sum(axis=1).mean(), rel=1e-12
    )


class Scaled(nn.Module):
    """A module of two types of parameters."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.zeros(3)), nn.Parameter(torch.zeros(3, dtype=torch.float64))


@pytest.mark.parametrize("layer", [nn.ReLU(inplace=True), nn.ELU(inplace=True), nn.GroupNorm(2, 4)])
def test_recorded_operations_keep_those_in_place(layer):
    """Layers that write into their input, whose own results nobody takes, are no dead code."""
    f = TorchProblem(linear(layer), LOSS, rows.data(3))
    points = torch.as_tensor(np.random.default_rng(0).standard_normal((recorded.OFTEN + 2, 5, f.d)))
    *_, got = (f.grad(W) for W in points)
    assert f.recorder.graphs
    f.recorder = recorded.Recorder()
    assert torch.equal(got, f.grad(points[-1]))


def test_memory_is_bounded_by_the_outputs_of_the_layers():
    """Clients whose layers make many numbers of their samples are computed a few at a time, unless `chunk_size` says so."""
    model, data = linear(nn.Linear(4, 4).double()), rows.data(3)
    f = TorchProblem(model, LOSS, data)
    assert f.most_samples == bridge.OUTPUTS["cpu"] // (4 + 4 + 3)
    widest = int(f.store.width.max())
    f.most_samples = 2 * widest
    seen, plain = [], f.recorder.run
    f.recorder.run = lambda name, fn, W, X, *more: seen.append(len(X)) or plain(name, fn, W, X, *more)
    few = f.value(f.start)
    assert max(seen) == 2
    np.testing.assert_array_equal(few, TorchProblem(model, LOSS, data, chunk_size=2).value(f.start))


class Forward(nn.Module):
    """A linear layer followed by a function."""

    def __init__(self, fn):
        super().__init__()
        self.layer, self.fn, self.seen = nn.Linear(3, 3).double(), fn, torch.zeros(3, dtype=torch.float64)

    def forward(self, X):
        return self.fn(self, self.layer(X))


def linear(*layers):
    """A network with other layers in the middle."""
    return nn.Sequential(nn.Linear(3, 4), *layers, nn.Linear(4, 3)).double()


LOSS = nn.functional.cross_entropy
REFUSED = {
    "batch norm": (lambda: TorchProblem(linear(nn.BatchNorm1d(4)), LOSS, rows.data(3)), "use GroupNorm or LayerNorm"),
    "dropout": (lambda: TorchProblem(linear(nn.Dropout(0.5)), LOSS, rows.data(3)), r"use p=0, or model.eval\(\)"),
    "in-place dropout": (lambda: TorchProblem(linear(nn.Dropout(0.1, inplace=True)), LOSS, rows.data(3)), "model.eval"),
    "statistics": (
        lambda: TorchProblem(linear(nn.InstanceNorm1d(4, track_running_stats=True)), LOSS, rows.data(3)),
        "use it without track_running_stats",
    ),
    "dropout of a function": (
        lambda: TorchProblem(Forward(lambda _, out: nn.functional.dropout(out)), LOSS, rows.data(3)),
        "must run under torch.func.vmap and grad: no random numbers, .* got vmap: .*random",
    ),
    "branch": (
        lambda: TorchProblem(Forward(lambda _, out: out if out.sum() > 0 else -out), LOSS, rows.data(3)),
        "no branch on values, .* got ",
    ),
    "buffer": (
        lambda: TorchProblem(Forward(lambda own, out: own.seen.add_(out.sum(0)) + out), LOSS, rows.data(3)),
        "no buffer that is written to, .* got ",
    ),
    "no parameters": (lambda: TorchProblem(nn.ReLU(), LOSS, rows.data(3)), "must have parameters that require gradients"),
    "two types": (lambda: TorchProblem(Scaled(), LOSS, rows.data(3)), "one type, float32 or float64, got torch.float32, torch"),
    "lazy": (lambda: TorchProblem(nn.LazyLinear(3), LOSS, rows.data(3)), "got the lazy parameter weight"),
    "no module": (lambda: TorchProblem("mlp", LOSS, rows.data(3)), "must be a torch.nn.Module, got str"),
    "mean": (lambda: TorchProblem(linear(), lambda o, y: LOSS(o, y), rows.data(3)), r"got shape \(\) for two samples"),
    "chunk size": (lambda: network(chunk_size=0), r"TorchProblem\(chunk_size=...\)` must be an integer of at least 1, got 0"),
    "no pair": (lambda: TorchProblem(linear(), LOSS, [np.zeros((3, 3))]), "pairs .* got others for client 0"),
    "no client": (lambda: TorchProblem(linear(), LOSS, []), "at least one client, got none"),
    "two shapes": (lambda: TorchProblem(linear(), LOSS, [*rows.data(3), (np.zeros((2, 4)), np.zeros(2))]), "one shape"),
    "prox": (lambda: network().prox(network().start, 5.0), "take gradient steps .on the command line --inner gradient"),
    "optimum": (lambda: network().optimum(), "the minimiser of a network is not known"),
    "dtype": (lambda: network().grad(network(dtype=torch.float32).start), "must be torch.float64 on cpu, .* got torch.float32"),
    "shape": (lambda: network().grad(torch.zeros(2, 31)), r"must be \(..., 5, 31\) or \(..., 1, 31\)"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused_with_what_to_use_instead(name):
    """One line that names the argument, the rule and the value."""
    call, said = REFUSED[name]
    with pytest.raises(UsageError, match=said) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["value", "grad", "value_and_grad", "hessian_product", "hessian", "accuracy", "sample_variance"]
)
def test_recorded_operations_give_the_same_bytes_on_other_points_and_samples(name):
    """The call that records, and those after it, on other points, rows and clients, are those of a problem that never records."""
    f, fresh = network(chunk_size=2), network(chunk_size=2)
    rng = np.random.default_rng(1)
    for k in range(recorded.OFTEN + 4):
        W = torch.as_tensor(rng.standard_normal((5, f.d)))
        args = (W, torch.as_tensor(rng.standard_normal((5, f.d)))) if name == "hessian_product" else (W,)
        picked = rng.integers(4, size=(5, 3 + k % 2))  # minibatches of two sizes in turn
        got = getattr(f.minibatch(picked), name)(*args)
        fresh.recorder.calls.clear()
        want = getattr(fresh.minibatch(picked), name)(*args)
        for a, b in zip(got, want, strict=True):
            assert torch.equal(a, b)
    assert f.recorder.graphs and not fresh.recorder.graphs


@pytest.mark.gpu
@pytest.mark.parametrize(
    "row", ["fedavg, minibatches", "pfedme, gradients", "fedadmm, gradients", "flame, gradients", "scaffold"]
)
def test_a_gpu_gives_the_iterates_of_the_closed_form(row):
    """Fifty rounds on the device against NumPy."""
    if not torch.cuda.is_available():
        pytest.skip("there is no CUDA device")
    alg = rows.ROWS[row](rows.scale("softmax"), rows.WHOLE)
    closed, bridged = rows.PROBLEMS["softmax"](rows.WHOLE), softmax(chunk_size=2, device="cuda")
    want = rows.arrays(rows.play(alg, closed, rows.start(alg, closed), ROUNDS))
    got = rows.arrays(rows.play(alg, bridged, rows.start(alg, bridged), ROUNDS))
    for name in want:
        assert rows.close(got[name], want[name], TOLERANCE), name


LOSSES = {
    "weights": (lambda: torch.nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 5.0], dtype=torch.float64)), True),
    "equal weights": (lambda: torch.nn.CrossEntropyLoss(weight=torch.full((3,), 2.0, dtype=torch.float64)), True),
    "ignored label": (lambda: torch.nn.CrossEntropyLoss(ignore_index=0), True),
    "ignored label that nobody has": (lambda: torch.nn.CrossEntropyLoss(ignore_index=-100), True),
    "sum": (lambda: torch.nn.CrossEntropyLoss(reduction="sum"), False),
    "smoothing": (lambda: torch.nn.CrossEntropyLoss(label_smoothing=0.1), True),
    "weighted function": (
        lambda: partial(torch.nn.functional.cross_entropy, weight=torch.tensor([1.0, 2.0, 5.0], dtype=torch.float64)), False),
    "single samples": (lambda: torch.nn.CrossEntropyLoss(reduction="none"), True),
    "plain": (lambda: torch.nn.CrossEntropyLoss(), True),
}  # fmt: skip


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_the_mean_of_its_samples(name):
    """What divides by anything but the number of samples would be another f_i than is trained elsewhere."""
    make, taken = LOSSES[name]
    torch.manual_seed(0)
    model = torch.nn.Linear(2, 3).double()
    data = [(np.arange(8.0).reshape(4, 2), np.array([0, 1, 2, 0])), (np.ones((2, 2)), np.array([1, 2]))]
    if taken:
        TorchProblem(model, make(), data)
        return
    with pytest.raises(UsageError, match="must be the mean of the losses of single samples"):
        TorchProblem(model, make(), data)


def test_layers_are_the_parameters_of_the_module():
    """Names, places and shapes; matrices and kernels are prunable, biases are not; minibatches and subsets have the same."""
    data = [(np.ones((4, 36)), np.arange(4) % 3), (np.ones((2, 36)), np.array([1, 1]))]
    f = TorchProblem(cnn(6, 3, channels=(2,), hidden=4).double(), torch.nn.functional.cross_entropy, data)
    found = {layer.name: layer for layer in f.layers}
    assert [layer.shape for layer in f.layers] == [(2, 1, 3, 3), (2,), (4, 18), (4,), (3, 4), (3,)]
    assert [layer.prunable for layer in f.layers] == [True, False] * 3
    for name, p in f.module.named_parameters():
        assert torch.equal(f.start[0, found[name].where].reshape(found[name].shape), p)
    assert f.subset(np.array([0])).layers == f.layers == f.minibatch(np.zeros((2, 1), dtype=int)).layers
