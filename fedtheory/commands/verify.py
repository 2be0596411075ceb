"""fedtheory verify: decide claims."""

from __future__ import annotations

import argparse
import fnmatch
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import guard, registry
from ..claim import Claim
from ..errors import UsageError
from ..formats import Document, Json
from ..garbage import seldom_looked_for
from ..processes import workers_of
from ..referee.cache import Cache, Sources, place
from ..referee.shipped import Shipped, in_lines, written
from ..verdict import VERDICTS
from .coverage import coverage
from .known import Known
from .on_data import on_data
from .problem import add_data
from .terminal import INTERRUPTED, bar, consoles

if TYPE_CHECKING:
    from rich.console import Console

UNUSABLE = 2  # exit status
COVERAGE: tuple[str, ...] = ("paper",)
DATA = ("on", "m", "partition", "standardise", "unit_columns", "bias", "more", "root")
EVALUATED = ("paper", "seed", "json", "all")  # options of --on besides the data
DECIDED = (
    "paper", "budget", "seed", "backend", "jobs", "scheduler", "json", "resume", "no_cache", "afresh", "changed",
    "claim_limit", "all", "refuted", "theorems", "format", "page", "overview", "plot", "expect", "fail_on",
    "write_certificates", "write_proofs", "write_evidence",
)  # fmt: skip
OPTIONS = {"more": "with"}  # called otherwise on the command line


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    verify = commands.add_parser("verify")
    _decided(verify.add_argument)
    _said(verify.add_argument)
    data = verify.add_argument_group("claims on data")
    data.add_argument(
        "--on", metavar="NAME|FILE",
        help="evaluate exactly on least-squares clients of a data set (fedtheory data status)",
    )  # fmt: skip
    data.add_argument("--m", type=int, help="clients (default: 3)")
    add_data(data)
    verify.set_defaults(run=main)


def _decided(add: Callable[..., Any]) -> None:
    """Which claims, and how they are decided."""
    add("what", nargs="*", metavar="ID|PATTERN|FILE.py|FOLDER/", help="claims (default: all) or files with claims")
    add("--paper", help="claims of one paper only")
    add("--budget", help="quick, standard or deep (default: quick)")
    add("--seed", type=int, help="seed of the search (default: 0)")
    add("--backend", help="numpy, cupy or torch (default: numpy)")
    add("--jobs", type=int, help="processes (default: one a core when there are many claims)")
    add("--scheduler", metavar="ADDRESS", help="decide on the workers of a dask.distributed scheduler")
    add("--json", metavar="FILE", help="write the report")
    add("--resume", action="store_true", help="take over what --json FILE holds and what has not changed since")
    add("--no-cache", action="store_true", help="take no verdict from the cache, and keep none for the next run")
    add("--afresh", action="store_true", help="decide every claim: no evidence that a paper ships, and no cache")
    add(
        "--changed",
        nargs="?",
        const="HEAD",
        metavar="REV",
        help="only claims that say something else than at a revision of git (default: HEAD), and what stands on them",
    )
    add(
        "--claim-limit",
        type=float,
        metavar="SECONDS",
        help=f"leave a claim undecided that takes longer (default: {guard.CLAIM:g})",
    )


def _said(add: Callable[..., object]) -> None:
    """What is printed and written, and what the exit status says."""
    add("--all", action="store_true", help="print every row (default: the statements that fall, and counts)")
    add("--refuted", action="store_true", help="print all that is not true as printed, with its witness")
    add(
        "--theorems", action="store_true",
        help="print the theorems, lemmas, corollaries and propositions with their readings and repairs: verdict, what it rests on, "
        "for which lengths and clients, what is assumed",
    )  # fmt: skip
    add(
        "--format",
        choices=("github",),
        help="print annotations for GitHub's checks as well: an error at each claim that falls",
    )
    add("--page", metavar="FILE", help="write the whole --paper as a page (markdown)")
    add("--overview", metavar="FILE", help="write all papers at a glance as a page (markdown)")
    add("--plot", metavar="FILE", help="draw the verdicts (svg, png or pdf)")
    add("--expect", metavar="LEDGER", help="exit 1 where verdicts fall short of this report")
    add("--fail-on", choices=VERDICTS, help="exit 1 if a claim gets this verdict")
    add("--coverage", action="store_true", help="how many rows of the inventories are bound; verifies nothing")
    add("--write-certificates", metavar="DIR", help="store the certificates that were found, one file a paper")
    add("--write-proofs", metavar="DIR", help="write what verdicts rest on, one file a paper, for fedtheory_check.py")
    add("--write-evidence", metavar="DIR", help="store what decided every claim, one file a paper, to be re-checked")


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    with seldom_looked_for():
        return _main(o)


