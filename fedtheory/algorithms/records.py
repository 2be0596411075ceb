"""The records of the methods of this folder; a method is a file that ends with its record, so there is no list."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

from ..method import Method


def methods() -> list[Method]:
    """``METHOD``, or ``METHODS`` where one file has two, of every file of the folder, in the order of their names."""
    found: list[Method] = []
    for info in pkgutil.iter_modules([str(Path(__file__).parent)]):
        module = vars(importlib.import_module(f"{__package__}.{info.name}"))
        found += module.get("METHODS", [module["METHOD"]] if "METHOD" in module else [])
    return found
