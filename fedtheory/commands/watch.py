"""fedtheory watch."""

from typing import Any


def add_parser(commands: Any) -> None:
    """Add the command."""
    commands.add_parser("watch")