def _main(o: argparse.Namespace) -> int:
    _fits(o)
    out, err = consoles(o.json, o.page, o.overview)
    if o.coverage:
        return coverage(out, o.paper)
    _check(o)
    known = Known(o.what)
    selected = known.select(o.paper)
    if o.changed:
        from .touched import touched  # which runs git

        selected, said = touched(selected, known, o.changed)
        err.print(said, highlight=False, markup=False, soft_wrap=True)
    if o.on:
        return on_data(o, selected, known.own, out, err)
    try:
        return _decide(o, known, selected, out, err)
    except KeyboardInterrupt:  # before the first verdict, or after the last one while the answer was written
        kept = "" if o.no_cache or o.afresh else "; what was decided is kept in the cache; the same command goes on"
        err.print(f"interrupted{kept}", highlight=False, soft_wrap=True)
        return INTERRUPTED


def _fits(o: argparse.Namespace) -> None:
    """Raise UsageError where an option is given that the mode of the command does not look at; fill in the defaults."""
    mode = "--coverage" if o.coverage else "--on" if o.on else ""
    known = COVERAGE if o.coverage else (*EVALUATED, *DATA) if o.on else DECIDED
    listed = (*DECIDED, *EVALUATED, *DATA)
    given = [
        n for n, value in vars(o).items() if n in listed and value is not None and value is not False and value != []
    ]
    for name in given:
        if name not in known:
            option = "--" + OPTIONS.get(name, name).replace("_", "-")
            raise UsageError(f"{option} goes with --on DATA" if not mode else f"{option} has no meaning with {mode}")
    if o.coverage and o.what:
        raise UsageError(f"--coverage is of all papers, or of one with --paper, got {' '.join(o.what)}")
    o.budget, o.backend = o.budget or "quick", o.backend or "numpy"
    o.seed = o.seed or 0
    o.claim_limit = guard.CLAIM if o.claim_limit is None else o.claim_limit


def _check(o: argparse.Namespace) -> None:
    """Raise UsageError unless the values of the options can be used."""
    from .. import files
    from .._arrays import backend
    from ..engines.budget import budget_named

    budget_named(o.budget, "--budget")
    backend(o.backend, "--backend")
    if o.jobs is not None and o.jobs < 1:
        raise UsageError(f"--jobs must be at least 1, got {o.jobs}")
    if o.seed < 0:
        raise UsageError(f"--seed must be at least 0, got {o.seed}")
    if o.resume and (not o.json or files.special(o.json) or o.json == files.STDOUT):
        raise UsageError("--resume needs --json FILE, the report to take over")
    if o.json:
        files.check_writable(o.json)
    if o.write_certificates:
        files.check_folder(o.write_certificates, "--write-certificates")
    if o.write_proofs:
        files.check_folder(o.write_proofs, "--write-proofs")
    if o.write_evidence:
        files.check_folder(o.write_evidence, "--write-evidence")
    if not o.claim_limit > 0:
        raise UsageError(f"--claim-limit must be above 0, got {o.claim_limit:g}")
    if o.theorems and (o.all or o.refuted):
        raise UsageError(
            f"--theorems and {'--all' if o.all else '--refuted'} are two ways to print verdicts: choose one"
        )
    if o.plot:
        from ..show.plots import check_format

        check_format(o.plot)
    if o.page:
        if o.paper is None or o.what:
            raise UsageError(
                f"--page {o.page} needs --paper NAME and all of its claims, got {' '.join(o.what) or 'no paper'}"
            )
        files.check_writable(o.page, "--page")
    if o.overview:
        if o.paper is not None or o.what or o.changed:
            raise UsageError(
                f"--overview {o.overview} is of all claims of all papers: leave out --paper, --changed and ids"
            )
        files.check_writable(o.overview, "--overview")


