"""The set of verdicts: which claims to run, running them, the JSON report, comparison with an expected ledger."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ..claim import Claim
from ..drafts import package_of
from ..drafts.reading import deciding, late
from ..engines.context import Stored
from ..errors import UsageError, did_you_mean
from ..files import environment, version
from ..formats import Document, Json
from ..garbage import seldom_looked_for
from ..processes import TRIES, cores, each
from ..verdict import Evidence, Verdict, contradicts, weaker
from .cache import Cache, Sources, digest, digest_of_json, key
from .composition import compose, in_order, of_its_lemmas_too, with_lemmas
from .shipped import Shipped, engines
from .statement import statement

SCHEMA = 1
TIMES = ("median_ms",)  # among the numbers of evidence
MANY = 40  # claims from which on processes pay
T = TypeVar("T")
GRACE, WAIT = 1.1, 30.0  # times the limit of a claim, and seconds, after which its process is ended
# of entries, not of reports
MARKS = ("crashed", "cached", "certificate", "late", "edited", "shipped", "guards", "resumed")


def select(
    claims: Mapping[str, Claim], patterns: Iterable[str], paper: str | None, find: Callable[[str], Claim]
) -> list[Claim]:
    """The claims named by ids or patterns (all if there is none), each with its repair and its lemmas, as `find` gives them.

    Raises
    ------
    UsageError
        If a pattern or the paper matches nothing, or a repair is no claim.
    """
    chosen: dict[str, Claim] = {}
    for pattern in list(patterns) or ["*"]:
        hits = [i for i in claims if fnmatch.fnmatchcase(i, pattern)]
        if not hits and claims:
            whose = f"--paper {paper}: no claim of it" if paper else "no claim"
            heads = {i.split("/")[0] for i in claims}
            near = f"; --paper {pattern} takes all of it" if pattern in heads else did_you_mean(pattern, claims)
            raise UsageError(f"{whose} is called {pattern!r}{near} (fedtheory list shows all)")
        inside = [i for i in hits if paper in (None, i.split("/")[0])]
        if hits and not inside:
            raise UsageError(f"--paper {paper}: no claim of it is called {pattern!r}")
        for i in inside:
            chosen[i] = claims[i]
            if (repair := claims[i].repair) is not None:
                try:
                    chosen[repair] = find(repair)
                except UsageError as error:
                    raise UsageError(f"claim {i}: repair={repair!r}: {error}") from None
    if not chosen:
        raise UsageError(f"--paper {paper}: it has no claim here" if paper else "there is no claim")
    return with_lemmas(chosen.values(), find)


def keys(
    claims: Iterable[Claim],
    files: Callable[[str], tuple[Path, ...]],
    sources: Sources,
    stored: Stored,
    **options: object,
) -> dict[str, str | None]:
    """The hash of all that the verdict on each claim depends on, by id; `files` gives the sources of a claim's package."""
    own = by_claim({name: digest_of_json(certificate) for name, certificate in stored.items()})
    return {c.id: key(c, files(c.id), sources, of_its_lemmas_too(c, own), options) for c in claims}


