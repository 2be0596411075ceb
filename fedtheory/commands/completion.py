"""fedtheory completion: what bash, zsh or tcsh completes behind fedtheory: commands, options, their choices, files."""

from __future__ import annotations

import argparse

SHELLS = ("bash", "zsh", "tcsh")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("completion")
    parser.add_argument("shell", choices=SHELLS, help="whose script is printed")
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    import shtab

    from ..cli import whole_parser

    print(shtab.complete(whole_parser(), o.shell))
    return 0
