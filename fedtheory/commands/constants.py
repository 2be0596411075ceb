"""fedtheory constants: constants, conditions and rates of a paper, from numbers, exactly, or from data, measured."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ..catalogue import Catalogue, Parameters, evaluate, promise
from ..errors import UsageError, did_you_mean
from ..measure.curves import describe
from ..paper import Paper
from ..registry import paper, papers
from ..show.plots import check_format
from ..show.runs import HORIZONS, constants_table, promise_table, source_table
from .experiment import is_network
from .options import count, positive
from .problem import add_arguments, place, problem_of
from .regions import map_of, named, solve_for
from .terminal import Parser, consoles

if TYPE_CHECKING:
    from rich.console import Console

    from ..formats import Document, Json
    from ..quantity import Quantity


def add_parser(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser("constants")
    what = parser.add_argument("paper", help="id of a paper")
    parser.add_argument(
        "values", nargs=argparse.REMAINDER, metavar="--NAME VALUE",
        help="such as --L 1 --lam 5, or --data digits --model softmax --l2 0.01 --m 20; --accuracy 1e-3 asks for rounds, "
        "--solve NAME for the legal values of one parameter, --map X Y --plot FILE for a picture of two",
    )  # fmt: skip
    parser.late = lambda late: setattr(what, "help", ", ".join(papers()))
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    of = paper(o.paper, "constants PAPER")
    catalogue = of.catalogue()
    if catalogue is None:
        raise UsageError(f"the paper {of.id} has no catalogue of constants")
    out, _ = consoles()
    if {"-h", "--help"} & set(o.values):
        return _help(of, catalogue, out)
    given_words, accuracy = _accuracy(o.values)
    given_words, question = _question(of, catalogue, given_words)
    why: dict[str, str] = {}
    estimates: tuple[str, ...] = ()
    from_data = "--data" in [w.split("=")[0] for w in given_words]
    if from_data:
        given, why, exact, estimates = _from_data(of, catalogue, given_words, out)
    else:
        given = exact = read_parameters(given_words, catalogue)
    if question.sought or question.axes:
        _regions(of, catalogue, question, given_words, {**given, **exact}, accuracy, from_data, estimates, out)
        return 0
    rows = list(evaluate(catalogue, given))
    out.print(constants_table(rows))
    _say_estimates(estimates, out)
    failed = [r for r in rows if r.holds is False]
    unknown = sorted({r.missing.removeprefix("needs ") for r in rows if r.missing.startswith("needs ")})
    missing = f"; not given: {', '.join('--' + n for n in unknown)}" if unknown else ""
    out.print(f"{len(failed)} conditions fail{missing}", highlight=False, markup=False)
    promises = []
    for bound in catalogue.bounds:
        for best in (False, True) if bound.free else (False,):
            promises.append(promise(catalogue, bound, given, accuracy=accuracy, horizons=HORIZONS, best=best))
    if accuracy is not None or any(not p.missing for p in promises):
        out.print(promise_table(promises, accuracy))
        for bound in catalogue.bounds:
            out.print(f"{bound.left} <= {bound.printed}", highlight=False, markup=False)
        for line in dict.fromkeys(
            describe(r, why) for p in promises if p.chosen is None for r in (*p.failing, *p.unstated)
        ):
            out.print(line, highlight=False, markup=False)
    return 0


class _Question(NamedTuple):
    """What is asked of regions: a parameter, or two of them with a theorem and a picture; nothing where both are empty."""

    sought: list[str]
    axes: list[str]
    theorem: str
    picture: str


def _question(of: Paper, catalogue: Catalogue, words: list[str]) -> tuple[list[str], _Question]:
    """(the other words, what is asked of regions).

    Raises
    ------
    UsageError
        If a parameter is none, or options contradict each other.
    """
    words, sought = taken(words, "--solve", 1)
    words, axes = taken(words, "--map", 2)
    words, theorem = taken(words, "--theorem", 1)
    words, plot = taken(words, "--plot", 1)
    sought = [named(catalogue, word, "--solve") for word in sought]
    axes = [named(catalogue, word, "--map") for word in axes]
    if sought and axes:
        raise UsageError("--solve and --map are two questions; ask one at a time")
    if len(set(axes)) == 1:
        raise UsageError(f"--map needs two different parameters, got {axes[0]} twice")
    for option, value in (("--theorem", theorem), ("--plot", plot)):
        if value and not axes:
            raise UsageError(f"{option} {value[0]} goes with --map X Y")
    picture = next(iter(plot), "-".join([of.id, *axes]) + ".svg")
    if axes:
        check_format(picture)
    return words, _Question(sought, axes, "".join(theorem), picture)


def _regions(
    of: Paper, catalogue: Catalogue, asked: _Question, words: list[str], given: dict[str, Quantity], accuracy: float | None,
    from_data: bool, estimates: tuple[str, ...], out: Console,
) -> None:  # fmt: skip
    """Answer --solve or --map; rounds that nobody gave, but the paper's own experiment has, are left open."""
    typed = {catalogue.letters.get(n, n) for w in words if w.startswith("--") for n in [w[2:].split("=")[0]]}
    given = {k: v for k, v in given.items() if not from_data or k != catalogue.rounds or k in typed}
    if asked.axes:
        map_of(of, catalogue, given, typed, asked.axes[0], asked.axes[1], asked.theorem, asked.picture, estimates, out)
        _say_estimates(estimates, out)
        return
    held = "the constants were measured at one lam" if from_data and asked.sought[0] == "lam" else ""
    solve_for(of, catalogue, given, asked.sought[0], accuracy, held, out)
    _say_estimates(estimates, out)


