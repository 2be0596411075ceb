"""The command line; with its commands the composition root, which builds the problems that a command asks for."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from importlib import import_module

from .commands.terminal import INTERRUPTED, Answered, Parser, silence, speak_plainly, stoppable
from .errors import UsageError, did_you_mean
from .files import version

COMMANDS = {  # with the module of each
    "verify": "verify", "run": "run", "sweep": "sweep", "merge": "sweep", "results": "results", "table": "table",
    "constants": "constants", "audit": "audit", "watch": "watch", "data": "data", "mutants": "mutants",
    "export": "export", "replay": "replay",
    "explain": "replay", "list": "replay", "new": "new",
}  # fmt: skip


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 completed, 1 short of an expectation, 2 usage or nowhere to write, 3 a crash, 130 interrupted."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  until the process ends
    if sys.stdout is None:
        print("fedtheory: stdout is closed, so there is nowhere to write", file=sys.stderr)
        return 2
    speak_plainly()
    try:
        with stoppable(program=argv is None):
            status = _run(argv)
            sys.stdout.flush()
            return status
    except UsageError as error:
        print(f"fedtheory: {error}", file=sys.stderr)
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


def _run(argv: list[str] | None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    options, unknown = _parser(argv[0] if argv else "").parse_known_args(argv)
    if unknown:
        near = did_you_mean(unknown[0].split("=")[0], options.known)
        raise UsageError(f"unrecognized arguments: {' '.join(unknown)}{near}")
    return int(options.run(options))


def _parser(asked: str) -> argparse.ArgumentParser:
    """The parser of the command that is asked for, or of all of them where it is none; each takes its time to import."""
    parser = Parser(prog="fedtheory", description="Referee for federated-optimisation theory.")
    parser.add_argument("--version", action="version", version=f"fedtheory {version()}")
    commands = parser.add_subparsers(required=True, metavar=f"{{{','.join(COMMANDS)}}}")
    for module in [COMMANDS[asked]] if asked in COMMANDS else dict.fromkeys(COMMANDS.values()):
        import_module(f"{__package__}.commands.{module}").add_parser(commands)
    for one in commands.choices.values():
        one.set_defaults(known=one._option_string_actions)
    return parser


if __name__ == "__main__":
    sys.exit(main())
