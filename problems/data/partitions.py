"""One data set among many clients: every sample belongs to one client, and every client has a sample.

Each function returns a `Partition`: the rows of every client, in ascending order, and the table of counts. `train_test`
splits every client's samples once more. The paper's sentences behind them:

- `iid`: FedADMM, Example 5.2, divides the samples at random into m groups; its code draws the groups' sizes at random.
- `shards`: FLAME, Section 5.1, orders the training data by label, cuts them into shards and gives each client two.
- `power_law`: pFedMe, Section 5.1, gives each client of MNIST 2 of the 10 labels and a size of its own.
- `dirichlet`: DA-DPFL, Section VI-A, Dir(0.3) and Dir(0.5).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fedtheory.checks import number, one_of, whole
from fedtheory.errors import UsageError
from fedtheory.random import stream

from .generators import Clients
from .holdings import Partition as Partition
from .holdings import clients_of, divided, labels_of, targets_of
from .split import train_test as train_test

ATTEMPTS = 1000
LARGEST_ALPHA = 1e9
LARGEST_STEEPNESS = 1e6


def iid(y: np.ndarray, m: int, *, sizes: str = "equal", seed: int = 0) -> Partition:
    """Samples at random; labels play no part.

    Parameters
    ----------
    y : ndarray
        Targets or labels, ``(n,)``.
    m : int
        Clients, at most n.
    sizes : {"equal", "random"}
        "equal": sizes differ by at most one. "random": all size vectors whose entries exceed n / (40 m) are equally likely
        (FedADMM's code draws cutting points again until this holds).
    seed : int
        Seed of `fedtheory.random.stream`.

    Raises
    ------
    UsageError
        If an argument is out of range.

    Examples
    --------
    >>> p = iid(np.array([0, 1] * 5), 3)
    >>> p.sizes
    array([4, 3, 3])
    """
    y, m, n = targets_of("iid", y), clients_of("iid", m, y), len(y)
    rng = stream(seed, 0, "partition/iid")
    if one_of("iid(sizes=...)", sizes, ("equal", "random")) == "equal":
        parts = np.array_split(rng.permutation(n), m)
    else:
        spare = n // (40 * m)
        cuts = 1 + np.sort(rng.choice(n - m * spare - 1, m - 1, replace=False)) if m > 1 else np.array([], dtype=int)
        cuts = cuts + spare * np.arange(1, m)
        parts = np.split(rng.permutation(n), cuts)
    return divided(f"iid, {sizes} sizes", parts, y)


def shards(y: np.ndarray, m: int, *, per_client: int = 2, seed: int = 0) -> Partition:
    """Samples in the order of their labels, cut into m per_client shards of equal size, dealt at random.

    A shard that lies across the end of a label holds two labels, so a client may see more than `per_client` of them.

    Parameters
    ----------
    y : ndarray
        Labels, ``(n,)``, of an integer type.
    m : int
        Clients; m per_client is at most n.
    per_client : int
        Shards of each client.
    seed : int
        Seed of `fedtheory.random.stream`.

    Raises
    ------
    UsageError
        If an argument is out of range or `y` holds no labels.

    Examples
    --------
    >>> p = shards(np.repeat([0, 1, 2], 4), 3, per_client=1)
    >>> p.sizes, (p.counts > 0).sum(axis=1)
    (array([4, 4, 4]), array([1, 1, 1]))
    """
    y, m, n = labels_of("shards", y), clients_of("shards", m, y), len(y)
    per_client = whole("shards(per_client=...)", per_client, 1)
    if m * per_client > n:
        raise UsageError(f"`shards(per_client={per_client})` cuts {m * per_client} shards from {n} samples; use fewer.")
    rng = stream(seed, 0, "partition/shards")
    rows = rng.permutation(n)
    cut = np.array_split(rows[np.argsort(y[rows], kind="stable")], m * per_client)
    dealt = rng.permutation(m * per_client).reshape(m, per_client)
    return divided(f"{per_client} label shards a client", [np.concatenate([cut[s] for s in own]) for own in dealt], y)


def dirichlet(y: np.ndarray, m: int, *, alpha: float = 0.3, least: int = 1, seed: int = 0) -> Partition:
    """For each label, shares over the clients of law Dir(alpha, ..., alpha); small alpha: few clients hold a label.

    The shares are drawn again until every client has `least` samples; the law is Dirichlet on that condition.

    Parameters
    ----------
    y : ndarray
        Labels, ``(n,)``, of an integer type.
    m : int
        Clients, at most n.
    alpha : float
        Concentration; 0.3 and 0.5 in DA-DPFL.
    least : int
        Fewest samples of a client.
    seed : int
        Seed of `fedtheory.random.stream`.

    Raises
    ------
    UsageError
        If an argument is out of range, `y` holds no labels, or 1,000 draws leave some client short of `least`.

    Examples
    --------
    >>> p = dirichlet(np.repeat([0, 1], 50), 4, alpha=0.5)
    >>> p.counts.shape, p.counts.sum(axis=0).tolist(), bool((p.sizes >= 1).all())
    ((4, 2), [50, 50], True)
    """
    y, m, n = labels_of("dirichlet", y), clients_of("dirichlet", m, y), len(y)
    alpha = number("dirichlet(alpha=...)", alpha, positive=True)
    if alpha > LARGEST_ALPHA:
        raise UsageError(f"`dirichlet(alpha=...)` must be at most {LARGEST_ALPHA:g}, got {alpha!r}; use iid instead.")
    least = whole("dirichlet(least=...)", least, 1, n // m)
    rng = stream(seed, 0, "partition/dirichlet")
    label_rows = [rng.permutation(np.flatnonzero(y == c)) for c in np.unique(y)]
    n_c = np.array([len(rows) for rows in label_rows])
    for _ in range(ATTEMPTS):
        shares = rng.dirichlet(np.full(m, alpha), size=len(n_c))
        cuts = np.floor(np.cumsum(shares, axis=1)[:, :-1] * n_c[:, None] + 0.5).astype(np.int64)
        cuts = np.minimum(cuts, n_c[:, None])
        sizes = np.diff(cuts, axis=1, prepend=0, append=n_c[:, None]).sum(axis=0)
        if sizes.min() >= least:
            split = [np.split(rows, cut) for rows, cut in zip(label_rows, cuts, strict=True)]
            return divided(
                f"Dirichlet, alpha = {alpha:g}", [np.concatenate(own) for own in zip(*split, strict=True)], y
            )
    raise UsageError(
        f"`dirichlet(alpha={alpha:g})`: none of {ATTEMPTS} draws gave each of {m} clients {least} of the {n} samples; "
        "use a larger alpha, fewer clients or a smaller least."
    )


def power_law(
    y: np.ndarray,
    m: int,
    *,
    weights: str = "zipf",
    steepness: float = 1.0,
    labels_per_client: int | None = None,
    least: int = 1,
    seed: int = 0,
) -> Partition:
    """Sizes that follow a power law or a log-normal law; on request each client holds a few labels only.

    Parameters
    ----------
    y : ndarray
        Targets or labels, ``(n,)``.
    m : int
        Clients, at most n.
    weights : {"zipf", "lognormal"}
        "zipf": client i has a share proportional to (i + 1)^-steepness, so the first is the largest. "lognormal": to
        exp(steepness z_i) with z_i standard normal; steepness 2 is what FedProx and pFedMe call a power law.
    steepness : float
        At least 0; 0 gives equal sizes.
    labels_per_client : int, optional
        Client i holds the labels i, i+1, ..., i + labels_per_client - 1, counted modulo the number of labels; each label is
        shared by its holders in proportion to their weights. pFedMe's MNIST: m = 20 and 2.
    least : int
        Fewest samples of a client (of a client and label, with `labels_per_client`).
    seed : int
        Seed of `fedtheory.random.stream`.

    Raises
    ------
    UsageError
        If an argument is out of range, labels are asked for that `y` has not, a label would have no holder, or there are
        too few samples for `least`.

    Examples
    --------
    >>> power_law(np.zeros(60, dtype=int), 3).sizes
    array([32, 17, 11])
    >>> power_law(np.repeat([0, 1, 2], 8), 3, labels_per_client=2, steepness=0).counts
    array([[4, 4, 0],
           [0, 4, 4],
           [4, 0, 4]])
    """
    y, m, n = targets_of("power_law", y), clients_of("power_law", m, y), len(y)
    least = whole("power_law(least=...)", least, 1, n // m)
    steepness = number("power_law(steepness=...)", steepness)
    if steepness > LARGEST_STEEPNESS:
        raise UsageError(f"`power_law(steepness=...)` must be at most {LARGEST_STEEPNESS:g}, got {steepness!r}.")
    rng = stream(seed, 0, "partition/power-law")
    if one_of("power_law(weights=...)", weights, ("zipf", "lognormal")) == "zipf":
        log_w = -steepness * np.log(np.arange(1, m + 1))
    else:
        log_w = steepness * rng.standard_normal(m)
    name = f"{weights} sizes, steepness {steepness:g}"
    if labels_per_client is None:
        return divided(name, np.split(rng.permutation(n), np.cumsum(_apportion(n, log_w, least))[:-1]), y)

    labels = np.unique(labels_of("power_law", y))
    k = whole("power_law(labels_per_client=...)", labels_per_client, 1, len(labels))
    if m + k - 1 < len(labels):
        raise UsageError(
            f"`power_law(labels_per_client={k})` with {m} clients leaves {len(labels) - m - k + 1} of {len(labels)} labels "
            f"without a holder; use at least {len(labels) - m + 1} labels a client or {len(labels) - k + 1} clients."
        )
    own: list[list[np.ndarray]] = [[] for _ in range(m)]
    for c, label in enumerate(labels):
        rows = rng.permutation(np.flatnonzero(y == label))
        holders = np.flatnonzero((c - np.arange(m)) % len(labels) < k)
        if len(rows) < len(holders) * least:
            raise UsageError(
                f"`power_law(least={least})`: label {label} has {len(rows)} samples for {len(holders)} clients; use fewer "
                "clients or labels a client."
            )
        sizes = _apportion(len(rows), log_w[holders], least)
        for i, part in zip(holders, np.split(rows, np.cumsum(sizes)[:-1]), strict=True):
            own[i].append(part)
    return divided(f"{name}, {k} labels a client", [np.concatenate(parts) for parts in own], y)


def quantiles(y: np.ndarray, m: int) -> Partition:
    """Successive quantiles of a target: the first client holds the smallest. Nothing is drawn.

    Examples
    --------
    >>> [rows.tolist() for rows in quantiles(np.array([3.0, 1.0, 2.0, 0.0]), 2).rows]
    [[1, 3], [0, 2]]
    """
    y, m = targets_of("quantiles", y), clients_of("quantiles", m, y)
    return divided("quantiles of the target", np.array_split(np.argsort(y, kind="stable"), m), y)


def as_they_come(clients: Clients) -> Partition:
    """The partition of clients that were generated as clients: successive blocks of their stacked samples."""
    ends = np.cumsum([len(y) for _, y in clients])
    y = np.concatenate([y for _, y in clients])
    return divided("as generated", np.split(np.arange(len(y)), ends[:-1]), y)


PARTITIONS: dict[str, Callable[..., Partition]] = {
    "iid": iid,
    "shards": shards,
    "dirichlet": dirichlet,
    "power-law": power_law,
    "quantiles": quantiles,
}


def _apportion(n: int, log_w: np.ndarray, least: int) -> np.ndarray:
    """Sizes of sum `n`, each `least` and a share of the rest in proportion to exp(log_w): largest remainders."""
    w = np.exp(log_w - log_w.max())
    share = (n - least * len(w)) * (w / w.sum())
    sizes = np.floor(share).astype(np.int64)
    short = n - least * len(w) - int(sizes.sum())
    sizes[np.argsort(sizes - share, kind="stable")[:short]] += 1
    return sizes + least