def _say_estimates(names: tuple[str, ...], out: Console) -> None:
    """What a region or a condition is worth where constants are estimates."""
    if names:
        said = f"at estimates of {', '.join(names)}, taken at one point: no statement about all points"
        out.print(said, highlight=False, soft_wrap=True)


def _help(of: Paper, catalogue: Catalogue, out: Console) -> int:
    """What the paper's constants are made of; `fedtheory constants --help` is about the command."""
    out.print(f"usage: fedtheory constants {of.id} --NAME VALUE ... [--accuracy EPS]", highlight=False)
    out.print(f"   or: fedtheory constants {of.id} --data NAME|FILE ... (options of fedtheory run)", highlight=False)
    out.print(
        "with --solve NAME: where the conditions on one parameter hold; --accuracy EPS counts the fewest rounds there"
    )
    out.print("  or --map X Y [--theorem NAME] [--plot FILE]: a picture of where they hold in two\n", highlight=False)
    letters = {name: letter for letter, name in catalogue.letters.items()}
    for name, meaning in catalogue.parameters.items():
        also = f", --{letters[name]}" if name in letters else ""
        kind = " (whole number)" if catalogue.symbols[name].whole else ""
        out.print(f"  --{name}{also}: {meaning}{kind}", highlight=False, markup=False)
    return 0


def taken(given: list[str], option: str, count: int) -> tuple[list[str], list[str]]:
    """(the other words, the values of an option that takes `count` of them); none where it is not there.

    Raises
    ------
    UsageError
        If it is given twice, or a value is missing.
    """
    at = [k for k, w in enumerate(given) if w.split("=")[0] == option]
    if not at:
        return given, []
    if len(at) > 1:
        raise UsageError(f"{option} is given twice")
    k = at[0]
    _, sign, first = given[k].partition("=")
    values = [first] if sign else []
    values += given[k + 1 : k + 1 + count - len(values)]
    if len(values) < count or any(not v or v.startswith("--") for v in values):
        raise UsageError(f"{option} needs {'a value' if count == 1 else f'{count} values'}, got {' '.join(values)!r}")
    return given[:k] + given[k + 1 + count - bool(sign) :], values


def _accuracy(given: list[str]) -> tuple[list[str], float | None]:
    """(the other words, the accuracy if one is asked for)."""
    at = [k for k, w in enumerate(given) if w.split("=")[0] == "--accuracy"]
    if not at:
        return given, None
    if len(at) > 1:
        raise UsageError("--accuracy is given twice")
    k = at[0]
    if "=" in given[k]:
        return given[:k] + given[k + 1 :], positive("accuracy", given[k].split("=", 1)[1])
    return given[:k] + given[k + 2 :], positive("accuracy", given[k + 1] if k + 1 < len(given) else "")