def run(
    claims: list[Claim],
    find: Callable[[str], Claim],
    *,
    budget: str = "quick",
    seed: int = 0,
    backend: str = "numpy",
    jobs: int | None = 1,
    claim_limit: float | None = None,
    stored: Stored | None = None,
    done: Mapping[str, dict[str, object]] | None = None,
    keys: Mapping[str, str | None] | None = None,
    cache: Cache | None = None,
    shipped: Shipped | None = None,
) -> Generator[Json, None, None]:
    """Yield one report entry a claim as it comes: those in `done`, those in the cache, those of which shipped evidence holds,
    then those that are decided.

    Parameters
    ----------
    claims : list of Claim
        One that is not usable as it is given costs itself and not the others: in place of its entry stand its id and ``error``.
    find : callable
        Turns an id into a claim in a worker process; it must be importable when ``jobs > 1``.
    jobs : int or None
        Processes; None is one a core where many claims are left to decide.
    claim_limit : float, optional
        Seconds after which a claim is left undecided.
    stored : dict, optional
        Certificates by key; new ones are added.
    done : mapping, optional
        Entries by id that are taken over.
    keys : mapping, optional
        Hash of each claim, from `keys`; goes into the entries.
    cache : Cache, optional
        Verdicts are taken from it, and kept in it as they come.
    shipped : Shipped, optional
        The evidence that papers ship; the entries of what is re-checked have ``shipped``: how.
    """
    done, keys, stored = done or {}, keys or {}, {} if stored is None else stored
    own = by_claim(stored)
    left: list[Claim] = []
    for c in claims:
        if (one := _known(c, done, keys, stored, cache, shipped)) is not None:
            yield one
        else:
            left.append(c)
    yield from _each(
        [(c, of_its_lemmas_too(c, own)) for c in left], find, {"budget": budget, "seed": seed, "backend": backend},
        jobs, claim_limit, stored, keys, cache,
    )  # fmt: skip


def _each(
    left: Sequence[tuple[Claim, Stored]],
    find: Callable[[str], Claim],
    options: Mapping[str, object],
    jobs: int | None,
    claim_limit: float | None,
    stored: Stored,
    keys: Mapping[str, str | None],
    cache: Cache | None,
) -> Generator[Json, None, None]:
    """Decide claims, each with what is stored of it and of its lemmas; new certificates go to those that have not begun."""
    budget, todo = options["budget"], [(c.id, known) for c, known in left]
    users: dict[str, list[Stored]] = {}  # by lemma, what is stored for those that are proved from it
    for c, theirs in left:
        for lemma in c.lemmas:
            users.setdefault(lemma.id, []).append(theirs)
    jobs = (cores() if len(todo) > MANY else 1) if jobs is None else jobs
    before = {} if cache is None else cache.seconds()
    took: dict[str, float] = {}
    decided = each(
        partial(_decided, find, {**options, "claim_limit": claim_limit}), todo, jobs,
        died=partial(_died, find), late=partial(_late, find, claim_limit),
        limit=None if claim_limit is None else GRACE * claim_limit + WAIT,
        cost=lambda one: before.get(f"{budget} {one[0]}", 0.0),
    )  # fmt: skip
    try:
        with closing(decided):
            for k, (one, found) in decided:
                id, known = todo[k]
                if "error" in one:
                    yield one
                    continue
                stored.update(found)
                for theirs in users.get(id, ()):
                    theirs.update(by_claim(found).get(id, {}))
                took[f"{budget} {id}"] = one["seconds"]
                own_key = None if one.get("crashed") or one.get("late") or one.get("guards") else keys.get(id)
                if cache is not None:
                    cache.put(own_key, [one, {name: c for name, c in found.items() if known.get(name) != c}])
                yield {**one, "key": own_key}
    finally:
        if cache is not None:
            cache.close(took)


def _known(
    c: Claim,
    done: Mapping[str, Json],
    keys: Mapping[str, str | None],
    stored: Stored,
    cache: Cache | None,
    shipped: Shipped | None,
) -> Json | None:
    """The entry of a claim that need not be decided: one in `done`, in the cache, or one of which shipped evidence holds."""
    if c.id in done:
        return done[c.id]
    if cache is not None and (kept := cache.get(keys.get(c.id))) is not None:
        one, found = kept
        stored.update(found)
        return {**one, "key": keys[c.id], "cached": True}
    if shipped is not None and (held := shipped.get(c)) is not None:
        return {**held, "key": keys.get(c.id)}
    return None


def by_claim(stored: Mapping[str, T]) -> dict[str, dict[str, T]]:
    """Stored certificates, or what there is of each, by the claim that they belong to."""
    own: dict[str, dict[str, T]] = {}
    for name, certificate in stored.items():
        own.setdefault(name.split(" ")[0].removesuffix(":"), {})[name] = certificate
    return own


