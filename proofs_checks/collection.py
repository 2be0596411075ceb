"""Collects the claims of every file of this folder and joins them with the inventories."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
import tomllib
from functools import cache
from importlib import resources

from fedtheory.claim import Claim

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
def claims() -> dict[str, Claim]:
    """Every claim by id, with formula, locator and kind from the inventory."""
    found: dict[str, Claim] = {}
    for paper in PAPERS:
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
