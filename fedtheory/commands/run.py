"""fedtheory run: methods on clients, a trace on disk, a table, and a picture of the curves under their bounds."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..show.plots import check_format, runs
from ..show.runs import bound_table, caption, label_of, run_table, shown, varied
from .experiment import Finished, Plan, Problems, execute
from .options import METHODS, OPTIONS, Method, count, grid, positive, words
from .problem import add_arguments, described, place
from .terminal import bar, consoles

INTERRUPTED = 130
ROUNDS = 100
STOPS = ("none", "5.1")


def add_parser(commands: Any) -> None:
    """Add the command."""
    takes = "\n".join(f"  {name}: {taken(m)}" for name, m in METHODS.items())
    parser = commands.add_parser(
        "run", help="run methods on clients: a trace, a table, a picture", allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Run methods on federated clients. A comma-separated list, of methods, seeds or of values of a\n"
        "hyper-parameter, runs each. A finished run is loaded from --out; an interrupted one goes on.",
        epilog=f"options of the methods, with their defaults:\n{takes}",
    )  # fmt: skip
    parser.add_argument("methods", metavar="METHOD[,METHOD]", help=", ".join(METHODS))
    add_arguments(parser)
    loop = parser.add_argument_group("run")
    loop.add_argument("--rounds", default=str(ROUNDS), help=f"communications (default: {ROUNDS})")
    loop.add_argument(
        "--every", default="1", help="observe every so many communications; 0: start and end (default: 1)"
    )
    loop.add_argument("--seed", default="0", help="seed, or a list (default: 0)")
    loop.add_argument("--data-seed", help="seed of data and partition (default: that of the run)")
    loop.add_argument(
        "--stop", help="none, 5.1 (FedADMM's rule) or a level of the squared gradient (default: 5.1 for its methods)"
    )
    loop.add_argument("--out", default="runs", metavar="FOLDER", help="where runs are kept (default: runs)")
    loop.add_argument("--plot", metavar="FILE", help="draw the curves and their bounds (svg, png or pdf)")
    own = parser.add_argument_group("hyper-parameters (see below which method takes which)")
    for name, option in OPTIONS.items():
        choices = f": {', '.join(option.choices)}" if option.choices else ""
        own.add_argument(f"--{name}", metavar=option.kind.upper().replace(" ", ""), help=option.what + choices)
    parser.set_defaults(run=main)


def taken(method: Method) -> str:
    """The options of a method with their defaults, in a line."""
    return ", ".join(f"--{name}" + ("" if v is None else f" {shown(v)}") for name, v in method.defaults.items())


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    out, err = consoles()
    plans, problems = _plans(o)
    done: list[Finished] = []
    with bar(err, "run") as progress:
        task = progress.add_task("", total=sum(p.rounds for p, _ in plans))
        before = 0
        try:
            for plan, title in plans:
                progress.update(task, description=title, completed=before)
                done.append(execute(plan, problems, o.out, _advance(progress, task, before)))
                before += plan.rounds
        except KeyboardInterrupt:
            progress.stop()
            err.print(
                f"fedtheory: interrupted; the same command goes on from the checkpoint in {o.out}", highlight=False
            )
            return INTERRUPTED
    for text in dict.fromkeys(f.results["problem"] for f in done):
        out.print(text, highlight=False)
    out.print(run_table(done))
    for f in done if len(done) == 1 else []:
        out.print(bound_table(f.curves))
        for c in f.curves:
            for note in c.notes:
                out.print(f"{c.name}: {note}", highlight=False, soft_wrap=True)
    if len({str(f.path.parent) for f in done}) == 1:
        out.print(f"kept in {o.out}: {', '.join(f.path.name for f in done)}", highlight=False, soft_wrap=True)
    if o.plot:
        names = varied(done)
        runs([(label_of(f, names), f.curves) for f in done], o.plot, caption(done))
    return 0


def _advance(progress: Any, task: Any, before: int) -> Callable[[int], None]:
    return lambda communications: progress.update(task, completed=before + communications)


def _plans(o: argparse.Namespace) -> tuple[list[tuple[Plan, str]], Problems]:
    """Every run of the command with a title, after all of its input is checked; the data are read here."""
    methods = words("METHOD", o.methods)
    given = {name: text for name in OPTIONS if (text := getattr(o, name.replace("-", "_"))) is not None}
    chosen = grid(methods, given)
    seeds = [count("seed", w, 0) for w in words("seed", o.seed)]
    data_seed = None if o.data_seed is None else count("data-seed", o.data_seed, 0)
    rounds, every = count("rounds", o.rounds, 1), count("every", o.every, 0)
    if o.stop is not None and o.stop not in STOPS:
        try:
            positive("stop", o.stop)
        except UsageError as error:
            raise UsageError(f"{error}; or {' or '.join(STOPS)}") from None
    data = described(o)
    xp, device = place(o.backend, o.device)
    if o.plot:
        check_format(o.plot)
    check_folder(o.out)

    def build(seed: int) -> Any:
        from problems.build import build

        options = {k: v for k, v in data.items() if k != "data"}
        return build(data["data"], seed=seed, xp=xp, device=device, **options)

    problems = Problems(lambda seed: build(seed if data_seed is None else data_seed))
    plans = []
    for name, options in chosen:
        for seed in seeds:
            setup = problems.setup(seed)
            METHODS[name].make(dict(options), setup.problem)  # refuse what does not fit before anything runs
            held = {**{k: v for k, v in data.items() if k != "root"}, "samples": setup.digest, "model": setup.model}
            stop = METHODS[name].stop if o.stop is None else o.stop
            plan = Plan(name, options, rounds, every, seed, stop, held, o.backend, o.device)
            plans.append((plan, f"{name} seed {seed}"))
    return plans, problems


def check_folder(folder: str) -> None:
    """Raise UsageError unless runs can be kept in `folder`, which may not exist yet."""
    path = Path(folder).resolve()
    nearest = next(p for p in (path, *path.parents) if p.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise UsageError(
            f"--out {folder} cannot be written: {nearest} is {'read-only' if nearest.is_dir() else 'a file'}"
        )
