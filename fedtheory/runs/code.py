"""The code that a run depends on, as a digest: what a module imports of the same packages, and what that imports."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path

LOOP = ("fedtheory.runs.loop", "fedtheory.measure.observe", "fedtheory.measure.accuracy", "fedtheory.measure.estimates")


@cache
def digest(*modules: str) -> str:
    """SHA-256, shortened, of the sources of modules and of all that they import from their own packages and from ours.

    Parameters
    ----------
    *modules : str
        Dotted names.

    Examples
    --------
    >>> digest("fedtheory.random") == digest("fedtheory.random") != digest("fedtheory.units")
    True
    """
    packages = {name.partition(".")[0] for name in (*modules, *LOOP)}
    found: dict[str, bytes] = {}
    todo = list(modules)
    while todo:
        name = todo.pop()
        file = source(name)
        if name not in found and file is not None:
            found[name] = file.read_bytes()
            todo += [n for n in imports(name, file, found[name]) if n.partition(".")[0] in packages]
    h = hashlib.sha256()
    for name in sorted(found):
        h.update(f"{name} {len(found[name])}\n".encode())
        h.update(found[name])
    return h.hexdigest()[:16]


def of_run(*modules: str) -> str:
    """`digest` of the loop, of what it observes, and of the modules of a method and of its problem."""
    return digest(*LOOP, *modules)


@cache
def source(name: str) -> Path | None:
    """The file of a module; None where there is none in Python, or no such module."""
    try:
        spec = find_spec(name)
    except (ModuleNotFoundError, ValueError):  # a name in a module, not a module
        return None
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


def imports(name: str, file: Path, text: bytes) -> Iterator[str]:
    """Dotted names that a module may import, anywhere in it; some of them are names in modules."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package) if node.level else node.module or ""
            yield base
            yield from (f"{base}.{a.name}" for a in node.names)
