"""One run of one method on one problem, kept on disk: load it, go on with it, or start it."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..files import environment, version
from ..measure.curves import Curve, Setting, curves
from ..measure.observe import error, fedadmm_excess, folds_of, instance, observers_of
from ..runs import store
from ..runs.loop import Checkpoint, number, run
from ..runs.trace import Trace
from ..theory.catalogue import Parameters
from ..theory.fedadmm.constants import error_target
from .options import METHODS, positive

PERSONAL = ("pfedme", "flame")  # methods whose objective is the mean of the clients' envelopes


@dataclass(frozen=True)
class Plan:
    """What is run.

    Attributes
    ----------
    method : str
        One of `METHODS`.
    options : dict
        Its hyper-parameters, all of them.
    rounds, every, seed : int
    stop : str
        "none", "5.1", or a level of the squared gradient.
    data : dict
        What the problem was built from, with the digest of its samples.
    backend, device : str
    """

    method: str
    options: Mapping[str, Any]
    rounds: int
    every: int
    seed: int
    stop: str
    data: Mapping[str, Any]
    backend: str
    device: str

    def inputs(self) -> dict[str, Any]:
        """All that the result depends on, besides the machine."""
        return {**vars(self), "version": version()}


@dataclass
class Finished:
    """A run with what was made of it."""

    plan: Plan
    trace: Trace
    setting: Setting
    results: dict[str, Any]
    path: Path
    seconds: float | None  # None where it was loaded
    curves: list[Curve] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.curves = curves(METHODS[self.plan.method].paper, self.trace, self.setting)


class Problems:
    """The problems of a command, and what is measured of them, each built once."""

    def __init__(self, build: Callable[[int], Any]) -> None:
        self._build = build
        self._kept: dict[Any, Any] = {}

    def _once(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def setup(self, seed: int) -> Any:
        """The problem of a seed."""
        return self._once(("setup", seed), lambda: self._build(seed))

    def envelope(self, seed: int, lam: float) -> Any:
        """The clients' envelopes at lam."""
        from problems.clients.envelope import Envelope

        return self._once(("envelope", seed, lam), lambda: Envelope(self.setup(seed).problem, lam))

    def measured(self, seed: int, paper: str, lam: float | None) -> dict[str, Any]:
        """What the theorems of a paper need, and the optimal value of a method without a theorem."""
        from problems.measured import measured

        problem = self.setup(seed).problem
        envelope = self.envelope(seed, lam) if lam is not None else None
        return self._once(("measured", seed, paper, lam), lambda: measured(paper, problem, lam=lam, envelope=envelope))


def catalogue_of(paper: str) -> Any:
    """The catalogue of a paper."""
    return importlib.import_module(f"fedtheory.theory.{paper}.catalogue").CATALOGUE


def level_of(stop: str, problem: Any) -> float | None:
    """The squared gradient at which a run stops, or None."""
    if stop == "none":
        return None
    if stop == "5.1":
        return float(error_target(Parameters({"d": problem.d, "n": int(problem.n.sum())})))
    return positive("stop", stop)


def execute(plan: Plan, problems: Problems, folder: str, progress: Callable[[int], None] | None = None) -> Finished:
    """Load a finished run, or run it, from its checkpoint if there is one; the result is written to `folder`.

    Raises
    ------
    UsageError
        If a hyper-parameter does not fit the problem, or what lies in the folder is damaged.
    KeyboardInterrupt
        After the checkpoint is saved.
    """
    found = store.load(folder, plan.inputs())
    if found is not None:
        trace, results = found
        path = Path(folder) / store.key(plan.inputs())
        return Finished(plan, trace, _setting(plan, results), results, path, None)
    entry, setup = METHODS[plan.method], problems.setup(plan.seed)
    problem = setup.problem
    method, state = entry.make(dict(plan.options), problem)
    lam = plan.options["lam"] if plan.method in PERSONAL else None
    constants = problems.measured(plan.seed, entry.paper or "fedadmm", lam)
    objective = problem if lam is None else problems.envelope(plan.seed, lam)
    best, no_optimum = _optimum(objective)
    level = level_of(plan.stop, problem)
    r = problem.constants().L_i if plan.method == "fedadmm" else None
    start = {"excess": number(fedadmm_excess(instance(problem, method), state))} if plan.method == "fedadmm" else {}
    started = time.perf_counter()
    trace = run(
        method, problem, state, rounds=plan.rounds, seed=plan.seed, every=plan.every, progress=progress,
        observers=observers_of(
            method, problem, envelope=objective, w_star=None if best is None else best.w_star, r=r, seed=plan.seed
        ),
        folds=folds_of(method, problem, r=r) if plan.every else {},
        stop=None if level is None else lambda s: number(error(objective, s.w)) <= level,
        save=lambda c: store.save_checkpoint(folder, plan.inputs(), c),
        resume=_resumed(folder, plan, state, problem),
    )  # fmt: skip
    seconds = time.perf_counter() - started
    results = {
        "problem": setup.describe(),
        "optimal": None if best is None else best.f_star,
        "no_optimum": no_optimum,
        "stop_at": level,
        "constants": {k: {"value": m.value, "label": m.label, "how": m.how} for k, m in constants.items()},
        "given": _given(plan, method, constants, trace) | start,
        "last": trace.last(),
    }
    done = Finished(plan, trace, _setting(plan, results), results, Path(), seconds)
    results["curves"] = [
        {"name": c.name, "where": c.where, "outcome": c.outcome, "notes": c.notes, "last": c.last()}
        for c in done.curves
    ]
    done.path = store.save(folder, plan.inputs(), trace, results, {"seconds": seconds, "environment": environment()})
    return done


def _resumed(folder: str, plan: Plan, state: Any, problem: Any) -> Checkpoint | None:
    return store.load_checkpoint(folder, plan.inputs(), state, problem)


def _optimum(problem: Any) -> tuple[Any, str]:
    """(the minimiser of the objective, ""), or (None, why there is none)."""
    try:
        return problem.optimum(), ""
    except UsageError as error:
        return None, str(error)


def _given(plan: Plan, method: Any, constants: Mapping[str, Any], trace: Trace) -> dict[str, Any]:
    """The parameters of the paper's catalogue: measured constants and hyper-parameters, with what the run showed."""
    if not METHODS[plan.method].paper:
        return {}
    given = {k: m.value for k, m in constants.items() if m.value is not None}
    names = {"pfedme": ("lam", "eta", "beta", "R"), "flame": ("lam", "rho"), "fedadmm": ("sigma", "nu", "k0")}
    given |= {k: getattr(method, k) for k in names[plan.method]}
    given["S"] = given["m"] if method.S is None else method.S
    last = trace.last()
    if plan.method == "pfedme":
        exact = method.K is None and method.batch is None and method.delta is None
        given["delta"] = 0.0 if exact else float(max(trace["delta_sq"])) ** 0.5
    if plan.method == "flame":
        given["biased"] = method.candidates is not None
        exact = method.H is None and method.batch is None and method.eps is None
        given |= {"eps": 0.0} if exact else {"eps": last["eps_max"]} if "eps_max" in last else {}
    return given


def _setting(plan: Plan, results: Mapping[str, Any]) -> Setting:
    """The setting of the curves from what is stored."""
    paper = METHODS[plan.method].paper
    given = {k: restored(v) for k, v in results["given"].items()}
    why = {k: c["how"] for k, c in results["constants"].items() if c["label"] in ("infinite", "unknown")}
    why["optimum"] = results["no_optimum"]
    return Setting(results["optimal"], catalogue_of(paper) if paper else None, given, why)


def restored(value: Any) -> Any:
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
