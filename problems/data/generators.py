"""Generated clients of the papers' experiments.

- `example5_1`: FedADMM (S. Zhou, G. Y. Li, Federated Learning via Inexact ADMM), Example 5.1: least squares without a
  true model; the rows come from three laws. Letters: the paper's dimension ``n`` is ``d`` here, its sizes
  ``d_1 ... d_m`` are the clients' ``n_i``.
- `synthetic`: Synthetic(alpha_bar, beta_bar) of pFedMe (C. T. Dinh et al., arXiv:2006.08848), Section 5.1, as its
  published code makes it, and with other sizes FLAME's set of the same name (Section 5.1): ten labels, one linear model a
  client.

Every draw is a `fedtheory.random.stream`, so the laws are the papers', and the samples are not. `synthetic` with `as_coded`
draws as the published code does, from NumPy's old generator with seed 0, and so has the extreme sizes 250 and 25,810 of
pFedMe's text. FedADMM's come from MATLAB's generator with a seed taken from the clock, and cannot be had again.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

import numpy as np

from fedtheory.checks import number, one_of, sizes_given, whole
from fedtheory.errors import UsageError
from fedtheory.random import stream

Clients = list[tuple[np.ndarray, np.ndarray]]

STUDENT_DEGREE = 5
UNIFORM_BOUND = 5.0
SAMPLES = {"power-law": 5 * (math.exp(4 + 2**2 / 2) + 50), "uniform": 7500.0}  # of a client of `synthetic`, expected
BYTES = 8  # of a float64
LARGEST = 10**15  # whole number of clients, features, labels or samples
MEMORY = 2**40  # bytes of a machine that does not say how many it has


def require_room(call: str, samples: float, d: int, beside: int = 0) -> None:
    """Refuse at once what the memory of this machine cannot hold.

    Parameters
    ----------
    call : str
        As typed, such as ``synthetic(m=10)``.
    samples, d : number
        Expected samples of all clients, and features of each, beside which it has a target.
    beside : int
        Other numbers that have to be there at one time.

    Raises
    ------
    UsageError
        If it is more.
    """
    needed = BYTES * (samples * (d + 1) + beside)
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else MEMORY
    if needed > there:
        raise UsageError(
            f"`{call}` must fit in the memory of this machine, {there / 2**30:.3g} GiB, got about {samples:.3g} samples of "
            f"{d} features, {needed / 2**30:.3g} GiB."
        )


def law_counts(n: int, m: int, *, as_coded: bool = False) -> tuple[int, int, int]:
    """How many of the `n` rows of Example 5.1 are (standard normal, Student t(5), uniform on [-5, 5]).

    As printed, floor(n/3), floor(n/3) and the rest. As coded, ceil(m/3) rows are Student, ceil(m/3) uniform and all
    others normal: the code takes the thirds of the number of clients, where the paper takes them of all samples.

    Examples
    --------
    >>> law_counts(3200, 32), law_counts(3200, 32, as_coded=True)
    ((1066, 1066, 1068), (3178, 11, 11))
    """
    if as_coded:
        third = math.ceil(m / 3)
        if n < 2 * third:
            raise UsageError(f"`example5_1(as_coded=True)` needs 2 ceil(m/3) = {2 * third} samples, got {n} in all.")
        return n - 2 * third, third, third
    third = n // 3
    return third, third, n - 2 * third


def example5_1(
    m: int,
    *,
    d: int = 100,
    least: int = 50,
    most: int = 150,
    sizes: Sequence[int] | None = None,
    as_coded: bool = False,
    seed: int = 0,
) -> Clients:
    """Clients of FedADMM's Example 5.1: rows (a, b) of three laws, shuffled over the clients.

    Parameters
    ----------
    m : int
        Clients; the paper has 32, 64, 96, 128 and 160.
    d : int
        Features; 100 in the paper.
    least, most : int
        Each client's size is drawn uniformly from these, both included; [50, 150] in the paper.
    sizes : sequence of int, optional
        The `m` sizes themselves, instead of drawn ones.
    as_coded : bool
        The published MATLAB code's share of the three laws instead of the paper's; see `law_counts`.
    seed : int
        Seed of `fedtheory.random.stream`.

    Returns
    -------
    list of (X, y)
        X ``(n_i, d)`` and y ``(n_i,)``, float64. The entries of a row and its target are independent, of one law.

    Raises
    ------
    UsageError
        If an argument is out of range.

    Examples
    --------
    >>> clients = example5_1(32)
    >>> len(clients), clients[0][0].shape[1], all(50 <= len(y) <= 150 for _, y in clients)
    (32, 100, True)
    """
    m, d = (whole(f"example5_1({k}=...)", v, 1, LARGEST) for k, v in (("m", m), ("d", d)))
    least = whole("example5_1(least=...)", least, 1, LARGEST)
    most = whole("example5_1(most=...)", most, least, LARGEST)
    if sizes is None:
        require_room(f"example5_1({m=}, {d=}, ...)", m * (least + most) / 2, d)
        n_i = stream(seed, 0, "example5.1/sizes").integers(least, most, size=m, endpoint=True)
    else:
        n_i = np.array(sizes_given("example5_1(sizes=...)", sizes, m))
        require_room(f"example5_1({m=}, {d=}, ...)", sum(map(int, n_i)), d)
    n = int(n_i.sum())
    normal, student, uniform = law_counts(n, m, as_coded=as_coded)
    rng = stream(seed, 0, "example5.1/rows")
    rows = np.concatenate(
        [
            rng.standard_normal((normal, d + 1)),
            rng.standard_t(STUDENT_DEGREE, (student, d + 1)),
            rng.uniform(-UNIFORM_BOUND, UNIFORM_BOUND, (uniform, d + 1)),
        ]
    )[rng.permutation(n)]
    return [(part[:, :d].copy(), part[:, d].copy()) for part in np.split(rows, np.cumsum(n_i)[:-1])]


def synthetic(
    m: int = 100,
    *,
    alpha_bar: float = 0.5,
    beta_bar: float = 0.5,
    spread: str = "std",
    sizes: str | Sequence[int] = "power-law",
    d: int = 60,
    classes: int = 10,
    as_coded: bool = False,
    seed: int = 0,
) -> Clients:
    """Clients of Synthetic(alpha_bar, beta_bar): one linear model and one cloud of features a client.

    Client i has a model mean u_i of law N(0, alpha_bar) and a feature mean B_i of law N(0, beta_bar); the entries of its
    weights W_i and offsets b_i are N(u_i, 1), those of its centre v_i are N(B_i, 1); features are N(v_i, diag(j^-1.2)),
    j = 1 ... d, and the label is the largest entry of W_i x + b_i, without noise.

    As published, alpha_bar decides nothing: u_i is one number for all entries of W_i and b_i, so it adds
    u_i (1 + sum_j x_j) to every one of the scores and leaves the largest where it was. The clients' models differ through
    the unit variance around u_i, whatever alpha_bar is. It is kept because the papers name it.

    Parameters
    ----------
    m : int
        Clients; 100 for pFedMe, 50 and 100 for FLAME.
    alpha_bar, beta_bar : float
        Spread of the model means (without effect on the data, see above) and of the feature means.
    spread : {"std", "variance"}
        What alpha_bar and beta_bar are. The published code uses them as standard deviations; N(0, alpha) in the FedProx
        paper, where the set comes from, can also be read as a variance.
    sizes : {"power-law", "uniform"} or sequence of int
        "power-law": n_i = 5 (floor(LogNormal(4, 2)) + 50), pFedMe's; at least 250, and rarely tens of thousands.
        "uniform": uniform integers in [5000, 10000), FLAME's. Or the `m` sizes themselves.
    d, classes : int
        Features and labels; 60 and 10 in both papers.
    as_coded : bool
        The published set of pFedMe itself, whatever the seed: sizes by the power law, spreads as standard deviations, drawn
        in the order of the code from NumPy's old generator with seed 0.
    seed : int
        Seed of `fedtheory.random.stream`. Client i is the same for every `m` above i.

    Returns
    -------
    list of (X, y)
        X ``(n_i, d)`` float64 and y ``(n_i,)`` int64 in 0 ... classes - 1. No split into training and test samples: pFedMe's
        text says 75/25, its code 90/10, FLAME has 80/20; see `problems.data.partitions.train_test`.

    Raises
    ------
    UsageError
        If an argument is out of range or `spread` or `sizes` is unknown.

    Examples
    --------
    >>> clients = synthetic(3, sizes=[40, 50, 60])
    >>> [(X.shape, y.dtype.name) for X, y in clients]
    [((40, 60), 'int64'), ((50, 60), 'int64'), ((60, 60), 'int64')]
    """
    m, d = (whole(f"synthetic({k}=...)", v, 1, LARGEST) for k, v in (("m", m), ("d", d)))
    classes = whole("synthetic(classes=...)", classes, 2, LARGEST)
    alpha_bar = number("synthetic(alpha_bar=...)", alpha_bar)
    beta_bar = number("synthetic(beta_bar=...)", beta_bar)
    if one_of("synthetic(spread=...)", spread, ("std", "variance")) == "variance":
        alpha_bar, beta_bar = math.sqrt(alpha_bar), math.sqrt(beta_bar)
    if isinstance(sizes, str):
        expected = m * SAMPLES[one_of("synthetic(sizes=...)", sizes, SAMPLES)]
    else:
        expected = sum(sizes_given("synthetic(sizes=...)", sizes, m))
    require_room(f"synthetic({m=}, {d=}, {classes=}, ...)", expected, d, (d + 1) * classes)
    if as_coded:
        if (spread, sizes) != ("std", "power-law"):
            raise UsageError("`synthetic(as_coded=True)` has sizes='power-law' and spread='std'; leave both out.")
        return _published(m, alpha_bar, beta_bar, d, classes)
    scale = np.arange(1, d + 1) ** -0.6  # standard deviations of the features

    def client(i: int, n_i: int) -> tuple[np.ndarray, np.ndarray]:
        rng = stream(seed, i, "synthetic/client")
        u_i, B_i = alpha_bar * rng.standard_normal(), beta_bar * rng.standard_normal()
        W_i = u_i + rng.standard_normal((d, classes))
        b_i = u_i + rng.standard_normal(classes)
        v_i = B_i + rng.standard_normal(d)
        X = v_i + scale * rng.standard_normal((n_i, d))
        return X, np.argmax(X @ W_i + b_i, axis=1).astype(np.int64)

    return [client(i, n_i) for i, n_i in enumerate(_synthetic_sizes(sizes, m, seed))]


def _synthetic_sizes(sizes: str | Sequence[int], m: int, seed: int) -> list[int]:
    if not isinstance(sizes, str):
        return sizes_given("synthetic(sizes=...)", sizes, m)
    rng = stream(seed, 0, "synthetic/sizes")
    if sizes == "uniform":
        return [int(n) for n in rng.integers(5000, 10000, size=m)]
    return [5 * (int(n) + 50) for n in rng.lognormal(4, 2, size=m)]


def _published(m: int, alpha_bar: float, beta_bar: float, d: int, classes: int) -> Clients:
    """The clients as the published code draws them: all sizes, all u_i, all B_i, all v_i, then client after client."""
    rng = np.random.RandomState(0)
    n_i = 5 * (rng.lognormal(4, 2, m).astype(np.int64) + 50)
    u, B = rng.normal(0, alpha_bar, m), rng.normal(0, beta_bar, m)
    v = np.stack([rng.normal(B_i, 1, d) for B_i in B])
    covariance = np.diag(np.arange(1, d + 1) ** -1.2)
    clients = []
    for i in range(m):
        W_i, b_i = rng.normal(u[i], 1, (d, classes)), rng.normal(u[i], 1, classes)
        X = rng.multivariate_normal(v[i], covariance, n_i[i])
        clients.append((X, np.argmax(X @ W_i + b_i, axis=1).astype(np.int64)))
    return clients
