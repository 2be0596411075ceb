"""Which claims an edit touches: those that say something else than the evidence at a revision of git was made for."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .. import registry
from ..claim import Claim
from ..errors import UsageError
from ..formats import Json
from ..referee.composition import with_lemmas
from ..referee.shipped import engines, says
from .known import Known


def touched(selected: list[Claim], known: Known, rev: str) -> tuple[list[Claim], str]:
    """The claims that an edit since `rev` touches, each with the lemmas that it stands on; and a line that says how many.

    A claim that stands on an edited one says something else itself. Claims of drafts have no evidence, so all of them count.
    Where the engines are others every claim is touched, and one of each kind stands for them: paper, verdict and what decided.

    Raises
    ------
    UsageError
        If a paper has no evidence at the revision, or git says no.
    """
    before = {id: one for paper in _papers(selected, known) for id, one in _evidence(paper, rev).items()}
    edited = [c for c in selected if c.id not in before or before[c.id]["says"] != says(c)]
    said = f"{len(edited)} of {len(selected)} claims say something else than at {rev}"
    others = [c for c in selected if c.id in before and before[c.id]["engines"] != engines()]
    if others:
        kinds: dict[tuple[Any, ...], Claim] = {}
        for c in others:
            entry = before[c.id]["entry"]
            kinds.setdefault((c.id.split("/")[0], entry["verdict"], entry["tier"]), c)
        edited += [c for c in kinds.values() if c not in edited]
        said += f"; the engines are others, which touches all: {len(kinds)} are decided, one of a kind, and --afresh decides all"
    return with_lemmas(edited, known.claim), said


def _papers(selected: Iterable[Claim], known: Known) -> list[str]:
    return list(dict.fromkeys(c.id.split("/")[0] for c in selected if c.id not in known.own))


def _evidence(paper: str, rev: str) -> Mapping[str, Json]:
    """The evidence of a paper's claims at a revision by id, each with the hash of the engines."""
    spec = find_spec(registry.paper(paper).package)
    if spec is None or spec.origin is None:
        raise UsageError(f"--changed {rev}: the paper {paper} has no folder")
    folder = Path(spec.origin).parent
    try:
        words = ["git", "-C", str(folder), "show", f"{rev}:./evidence.json"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError as error:
        raise UsageError(f"--changed {rev}: git cannot be run: {error.strerror or error}") from None
    if done.returncode:
        why = " ".join(done.stderr.split()) or "git says no"
        raise UsageError(f"--changed {rev}: no evidence of {paper} is found there ({why})")
    try:
        data = json.loads(done.stdout)
        return {id: {**one, "engines": data["engines"]} for id, one in data["claims"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"--changed {rev}: the evidence of {paper} there cannot be read: {error}") from None