def _decide(o: argparse.Namespace, known: Known, selected: list[Claim], out: Console, err: Console) -> int:
    """Decide the claims, write what is asked for, and compare with what is expected."""
    from ..referee import ledger

    expected = ledger.read_report(o.expect) if o.expect else None
    stored = known.certificates(selected)
    options = {"budget": o.budget, "seed": o.seed, "backend": o.backend}
    sources = Sources()
    keys = ledger.keys(selected, known.sources, sources, stored, **options)
    cache = None if o.no_cache or o.afresh else Cache(place(), sources)
    shipped = None if o.afresh else Shipped(known.evidence(selected), options, ledger.by_claim(stored))
    before = Before(o, known, selected, sources, keys, options)
    decided = ledger.run(
        selected, known.claim, **options, jobs=o.jobs, claim_limit=o.claim_limit, stored=stored,
        done=before.selected, keys=keys, cache=cache, shipped=shipped,
    )  # fmt: skip
    found, unusable, finished = _as_they_come(o, decided, len(selected), err)
    if not finished:
        found = before.selected | found
        _interrupted(o, len(found), len(selected), cache is not None, err)
    for message in unusable:
        err.print(f"fedtheory: error: {message}", highlight=False, markup=False, soft_wrap=True)
    if unusable and not found:
        return UNUSABLE
    _say(err, before, found.values(), cache)
    entries = [found[c.id] for c in selected if c.id in found]
    by_id = {c.id: c for c in selected}
    evidence = written(entries, by_id, **options) if o.write_evidence else {}  # before lemmas are looked at
    every = ledger.finished(entries + list(before.others.values()), {c.id: c for c in [*selected, *before.claims]})
    for e in every if o.json else ():  # which only a report says
        e["hypotheses"]["met_in_experiments"] = known.met(e["id"])
    entries = every[: len(entries)]
    report = ledger.report(every, seed=o.seed, budget=o.budget, complete=finished and not unusable)
    failed = _write(o, report, entries, stored, evidence)
    of_papers = {id for id in found if id not in known.own}
    _list(o, entries, by_id, of_papers, out)
    if failed:
        raise UsageError("; ".join(failed))
    if not finished:
        return INTERRUPTED
    crashed = [e for e in entries if e.get("crashed")]
    for e in crashed:
        err.print(f"fedtheory: {e['id']}: {e['reason']}", style="red")
    short = _short_of(o, known, entries, expected)
    for missed in short:
        err.print(f"fedtheory: {missed}", highlight=False)
    return 3 if crashed else UNUSABLE if unusable else 1 if short else 0


def _interrupted(o: argparse.Namespace, found: int, total: int, cached: bool, err: Console) -> None:
    """Say how many verdicts are kept, and where."""
    where = [f"in {o.json}; go on with --resume"] if o.json else []
    where += ["in the cache; the same command goes on"] if cached and not where else []
    told = f"; {found} of {total} verdicts are kept {where[0]}" if where else ""
    err.print(f"interrupted{told}", highlight=False, soft_wrap=True)


def _list(
    o: argparse.Namespace, entries: list[Json], claims: Mapping[str, Claim], of_papers: set[str], out: Console
) -> None:
    """Print the verdicts, and the annotations of GitHub where they are asked for."""
    from ..show.screen import shown

    listed = _theorems(entries, claims, of_papers, out.width) if o.theorems else shown(
        entries, out.width, published=of_papers, every=o.all, refuted=o.refuted
    )  # fmt: skip
    for line in listed:
        out.print(line, soft_wrap=True)
    if o.format == "github":
        from ..show.github import annotated

        for said in annotated(entries, claims):
            out.print(said, soft_wrap=True, highlight=False, markup=False)


