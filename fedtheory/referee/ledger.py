"""The set of verdicts: which claims to run, running them, the JSON report, comparison with an expected ledger."""

from __future__ import annotations

import fnmatch
import json
import runpy
import traceback
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ..claim import Claim
from ..engines.docket import Stored
from ..errors import UsageError, did_you_mean
from ..files import environment, version
from ..verdict import VERDICTS, Verdict, contradicts, weaker
from .decide import verify

SCHEMA = 1


def load_file(path: str) -> dict[str, Claim]:
    """The claims of a user's file, by id.

    Raises
    ------
    UsageError
        If the file cannot be read or raises, with file and line, or if it holds no claim.
    """
    if not Path(path).is_file():
        raise UsageError(f"{path}: no such file")
    try:
        names = runpy.run_path(path)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    except SyntaxError as error:
        raise UsageError(f"{path}:{error.lineno}: SyntaxError: {error.msg}") from None
    except Exception as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
        at = f":{frames[-1].lineno}" if frames else ""
        raise UsageError(f"{path}{at}: {type(error).__name__}: {error}") from None
    found: dict[str, Claim] = {}
    for value in names.values():
        if isinstance(value, Claim):
            if value.id in found and found[value.id] is not value:
                raise UsageError(f"{path}: two claims are called {value.id}")
            found[value.id] = value
    if not found:
        raise UsageError(f"{path}: no claim in this file; decorate a function with @claim(...)")
    return found


def select(claims: Mapping[str, Claim], patterns: Iterable[str], paper: str | None) -> list[Claim]:
    """The claims named by ids or patterns (all of them if there is none), each followed by its repair.

    Raises
    ------
    UsageError
        If a pattern or the paper matches nothing.
    """
    chosen: dict[str, Claim] = {}
    papers = sorted({i.split("/")[0] for i in claims})
    if paper is not None and paper not in papers:
        raise UsageError(f"--paper must be one of {', '.join(papers)}, got {paper!r}{did_you_mean(paper, papers)}")
    for pattern in list(patterns) or ["*"]:
        hits = [i for i in claims if fnmatch.fnmatchcase(i, pattern)]
        if not hits:
            raise UsageError(
                f"no claim is called {pattern!r}{did_you_mean(pattern, claims)} (fedtheory list shows all)"
            )
        for i in hits:
            if paper in (None, i.split("/")[0]):
                chosen[i] = claims[i]
                repair = claims[i].repair
                if repair is not None and repair in claims:
                    chosen[repair] = claims[repair]
    return list(chosen.values())


def run(
    claims: list[Claim],
    *,
    budget: str = "quick",
    seed: int = 0,
    backend: str = "numpy",
    jobs: int = 1,
    stored: Stored | None = None,
    find: Callable[[str], Claim] | None = None,
    done: Mapping[str, dict[str, Any]] | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterable[dict[str, Any]]:
    """Yield one report entry a claim, in order; entries in `done` are taken over.

    `find` turns an id into a claim in a worker process; it must be importable when ``jobs > 1``.
    """
    done = done or {}
    todo = [c for c in claims if c.id not in done]
    options: dict[str, Any] = {"budget": budget, "seed": seed, "backend": backend}
    if jobs > 1 and find is not None and len(todo) > 1:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            futures = {c.id: pool.submit(_work, find, c.id, options, stored) for c in todo}
            for c in claims:
                progress(c.id)
                yield done[c.id] if c.id in done else futures[c.id].result()
        return
    for c in claims:
        progress(c.id)
        yield done[c.id] if c.id in done else entry(verify(c, stored=stored, **options))


def _work(find: Callable[[str], Claim], id: str, options: dict[str, Any], stored: Stored | None) -> dict[str, Any]:
    return entry(verify(find(id), stored=stored, **options))


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
