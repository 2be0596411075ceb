"""fedtheory schedule: who waits for whom in a round of scheduled clients, how parallel it is, and how long it takes."""

from __future__ import annotations

import argparse

from ..errors import UsageError
from ..files import STDOUT, check_writable, tried, version, write_json
from ..formats import Json
from ..random import stream
from ..runs.store import plain
from ..schedules.measures import DRAWS, Fit, Row, fitted, measured
from ..schedules.rounds import RULES, check, drawn, given, one
from ..show.plots import check_format
from ..show.schedule import Round, curves, fit_line, measures_table, round_table, rounds
from .options import count, words
from .terminal import bar, consoles

SCHEMA = 1
EVERY = "M"  # of --N: all neighbours, whatever M is
CALLED = {name: f"--{name}" for name in ("K", "M", "N", "rule")}
DEFAULTS = {"K": "100", "M": "10", "N": EVERY}
MOST = 10**11  # pairs of clients over all draws
EXAMPLE = {1: (2, 3), 2: (3, 4), 3: (2, 6), 4: (5, 6), 5: (1, 6), 6: (1, 5)}  # neighbours in Figure 1, counted from 1
EXAMPLE_N = "0,1,2"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "schedule",
        allow_abbrev=False,
        description="Rounds of K clients in one random order, each with M random neighbours: a client waits for at most N of "
        "those of its neighbours that come before it. par0 is the mean share of clients that start at once, wait the mean "
        "of the largest start in units of one local training, waves that of 1/(1 + largest start).",
    )
    parser.add_argument("--K", help="clients (default: 100)")
    parser.add_argument("--M", help="neighbours of each, a list such as 5,10,20 (default: 10)")
    parser.add_argument(
        "--N", help="at most so many are waited for, a list; M for all (default: M). Pairs with N > M are left out"
    )
    parser.add_argument(
        "--rule", default=RULES[0], help=f"which are waited for, a list of {', '.join(RULES)} (default: {RULES[0]})"
    )
    parser.add_argument("--draws", default=str(DRAWS), help=f"rounds, where there is no formula (default: {DRAWS})")
    parser.add_argument("--seed", default="0", help="seed of the draws (default: 0)")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--round", action="store_true", help="one round in full: who waits for whom")
    only.add_argument("--example", action="store_true", help="the round of six clients that the paper draws, in full")
    parser.add_argument(
        "--json", metavar="FILE", nargs="?", const=STDOUT, help="everything, as JSON; stdout without FILE"
    )
    parser.add_argument("--plot", metavar="FILE", help="the picture (svg, png or pdf)")
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    out, err = consoles(o.json)
    if o.json:
        check_writable(o.json)
    if o.plot:
        check_format(o.plot)
    seed, draws = count("seed", o.seed, 0), count("draws", o.draws, 1)
    rules = words("rule", o.rule)
    for rule in rules:
        check(2, 1, 0, rule, called=CALLED)
    if o.example:
        K, found = len(EXAMPLE), example(o, rules, seed)
    else:
        K, pairs = settings(o)
        found = [whole(K, M, N, rule, seed) for M, N in pairs for rule in differing(rules, M, N)] if o.round else []
    if o.example or o.round:
        for r in found:
            out.print(f"K = {K}, M = {r.M}, N = {r.N}, rule {r.rule}", highlight=False)
            out.print(round_table(r))
        data = report(K, 0, seed, [], [], found)
    else:
        if draws * K * K * len({M for M, _ in pairs}) > MOST:
            raise UsageError(
                f"--draws {draws} of {K} clients are more than {MOST:.0e} pairs of clients; fewer draws will do"
            )
        with bar(err, "schedule", remaining=True) as progress:
            task = progress.add_task("", total=draws * len(pairs) * len(rules))
            rows = measured(K, pairs, rules, draws=draws, seed=seed, done=lambda work: progress.advance(task, work))
        fits = fitted(rows)
        out.print(measures_table(rows))
        drawn_rows = [r for r in rows if r.draws]
        if drawn_rows:
            out.print(f"means of {draws} rounds with their standard errors; the others are exact", highlight=False)
        for f in fits[:1]:  # where N = M all rules are one
            out.print(fit_line(f), highlight=False, soft_wrap=True)
        data = report(K, draws, seed, rows, fits, [])
    failed = tried(lambda: write_json(o.json, data, "schedule")) if o.json else ""
    if o.plot and found:
        rounds(
            found,
            o.plot,
            f"One round of K = {K} clients with M = {', '.join(dict.fromkeys(str(r.M) for r in found))} neighbours",
        )
    elif o.plot:
        curves(rows, o.plot, f"Rounds of K = {K} clients, {draws} draws (exact where there is a formula)")
    if failed:
        raise UsageError(failed)
    return 0