def _from_data(
    of: Paper, catalogue: Catalogue, given_words: list[str], out: Console
) -> tuple[Json, dict[str, str], dict[str, Fraction], tuple[str, ...]]:
    """(parameters, why some are infinite, those that are printed or given, exactly, the names of estimates).

    The parameters are given ones, measured ones, and the paper's own where neither is there.
    """
    from problems.build import build
    from problems.measured import measured

    parser = Parser(prog="fedtheory constants", add_help=False, allow_abbrev=False)
    add_arguments(parser)
    parser.add_argument("--seed", default="0")
    o, rest = parser.parse_known_args(given_words)
    typed = {k: _as_float(k, v) for k, v in read_parameters(rest, catalogue).items()}
    options = problem_of(o)
    xp, device = place(o.backend, o.device)
    setup = build(options.pop("data"), seed=count("seed", o.seed, 0), xp=xp, device=device, **options)
    _within(catalogue, read_parameters(rest, catalogue), setup.problem.m)
    network = is_network(setup.model)  # whose subproblems nobody solves exactly
    own = {
        k: float(v) if isinstance(v, Fraction) else v
        for k, v in {**catalogue.settings, **({} if network else catalogue.exact)}.items()
    }
    found = measured(of.measured(), setup.problem, lam=typed.get("lam", own.get("lam")))
    own = {k: v for k, v in own.items() if k not in found and catalogue.stands_for.get(k) not in typed}
    own, clipped = within_clients(catalogue, own, setup.problem.m)
    rows = [(k, v, "given", "on the command line") for k, v in typed.items()]
    rows += [(k, c.value, c.label, c.how) for k, c in found.items() if k not in typed]
    rows += [
        (k, v, "assumed", "subproblems solved exactly" if k in catalogue.exact else clipped.get(k, catalogue.setting))
        for k, v in own.items()
        if k not in typed
    ]
    out.print(setup.describe(), highlight=False, markup=False)
    out.print(source_table(rows))
    why = {k: c.how for k, c in found.items() if c.label in ("infinite", "unknown") and k not in typed}
    inexact = catalogue.exact.keys() - typed.keys() if network else ()
    why |= {k: f"{k} is not known: a network solves no subproblem exactly; give --{k}" for k in inexact}
    exact = {
        k: Fraction(catalogue.settings[k])
        for k, v in own.items()
        if k in catalogue.settings and float(catalogue.settings[k]) == v
    }
    given = {**own, **{k: c.value for k, c in found.items() if c.value is not None}, **typed}
    estimates = tuple(k for k, c in found.items() if c.label == "estimate" and k not in typed)
    return given, why, {**exact, **read_parameters(rest, catalogue)}, estimates


def _as_float(name: str, value: Fraction) -> float:
    """A parameter beside measured ones, which are floats."""
    try:
        return float(value)
    except OverflowError:
        raise UsageError(f"--{name} is out of the range of floats, in which data are measured") from None


def within_clients(catalogue: Catalogue, own: Json, m: int) -> tuple[Json, dict[str, str]]:
    """(the paper's own settings, none above what m clients allow; what was changed and why)."""
    own, clipped = dict(own), {}
    for name, most in catalogue.most.items():
        largest = most(Parameters({"m": m}))
        if name not in own:
            own[name], clipped[name] = largest, "all clients"
        elif own[name] > largest:
            clipped[name] = f"as many as the clients allow; {own[name]} in {catalogue.setting}"
            own[name] = largest
    return own, clipped


def read_parameters(given_words: list[str], catalogue: Catalogue) -> dict[str, Fraction]:
    """Parameters from ``--NAME VALUE`` pairs, exactly.

    Raises
    ------
    UsageError
        If a name is unknown or repeated, or a value is missing or out of range.
    """
    known: Mapping[str, str] = catalogue.parameters
    letters = catalogue.letters
    given: dict[str, Fraction] = {}
    apart = [part for word in given_words for part in (word.split("=", 1) if word.startswith("--") else [word])]
    for word, value in zip(apart[::2], [*apart[1::2], ""], strict=False):
        name = letters.get(word.lstrip("-"), word.lstrip("-"))
        if not word.startswith("--") or name not in known:
            names = ", ".join(f"--{k} ({v})" for k, v in known.items())
            near = f"; did you mean --{name}?" if name in known else did_you_mean(name, known)
            raise UsageError(f"constants has no parameter {word!r}{near}; it takes {names}")
        if name in given:
            raise UsageError(f"{word} is given twice")
        try:
            given[name] = Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise UsageError(f"{word} needs a number such as 0.01 or 1/3, got {value!r}") from None
        if catalogue.symbols[name].whole and given[name].denominator != 1:
            raise UsageError(f"{word} must be a whole number, got {value}")
        if given[name] < 0 or (given[name] == 0 and name not in catalogue.zero):
            raise UsageError(f"{word} must be {'at least 0' if name in catalogue.zero else 'positive'}, got {value}")
    if "m" in given:
        _within(catalogue, given, given["m"])
    return given


def _within(catalogue: Catalogue, given: Document, m: Any) -> None:
    """Raise UsageError where more is given than m clients allow, such as S > m."""
    for name, most in catalogue.most.items():
        largest = most(Parameters({"m": m}))
        if name in given and given[name] > largest:
            raise UsageError(f"--{name} must be at most {largest} with {m} clients, got {given[name]}")