def _as_they_come(
    o: argparse.Namespace, decided: Generator[Json, None, None], total: int, err: Console
) -> tuple[dict[str, Json], list[str], bool]:
    """(Entries by id, what is wrong with claims that are not usable, whether nobody interrupted) while a bar goes on."""
    found: dict[str, Json] = {}
    unusable: list[str] = []
    try:
        with workers_of(o.scheduler), bar(err, "verify") as progress, closing(decided):
            task = progress.add_task("", total=total)
            for e in decided:
                if "error" in e:
                    unusable.append(e["error"])
                else:
                    found[e["id"]] = e
                progress.update(task, description=e["id"], advance=1)
    except KeyboardInterrupt:
        return found, unusable, False
    return found, unusable, True


def _theorems(
    entries: list[Json], claims: Mapping[str, Claim], of_papers: Collection[str], width: int
) -> Iterator[Any]:
    """The lines of --theorems: the statements of each paper and of each draft."""
    from ..show.theorems import lines, stated

    found = {}
    for name in dict.fromkeys(e["id"].split("/")[0] for e in entries):
        own = {e["id"]: e for e in entries if e["id"].split("/")[0] == name}
        paper = registry.papers().get(name) if own.keys() & of_papers else None
        rows, bound = (paper.inventory(), paper.bindings()) if paper else ({}, {})
        published = registry.claims(name) if paper else {}
        found[name] = stated(rows, bound, published or {id: claims[id] for id in own}, own)
    return lines(found, width)


class Before:
    """What ``--resume`` takes over: the entries of a report that rest on the same sources, options and versions as now.

    Attributes
    ----------
    selected, others : dict
        Entries by id, of claims that are asked for now and of those that are not.
    claims : list of Claim
        Those of `others`.
    stale : list of str
        Ids of entries that hold no more and are not decided again.
    edited : list of str
        Ids of entries that are not as they were written, and are decided again.
    """

    def __init__(
        self, o: argparse.Namespace, known: Known, selected: list[Claim], sources: Sources,
        keys: Mapping[str, str | None], options: Mapping[str, object],
    ) -> None:  # fmt: skip
        from ..referee import ledger

        self.selected: dict[str, Json] = {}
        self.others: dict[str, Json] = {}
        self.claims: list[Claim] = []
        self.stale: list[str] = []
        self.edited: list[str] = []
        if not o.resume or not Path(o.json).exists():
            return
        before = ledger.read_report(o.json)
        if (before.get("seed"), before.get("budget")) != (o.seed, o.budget):
            raise UsageError(f"--resume: {o.json} was written with another seed or budget")
        for e in before["claims"]:
            if e["id"] in keys:
                same = e.get("key") is not None and e["key"] == keys[e["id"]]
                if same and e.get("edited"):
                    self.edited.append(e["id"])
                elif same and not (o.write_certificates or o.write_proofs or o.write_evidence):
                    self.selected[e["id"]] = e | {"resumed": True}
                continue
            try:
                c = known.claim(e["id"])
            except UsageError:  # of a draft that is not named now, or gone
                self.stale.append(e["id"])
                continue
            now = ledger.keys([c], known.sources, sources, known.certificates([c]), **options)[c.id]
            if now is None or e.get("key") != now or e.get("edited"):
                self.stale.append(c.id)
                continue
            self.others[c.id] = e | {"resumed": True}
            self.claims.append(c)


