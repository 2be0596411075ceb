"""One table of methods, one battery: the printed box client by client, permutations, backends, fixed points."""

import numpy as np
import pytest
from algorithm_rows import (
    EPS,
    PROBLEMS,
    ROWS,
    WHOLE,
    M,
    arrays,
    begin,
    close,
    frozen,
    play,
    quadratics,
    scale,
    start,
    table,
)
from array_api_compat import device as device_of
from boxes import BOXES, SERVER, One, unstacked

from fedtheory._arrays import to_host
from fedtheory.algorithms import FLAME, FedAvg, FedAvgStored, FedProx, FedProxStored, PerFedAvg, PFedMe
from fedtheory.algorithms.scaffold import Scaffold
from fedtheory.random import stream
from problems.clients.quadratic import QuadraticClients


@pytest.mark.parametrize(("row", "name"), table())
def test_stacked_steps_follow_the_box_client_by_client(row, name):
    """A few stacked steps against the double loop over clients; nothing is written in place."""
    f, L = PROBLEMS[name](WHOLE), scale(name)
    alg = ROWS[row](L, WHOLE)
    state = start(alg, f)
    want, clients = unstacked(state), [One(PROBLEMS[name](WHOLE[i : i + 1])) for i in range(M)]
    for k in range(4):
        draws = frozen(alg.draw(f, stream(1, k, "draw")))
        BOXES[type(alg).__name__](alg, clients, want, draws)
        state = alg.step(f, frozen(state), draws)
    for field, got in arrays(state).items():
        expected = getattr(want, field)
        assert close(got, [expected] if field in SERVER else np.stack([np.asarray(v) for v in expected])), field


@pytest.mark.parametrize("row", ROWS)
def test_one_client(row):
    """m = 1 is the same box."""
    c = WHOLE[:1]
    f, L = PROBLEMS["softmax"](c), scale("softmax")
    alg = ROWS[row](L, c)
    state = start(alg, f)
    want = unstacked(state)
    for k in range(3):
        draws = alg.draw(f, stream(2, k, "draw"))
        BOXES[type(alg).__name__](alg, [One(f)], want, draws)
        state = alg.step(f, state, draws)
    assert close(state.w, [want.w])
    assert state.w.shape == (1, f.d) and state.communications in (2, 3)