def _decided(find: Callable[[str], Claim], options: Any, todo: tuple[str, Stored]) -> tuple[Json, Stored]:
    """The report entry of one claim, and its certificates by key, with the new ones; what is wrong with one that is not usable."""
    from .decide import verify  # and all engines, which a list of claims needs none of

    id, stored = todo
    one, stored = find(id), dict(stored)
    try:
        with deciding(), seldom_looked_for():
            decided = entry(verify(one, stored=stored, **options))
        return decided | ({"late": True} if late(package_of(one)) else {}), stored
    except UsageError as error:
        return {"id": id, "error": str(error)}, {}


def _died(find: Callable[[str], Claim], todo: tuple[str, Stored]) -> tuple[Json, Stored]:
    """The report entry of a claim over which worker processes died."""
    from .decide import undecided

    v = undecided(find(todo[0]))
    v.crashed, v.reason = True, f"worker died: {TRIES} processes were killed while they decided it (out of memory?)"
    v.evidence.append(Evidence("referee", "fails", reason=v.reason))
    return entry(v), {}


def _late(find: Callable[[str], Claim], limit: float | None, todo: tuple[str, Stored]) -> tuple[Json, Stored]:
    """The report entry of a claim whose worker process was ended, as nothing in it could end what took so long."""
    from .decide import over, undecided

    v = undecided(find(todo[0]))
    over(v, limit)
    return entry(v), {}


def entry(v: Verdict) -> Json:
    """One claim of the report."""
    marks = {"crashed": v.crashed, "certificate": v.certificate, "guards": v.guards}
    return v.to_json() | {name: mark for name, mark in marks.items() if mark}


def finished(entries: Iterable[dict[str, object]], claims: Mapping[str, Claim]) -> list[Json]:
    """The entries with the verdicts on lemmas counted, and with what the repairs of refuted claims came to."""
    done = compose(entries, claims)
    for e in done:
        if e["id"] in claims:
            e["statement"] = statement(claims[e["id"]])
    by_id = {e["id"]: e for e in done}
    for e in done:
        repair = claims[e["id"]].repair if e["id"] in claims else None
        if repair is not None and repair in by_id:
            e["repair"] = {
                "id": repair,
                "latex": claims[repair].note or claims[repair].latex,
                "verdict": by_id[repair]["verdict"],
            }
    return done


def report(entries: list[Json], *, seed: int, budget: str, complete: bool) -> Json:
    """The JSON report; of equal sources and versions the same bytes up to its last four parts.

    Parts of a run stand at its end: ``environment``, the machine, versions and ``sources``, the hash of the sources that decide;
    ``timing``, by id what each claim took, ``{"seconds": ..., "evidence": {"2": {"median_ms": ...}}}`` with the times among the
    numbers of its evidence; ``answers``, the ids of what was decided, re-checked, searched again (see `shipped`) or kept; and
    ``guards``, by id what was ended without an answer. `read_report` puts the times back into the claims. A claim's ``key`` is
    the hash of all that its verdict depends on; null for one that is not to be taken over, as its engine crashed or its source
    cannot be read.
    """
    timing = {}
    claims = []
    answers: dict[str, list[str]] = {}
    for e in entries:
        evidence = [{**said, "numbers": _without(said["numbers"], TIMES)} for said in e["evidence"]]
        times = {
            str(k): {t: said["numbers"][t] for t in TIMES if t in said["numbers"]}
            for k, said in enumerate(e["evidence"])
        }
        timing[e["id"]] = {"seconds": e["seconds"], "evidence": {k: found for k, found in times.items() if found}}
        answers.setdefault(_answered(e), []).append(e["id"])
        one = _without({**e, "evidence": evidence, "key": e.get("key")}, ("seconds", "check", *MARKS))
        claims.append({**one, "check": checksum(one)})
    return {
        "schema": SCHEMA,
        "version": version(),
        "seed": seed,
        "budget": budget,
        "complete": complete,
        "claims": claims,
        "environment": {**environment(), "sources": engines()},
        "timing": timing,
        "answers": answers,
        "guards": {e["id"]: e["guards"] for e in entries if e.get("guards")},
    }


