"""One run of a sweep in whichever process: its problem is built, the run is loaded or run, and a failure is kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import UsageError
from ..files import traced, write_json
from ..registry import method
from ..results.finished import Plan
from ..results.spec import Spec
from ..runs import store
from .experiment import Problems, code_of, execute, held
from .problem import place

KEPT = 3  # problems that a process keeps
_problems: OrderedDict[str, Problems] = OrderedDict()
_one = threading.Lock()  # a scheduler may start several threads in a process, and BLAS has one number of threads


class Outcome(NamedTuple):
    """What became of a run.

    Attributes
    ----------
    state : str
        "run", "loaded" or "failed".
    key : str
        Its folder; empty where it failed.
    said : str
        Why it failed, or what was damaged and is run again.
    """

    state: str
    key: str = ""
    said: str = ""


class Work:
    """What a worker does with a `Spec`; the results go to `folder`, which every worker must see."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(self, spec: Spec) -> Outcome:
        """Load, resume or start a run; what it raises is kept beside the runs."""
        with _one:
            try:
                return self._run(spec)
            except Exception as error:
                return self.fail(spec, error)

    def _run(self, spec: Spec) -> Outcome:
        problems = problems_of(spec)
        plan = plan_of(spec, problems)
        damaged = store.tidy(self.folder, plan.inputs())
        done = execute(plan, problems, self.folder)
        if done.unkept:
            raise UsageError(done.unkept)
        store.failure(self.folder, named(spec)).unlink(missing_ok=True)
        return Outcome("loaded" if done.seconds is None else "run", done.path.name, damaged)

    def fail(self, spec: Spec, error: BaseException) -> Outcome:
        """Keep the traceback of a run that failed."""
        said = " ".join(f"{'' if isinstance(error, UsageError) else type(error).__name__ + ': '}{error}".split())
        content = {"run": spec.inputs(code_of(method(spec.method))), "error": said, "traceback": traced(error)[1]}
        try:
            Path(self.folder).mkdir(parents=True, exist_ok=True)
            write_json(store.failure(self.folder, named(spec)), store.plain(content), "failed")
        except (OSError, UsageError) as full:
            said = f"{said} (and this could not be kept: {full})"
        return Outcome("failed", said=said)


def by_problem(chosen: Iterable[Spec]) -> list[Spec]:
    """Runs one problem after the other, so that each is built once."""
    return sorted(chosen, key=lambda s: (store.key({"problem": s.problem}), s.seed))


def is_kept(folder: str, spec: Spec) -> bool:
    """Whether a run is in a folder, finished."""
    return store.load(folder, plan_of(spec, problems_of(spec)).inputs()) is not None


def named(spec: Spec) -> str:
    """The key of all that names a run before its samples are read."""
    return store.key(spec.inputs(code_of(method(spec.method))))


def problems_of(spec: Spec) -> Problems:
    """The problem of a run, built once for the next runs on it in this process."""
    seed = spec.seed if spec.data_seed is None else spec.data_seed
    name = store.key({"problem": spec.problem, "seed": seed, "backend": spec.backend, "device": spec.device})
    if name not in _problems:
        xp, device = place(spec.backend, spec.device)

        def build(seed: int) -> Any:
            from problems.build import build

            options = {k: v for k, v in spec.problem.items() if k != "data"}
            return build(spec.problem["data"], seed=seed, xp=xp, device=device, **options)

        _problems[name] = Problems(build, spec.data_seed)
        while len(_problems) > KEPT:
            _problems.popitem(last=False)
    _problems.move_to_end(name)
    return _problems[name]


def plan_of(spec: Spec, problems: Problems) -> Plan:
    """The run with what its data are."""
    return Plan(
        spec.method, dict(spec.options), spec.rounds, spec.every, spec.seed, spec.stop,
        held(spec.problem, problems.setup(spec.seed)), spec.backend, spec.device, spec.measure, code_of(method(spec.method)),
    )  # fmt: skip
