"""One run of one method on one problem, kept on disk: load it, go on with it, or start it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UsageError
from ..files import environment, tried, write_json
from ..formats import Document, Json, check, require
from ..measure import accuracy, estimates
from ..measure.curves import Setting
from ..measure.observe import error, observers_of
from ..method import Folds, Method, Watch
from ..paper import Paper
from ..problem import Optimum, Problem
from ..registry import method
from ..results.finished import Finished, Plan, paper_of
from ..runs import store
from ..runs.code import digest, of_run
from ..runs.loop import Checkpoint, number, run
from ..trace import Trace
from .options import positive, rules

if TYPE_CHECKING:
    from problems.build import Setup
    from problems.clients.envelope import Envelope
    from problems.measured import Measured

    from ..method import Algorithm


PROBLEMS = ("problems.build", "problems.measured")
BYTES = 8  # of a float64, what numbers are unless the problem has another dtype


class Problems:
    """The problems of a command, and what is measured of them, each built once.

    Parameters
    ----------
    build : callable
        From the seed of the data to the problem.
    data_seed : int, optional
        The seed of the data of every run; without it that of the run.
    announce : callable, optional
        Told what is computed before a run, which may take longer than the run.
    """

    def __init__(
        self, build: Callable[[int], Setup], data_seed: int | None = None, announce: Callable[[str], None] | None = None
    ) -> None:
        self._build, self._data_seed = build, data_seed
        self._kept: dict[object, object] = {}
        self.announce = announce or (lambda what: None)

    def _seed(self, seed: int) -> int:
        return seed if self._data_seed is None else self._data_seed

    def _once(self, key: object, make: Callable[[], object]) -> Any:
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def setup(self, seed: int) -> Setup:
        """The problem of a seed."""
        of = self._seed(seed)
        return self._once(("setup", of), lambda: self._build(of))

    def references(self, problem: Mapping[str, object], seed: int, folder: str) -> dict[str, dict[str, float]]:
        """What an accuracy is to be set beside, by `problems.references`; kept in a file of `folder`, written once.

        `problem` are the options that it was built from, which name the file.
        """
        from problems.references import references

        def make() -> dict[str, dict[str, float]]:
            setup = self.setup(seed)
            code = digest("problems.references")
            name = store.key({"problem": problem, "samples": setup.digest, "seed": self._seed(seed), "code": code})
            path = Path(folder) / f"{name}.references.json"
            found = store.read_json(path, "references")
            if found is None:
                found = references(setup)
                path.parent.mkdir(parents=True, exist_ok=True)
                write_json(path, found, "references")
            return found

        return self._once(("references", self._seed(seed)), make)

    def envelope(self, seed: int, lam: float) -> Envelope:
        """The clients' envelopes at lam."""
        from problems.clients.envelope import Envelope

        return self._once(("envelope", self._seed(seed), lam), lambda: Envelope(self.setup(seed).problem, lam))

    def known(self, seed: int, of: Paper | None, lam: float | None) -> bool:
        """Whether `measured` and the optimum are at hand."""
        return ("optimum", self._seed(seed), lam) in self._kept and self._measured_key(seed, of, lam) in self._kept

    def optimum(self, seed: int, lam: float | None) -> tuple[Optimum | None, str]:
        """(the minimiser of the objective, ""), or (None, why there is none)."""
        objective = self.setup(seed).problem if lam is None else self.envelope(seed, lam)
        return self._once(("optimum", self._seed(seed), lam), lambda: _optimum(objective))

    def _measured_key(self, seed: int, of: Paper | None, lam: float | None) -> tuple[object, ...]:
        return ("measured", self._seed(seed), None if of is None else of.id, lam)

    def measured(self, seed: int, of: Paper | None, lam: float | None, start: object = None) -> dict[str, Measured]:
        """What the theorems of a paper need of the problem of a seed, for a run from `start`; without one the number of clients."""
        from problems.measured import measured

        def make() -> dict[str, Measured]:
            setup = self.setup(seed)
            envelope = None if lam is None or is_network(setup.model) else self.envelope(seed, lam)
            take = None if of is None else of.measured()
            return measured(take, setup.problem, lam=lam, envelope=envelope, start=start)

        if start is not None:
            return make()
        return self._once(self._measured_key(seed, of, lam), make)


def level_of(stop: str, entry: Method, problem: Problem) -> float | None:
    """The squared gradient at which a run stops, or None."""
    if stop == "none":
        return None
    rule = rules(entry).get(stop)
    return positive("stop", stop) if rule is None else rule.level(problem)