def _answered(e: Document) -> str:
    """How a claim of a run came to its entry."""
    return "kept" if e.get("cached") or e.get("resumed") else e.get("shipped") or "decided"


def checksum(e: Mapping[str, object]) -> str:
    """The hash of an entry of a report, but of its own: an edit by hand shows, a forgery that writes a new one does not."""
    return digest(_without(e, ("check",)))


def certificates(entries: Iterable[Document]) -> dict[str, Json]:
    """The certificate file of each paper: what `fedtheory_check` reads."""
    papers: dict[str, list[Document]] = {}
    for e in entries:
        papers.setdefault(e["id"].split("/")[0], []).append(e)
    return {
        paper: {
            "schema": "fedtheory certificates", "version": 2, "paper": paper,
            "claims": in_order(own, {e["id"]: e for e in own}),
        }
        for paper, own in papers.items()
    }  # fmt: skip


def in_lines(certificate: Document) -> str:
    """A certificate file with a line a claim."""
    head = json.dumps({**certificate, "claims": []}, indent=None).removesuffix("]}")
    return head + "\n" + ",\n".join(json.dumps(claim) for claim in certificate["claims"]) + "\n]}\n"


def verdict_part(data: Mapping[str, object]) -> Json:
    """The part of a report that two runs and two machines write alike."""
    return _without(data, ("environment", "timing", "answers", "guards"))


def _without(data: Mapping[str, object], names: Iterable[str]) -> Json:
    return {k: v for k, v in data.items() if k not in names}


def read_report(path: str) -> Json:
    """Read a report of this schema (`fedtheory.formats`); every claim has its ``seconds``, where the report tells them.

    Raises
    ------
    UsageError
        If the file is missing, is no JSON, or is no report.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}:{error.lineno}: not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:  # brackets in brackets, or a number without end
        raise UsageError(f"{path}: cannot be read: {str(error).split(';')[0]}") from None
    from ..formats import check  # when it is needed: most commands read no report

    check(data, "report", f"{path}: not a fedtheory report of schema {SCHEMA}")
    timing = data.get("timing", {})
    seen: set[str] = set()
    for e in data["claims"]:
        if e["id"] in seen:
            raise UsageError(f"{path}: two claims are called {e['id']}")
        seen.add(e["id"])
        if e.get("check") != checksum(e):
            e["edited"] = True
        try:
            times = timing.get(e["id"], {})
            e.setdefault("seconds", times.get("seconds", 0.0))
            for k, found in times.get("evidence", {}).items():
                e["evidence"][int(k)]["numbers"].update(found)
        except (KeyError, IndexError, ValueError):
            raise UsageError(f"{path}: the times of {e['id']} do not fit the claim: {str(timing)[:80]}") from None
    return data


def differences(
    expected: Json, entries: list[Json], *, budget: str, chosen: Callable[[dict[str, object]], bool]
) -> list[str]:
    """How the verdicts fall short of an expected report: missing, contradicting or, at the same budget, weaker ones, and those of
    another statement, where the report has the hash of what its claims say."""
    got = {e["id"]: e["verdict"] for e in entries}
    says = {e["id"]: e.get("statement") for e in entries}
    out = []
    for e in expected["claims"]:
        id, want = e["id"], e["verdict"]
        if id not in got:
            if chosen(e):
                out.append(f"{id}: expected {want}, missing")
        elif says[id] != e.get("statement", says[id]):
            out.append(
                f"{id}: expected {want} of another statement: the claim says something else now, and is {got[id]}"
            )
        elif contradicts(want, got[id]):
            out.append(f"{id}: expected {want}, got {got[id]}, which contradicts it")
        elif budget == expected.get("budget") and weaker(want, got[id]):
            out.append(f"{id}: expected {want}, got {got[id]}, which is weaker")
    return out
