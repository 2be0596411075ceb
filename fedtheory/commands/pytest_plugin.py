"""pytest collects claims: the id of an item ends with the id of its claim, and it fails with the counterexample.

``pytest my_lemma.py`` collects the claims of a file that is named on the command line, and ``pytest --pyargs proofs_checks
--fedtheory`` those of all files below, of installed papers as well. In a file that pytest takes for a test module claims are what
its tests are about, and items with ``--fedtheory`` alone; it is imported by pytest, any other one as ``fedtheory verify`` loads it.
Nothing but pytest is imported until a file with claims is met.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..claim import Claim
    from ..formats import Document, Json

CLAIM = re.compile(rb"\bclaim\s*\(")  # in a file with claims, after an import of fedtheory
NEGATIVE = ("refuted", "vacuous")
EXPECTED: pytest.StashKey[Document] = pytest.StashKey()
FOUND: pytest.StashKey[dict[str, str]] = pytest.StashKey()
DECISIONS: pytest.StashKey[Decisions] = pytest.StashKey()


class ClaimFails(Exception):
    """A claim that does not pass, with what is shown of it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, all in a group of their own."""
    group = parser.getgroup("fedtheory", "claims of fedtheory")
    group.addoption("--fedtheory", action="store_true", help="collect the claims of every file, not of named ones only")
    group.addoption(
        "--fedtheory-budget", choices=("quick", "standard", "deep"), default="quick", help="budget (default: quick)"
    )
    group.addoption("--fedtheory-seed", type=int, default=0, metavar="N", help="seed of the search (default: 0)")
    group.addoption("--fedtheory-jobs", type=int, default=1, metavar="N", help="processes that decide (default: 1)")
    group.addoption(
        "--fedtheory-unknown", choices=("fail", "skip"), default="fail", help="an undecided claim (default: fail)"
    )
    group.addoption("--fedtheory-no-cache", action="store_true", help="decide every claim, and keep no verdict")
    group.addoption(
        "--expect", "--fedtheory-expect", dest="fedtheory_expect", metavar="LEDGER",
        help="report with the expected verdicts: what is refuted there is a strict xfail",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Refuse options that cannot be used."""
    for name, least in (("jobs", 1), ("seed", 0)):
        if (value := config.getoption(f"fedtheory_{name}")) < least:
            raise pytest.UsageError(f"--fedtheory-{name} must be at least {least}, got {value}")
    config.stash[FOUND] = {}
    if path := config.getoption("fedtheory_expect"):
        from ..errors import UsageError
        from ..referee.ledger import read_report

        try:
            config.stash[EXPECTED] = read_report(path)
        except UsageError as error:
            raise pytest.UsageError(f"--expect {error}") from None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Generator[None, Any, Any]:
    """A file with claims that is named, or with ``--fedtheory`` any, unless pytest takes it for a test module."""
    found = yield
    if file_path.suffix != ".py" or any(file_path.match(p) for p in parent.config.getini("python_files")):
        return found
    if not _wanted(file_path, parent) or not _mentions_claims(file_path):
        return found
    if claims := published(file_path):
        return [Published.from_parent(parent, path=file_path, claims=claims)]
    if (file_path.parent / "__init__.py").exists() and not parent.session.isinitpath(file_path):
        return found  # a module of some package
    return [Draft.from_parent(parent, path=file_path), *(c for c in found if not isinstance(c, pytest.Module))]


def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> object:
    """A claim of a test module's own, where it is asked for; those of a draft are there already."""
    kind = type(obj)
    if (kind.__module__, kind.__name__) != ("fedtheory.claim", "Claim") or isinstance(collector, Draft):
        return None
    module = collector.getparent(pytest.Module)
    own = module is not None and obj.body.__module__ == module.obj.__name__  # type: ignore[attr-defined]
    return ClaimItem.of(collector, obj, ()) if own and collector.config.getoption("fedtheory") else None


def _wanted(path: Path, collector: pytest.Collector) -> bool:
    return collector.config.getoption("fedtheory") or collector.session.isinitpath(path)


def _mentions_claims(path: Path) -> bool:
    try:
        text = path.read_bytes()
    except OSError:
        return False
    return b"fedtheory" in text and CLAIM.search(text) is not None


class Draft(pytest.Module):
    """A file of a draft, loaded as ``fedtheory verify`` loads it; what else pytest collects in it, it collects as well."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        from ..drafts import NoClaim, made_by
        from ..errors import UsageError
        from .known import Known

        known = Known([os.path.relpath(self.path, self.config.invocation_params.dir)])
        try:
            self.obj, claims = made_by(str(self.path), known.own.values())
        except UsageError as error:
            if isinstance(error, NoClaim) and not self.session.isinitpath(self.path):
                return  # only its text looked like one
            raise self.CollectError(str(error)) from None
        for c in claims:
            yield ClaimItem.of(self, c, known.files)
        yield from super().collect()


class Published(pytest.File):
    """A file of an installed paper's package, with the claims whose bodies stand in it."""

    def __init__(self, *, claims: list[Claim], **more: Any) -> None:
        super().__init__(**more)
        self.claims = claims

    def collect(self) -> Iterator[ClaimItem]:
        for c in self.claims:
            yield ClaimItem.of(self, c, (c.id,))


def published(path: Path) -> list[Claim]:
    """The claims of installed papers whose bodies stand in a file."""
    from .. import registry

    here = path.resolve()
    paper = next((id for folder, id in _packages().items() if here.is_relative_to(folder)), None)
    found = registry.claims(paper).values() if paper else ()
    modules = {c.id: sys.modules.get(c.body.__module__) for c in found}
    return [c for c in found if (m := modules[c.id]) is not None and m.__file__ and Path(m.__file__).resolve() == here]