def permuted(value, order):
    """Draws or a state with the clients renamed: client order[j] becomes client j."""
    if isinstance(value, tuple):
        parts = [permuted(v, order) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if not isinstance(value, np.ndarray) or (value.shape[:1] == (1,) and value.ndim == 2):
        return value
    axis = value.ndim - 1 if value.shape[-1] == M and value.ndim == 1 else value.ndim - 2
    return np.take(value, order, axis=axis)


@pytest.mark.parametrize("row", ROWS)
def test_permutation_of_clients(row):
    """Renaming the clients renames the client vectors and leaves the server vector."""
    order = np.array([3, 0, 4, 2, 1])
    L = scale("softmax")
    f, g = PROBLEMS["softmax"](WHOLE), PROBLEMS["softmax"](order)
    a, b = ROWS[row](L, WHOLE), ROWS[row](L, order)
    s = start(a, f)
    t = permuted(s, order)
    for k in range(3):
        draws = a.draw(f, stream(4, k, "draw"))
        renamed = permuted(draws, order)
        if getattr(draws, "order", None) is not None:
            renamed = renamed._replace(order=np.argsort(order)[draws.order])
        s, t = a.step(f, s, draws), b.step(g, t, renamed)
    for field, value in arrays(permuted(s, order)).items():
        assert close(arrays(t)[field], value), field


@pytest.mark.parametrize(("row", "name"), table(("softmax", "huber")))
def test_backends_give_the_same_iterates(row, name, backend):
    """One seed: the same draws and iterates everywhere; shapes, dtype and device stay."""
    _, xp, device = backend
    f, host = PROBLEMS[name](WHOLE, xp=xp, device=device), PROBLEMS[name](WHOLE)
    alg = ROWS[row](host.constants().L, WHOLE)
    first = start(alg, f)
    state = play(alg, f, first)
    want = arrays(play(alg, host, start(alg, host)))
    for field, value in state._asdict().items():
        if not hasattr(value, "shape"):
            continue
        assert close(to_host(value), want[field]), field
        before = getattr(first, field)
        if field not in ("selected", "unseen") and before is not None:  # those stay on the host
            assert value.shape == before.shape and value.dtype == before.dtype and device_of(value) == device_of(before)


@pytest.mark.parametrize("row", ROWS)
def test_zero_is_the_default_start(row):
    """`init(problem)` alone starts at zero, and a step from there works."""
    f = PROBLEMS["logistic"](WHOLE)
    alg = ROWS[row](scale("logistic"), WHOLE)
    assert not np.asarray(alg.init(f).w).any() or isinstance(alg, FLAME)
    assert np.isfinite(play(alg, f, alg.init(f), steps=1).w).all()


class Bowls:
    """h_i |w - c_i|^2/2 in single precision."""

    xp, device, m, d = np, None, 3, 2

    def __init__(self):
        self.n = np.array([2, 3, 4])
        self.c = np.arange(6, dtype=np.float32).reshape(3, 2)
        self.h = np.array([1, 2, 4], dtype=np.float32)[:, None]

    def grad(self, W):
        return self.h * (W - self.c)

    def hessian_product(self, W, V):
        return self.h * V

    def prox(self, W, lam):
        lam = np.reshape(np.asarray(lam, dtype=np.float32), (-1, 1))
        return (self.h * self.c + lam * W) / (self.h + lam)

    def minibatch(self, rows):
        return self


@pytest.mark.parametrize("row", [r for r in ROWS if r != "fedprox"])
def test_single_precision_stays(row):
    """No hyper-parameter, draw or mask lifts float32 to float64."""
    f, c = Bowls(), np.arange(3)
    alg = ROWS[row](4.0, c)
    w, W = np.ones((1, 2), np.float32), np.arange(6, dtype=np.float32).reshape(3, 2)
    for field, value in arrays(play(alg, f, begin(alg, f, w, W, W * 2))).items():
        assert value.dtype in (np.float32, np.bool_), field


# fixed points


def matrices(f):
    """A_i and the clients' own minimisers of quadratics."""
    return f.A, np.linalg.solve(f.A, f.b[..., None])[..., 0]


def balance(P, own):
    """The w with sum_i P_i (w - own_i) = 0, as a server vector."""
    return np.linalg.solve(P.sum(axis=0), np.einsum("ijk,ik->j", P, own))[None]


def powers(P, k):
    """I - (I - P_i)^k."""
    eye = np.eye(P.shape[-1])
    return eye - np.linalg.matrix_power(eye - P, k)


def stays(alg, f, state, steps=3):
    """Whether the server vector stays where it is, to rounding."""
    return close(play(alg, f, state, steps).w, state.w, 1e-11)


@pytest.mark.parametrize("name", [n for n in PROBLEMS if n != "non-convex logistic"])
def test_fedavg_with_one_full_gradient_stays_at_the_minimiser(name):
    """E = 1 and all clients is gradient descent on f; so are FedProx, and FedAvg with stored vectors where w is their mean."""
    f = PROBLEMS[name](WHOLE)
    eta = 0.5 / f.constants().L
    w_star = f.optimum().w_star
    for alg in (FedAvg(eta, 1, alpha=1), FedProx(eta, 1, 1.0, alpha=1)):
        assert stays(alg, f, alg.init(f, w_star))
        assert not stays(alg, f, alg.init(f, w_star + 0.1))
    stored = FedAvgStored(M * eta, decreasing=False)
    assert stays(stored, f, stored.init(f, w_star, w_star - eta * f.grad(w_star)))


@pytest.mark.parametrize("E", [2, 5])
def test_local_steps_move_the_fixed_point(E):
    """E local steps: sum_i (I - (I - eta A_i)^E)(w - w_i*) = 0, for FedProx with its own matrices; not the minimiser."""
    f = quadratics(WHOLE)
    A, own = matrices(f)
    eta, mu = 0.3 / f.constants().L, 0.7
    B = A + mu * np.eye(f.d)
    cases = {
        FedAvg(eta, E, alpha=1): balance(powers(eta * A, E), own),
        FedProx(eta, E, mu, alpha=1): balance(powers(eta * B, E) @ np.linalg.solve(B, A), own),
    }
    for alg, w in cases.items():
        assert stays(alg, f, alg.init(f, w))
        assert np.abs(w - f.optimum().w_star).max() > 1e-3


@pytest.mark.parametrize(("hessian", "power"), [("none", 1), ("product", 2), ("difference", 2)])
def test_perfedavg_solves_its_own_problem(hessian, power):
    """E = 1: sum_i (I - alpha A_i)^power A_i (w - w_i*) = 0; with the Hessian the minimiser of the adapted loss."""
    f = quadratics(WHOLE)
    A, own = matrices(f)
    inner_eta, eye = 0.4 / f.constants().L, np.eye(f.d)
    w = balance(np.linalg.matrix_power(eye - inner_eta * A, power) @ A, own)
    alg = PerFedAvg(0.1, inner_eta, 1, hessian=hessian, delta=0.5 if hessian == "difference" else None)
    assert stays(alg, f, alg.init(f, w))
    assert close(alg.personal(f, alg.init(f, w)), w - inner_eta * f.grad(w))
    other = balance(np.linalg.matrix_power(eye - inner_eta * A, 3 - power) @ A, own)
    assert not stays(alg, f, alg.init(f, other))


@pytest.mark.parametrize("R", [1, 4])
def test_pfedme_solves_the_envelopes_problem_or_a_biased_one(R):
    """R = 1 and all clients: the minimiser of the mean envelope; R > 1: sum_i (I - (I - eta lam P_i)^R)(w - w_i*) = 0."""
    f = quadratics(WHOLE)
    A, own = matrices(f)
    lam, eta = 2.0, 0.2
    P = np.linalg.solve(A + lam * np.eye(f.d), A)  # grad F_i(w) = lam P_i (w - w_i*)
    w_star, w = balance(P, own), balance(powers(eta * lam * P, R), own)
    for beta in (1.0, 2.0):
        alg = PFedMe(lam, eta, beta, R, M)
        assert stays(alg, f, alg.init(f, w))
        assert (np.abs(w - w_star).max() > 1e-4) == (R > 1)


@pytest.mark.parametrize("m", [1, M])
@pytest.mark.parametrize("row", [r for r in ROWS if "error" not in r and "minibatch" not in r])
def test_equal_clients_stay_at_their_minimiser(row, m):
    """With equal clients, or one, nothing depends on the selection, and every method stays at the common minimiser."""
    f = QuadraticClients(np.repeat(quadratics(WHOLE).A[:1], m, axis=0), np.ones((m, 4)))
    alg = ROWS[row](f.constants().L, WHOLE[:m])
    if getattr(alg, "batch", None) and not alg.replace:
        alg = FedProx(alg.eta, alg.E, alg.mu_prox, S=alg.S)
    w_star = f.optimum().w_star
    W = np.repeat(w_star, m, axis=0)
    assert close(play(alg, f, begin(alg, f, w_star, W, W)).w, w_star, 1e-11)


@pytest.mark.parametrize(
    ("row", "name"),
    [(r, "quadratic") for r in ROWS if r.startswith("fedadmm") and "error" not in r]
    + [(f"fedadmm, {r}", n) for r in ("one gradient", "scheme 4.1") for n in ("logistic", "huber", "margin")],
)
def test_fedadmm_stays_at_stationary_points(row, name):
    """W = w*, pi_i = -alpha_i grad f_i(w*) (4.1), for every way of selection and of solution."""
    f = PROBLEMS[name](WHOLE)
    alg = ROWS[row](f.constants().L, WHOLE)
    w_star = f.optimum().w_star
    if getattr(alg.alpha, "ndim", 0):  # of the weighted sum
        A, own = matrices(f)
        w_star = balance(alg.alpha[:, None, None] * A, own)
    state = alg.init(f, w_star * 0, np.repeat(w_star, M, axis=0), EPS)
    after = play(alg, f, state, 5)
    assert close(after.w, w_star, 1e-10)
    for field in ("W", "Pi", "Z"):
        assert close(getattr(after, field), getattr(state, field), 1e-10), field


@pytest.mark.parametrize("row", [r for r in ROWS if r.startswith("flame") and "error" not in r])
def test_flame_stays_at_the_minimiser_of_the_weighted_envelopes(row):
    """W = w*, theta_i = prox(w*), pi_i by (28), for every way of selection and of solution."""
    f = quadratics(WHOLE)
    A, own = matrices(f)
    alg = ROWS[row](f.constants().L, WHOLE)
    alpha = np.broadcast_to(alg.alpha, M)[:, None, None]
    w_star = balance(alpha * np.linalg.solve(A + alg.lam * np.eye(f.d), A), own)
    state = alg.init(f, f.prox(w_star, alg.lam), np.repeat(w_star, M, axis=0))
    assert close(state.w, w_star)
    after = play(alg, f, state, 5)
    for field in ("w", "Theta", "W", "Pi", "Z"):
        assert close(getattr(after, field), getattr(state, field), 1e-11), field


@pytest.mark.parametrize("control", ["i", "ii"])
def test_scaffold_stays_at_the_minimiser_however_many_local_steps(control):
    """With c_i = grad f_i(w*) no local step moves, whoever is selected; without them FedAvg's bias is back."""
    f = quadratics(WHOLE)
    w_star = f.optimum().w_star
    alg = Scaffold(0.3 / f.constants().L, 5, S=2, control=control)
    state = alg.init(f, w_star, f.grad(w_star))
    after = play(alg, f, state, 5)
    for field in ("w", "c", "C"):
        assert close(getattr(after, field), getattr(state, field), 1e-11), field
    assert not stays(alg, f, alg.init(f, w_star))


@pytest.mark.parametrize(("printed", "factor"), [(True, 1.25), (False, 0.75)])
def test_fedprox_as_printed_drives_clients_apart(printed, factor):
    """On flat clients (3.17) multiplies w_i - w by 1 + mu a step; with the other sign by 1 - mu."""
    f = QuadraticClients(np.zeros((M, 2, 2)), np.zeros((M, 2)))
    alg = FedProxStored(1.0, 0.25, printed=printed)
    state = alg.init(f, None, np.arange(2.0 * M).reshape(M, 2))
    after = play(alg, f, state, 3)
    assert close(after.W - after.w, (state.W - after.w) * factor**3) and close(after.w, state.W.mean(axis=0)[None])
