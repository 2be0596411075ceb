"""Table II of DA-DPFL as printed, what it says of itself, and Figures 3 and 4 from it (Sections VI-A5 and VI-B2).

A cell is a rounded number, so that a ratio of two of them is an interval. What a sentence of the paper says agrees with the
table if its interval meets that one, and differs if it does not; "half" is taken to two digits. A megabyte is 2^20 bytes
here: 426.3 of them are ten models of the 11,173,962 weights of ResNet18 at 4 bytes each, which are 446.96 million bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...errors import UsageError, did_you_mean
from ...measure.cost import Cost, Device, break_even, cost, total

if TYPE_CHECKING:
    from ...quantity import Array, Quantity

MEGABYTE = 2**20
TERA = 10**12
DATASETS = ("HAM10000", "CIFAR10", "CIFAR100")
ROUNDS = {"HAM10000": 300, "CIFAR10": 500, "CIFAR100": 500}  # Section VI-A4
M = N = 10  # Section VI-A3
K = 100
OURS = ("DA-DPFL_Dir", "DA-DPFL_Pat")
CENTRAL = ("FedAvg", "Ditto", "FedDST")
DENSE, SPARSE, TWICE = "FedAvg", "DisPFL", "DFedSAM"
HALVED = ("GossipFL", "DFedAvgM", "DisPFL", "BEER")  # "all DFL baselines except DFedSAM", Section VI-A3

TABLE_II: Mapping[
    str, tuple[tuple[str, str], ...]
] = {  # method: (Com. in MB, FLOP in 1e12) of each data set, as printed
    "FedAvg": (("887.8", "3.6"), ("426.3", "8.3"), ("353.3", "2.3")),
    "Ditto": (("887.8", "3.6"), ("426.3", "8.3"), ("353.3", "2.3")),
    "FedDST": (("443.8", "2.0"), ("223.1", "7.1"), ("176.7", "1.6")),
    "GossipFL": (("443.8", "3.6"), ("223.1", "8.3"), ("176.7", "2.3")),
    "DFedAvgM": (("443.8", "3.6"), ("223.1", "8.3"), ("176.7", "2.3")),
    "DisPFL": (("443.8", "2.0"), ("223.1", "7.1"), ("176.7", "1.6")),
    "BEER": (("443.8", "3.6"), ("223.1", "8.3"), ("176.7", "2.3")),
    "DFedSAM": (("887.8", "7.2"), ("426.3", "17"), ("353.3", "4.6")),
    "DA-DPFL_Dir": (("346.2", "1.9"), ("149.1", "4.1"), ("107.7", "1.0")),
    "DA-DPFL_Pat": (("394.4", "2.0"), ("115.1", "3.8"), ("94.8", "0.9")),
}
SPARSITY = {  # final sparsity under (Dir, Pat), Section VI-B2
    "HAM10000": ("0.61", "0.56"), "CIFAR10": ("0.65", "0.73"), "CIFAR100": ("0.70", "0.73"),
}  # fmt: skip
CENTRAL_SHARE = (Fraction(M, K * M), Fraction(M, K))  # of communication and computation: 1 % and 10 %, Section VI-B2


class Printed(NamedTuple):
    """A printed decimal number and what it may have been before it was rounded."""

    value: Fraction
    low: Fraction
    high: Fraction


def printed(text: str) -> Printed:
    """A number as it stands in print, half a unit of its last digit to either side.

    Examples
    --------
    >>> printed("17")
    Printed(value=Fraction(17, 1), low=Fraction(33, 2), high=Fraction(35, 2))
    """
    value, half = Fraction(text), Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
    return Printed(value, value - half, value + half)


def quotient(a: Printed, b: Printed) -> Printed:
    """The ratio of two positive printed numbers."""
    return Printed(a.value / b.value, a.low / b.high, a.high / b.low)


def cell(method: str, dataset: str, column: int) -> Printed:
    """A cell of Table II: column 0 in MB, column 1 in 1e12 FLOP.

    Raises
    ------
    UsageError
        If the table has no such method or data set.
    """
    for name, known in ((method, TABLE_II), (dataset, DATASETS)):
        if name not in known:
            raise UsageError(f"Table II has {', '.join(known)}, got {name!r}{did_you_mean(name, known)}")
    return printed(TABLE_II[method][DATASETS.index(dataset)][column])


class Relation(NamedTuple):
    """What a sentence says of cells of the table, and what the table says.

    Attributes
    ----------
    said : Printed or None
        The number of the sentence; None where it says "lower", a ratio below 1.
    found : Printed
        The ratio of two cells.
    outcome : str
        ``agrees``, ``differs``, or ``open`` where rounding hides it.
    """

    where: str
    what: str
    dataset: str
    said: Printed | None
    found: Printed
    outcome: str


def relations() -> list[Relation]:
    """Every relation that the text states between cells of Table II, in the order of its sections."""
    out = []
    for d in DATASETS:
        dense = cell(DENSE, d, 0)
        half = printed("0.50")
        for m in HALVED:
            out.append(
                _equal("Section VI-A3", f"half the communication cost: {m}", d, half, quotient(cell(m, d, 0), dense))
            )
    for d in DATASETS:
        for ours, text in zip(OURS, SPARSITY[d], strict=True):
            s = printed(text)
            kept = Printed(1 - s.value, 1 - s.high, 1 - s.low)  # s read as the share of weights that are zero
            found = quotient(cell(ours, d, 0), cell(DENSE, d, 0))
            out.append(_equal("Section VI-B2", f"communication of {ours} is 1 - s of the dense one", d, kept, found))
    for d in DATASETS:
        for ours in OURS:
            for column, name in enumerate(("communication", "FLOP")):
                found = quotient(cell(ours, d, column), cell(SPARSE, d, column))
                outcome = "agrees" if found.high < 1 else "differs" if found.low >= 1 else "open"
                out.append(Relation("Section VI-B2", f"lower {name} than {SPARSE}: {ours}", d, None, found, outcome))
    return out


def _equal(where: str, what: str, dataset: str, said: Printed, found: Printed) -> Relation:
    meets = said.low <= found.high and found.low <= said.high
    return Relation(where, what, dataset, said, found, "agrees" if meets else "differs")


def of_method(
    method: str, dataset: str, *, wait: Quantity = 0.0, waits: str = "round", rounds: int | None = None, megabyte: int = MEGABYTE,
    device: Device | None = None,
) -> Cost:  # fmt: skip
    """Time and energy of a method over its rounds, from the cells of Table II.

    Parameters
    ----------
    wait : array_like
        The mean of the largest start of a round of DA-DPFL (`schedules.measured` at K = 100, M = N = 10); the others do not wait.
    waits : {"round", "training"}
        See `cost`.
    rounds : int
        By default those of Section VI-A4.
    megabyte : int
        Bytes of one; 10**6 is the other reading.

    Raises
    ------
    UsageError
        If the table has no such method or data set, or a number is out of range.

    Notes
    -----
    For a method with a server Section VI-B2 has 1 % of the communication and 10 % of the computation of the others, of the same
    busiest node: 10 transfers in place of 100 x 10, and 10 of 100 clients.
    """
    com, flop = (float(cell(method, dataset, column).value) for column in (0, 1))
    sent, computed = map(float, CENTRAL_SHARE) if method in CENTRAL else (1.0, 1.0)
    return cost(
        computed * flop * TERA, sent * com * megabyte, rounds=ROUNDS[dataset] if rounds is None else rounds,
        wait=wait if method in OURS else 0.0, waits=waits, device=device,
    )  # fmt: skip


def curves(dataset: str, theta: Array, **reading: Any) -> dict[str, Quantity]:
    """C_total of every method against theta, dollars: Figure 3 for CIFAR10, Figure 4 for CIFAR100.

    Parameters
    ----------
    theta : array_like
        From 0 to 1.
    **reading
        What `of_method` takes.

    Returns
    -------
    dict of arrays
        Of the shape of theta, by method.
    """
    found = {m: of_method(m, dataset, **reading) for m in TABLE_II}
    return {m: total(np.asarray(theta, dtype=float), c.seconds, c.joules) for m, c in found.items()}


def crossings(ours: str, dataset: str, **reading: Any) -> dict[str, float]:
    """The theta from which on DA-DPFL costs no more than each method without a server; 0 from the start, nan never."""
    mine = of_method(ours, dataset, **reading)
    others = [m for m in TABLE_II if m not in (*OURS, *CENTRAL)]
    return {m: float(break_even(mine, of_method(m, dataset, **reading))) for m in others}


def energy_ratio(ours: str, other: str, dataset: str, **reading: Any) -> float:
    """How many times the energy of DA-DPFL another method takes ("up to 5 times reduction in energy costs", abstract)."""
    return float(of_method(other, dataset, **reading).joules / of_method(ours, dataset, **reading).joules)