def execute(plan: Plan, problems: Problems, folder: str, progress: Callable[[int], None] | None = None) -> Finished:
    """Load a finished run, or run it, from its checkpoint if there is one; the result is written to `folder`.

    Where it cannot be written, a full disk say, the run goes on to its end all the same, and the result says so.

    Raises
    ------
    UsageError
        If a hyper-parameter does not fit the problem, or what lies in the folder is damaged.
    KeyboardInterrupt
        After the checkpoint is saved.
    """
    entry = method(plan.method)
    where = Path(folder) / store.key(plan.inputs())
    if (found := store.load(folder, plan.inputs())) is not None:
        _require_whole(plan, *found, where)
        return Finished(plan, entry, found[0], _setting(entry, found[1]), found[1], where, None)
    setup = problems.setup(plan.seed)
    problem = setup.problem
    algorithm, state = entry.make(dict(plan.options), problem)
    known = _known(plan, entry, algorithm, problems)
    watch = Watch(algorithm, problem, known.objective, state, known.w_star, plan.seed)
    level = level_of(plan.stop, entry, problem)
    observers, folds = _observed(plan, entry, watch, setup)

    def save(checkpoint: Checkpoint) -> None:  # what hinders it hinders the result too
        tried(lambda: store.save_checkpoint(folder, plan.inputs(), checkpoint))

    started = time.perf_counter()
    with np.errstate(over="ignore", invalid="ignore"):  # a run that diverges ends with a sentence
        trace = run(
            algorithm, problem, state, rounds=plan.rounds, seed=plan.seed, every=plan.every, progress=progress,
            observers=observers, folds=folds,
            stop=None if level is None else lambda s: number(error(known.objective, entry.at(s))) <= level,
            save=save,
            resume=_resumed(folder, plan, state, problem),
        )  # fmt: skip
    seconds = time.perf_counter() - started
    results: Json = {
        "problem": setup.describe(),
        "optimal": known.optimal,
        "no_optimum": known.no_optimum,
        "stop_at": level,
        "constants": {k: {"value": m.value, "label": m.label, "how": m.how} for k, m in known.constants.items()},
        "given": _given(entry, watch, known.constants, trace) if plan.measure == "bounds" else {},
        "last": trace.last(),
        "best": _best(trace),
        **_work(entry, algorithm, problem, trace),
    }
    setting = _setting(entry, results)
    done = Finished(plan, entry, trace, setting, results, where, seconds, optimum_seconds=known.seconds)
    results["curves"] = [
        {"name": c.name, "where": c.where, "outcome": c.outcome, "notes": c.notes, "last": c.last()}
        for c in done.curves
    ]
    timing = {"seconds": seconds, "optimum_seconds": known.seconds, "environment": environment()}
    done.unkept = tried(lambda: store.save(folder, plan.inputs(), trace, results, timing))
    for (name, kind), data in (*_formats(plan, trace, results).items(), (("timing.json", "timing"), timing)):
        require(data, kind, done.path / name)
    return done


def _observed(plan: Plan, entry: Method, watch: Watch, setup: Setup) -> tuple[Json, Folds]:
    """What is recorded of every round, and what is folded over them."""
    folds: Folds = {}
    if plan.measure == "bounds":
        observers, folds = observers_of(entry, watch), entry.folds(watch) if plan.every else {}
    elif plan.measure == "accuracy":
        observers = accuracy.observers_of(entry, watch, _tested(setup))
    else:
        observers = estimates.observers_of(entry, watch)
    return {**observers, **entry.numbers}, folds


def kept(folder: str, key: str) -> Finished:
    """A finished run of a folder by its key, with the seconds that it took where it was run.

    Raises
    ------
    UsageError
        If it is not there or is damaged.
    """
    inputs, trace, results, seconds = store.by_key(folder, key)
    plan = Plan(**{name: value for name, value in inputs.items() if name != "version"})
    entry = method(plan.method)
    return Finished(plan, entry, trace, _setting(entry, results), results, Path(folder) / key, seconds)


@dataclass(frozen=True)
class _Known:
    """What is known of a problem before a run: where the objective is measured, its minimiser, the constants."""

    objective: Problem
    constants: dict[str, Measured]
    w_star: Any = None
    optimal: float | None = None
    no_optimum: str = ""
    seconds: float | None = None  # that it took; None where it was at hand


def _known(plan: Plan, entry: Method, algorithm: Algorithm, problems: Problems) -> _Known:
    """f* or F* and the constants that the bounds need; nothing where others are measured."""
    problem = problems.setup(plan.seed).problem
    if plan.measure != "bounds":
        return _Known(problem, {}, no_optimum="not sought, as no bounds are measured")
    if is_network(plan.data["model"]):
        instead = "accuracy (with --with train=0.75) or estimates"
        raise UsageError(f"--measure bounds needs minimisers, and those of a network are not known; take {instead}")
    lam = None if entry.lam is None else entry.lam(algorithm)
    star = "f*" if lam is None else f"F* at lam = {lam:g}"
    before = time.perf_counter()
    at_hand = problems.known(plan.seed, paper_of(entry), lam)
    if not at_hand:
        problems.announce(f"computing {star} and the constants of {plan.data['data']} for {plan.method} ...")
    objective = problem if lam is None else problems.envelope(plan.seed, lam)
    constants = problems.measured(plan.seed, paper_of(entry), lam)
    best, no_optimum = problems.optimum(plan.seed, lam)
    seconds = None if at_hand else time.perf_counter() - before
    w_star, optimal = (None, None) if best is None else (best.w_star, best.f_star)
    return _Known(objective, constants, w_star, optimal, no_optimum, seconds)


