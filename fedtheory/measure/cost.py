"""What rounds cost: FLOP and bytes of the busiest node, time, energy, and one sum of money (DA-DPFL, Sections VI-A5 and VI-B2).

Symbols and units:
    D_FLOP    floating point operations of the busiest node in a round, FLOP
    D_comm    bytes that the busiest node transfers in a round, B
    V, P_comp speed and power of its processor, FLOP/s and W
    B, P_comm bandwidth and power of its network card, bit/s and W
    T_comp = 5 D_FLOP/V, T_comm = 8 D_comm/B, seconds; C_comp = T_comp P_comp, C_comm = T_comm P_comm, joules
    C_total = (1 - theta) C_time + theta C_energy, currency, at 1 a second and 1 a joule

Every function takes arrays and broadcasts them, so that it serves printed numbers and whole runs alike: kept weights a round and a
node, ``(..., K)``, or a layer as well, ``(..., K, L)``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np

from ..errors import UsageError, did_you_mean

Amount = float | np.ndarray  # of a whole run, or of each round
DIRECTIONS = ("received", "sent", "both")
WAITS = ("round", "training")
OCTET = 8  # bits of a byte


@dataclass(frozen=True, kw_only=True)
class Device:
    """A node: by default the one of Section VI-A5, an NVIDIA 4090 on a network of 1 Gbps.

    Attributes
    ----------
    speed : float
        V, FLOP/s.
    correction : float
        How much longer real executions take than theory says.
    watts : float
        P_comp, W.
    bandwidth : float
        B, bit/s; "Gbps" is 10^9 bits a second.
    card_watts : float
        P_comm, W.

    Raises
    ------
    UsageError
        If one is not positive and finite.
    """

    speed: float = 80e12
    correction: float = 5.0
    watts: float = 450.0
    bandwidth: float = 1e9
    card_watts: float = 1.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not (np.isfinite(value) and value > 0):
                raise UsageError(f"`Device({field.name}=...)` must be positive and finite, got {value!r}.")


class Cost(NamedTuple):
    """Seconds and joules of one or many rounds, arrays of one shape.

    Attributes
    ----------
    computing, sending : float
        Seconds of both kinds, without waiting for others.
    waiting : float
        Seconds for which the round goes on longer since clients wait for one another.
    computing_joules, sending_joules : float
    """

    computing: Amount
    sending: Amount
    waiting: Amount
    computing_joules: Amount
    sending_joules: Amount

    @property
    def seconds(self) -> Amount:
        """C_time before it has a price."""
        return self.computing + self.sending + self.waiting

    @property
    def joules(self) -> Amount:
        """C_energy = C_comm + C_comp before it has a price (Section VI-B2)."""
        return self.computing_joules + self.sending_joules


def cost(
    flop: Amount, transferred: Amount, *, rounds: Amount = 1, wait: Any = 0.0, waits: str = WAITS[0], device: Device | None = None
) -> Cost:  # fmt: skip
    """Time and energy of rounds (Section VI-A5).

    Parameters
    ----------
    flop, transferred : array_like
        D_FLOP and D_comm of one round, FLOP and bytes.
    rounds : array_like
        How many such rounds.
    wait : array_like
        The mean of the largest start of a scheduled round, in units of one of its trainings (`schedules.measured`); 0 where
        nobody waits. A client that waits uses no energy for it.
    waits : {"round", "training"}
        What has to be over before the next one starts, which the paper does not say: ``round``, computing and sending, so that a
        round takes 1 + wait times as long ("the multiplier effect on the time required for each communication round", Section
        VI-E); or ``training``, computing alone.
    device : Device
        By default that of the paper.

    Returns
    -------
    Cost
        Seconds and joules, of the shape of what was given.

    Raises
    ------
    UsageError
        If a number is negative or not finite, or `waits` is another word.

    Examples
    --------
    >>> one = cost(16e12, 125e6)
    >>> float(one.computing), float(one.sending), float(one.joules)
    (1.0, 1.0, 451.0)
    >>> float(cost(16e12, 125e6, wait=2.0).seconds), float(cost(16e12, 125e6, wait=2.0, waits="training").seconds)
    (6.0, 4.0)
    """
    if waits not in WAITS:
        raise UsageError(
            f"`cost(waits=...)` must be one of {', '.join(WAITS)}, got {waits!r}{did_you_mean(waits, WAITS)}."
        )
    node = device or Device()
    flop, transferred, rounds, wait = (
        _amount(name, value, "cost")
        for name, value in (("flop", flop), ("transferred", transferred), ("rounds", rounds), ("wait", wait))
    )
    computing = rounds * node.correction * flop / node.speed
    sending = rounds * OCTET * transferred / node.bandwidth
    waiting = wait * (computing + sending if waits == "round" else computing)
    return Cost(computing, sending, waiting, computing * node.watts, sending * node.card_watts)


def of_run(
    *, gradients: float, transferred: float, clients: int, weights: float, samples: float, density: Amount = 1.0,
    units: Amount = 1.0, per_use: float = 6.0, waits: str = WAITS[0], device: Device | None = None,
) -> Cost:  # fmt: skip
    """Time and energy of each round of a run, from what the run has recorded.

    Parameters
    ----------
    gradients : float
        Those of all clients over the whole run, ``gradients`` of its results.
    transferred : float
        Bytes of the busiest node over the whole run, ``bytes`` of its results.
    clients : int
        How many compute in a round, in equal shares.
    weights : float
        d, weights of the whole model.
    samples : float
        Samples of one gradient.
    density : array_like, (rounds,)
        Share of the weights that the models of each round keep; one number for all.
    units : array_like, (rounds,)
        Units of time that each round takes, 1 where nobody waits: the differences of the column ``time``. One of the two, or
        both, say how many rounds there are; two numbers stand for one round.
    per_use : float
        See `training_flop`.
    waits, device
        See `cost`.

    Returns
    -------
    Cost
        Of arrays (rounds,); their sums are those of the run.

    Raises
    ------
    UsageError
        If a number is negative or not finite, a density above 1, a unit below 1, or a length is not that of the other.

    Examples
    --------
    >>> run = of_run(gradients=400, transferred=2e6, clients=10, weights=1e6, samples=20, density=[0.5, 0.25], units=[3, 1])
    >>> [round(float(value), 6) for value in run.seconds], [round(float(value), 6) for value in run.joules]
    ([0.024225, 0.008037], [0.04175, 0.024875])
    """
    share, length = _amount("density", density, "of_run"), _amount("units", units, "of_run")
    if (share > 1).any():
        raise UsageError(f"`of_run(density=...)` must be at most 1, got {float(share.max())}.")
    if (length < 1).any():
        raise UsageError(f"`of_run(units=...)` must be at least 1, got {float(length.min())}.")
    if share.ndim > 1 or length.ndim > 1 or (share.ndim and length.ndim and share.shape != length.shape):
        raise UsageError(f"`of_run(units=...)` must have a number for each density, {share.shape}, got {length.shape}.")
    share, length = np.atleast_1d(*np.broadcast_arrays(share, length))
    if not (clients > 0 and len(share)):
        raise UsageError(
            f"`of_run(clients=...)` must be positive and there must be a round, got {clients} and {len(share)}."
        )
    rounds = len(share)
    flop = training_flop(share * weights, samples, passes=gradients / (clients * rounds), per_use=per_use)
    return cost(flop, np.full(rounds, transferred / rounds), wait=length - 1, waits=waits, device=device)


def total(theta: Amount, seconds: Amount, joules: Amount, *, per_second: float = 1.0, per_joule: float = 1.0) -> Amount:
    """C_total = (1 - theta) C_time + theta C_energy, currency (Section VI-B2).

    Parameters
    ----------
    theta : array_like
        From 0, where time alone counts, to 1, where energy alone does.
    seconds, joules : array_like
    per_second, per_joule : float
        Prices: Section VI-A5 has 1 dollar each.

    Raises
    ------
    UsageError
        If a theta is outside [0, 1], or an amount negative or not finite.

    Examples
    --------
    >>> total([0, 0.5, 1], 2.0, 10.0).tolist()
    [2.0, 6.0, 10.0]
    """
    share = _amount("theta", theta, "total")
    if (share > 1).any():
        raise UsageError(f"`total(theta=...)` must be at most 1, got {float(share.max())}.")
    time, energy = _amount("seconds", seconds, "total"), _amount("joules", joules, "total")
    return (1 - share) * per_second * time + share * per_joule * energy


def break_even(one: Cost, other: Cost) -> Amount:
    """The theta from which on `one`, slower but of less energy, costs no more than `other`.

    Returns
    -------
    float
        (t - t')/((t - t') + (e' - e)) for times t, t' and energies e, e' of both; 0 where `one` costs no more at any theta, nan
        where it costs more at every theta below 1, or where it is the faster one of more energy.

    Examples
    --------
    >>> slow, fast = cost(0, 375e6), cost(16e12, 125e6)  # 3 s and 3 J, 2 s and 451 J
    >>> round(float(break_even(slow, fast)), 6), float(break_even(fast, slow))
    (0.002227, nan)
    """
    slower = np.asarray(one.seconds - other.seconds, dtype=float)
    saved = np.asarray(other.joules - one.joules, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        theta = slower / (slower + saved)
    return np.where((slower <= 0) & (saved >= 0), 0.0, np.where((slower > 0) & (saved > 0), theta, np.nan))


def busiest_bytes(
    kept: Amount, near: Amount, *, weight_bytes: float = 4, direction: str = DIRECTIONS[0], mask_of: int | None = None
) -> Amount:  # fmt: skip
    """D_comm: what the node that transfers the most transfers in a round, bytes.

    Parameters
    ----------
    kept : array_like, (..., K)
        Weights that each client's model has: its density times d.
    near : bool, (..., K, K)
        ``near[k, j]``: client k receives the model of client j.
    weight_bytes : float
        Bytes a weight, 4 for single precision.
    direction : {"received", "sent", "both"}
        What counts. Table II counts one direction: 10 dense models a round, 10 times the density of it for the sparse ones.
    mask_of : int
        Weights of the whole model, if a mask of a bit for each of them is sent as well, which Table II does not count.

    Returns
    -------
    float, (...,)

    Raises
    ------
    UsageError
        If `kept` is negative, `near` is not (..., K, K), a client receives its own model, or `direction` is another word.

    Examples
    --------
    >>> ring = [[False, True, True], [True, False, True], [True, True, False]]
    >>> float(busiest_bytes([100, 50, 10], ring)), float(busiest_bytes([100, 50, 10], ring, direction="both"))
    (600.0, 1040.0)
    """
    if direction not in DIRECTIONS:
        raise UsageError(
            f"`busiest_bytes(direction=...)` must be one of {', '.join(DIRECTIONS)}, got {direction!r}"
            f"{did_you_mean(direction, DIRECTIONS)}."
        )
    model = weight_bytes * _amount("kept", kept, "busiest_bytes") + (0 if mask_of is None else mask_of / OCTET)
    links = np.asarray(near, dtype=bool)
    if model.ndim < 1 or links.shape[-2:] != (model.shape[-1],) * 2:
        raise UsageError(
            f"`busiest_bytes(near=...)` must be (..., K, K) with K of kept, {model.shape[-1:]}, got {links.shape}."
        )
    if np.diagonal(links, axis1=-2, axis2=-1).any():
        raise UsageError("`busiest_bytes(near=...)`: a client receives its own model, got True on the diagonal.")
    received = (links * model[..., None, :]).sum(axis=-1)
    sent = links.sum(axis=-2) * model
    moved = {"received": received, "sent": sent, "both": received + sent}[direction]
    return moved.max(axis=-1)


def training_flop(
    kept: Amount, samples: Amount, *, passes: Amount = 1, uses: Amount = 1, per_use: float = 6.0, gradients: float = 1.0
) -> Amount:  # fmt: skip
    """FLOP of a client's local training in a round, FLOP.

    Parameters
    ----------
    kept : array_like, (...,) or (..., L)
        Weights that its model has, of each layer where there is `uses` for each.
    samples : array_like, (...,)
        Samples of one pass over its data.
    passes : array_like
        Passes, for instance 5 epochs.
    uses : array_like, () or (L,)
        How often a sample uses each weight of a layer: 1 in a dense layer, the number of places in a convolution.
    per_use : float
        FLOP a use: 2 forward (multiply, add) and 4 backward; 4 in all in a first or only layer, whose inputs need no gradient.
    gradients : float
        Gradients a step: 2 for methods that take one at a perturbed point first.

    Returns
    -------
    float, (...,)

    Raises
    ------
    UsageError
        If a number is negative or not finite, or `uses` does not fit the layers of `kept`.

    Examples
    --------
    >>> float(training_flop(1000, 20, passes=5)), float(training_flop([10, 5], 2, uses=[100, 1]))
    (600000.0, 12060.0)
    """
    weights, each = _amount("kept", kept, "training_flop"), _amount("uses", uses, "training_flop")
    if each.ndim:
        if not weights.ndim or each.shape != weights.shape[-1:]:
            raise UsageError(
                f"`training_flop(uses=...)` must have a number for each layer of kept, {weights.shape}, got {each.shape}."
            )
        weights, each = (weights * each).sum(axis=-1), np.asarray(1.0)
    work = _amount("samples", samples, "training_flop") * _amount("passes", passes, "training_flop")
    return per_use * gradients * each * weights * work


def _amount(name: str, value: object, of: str) -> Any:
    """An array of numbers that are finite and at least 0."""
    found = np.asarray(value, dtype=float)
    bad = ~(np.isfinite(found) & (found >= 0))
    if bad.any():
        raise UsageError(f"`{of}({name}=...)` must be finite and at least 0, got {float(found[bad].flat[0])}.")
    return found
