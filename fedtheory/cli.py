"""The command line; with its commands the composition root, which builds the problems that a command asks for."""

from __future__ import annotations

import argparse
import os
import re
import sys
import traceback
from importlib import import_module
from typing import Any

from .commands.terminal import INTERRUPTED, Answered, Parser, silence, speak_plainly, stoppable
from .errors import UsageError, did_you_mean
from .files import version
from .own_packages import ours_first

COMMANDS = {  # with the module of each, and what it does
    "verify": ("verify", "decide claims"),
    "check": ("check", "a verdict on a line of LaTeX or plain text"),
    "best": ("best", "the smallest constant of a bound, and an instance that comes near below it"),
    "run": ("run", "run methods on clients: a trace, a table, a picture"),
    "sweep": ("sweep", "every run of a plan: a grid of methods, problems and seeds"),
    "merge": ("sweep", "bring the runs of several folders together"),
    "results": ("results", "what the runs of a folder came to; filtered and exported"),
    "table": ("table", "a published table or figure again, printed and measured side by side"),
    "constants": ("constants", "constants, conditions and rates of a paper, from numbers or from data"),
    "audit": ("audit", "the papers' printed settings against their own theorems"),
    "rates": ("rates", "every explicit bound of a theorem at the tightest legal setting, and a run under it"),
    "watch": ("watch", "a run that was made elsewhere against the inequalities of its method's paper"),
    "schedule": ("schedule", "rounds in which clients wait for one another: who for whom, how parallel, how long"),
    "data": ("data", "which data sets are at hand"),
    "mutants": ("mutants", "falsify true claims a little and count what the search refutes"),
    "export": ("export", "statements and proofs of claims for the proof assistant Coq"),
    "site": ("site", "verdicts, proofs and docs as static pages"),
    "errata": ("errata", "a note in LaTeX for a paper's authors: what is wrong, where, and what holds instead"),
    "replay": ("replay", "re-evaluate a counterexample of a report exactly"),
    "explain": ("replay", "formula, hypotheses, body and witness of one claim"),
    "list": ("replay", "claims by id"),
    "new": ("new", "write a claim, a paper, a method or a table to start from"),
    "completion": ("completion", "the script with which a shell completes commands and options"),
}


# arguments of problems.build.build and problems.data.datasets.clients, which the options of the command line become
CALL = re.compile(r"`(?:build|clients)\((?:'[^']*', )?(?P<name>\w+)=(?P<value>[^()`,]*)\)`")
OPTIONS = ("model", "m", "l2", "smoothing", "partition", "device", "root")


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 completed, 1 short of an expectation, 2 usage or nowhere to write, 3 a crash, 130 interrupted."""
    ours_first()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  until the process ends
    if sys.stdout is None:
        print("fedtheory: stdout is closed, so there is nowhere to write", file=sys.stderr)
        return 2
    speak_plainly()
    try:
        options = _parsed(sys.argv[1:] if argv is None else argv)
        with stoppable(program=argv is None):
            status = int(options.run(options))
            sys.stdout.flush()
            return status
    except UsageError as error:
        print(f"fedtheory: {CALL.sub(_as_option, str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("fedtheory: interrupted", file=sys.stderr)
        return INTERRUPTED
    except Answered as answered:
        return int(answered.code or 0)
    except SystemExit as stop:
        print(f"fedtheory: a claim or a module of it ends the program: SystemExit: {stop}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # nobody reads any more
        silence(sys.stdout)
        return 0
    except MemoryError as error:
        print(
            f"fedtheory: this is more than the memory of the machine holds: {' '.join(str(error).split())}",
            file=sys.stderr,
        )
        return 2
    except OSError as error:
        silence(sys.stdout)  # or what is left to be written fails once more at the end
        print(f"fedtheory: {error}", file=sys.stderr)
        return 2
    except Exception:
        traceback.print_exc()
        return 3


def _as_option(call: re.Match[str]) -> str:
    """A complaint about an argument of a function as one about the option that it comes from."""
    name = call["name"].replace("_", "-")
    option = f"--{name}" if name in OPTIONS else f"--with {name}"
    value = call["value"].strip("'")
    return option if value == "..." else f"{option} {value}" if name in OPTIONS else f"{option}={value}"


def _parsed(argv: list[str]) -> argparse.Namespace:
    """The options of the command that is asked for, which is imported."""
    asked = next((word for word in argv if not word.startswith("-")), "")
    options, unknown = _parser(asked).parse_known_args(argv)
    if unknown:
        near = did_you_mean(unknown[0].split("=")[0], options.known)
        raise UsageError(f"unrecognized arguments: {' '.join(unknown)}{near}")
    return options


def _bare() -> tuple[Parser, argparse._SubParsersAction[Parser]]:
    """The parser without its commands, and what they are added to."""
    parser = Parser(prog="fedtheory", description="Referee for federated-optimisation theory.")
    parser.add_argument("-V", "--version", action="version", version=f"fedtheory {version()}")
    return parser, parser.add_subparsers(required=True, metavar=f"{{{','.join(COMMANDS)}}}")


def whole_parser() -> Parser:
    """The parser with every command and what it takes, all of which are imported."""
    parser, commands = _bare()
    add = commands.add_parser

    def with_help(name: str, **words: Any) -> Any:
        return add(name, **{"help": COMMANDS.get(name, ("", argparse.SUPPRESS))[1], **words})

    commands.add_parser = with_help  # type: ignore[method-assign]
    for module in dict.fromkeys(module for module, _ in COMMANDS.values()):
        import_module(f"{__package__}.commands.{module}").add_parser(commands)
    for one in commands.choices.values():
        if isinstance(one, Parser) and one.late is not None:
            one.late(one)
    return parser


def _parser(asked: str) -> argparse.ArgumentParser:
    """The parser of the command that is asked for; of all of them by name where it is none, as only their names are shown."""
    parser, commands = _bare()
    if asked in COMMANDS:
        import_module(f"{__package__}.commands.{COMMANDS[asked][0]}").add_parser(commands)
    else:
        for name, (_, what) in COMMANDS.items():
            commands.add_parser(name, help=what)
    for one in commands.choices.values():
        one.set_defaults(known=one._option_string_actions)
    return parser


if __name__ == "__main__":
    sys.exit(main())
