"""Our packages by their names, where a file or folder of the user's is called as one of them."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

NAMES = ("problems", "proofs_checks")
HERE = str(Path(__file__).parents[1])


class _Finder:
    """Finds these beside fedtheory, and nothing else."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return PathFinder.find_spec(name, [HERE]) if name in NAMES else None


def ours_first() -> None:
    """From now on an import of one of these names is of ours in this process; what was imported before stays with who has it."""
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
    for name in NAMES:
        if name in sys.modules and str(Path(HERE, name)) not in getattr(sys.modules[name], "__path__", ()):
            for module in [m for m in sys.modules if m.partition(".")[0] == name]:
                del sys.modules[module]
