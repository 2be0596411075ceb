"""Collects the claims of every file of this folder and joins them with the inventories."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import json
import pkgutil
import re
import tomllib
from functools import cache, partial
from importlib import resources
from typing import Any

from fedtheory.claim import Claim
from fedtheory.paper import Paper

TITLES = {
    "pfedme": "pFedMe: personalised federated learning with Moreau envelopes (arXiv:2006.08848)",
    "fedadmm": "FedADMM: federated learning via inexact ADMM",
    "flame": "FLAME: personalised federated learning via ADMM with Moreau envelope",
    "dadpfl": "DA-DPFL: decentralised personalised federated learning, sparse to sparser",
}
PAPERS = tuple(TITLES)


@cache
def inventory(paper: str) -> dict[str, dict[str, str]]:
    """Rows of one paper by id: kind, locator, formula, conditions."""
    text = resources.files(__package__).joinpath(paper, "inventory.toml").read_text(encoding="utf-8")
    return {row["id"]: row for row in tomllib.loads(text)["row"]}


@cache
def bindings(paper: str) -> dict[str, dict[str, str]]:
    """Rows that are bound to something other than a claim, by id: ``binding`` and ``to``."""
    path = resources.files(__package__).joinpath(paper, "bindings.toml")
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


@cache
def certificates(paper: str) -> dict[str, Any]:
    """Stored certificates of one paper by key."""
    path = resources.files(__package__).joinpath(paper, "certificates.json")
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def papers() -> list[Paper]:
    """One record a paper."""
    return [
        Paper(
            id, title, partial(claims_of, id), package=f"{__package__}.{id}", formulas=f"fedtheory.theory.{id}",
            inventory=partial(inventory, id), bindings=partial(bindings, id), certificates=partial(certificates, id),
            catalogue=partial(part, f"fedtheory.theory.{id}.catalogue", "CATALOGUE"),
            symbols=partial(part, f"fedtheory.theory.{id}.symbols", "symbols"),
            curves=partial(part, f"fedtheory.theory.{id}.curves", "curves"),
            measured=partial(part, f"{__package__}.{id}.measured", "measured"),
        )
        for id, title in TITLES.items()
    ]  # fmt: skip


def part(module: str, name: str) -> Any:
    """What a file of a paper's folder defines under a name; None where the paper has no such file."""
    return getattr(importlib.import_module(module), name) if importlib.util.find_spec(module) else None


@cache
def claims() -> dict[str, Claim]:
    """Every claim by id."""
    return {id: c for paper in PAPERS for id, c in claims_of(paper).items()}


@cache
def claims_of(paper: str) -> dict[str, Claim]:
    """Claims of one paper by id, with formula, locator and kind from the inventory."""
    found: dict[str, Claim] = {}
    package = importlib.import_module(f"{__package__}.{paper}")
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(info.name)
        for c in vars(module).values():
            if isinstance(c, Claim):
                if c.id in found:
                    raise ValueError(f"two claims are called {c.id}")
                found[c.id] = joined(c)
    return found


def joined(c: Claim) -> Claim:
    """The claim with what its inventory row says."""
    base = re.split(r"[@~]", c.id)[0]
    paper = base.split("/")[0]
    row = inventory(paper).get(base, {}) if paper in PAPERS else {}
    same = re.search(r"i\.e\. row (\w+)", row.get("formula", ""))  # a statement that is one displayed formula
    if same and f"{paper}/{same[1]}" in inventory(paper):
        row = {**row, "formula": inventory(paper)[f"{paper}/{same[1]}"]["formula"]}
    return dataclasses.replace(
        c,
        latex=c.latex or row.get("formula", ""),
        locator=c.locator or row.get("locator", ""),
        kind=c.kind or row.get("kind", ""),
    )