def settings(o: argparse.Namespace) -> tuple[int, list[tuple[int, int]]]:
    """K and the pairs (M, N) of the lists of the command line.

    Raises
    ------
    UsageError
        If one is no whole number or out of range, or an N is above every M.
    """
    given_ = {name: default if getattr(o, name) is None else getattr(o, name) for name, default in DEFAULTS.items()}
    K = count("K", given_["K"], 2)
    Ms = [count("M", word, 1) for word in words("M", given_["M"])]
    Ns = [word if word == EVERY else count("N", word, 0) for word in words("N", given_["N"])]
    for M in Ms:
        check(K, M, 0, called=CALLED)
    for N in Ns:
        if N != EVERY:
            check(K, max(Ms), int(N), called=CALLED)
    pairs = [(M, M if N == EVERY else int(N)) for M in Ms for N in Ns]
    return K, list(dict.fromkeys((M, N) for M, N in pairs if N <= M))


def example(o: argparse.Namespace, rules: list[str], seed: int) -> list[Round]:
    """The round of the example, at each N and rule."""
    for name in ("K", "M"):
        if getattr(o, name) is not None:
            raise UsageError(f"--example has K = 6 and M = 2 of its own; leave --{name} out, got {getattr(o, name)}")
    prior = given({k - 1: [j - 1 for j in of] for k, of in EXAMPLE.items()})
    K, M = len(EXAMPLE), len(EXAMPLE[1])
    Ns = [M if word == EVERY else count("N", word, 0) for word in words("N", o.N or EXAMPLE_N)]
    for N in Ns:
        check(K, M, N, called=CALLED)
    return [
        Round(M, N, rule, one(prior, N, rule, stream(seed, N, "example")))
        for N in Ns
        for rule in differing(rules, M, N)
    ]


def differing(rules: list[str], M: int, N: int) -> list[str]:
    """The rules, or the first of them where all are one."""
    return rules[:1] if N in (0, M) else rules


def whole(K: int, M: int, N: int, rule: str, seed: int) -> Round:
    """One round that is drawn; that of an M is the same for all N and rules."""
    prior = drawn(K, M, draws=1, rng=stream(seed, M, "round"))
    return Round(M, N, rule, one(prior, N, rule, stream(seed, N, "round awaited")))


def report(K: int, draws: int, seed: int, rows: list[Row], fits: list[Fit], whole_rounds: list[Round]) -> Json:
    """Everything as plain data; of a single setting its three measures stand at the top as well."""
    alone = {name: getattr(rows[0], name) for name in ("par0", "waves", "wait")} if len(rows) == 1 else {}
    listed = [
        {
            "M": r.M, "N": r.N, "rule": r.rule,
            "clients": [
                {"client": k, "start": start, "waits_for": [j + 1 for j in of]}
                for k, (start, of) in enumerate(r.clients, 1)
            ],
        }
        for r in whole_rounds
    ]  # fmt: skip
    return plain(
        {
            "schema": SCHEMA, "version": version(), "K": K, "draws": draws, "seed": seed, **alone,
            "rows": [_row(r) for r in rows], "fits": [f._asdict() for f in fits], "rounds": listed,
        }
    )  # fmt: skip


def _row(r: Row) -> dict[str, object]:
    """A setting; what was not drawn has no figure."""
    return {k: None if isinstance(v, float) and v != v else v for k, v in r._asdict().items()}
