"""Verdicts as annotations of GitHub's checks: a line a claim that does not hold, at the line of its source."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator, Mapping, Sequence

from ..claim import Claim
from ..formats import Document
from .verdicts import detail

LEVELS = {"refuted": "error", "vacuous": "error", "unknown": "warning"}  # of the verdicts that are annotated


def annotated(entries: Sequence[Document], claims: Mapping[str, Claim]) -> Iterator[str]:
    """A workflow command for every claim that is refuted, vacuous, undecided, or over which an engine crashed.

    Parameters
    ----------
    entries : sequence of dict
        Of a report.
    claims : mapping
        The claims by id.
    """
    for e in entries:
        level = "error" if e.get("crashed") else LEVELS.get(e["verdict"])
        if level is None:
            continue
        file, line = place(claims[e["id"]], e["source"])
        said = " ".join(filter(None, [e["verdict"], detail(dict(e))]))
        at = f"file={value(file)},line={line},title={value(e['id'])}" if file else f"title={value(e['id'])}"
        yield f"::{level} {at}::{message(said)}"


def place(claim: Claim, source: str) -> tuple[str, str]:
    """File and line of a claim, from the folder that the command runs in where the file stands below it."""
    name, _, line = source.rpartition(":")
    code = getattr(inspect.unwrap(claim.body), "__code__", None)
    file = code.co_filename if code is not None and os.path.isfile(code.co_filename) else ""
    inside = os.path.relpath(file) if file else ""
    if inside and not inside.startswith(".."):
        return inside.replace(os.sep, "/"), line
    return name, line


def message(text: str) -> str:
    """A text as the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def value(text: str) -> str:
    """A text as one of its properties."""
    return message(text).replace(":", "%3A").replace(",", "%2C")
