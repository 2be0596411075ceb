"""The command line; with its commands the composition root, which builds the problems that a command asks for."""

from __future__ import annotations

import argparse
import sys

from .commands import constants, data, mutants, replay, run, verify
from .commands.terminal import INTERRUPTED, Parser, speak_plainly
from .errors import UsageError, did_you_mean
from .files import version


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 completed, 1 short of an expectation, 2 usage, 3 an engine crashed, 130 interrupted."""
    speak_plainly()
    parser = _parser()
    try:
        options, unknown = parser.parse_known_args(argv)
        if unknown:
            near = did_you_mean(unknown[0].split("=")[0], options.known)
            raise UsageError(f"unrecognized arguments: {' '.join(unknown)}{near}")
        return int(options.run(options))
    except SystemExit as stop:
        return int(stop.code or 0)
    except UsageError as error:
        print(f"fedtheory: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("fedtheory: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="fedtheory", description="Referee for federated-optimisation theory.")
    parser.add_argument("--version", action="version", version=f"fedtheory {version()}")
    commands = parser.add_subparsers(required=True, metavar="{verify,run,constants,data,mutants,replay,explain,list}")
    for command in (verify, run, constants, data, mutants, replay):
        command.add_parser(commands)
    for one in commands.choices.values():
        one.set_defaults(known=one._option_string_actions)
    return parser


if __name__ == "__main__":
    sys.exit(main())