def _say(err: Console, before: Before, found: Collection[Json], cache: Cache | None) -> None:
    """What was not decided now, and what was ended, a line each."""
    cached = [e for e in found if e.get("cached")]
    shipped = Counter(e["shipped"] for e in found if e.get("shipped"))
    if shipped:
        decided = len(found) - shipped.total() - len(cached) - len(before.selected)
        said = [f"{count} {how}" for how, count in shipped.items()] + [f"{decided} decided"]
        err.print(f"{', '.join(said)}; --afresh decides all", highlight=False, soft_wrap=True)
    for e in found:
        for what in e.get("guards", ()):
            err.print(f"{e['id']}: {what}", highlight=False, markup=False, soft_wrap=True)
    for many, what in (
        (cached, "from the cache; --no-cache decides them again"), (before.selected, "from the report"),
        (before.others, "of the report that are not asked for now stay in it"),
    ):  # fmt: skip
        if many:
            err.print(f"{len(many)} verdict{'s' if len(many) > 1 else ''} {what}", highlight=False, soft_wrap=True)
    for id in before.edited:
        err.print(f"{id}: the report's entry is not as it was written; decided again", highlight=False, soft_wrap=True)
    for id in before.stale:
        err.print(
            f"{id}: left out of the report; its source is not at hand or has changed, or the entry",
            highlight=False,
            soft_wrap=True,
        )
    if cache is not None and cache.trouble:
        err.print(f"fedtheory: {cache.trouble}", highlight=False, soft_wrap=True)


def _write(
    o: argparse.Namespace, report: dict[str, object], entries: list[dict[str, object]], stored: dict[str, object],
    evidence: Document,
) -> list[str]:  # fmt: skip
    """Write the files that are asked for, picture and page of a complete run only; what cannot be written, a line each."""
    from .. import files
    from ..formats import require
    from ..referee import ledger

    def certificates() -> None:
        folder = Path(o.write_certificates)
        folder.mkdir(exist_ok=True)
        for paper in sorted({key.split("/")[0] for key in stored}):
            own = {key: stored[key] for key in sorted(stored) if key.split("/")[0] == paper}
            files.write_json(folder / f"{paper}.json", own, "stored_certificates")

    def proofs() -> None:
        folder = Path(o.write_proofs)
        folder.mkdir(exist_ok=True)
        for paper, certificate in ledger.certificates(entries).items():
            path = folder / f"{paper}.json"
            files.write_text(path, ledger.in_lines(certificate))
            require(certificate, "certificates", path)

    def shipped() -> None:
        folder = Path(o.write_evidence)
        folder.mkdir(exist_ok=True)
        for paper, own in evidence.items():
            files.write_text(folder / f"{paper}.json", in_lines(own))
            require(own, "evidence", folder / f"{paper}.json")

    def picture() -> None:
        from ..show.dots import verdicts

        verdicts(entries, o.plot)

    def page() -> None:
        from ..show import page

        text = page.page(registry.paper(o.paper), registry.claims(o.paper), report)
        files.write_text(o.page, text)

    def overview() -> None:
        from ..show.overview import overview as of

        papers = registry.papers()
        claims = {id: c for name in papers for id, c in registry.claims(name).items()}
        files.write_text(o.overview, of(papers.values(), claims, report))

    complete = report["complete"]
    wanted = (
        (o.json, lambda: files.write_json(o.json, report, "report")), (o.write_certificates, certificates),
        (o.write_proofs, proofs), (o.write_evidence, shipped), (o.plot and complete, picture), (o.page and complete, page),
        (o.overview and complete, overview),
    )  # fmt: skip
    return [failed for asked, write in wanted if asked and (failed := files.tried(write))]


def _short_of(
    o: argparse.Namespace, known: Known, entries: list[dict[str, object]], expected: dict[str, object] | None
) -> list[str]:
    """What falls short of ``--expect`` and ``--fail-on``, a line each."""
    from ..referee import ledger

    def chosen(e: Json) -> bool:
        in_paper = o.paper in (None, e["id"].split("/")[0]) and not o.changed
        named = any(fnmatch.fnmatchcase(e["id"], p) for p in known.patterns)
        return in_paper and (not o.what or named or known.was_of_a_file(e["id"], e.get("source", "")))

    short = [] if expected is None else ledger.differences(expected, entries, budget=o.budget, chosen=chosen)
    return short + [f"{e['id']}: {e['verdict']}" for e in entries if e["verdict"] == o.fail_on]
