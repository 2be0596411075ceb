"""fedtheory run: methods on clients, a trace on disk, a table, and a picture of the curves under their bounds."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..checks import require_one_of
from ..errors import UsageError
from ..registry import method, methods
from ..results.finished import Finished, Plan
from ..show.plots import check_format, runs
from ..show.runs import bound_table, caption, label_of, reference_table, run_tables, varied
from .experiment import Problems, code_of, execute, held, is_network
from .options import count, described, grid, positive, rules, words
from .plan import MEASURES
from .problem import add_arguments, problem_of
from .problem import place as place_of
from .terminal import INTERRUPTED, Parser, bar, consoles

if TYPE_CHECKING:
    from rich.console import Console

    from problems.build import Setup

    from ..formats import Document

ROUNDS = 100
GRADIENT = "take --inner gradient, with --inner-steps and --inner-eta"
SLOW = 200  # parameters from which an exact local solution takes seconds a round
DEST = "hyper-parameter "  # so that no name of a method's option meets one of the command's


def add_parser(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "run", allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Run methods on federated clients. A comma-separated list, of methods, seeds or of values of a\n"
        "hyper-parameter, runs each. A finished run is loaded from --out; an interrupted one goes on.",
    )  # fmt: skip
    parser.add_argument("methods", metavar="METHOD[,METHOD]", help="see below")
    add_arguments(parser)
    loop = parser.add_argument_group("run")
    loop.add_argument("--rounds", default=str(ROUNDS), help=f"communications (default: {ROUNDS})")
    loop.add_argument(
        "--every", default="1", help="observe every so many communications; 0: start and end (default: 1)"
    )
    loop.add_argument("--seed", default="0", help="seed, or a list (default: 0)")
    loop.add_argument("--data-seed", help="seed of data and partition (default: that of the run)")
    loop.add_argument(
        "--stop",
        help="none, a stopping rule (see below) or a level of the squared gradient (default: the method's own)",
    )
    loop.add_argument(
        "--measure",
        help="bounds (the default), accuracy on the test samples of --with train=SHARE, or estimates of the constants; "
        "of a network accuracy, and without test samples estimates",
    )
    loop.add_argument("--out", default="runs", metavar="FOLDER", help="where runs are kept (default: runs)")
    loop.add_argument("--plot", metavar="FILE", help="draw the curves and their bounds (svg, png or pdf)")
    parser.late = add_hyper_parameters
    parser.set_defaults(run=main)


def add_hyper_parameters(parser: Parser) -> None:
    """Add the options of the installed methods, and what each is to each method.

    Raises
    ------
    UsageError
        If a method has an option that the command itself takes.
    """
    taken = set(parser._option_string_actions)
    for m in methods().values():
        for name in m.options:
            if f"--{name}" in taken:
                raise UsageError(
                    f"the method {m.name} has an option --{name}, which fedtheory run takes itself; rename it"
                )
    for name in _hyper_parameters():
        parser.add_argument(f"--{name}", dest=DEST + name, help=argparse.SUPPRESS)
    known = [f"  {rule.name}: {rule.what}{_users(rule.name)}" for rule in rules().values()]
    parser.epilog = "\n\n".join(
        [
            "\n".join(["stopping rules:", "  none: --rounds alone", *known]),
            "methods and their hyper-parameters:",
            *(described(m) for m in methods().values()),
        ]
    )


def _hyper_parameters() -> dict[str, None]:
    return {name: None for m in methods().values() for name in m.options}


def _users(rule: str) -> str:
    users = [m.name for m in methods().values() if m.stop == rule]
    return f" (default of {', '.join(users)})" if users else ""


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    out, err = consoles()
    plans, problems = _plans(o)
    done: list[Finished] = []
    _say_what_is_slow(plans, problems, err)
    with bar(err, "run", remaining=True) as progress:
        task = progress.add_task("", total=sum(p.rounds for p, _ in plans))
        before = 0

        def announce(what: str) -> None:
            if err.is_terminal:
                progress.update(task, description=what)
            else:
                err.print(what, highlight=False, soft_wrap=True)

        problems.announce = announce
        try:
            for plan, title in plans:
                progress.update(task, description=title, completed=before)
                done.append(execute(plan, problems, o.out, _advance(progress, task, before, title)))
                before += plan.rounds
        except KeyboardInterrupt:
            progress.stop()
            err.print(
                f"fedtheory: interrupted; the same command goes on from the checkpoint in {o.out}", highlight=False
            )
            return INTERRUPTED
    _show(o, done, problems, out)
    if o.plot:
        names = varied(done)
        runs([(label_of(f, names), f.curves) for f in done], o.plot, caption(done))
    if unkept := [f.unkept for f in done if f.unkept]:
        raise UsageError(f"--out {o.out}: {unkept[0]}")
    return 0


def _say_what_is_slow(plans: list[tuple[Plan, str]], problems: Problems, err: Console) -> None:
    """The methods whose exact inner solutions take their time."""
    slow = [
        p.method for p, _ in plans if p.options.get("inner") == "exact" and problems.setup(p.seed).problem.d >= SLOW
    ]
    for name in dict.fromkeys(slow):
        err.print(
            f"{name}: --inner exact solves every local problem to the end, seconds a round from {SLOW} parameters on; "
            f"or {GRADIENT}",
            highlight=False,
            soft_wrap=True,
        )


def _show(o: argparse.Namespace, done: list[Finished], problems: Problems, out: Console) -> None:
    """The problem, the tables of the runs, their notes and bounds, and where they are kept."""
    for text in dict.fromkeys(f.results["problem"] for f in done):
        out.print(text, highlight=False)
    if o.model is None and Path(o.data).suffix in (".csv", ".npz"):
        out.print(
            f"model {done[0].plan.data['model']} by the targets of {o.data}; --model chooses another", highlight=False
        )
    for part in run_tables(done, out.width):
        out.print(part)
    if any(f.plan.measure == "accuracy" for f in done):
        found = {f.plan.seed: problems.references(f.plan.data, f.plan.seed, o.out) for f in done}
        out.print(reference_table(list(found.values())))
    for note in dict.fromkeys(note for f in done for note in f.notes()):
        out.print(note, highlight=False, soft_wrap=True)
    for f in done if len(done) == 1 and done[0].plan.measure == "bounds" else []:
        out.print(bound_table(f.curves))
        for c in f.curves:
            for note in c.notes:
                out.print(f"{c.name}: {note}", highlight=False, soft_wrap=True)
    if kept := [f.path.name for f in done if not f.unkept]:
        out.print(f"kept in {o.out}: {', '.join(kept)}", highlight=False, soft_wrap=True)


def _advance(progress: Any, task: object, before: int, title: str) -> Callable[[int], None]:
    return lambda communications: progress.update(task, completed=before + communications, description=title)


def _plans(o: argparse.Namespace) -> tuple[list[tuple[Plan, str]], Problems]:
    """Every run of the command with a title, after all of its input is checked; the data are read here."""
    given = {name: text for name in _hyper_parameters() if (text := vars(o)[DEST + name]) is not None}
    if o.plot:
        check_format(o.plot)
    check_folder(o.out)
    return planned(
        words("METHOD", o.methods), given, problem_of(o),
        seeds=[count("seed", w, 0) for w in words("seed", o.seed)],
        rounds=count("rounds", o.rounds, 1), every=count("every", o.every, 0), stop=o.stop,
        data_seed=None if o.data_seed is None else count("data-seed", o.data_seed, 0),
        place=(o.backend, o.device), measure=o.measure,
    )  # fmt: skip


def planned(
    names: list[str], given: Mapping[str, str], data: Document, *, seeds: list[int], rounds: int, every: int,
    stop: str | None, data_seed: int | None, place: tuple[str, str], measure: str | None = None,
) -> tuple[list[tuple[Plan, str]], Problems]:  # fmt: skip
    """Every run with a title: methods by name, their hyper-parameters as words, the problem as `problem_of` gives it.

    Raises
    ------
    UsageError
        If a name is unknown, or a value is out of range or does not fit the data.
    """
    chosen = grid(names, given)
    if measure is not None:
        require_one_of("--measure", measure, MEASURES)
    known = ("none", *rules())
    if stop is not None and stop not in known:
        try:
            positive("stop", stop)
        except UsageError as error:
            raise UsageError(f"{error}; or {' or '.join(known)}") from None
    xp, device = place_of(*place)

    def build(seed: int) -> Setup:
        from problems.build import build

        options = {k: v for k, v in data.items() if k != "data"}
        return build(data["data"], seed=seed, xp=xp, device=device, **options)

    problems = Problems(build, data_seed)
    plans = []
    for name, options in chosen:
        for seed in seeds:
            setup = problems.setup(seed)
            method(name).make(dict(options), setup.problem)  # refuse what does not fit before anything runs
            check_batch(name, options.get("batch"), setup)
            entry = method(name)
            if (
                is_network(setup.model)
                and options.get("inner") == "exact"
                and entry.options["inner"].default == "exact"
            ):
                raise UsageError(f"--inner exact of {name} needs convex clients, and a network is none; {GRADIENT}")
            level = entry.stop if stop is None else stop
            of = measure or measure_of(setup)
            plan = Plan(name, options, rounds, every, seed, level, held(data, setup), *place, of, code_of(entry))
            plans.append((plan, f"{name} seed {seed}"))
    return plans, problems


def measure_of(setup: Setup) -> str:
    """What is measured where nothing is said: bounds; of a network accuracy, or estimates without test samples."""
    if not is_network(setup.model):
        return MEASURES[0]
    return "estimates" if setup.test is None else "accuracy"


def check_batch(name: str, batch: int | None, setup: Setup) -> None:
    """Raise UsageError where a minibatch is larger than the samples of some client."""
    n = setup.problem.n
    if batch is not None and batch > n.min():
        i = int(n.argmin())
        raise UsageError(f"--batch of {name} must be at most {n[i]}, the samples of client {i}, got {batch}")


def check_folder(folder: str) -> None:
    """Raise UsageError unless runs can be kept in `folder`, which may not exist yet."""
    path = Path(folder).resolve()
    nearest = next(p for p in (path, *path.parents) if p.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise UsageError(
            f"--out {folder} cannot be written: {nearest} is {'read-only' if nearest.is_dir() else 'a file'}"
        )