def _tested(setup: Setup) -> Any:
    """The clients with their test samples.

    Raises
    ------
    UsageError
        If none were set apart.
    """
    if setup.test is None:
        raise UsageError("accuracies are measured on test samples: give train, the share of samples for training")
    return setup.test


def _best(trace: Trace) -> dict[str, float]:
    """The largest accuracy of each kind over the run."""
    return {name: float(np.max(column)) for name, column in trace.columns.items() if "accuracy" in name}


def _work(entry: Method, algorithm: Any, problem: Problem, trace: Trace) -> dict[str, int | None]:
    """Gradients of clients, at most, and bytes that the busiest node, the server if any, sends and receives over the whole run."""
    if entry.cost is not None:
        return entry.cost(algorithm, problem, trace.state)
    selected = getattr(algorithm, "S", None) or problem.m
    rounds = int(trace["communications"][-1])
    each: float | None = None if entry.gradients is None else entry.gradients(algorithm)
    if each is not None and getattr(algorithm, "passes", False):  # of clients of mean size, where it counts passes
        each *= float(np.mean(problem.n // algorithm.batch))
    size = getattr(getattr(problem, "dtype", None), "itemsize", BYTES)
    return {
        "gradients": None if each is None else round(selected * each * rounds),
        "bytes": selected * entry.vectors * size * problem.d * rounds,
    }


def is_network(model: str) -> bool:
    """Whether the model of this name is a network, of which neither constants nor minimisers are known."""
    from problems.build import NETWORKS

    return model in NETWORKS


def held(options: Mapping[str, object], setup: Setup) -> Json:
    """What a run records of its problem: the options it was built from, the digest of its samples, its model."""
    return {**{k: v for k, v in options.items() if k != "root"}, "samples": setup.digest, "model": setup.model}


def code_of(entry: Method) -> str:
    """Digest of the code of a method, of the loop and of the problems."""
    return of_run(entry.make.__module__, *PROBLEMS)


def _formats(plan: Plan, trace: Trace, results: Mapping[str, object]) -> dict[tuple[str, str], object]:
    """What is kept of a run, by its file and the format of it."""
    run_json = {"schema": store.SCHEMA, "inputs": plan.inputs(), "stopped": trace.stopped, "results": results}
    return {("run.json", "run"): store.plain(run_json), ("trace.npz", "trace"): trace.as_lists()}


def _require_whole(plan: Plan, trace: Trace, results: Mapping[str, object], path: Path) -> None:
    """Raise UsageError where a part of a run that was kept is missing, or is of another kind."""
    try:
        for (name, kind), data in _formats(plan, trace, results).items():
            check(data, kind, f"{path}/{name}")
        if not len(trace):
            raise UsageError(f"{path}/trace.npz: it has no rows")
    except UsageError as error:
        raise UsageError(f"{error}; remove the folder to run again") from None


def _resumed(folder: str, plan: Plan, state: object, problem: Problem) -> Checkpoint | None:
    return store.load_checkpoint(folder, plan.inputs(), state, problem)


def _optimum(problem: Problem) -> tuple[Optimum | None, str]:
    """(the minimiser of the objective, ""), or (None, why there is none)."""
    try:
        return problem.optimum(), ""
    except UsageError as error:
        return None, str(error)


def _given(entry: Method, watch: Watch, constants: Mapping[str, Measured], trace: Trace) -> Json:
    """The parameters of the paper's catalogue: measured constants, hyper-parameters, what the run showed."""
    if not entry.paper:
        return {}
    return {k: m.value for k, m in constants.items() if m.value is not None} | entry.given(watch, trace)


def _setting(entry: Method, results: Document) -> Setting:
    """The setting of the curves from what is stored."""
    of = paper_of(entry)
    given = {k: restored(v) for k, v in results["given"].items()}
    why = {k: c["how"] for k, c in results["constants"].items() if c["label"] in ("infinite", "unknown")}
    why["optimum"] = results["no_optimum"]
    return Setting(results["optimal"], None if of is None else of.catalogue(), given, why)


def restored(value: object) -> Any:
    """A number or an array from its JSON form.

    Examples
    --------
    >>> restored("inf"), restored([1.0, 2.0])
    (inf, array([1., 2.]))
    """
    import numpy as np

    if isinstance(value, list):
        return np.array(value, dtype=np.float64)
    return float(value) if isinstance(value, str) else value