@cache
def _packages() -> Mapping[Path, str]:
    """The paper of each folder with claims of an installed paper."""
    from importlib.util import find_spec

    from .. import registry

    specs = {id: find_spec(p.package) for id, p in registry.papers().items() if p.package}
    return {Path(s.origin).resolve().parent: id for id, s in specs.items() if s is not None and s.origin}


class ClaimItem(pytest.Item):
    """One claim, and the words by which a command line names it: its draft or its id; none in a test module."""

    def __init__(self, *, claim: Claim, words: tuple[str, ...], **more: Any) -> None:
        super().__init__(**more)
        self.claim, self.words = claim, words

    @classmethod
    def of(cls, parent: pytest.Collector, claim: Any, words: tuple[str, ...]) -> Any:
        """The item of a claim.

        Raises
        ------
        CollectError
            If another claim of this session has its id.
        """
        place = f"{parent.path}:{claim.source.rpartition(':')[2]}"
        before = parent.config.stash[FOUND].setdefault(claim.id, place)
        if before != place:
            raise parent.CollectError(f"two claims are called {claim.id}: {before} and {place}")
        return cls.from_parent(parent, name=claim.id, claim=claim, words=words)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """File, line and id."""
        line = self.claim.source.rpartition(":")[2]
        return self.path, int(line) - 1 if line.isdigit() else None, self.claim.id

    def runtest(self) -> None:
        """Decide the claim; what is not as it should be is raised."""
        stash = self.session.stash
        if DECISIONS not in stash:
            stash[DECISIONS] = Decisions(self.session)
        e = stash[DECISIONS].entry(self)
        if "error" in e:
            raise ClaimFails(e["error"])
        if e.get("crashed"):
            raise ClaimFails(f"crashed {self.claim.id}: {e['reason']}\n{e['evidence'][-1]['reason']}")
        self.user_properties.append(("verdict", e["verdict"]))
        self._judge(e)

    def _judge(self, e: Document) -> None:
        from ..show.failures import failure
        from ..show.verdicts import in_a_line
        from ..verdict import contradicts, weaker

        got, expected = e["verdict"], self.claim.expect
        strict = True
        ledger = self.config.stash.get(EXPECTED, None)
        if ledger is not None and not expected:
            expected = next((c["verdict"] for c in ledger["claims"] if c["id"] == self.claim.id), "")
            strict = ledger.get("budget") == self.config.getoption("fedtheory_budget")
        if expected and (contradicts(expected, got) or (strict and weaker(expected, got)) or _decided(expected, got)):
            raise ClaimFails(f"{in_a_line(e)}\nexpected {expected}, got {got}\n\n{failure(self.claim, e, self.words)}")
        if expected == got and got in (*NEGATIVE, "unknown"):
            pytest.xfail(in_a_line(e))
        if got == "unknown" and self.config.getoption("fedtheory_unknown") == "skip":
            pytest.skip(in_a_line(e))
        if got in (*NEGATIVE, "unknown"):
            raise ClaimFails(f"{in_a_line(e)}\n\n{failure(self.claim, e, self.words)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What a claim says of itself; of any other error the traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, ClaimFails) else super().repr_failure(excinfo, style)


def _decided(expected: str, got: str) -> bool:
    """Whether a claim that is expected not to be decided is decided."""
    return expected == "unknown" and got != "unknown"


class Decisions:
    """The entries of the claims of a session: one at a time, or all of them by several processes once the first is asked for."""

    def __init__(self, session: pytest.Session) -> None:
        from ..referee.cache import Cache, Sources, place

        option = session.config.getoption
        self.options = {"budget": option("fedtheory_budget"), "seed": option("fedtheory_seed"), "backend": "numpy"}
        self.sources = Sources()
        self.cache = None if option("fedtheory_no_cache") else Cache(place(), self.sources)
        self.found: dict[str, Json] = {}
        jobs, worker = option("fedtheory_jobs"), hasattr(session.config, "workerinput")
        if jobs > 1 and not worker:  # pytest-xdist divides the items itself
            self._decide([item for item in session.items if isinstance(item, ClaimItem)], jobs)

    def entry(self, item: ClaimItem) -> Json:
        """The report entry of one claim."""
        if item.claim.id not in self.found:
            self._decide([item], 1)
        return self.found[item.claim.id]

    def _decide(self, items: list[ClaimItem], jobs: int) -> None:
        """Decide the claims and the lemmas that they stand on; those of a test module no other process loads as a draft."""
        from ..referee import composition, ledger
        from .known import Known

        known = Known(dict.fromkeys(word for item in items for word in item.words))
        claims = composition.with_lemmas([known.claim(item.claim.id) for item in items if item.words], known.claim)
        stored = known.certificates(claims)
        keys = ledger.keys(claims, known.sources, self.sources, stored, **self.options)
        self._enter(claims, known.claim, jobs=jobs, stored=stored, keys=keys, cache=self.cache)
        own = composition.with_lemmas(item.claim for item in items if not item.words)
        self._enter(own, {c.id: c for c in own}.__getitem__)

    def _enter(self, claims: list[Claim], find: Callable[[str], Claim], **how: Any) -> None:
        from ..referee import ledger

        new = [c for c in claims if c.id not in self.found]
        self.found |= {e["id"]: e for e in ledger.run(new, find, **self.options, **how)} if new else {}
        usable = {c.id: c for c in claims if "error" not in self.found[c.id]}
        self.found |= {e["id"]: e for e in ledger.finished((self.found[id] for id in usable), usable)}
