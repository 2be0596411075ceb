"""What ``fedtheory run`` does, in a notebook: from the name of a data set to traces and a figure."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..results.finished import Finished, Plan
from ..trace import Trace
from .options import count, positive, words
from .problem import CLIENTS, clients_in

if TYPE_CHECKING:
    from ..formats import Document, Json
    from ..measure.curves import Curve
    from .experiment import Problems

WIDTH = 160  # of the table in a notebook
TAKEN = (
    "every", "data_seed", "stop", "measure", "m", "model", "l2", "partition", "smoothing", "root", "backend", "device",
)  # fmt: skip


@dataclass(frozen=True, repr=False)
class Experiment:
    """Runs with what was made of them.

    Attributes
    ----------
    runs : tuple of Finished
        One for every method, combination of hyper-parameters and seed, in this order; each has ``trace``, ``curves`` and
        ``notes()``.
    """

    runs: tuple[Finished, ...]

    @property
    def trace(self) -> Trace:
        """The trace of the only run: columns by name, such as ``trace["objective"]``.

        Raises
        ------
        UsageError
            If there are several runs; each has one.
        """
        return self._only.trace

    @property
    def curves(self) -> list[Curve]:
        """The curves of the only run, measured and bound."""
        return self._only.curves

    @property
    def _only(self) -> Finished:
        if len(self.runs) > 1:
            raise UsageError(
                f"there are {len(self.runs)} runs; take the traces and curves of experiment.runs[0] and so on"
            )
        return self.runs[0]

    def figure(self) -> Any:
        """The figure of ``fedtheory run --plot``, a `matplotlib.figure.Figure`."""
        from ..show.plots import figure
        from ..show.runs import caption, label_of, varied

        names = varied(self.runs)
        return figure([(label_of(f, names), f.curves) for f in self.runs], caption(self.runs))

    def __repr__(self) -> str:
        from rich.console import Console

        from ..show.runs import run_tables

        text = io.StringIO()
        console = Console(file=text, width=WIDTH, highlight=False)
        console.print(self.runs[0].results["problem"])
        for part in (*run_tables(self.runs, WIDTH), *self._notes()):
            console.print(part, soft_wrap=isinstance(part, str))
        return "\n".join(line.rstrip() for line in text.getvalue().splitlines())

    def _notes(self) -> dict[str, None]:
        return dict.fromkeys(note for f in self.runs for note in f.notes())

    def _repr_html_(self) -> str:
        from ..show.plots import svg

        return f"<div><pre>{escape(repr(self))}</pre>{svg(self.figure())}</div>"


def experiment(
    methods: str | Iterable[str],
    data: str,
    *,
    rounds: int = 100,
    seed: int | Iterable[int] = 0,
    out: str | Path | None = None,
    data_options: Mapping[str, object] | None = None,
    **options: object,
) -> Experiment:
    """Run methods on federated clients of a data set, as ``fedtheory run`` does.

    Parameters
    ----------
    methods : str or list of str
        Names, such as ``"fedavg"`` or ``["fedavg", "scaffold"]``.
    data : str
        A name (``fedtheory data status``), or a csv or npz file.
    rounds : int
        Communications.
    seed : int or list of int
        Of the draws, and of data and partition unless `data_seed` is given.
    out : folder, optional
        Where runs are kept and finished ones are loaded from; by default nothing is kept.
    data_options : dict, optional
        Scalings and what ``--with`` takes, such as ``{"standardise": True, "alpha": 0.3}``.
    options
        m, model, l2, partition, smoothing, root, backend, device, every, stop, measure and data_seed as on the command line, and
        the hyper-parameters of the methods; a list of values runs each.

    Raises
    ------
    UsageError
        If a name is unknown or a value is out of range.

    Examples
    --------
    >>> from fedtheory import experiment
    >>> done = experiment("fedavg", "breast-cancer", m=4, rounds=3, l2=0.01, eta=0.1, data_options={"standardise": True})
    >>> len(done.trace), bool(done.trace["objective"][-1] < done.trace["objective"][0])
    (4, True)
    """
    taken = {name: options.pop(name) for name in TAKEN if name in options}
    try:
        plans, problems = _planned(
            methods, {**_data(data, taken), **(data_options or {})}, rounds, seed, taken, options
        )
    except UsageError as error:
        raise UsageError(_as_argument(str(error))) from None
    from .experiment import execute

    def kept_in(folder: str) -> Experiment:
        return Experiment(tuple(execute(plan, problems, folder) for plan, _ in plans))

    if out is not None:
        return kept_in(str(out))
    with TemporaryDirectory() as folder:
        return kept_in(folder)


def _planned(
    methods: str | Iterable[str], data: Json, rounds: int, seed: int | Iterable[int],
    taken: Document, options: Mapping[str, object],
) -> tuple[list[tuple[Plan, str]], Problems]:  # fmt: skip
    """The runs, their arguments read as words of the command line, and where the problems are built."""
    from .run import planned

    return planned(
        words("METHOD", methods if isinstance(methods, str) else ",".join(methods)),
        {name: _text(value) for name, value in options.items()},
        _counted(data),
        seeds=[count("seed", _text(s), 0) for s in ([seed] if isinstance(seed, int) else seed)],
        rounds=count("rounds", _text(rounds), 1),
        every=count("every", _text(taken.get("every", 1)), 0),
        stop=None if taken.get("stop") is None else _text(taken["stop"]),
        data_seed=None if taken.get("data_seed") is None else count("data_seed", _text(taken["data_seed"]), 0),
        place=(taken.get("backend", "numpy"), taken.get("device", "")),
        measure=taken.get("measure"),
    )


def _counted(found: Json) -> Json:
    """The problem with the number of its clients."""
    return found | {"m": clients_in(found, found["m"], CLIENTS)}


def _data(data: str, taken: Mapping[str, object]) -> Json:
    """The problem, as `problems.build.build` takes it."""
    smoothing = taken.get("smoothing")
    return {
        "data": data, "m": count("m", _text(taken["m"]), 1) if "m" in taken else None, "model": taken.get("model"),
        "l2": positive("l2", _text(taken.get("l2", 0)), zero=True), "partition": taken.get("partition"),
        "root": taken.get("root"), "smoothing": None if smoothing is None else positive("smoothing", _text(smoothing)),
    }  # fmt: skip


def _text(value: object) -> str:
    """A value, or a list of values, as a word of the command line."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(_text, value)) if isinstance(value, (list, tuple)) else str(value)


def _as_argument(message: str) -> str:
    """A complaint about an option as one about an argument."""
    return message.replace("--", "experiment argument ", 1) if message.startswith("--") else message.replace("--", "")
