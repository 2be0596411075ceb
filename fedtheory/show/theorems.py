"""The theorems, lemmas, corollaries and propositions of a paper at a glance: verdict, what it rests on, sizes, what is assumed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..claim import Claim

HEAD = (
    "| statement | claim | verdict | rests on | for which lengths and clients | assumed |",
    "|---|---|---|---|---|---|",
)
STATEMENT = re.compile(r"(Theorem|Lemma|Corollary|Proposition) [A-Z]?\.?[0-9][0-9.]*")
LENGTHS = ("m", "S", "d")  # sizes that are no lengths


def theorems(inventory: Mapping[str, Any], claims: Mapping[str, Claim], report: Mapping[str, Any]) -> str:
    """A table in Markdown: a row a statement that is none of a proof's steps, with its readings and repairs.

    Parameters
    ----------
    inventory : dict
        The rows of a paper.
    claims : dict of Claim
        Its claims, with their readings and repairs.
    report : dict
        A report of ``fedtheory verify`` that holds them.
    """
    entries = {e["id"]: e for e in report["claims"]}
    out = [*HEAD]
    for id, row in inventory.items():
        found = STATEMENT.search(row["locator"])
        if found is None or re.search(r"proof", row["locator"], re.I):
            continue
        name = found.group().rstrip(".")
        for i in [i for i in claims if re.split(r"[@~]", i)[0] == id and i in entries]:
            if claims[i].step:
                continue
            e = entries[i]
            out.append(
                f"| {name} | `{i.split('/', 1)[-1]}` | {e['verdict']} | {e.get('trust', '') or '-'} | {where(claims[i], e)} "
                f"| {'; '.join(one['why'] for one in e.get('assumed', ())) or '-'} |"
            )
            name = ""
    return "\n".join(out)


def where(claim: Claim, entry: Mapping[str, Any]) -> str:
    """For which lengths and numbers of clients a verdict is.

    Examples
    --------
    >>> from fedtheory import claim, le
    >>> from problems import Sequences, at_least
    >>> one = claim("draft/x", world=Sequences("T", sequences={"D": at_least(0)}))(lambda x: le(0, x.D[x.T]))
    >>> where(one, {"verdict": "proved", "scope": "all"})
    'every T >= 1'
    """
    from .page import scope_text

    if entry["verdict"] not in ("proved", "certified", "supported"):
        return "-"
    if entry["scope"] != "all":
        return scope_text(entry) or "listed parameters"
    world: Any = claim.world
    said = [f"every {world.index} >= {world.parts().first}"] if world.index else []
    counts = world.sizes.get("m")
    if counts:
        said.append(
            "one client" if max(counts) == 1 else f"every m >= {min(counts)}" + (" and S" if "S" in world.sizes else "")
        )
    others = [k for k, v in world.sizes.items() if k not in (*LENGTHS, world.index)]
    said += [f"every {k}" for k in others]
    return ", ".join(said) or "no length and no clients in it"
