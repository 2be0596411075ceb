"""The set of verdicts: which claims to run, running them, the JSON report, comparison with an expected ledger."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from ..claim import Claim
from ..engines.docket import Stored
from ..errors import UsageError, did_you_mean
from ..files import environment, version
from ..processes import each
from ..verdict import VERDICTS, Verdict, contradicts, weaker
from .decide import verify

SCHEMA = 1


def select(
    claims: Mapping[str, Claim], patterns: Iterable[str], paper: str | None, find: Callable[[str], Claim]
) -> list[Claim]:
    """The claims named by ids or patterns (all of them if there is none), each followed by its repair, which `find` gives.

    Raises
    ------
    UsageError
        If a pattern or the paper matches nothing, or a repair is no claim.
    """
    chosen: dict[str, Claim] = {}
    for pattern in list(patterns) or ["*"]:
        hits = [i for i in claims if fnmatch.fnmatchcase(i, pattern)]
        if not hits and claims:
            raise UsageError(
                f"no claim is called {pattern!r}{did_you_mean(pattern, claims)} (fedtheory list shows all)"
            )
        for i in hits:
            if paper in (None, i.split("/")[0]):
                chosen[i] = claims[i]
                if (repair := claims[i].repair) is not None:
                    try:
                        chosen[repair] = find(repair)
                    except UsageError as error:
                        raise UsageError(f"claim {i}: repair={repair!r}: {error}") from None
    if not chosen:
        raise UsageError(f"--paper {paper}: it has no claim here" if paper else "there is no claim")
    return list(chosen.values())


def run(
    claims: list[Claim],
    find: Callable[[str], Claim],
    *,
    budget: str = "quick",
    seed: int = 0,
    backend: str = "numpy",
    jobs: int = 1,
    stored: Stored | None = None,
    done: Mapping[str, dict[str, Any]] | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[dict[str, Any]]:
    """Yield one report entry a claim, in order; entries in `done` are taken over, new certificates are added to `stored`.

    A claim that is not usable as it is given costs itself and not the others: in place of its entry stand its id and ``error``.

    `find` turns an id into a claim in a worker process; it must be importable when ``jobs > 1``.
    """
    done, stored = done or {}, {} if stored is None else stored
    own: dict[str, Stored] = {}
    for key, certificate in stored.items():
        own.setdefault(key.split(" ")[0], {})[key] = certificate
    decide = partial(_decided, find, {"budget": budget, "seed": seed, "backend": backend})
    todo = [(c.id, own.get(c.id, {})) for c in claims if c.id not in done]
    with closing(each(decide, todo, jobs)) as decided:
        for c in claims:
            progress(c.id)
            if c.id in done:
                yield done[c.id]
                continue
            one, found = next(decided)
            stored.update(found)
            yield one


def _decided(find: Callable[[str], Claim], options: Any, todo: tuple[str, Stored]) -> tuple[dict[str, Any], Stored]:
    """The report entry of one claim, and its certificates by key, with the new ones; what is wrong with one that is not usable."""
    id, stored = todo
    one = find(id)
    try:
        return entry(verify(one, stored=stored, **options)), stored
    except UsageError as error:
        return {"id": id, "error": str(error)}, {}


def entry(v: Verdict) -> dict[str, Any]:
    """One claim of the report."""
    return v.to_json() | ({"crashed": True} if v.crashed else {})


def with_repairs(entries: list[dict[str, Any]], claims: Mapping[str, Claim]) -> None:
    """Fill in what the repairs of the refuted claims came to."""
    by_id = {e["id"]: e for e in entries}
    for e in entries:
        repair = claims[e["id"]].repair if e["id"] in claims else None
        if repair is not None and repair in by_id:
            e["repair"] = {
                "id": repair,
                "latex": claims[repair].note or claims[repair].latex,
                "verdict": by_id[repair]["verdict"],
            }


def report(entries: list[dict[str, Any]], *, seed: int, budget: str, complete: bool) -> dict[str, Any]:
    """The JSON report."""
    return {
        "schema": SCHEMA,
        "version": version(),
        "seed": seed,
        "budget": budget,
        "complete": complete,
        "environment": environment(),
        "claims": [{k: v for k, v in e.items() if k != "crashed"} for e in entries],
    }


def read_report(path: str) -> dict[str, Any]:
    """Read a report of this schema.

    Raises
    ------
    UsageError
        If the file is missing, is no JSON, or is no report.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}:{error.lineno}: not JSON: {error.msg}") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or not isinstance(data.get("claims"), list):
        raise UsageError(f"{path}: not a fedtheory report of schema {SCHEMA}")
    for e in data["claims"]:
        if not isinstance(e, dict) or not isinstance(e.get("id"), str) or e.get("verdict") not in VERDICTS:
            raise UsageError(f"{path}: a claim without id or with an unknown verdict: {str(e)[:80]}")
    return data


def differences(
    expected: dict[str, Any], entries: list[dict[str, Any]], *, budget: str, chosen: Callable[[str], bool]
) -> list[str]:
    """How the verdicts fall short of an expected report: missing, contradicting or, at the same budget, weaker ones."""
    got = {e["id"]: e["verdict"] for e in entries}
    out = []
    for e in expected["claims"]:
        id, want = e["id"], e["verdict"]
        if id not in got:
            if chosen(id):
                out.append(f"{id}: expected {want}, missing")
        elif contradicts(want, got[id]):
            out.append(f"{id}: expected {want}, got {got[id]}, which contradicts it")
        elif budget == expected.get("budget") and weaker(want, got[id]):
            out.append(f"{id}: expected {want}, got {got[id]}, which is weaker")
    return out
