"""The claims that a command may speak of: those of drafts and those of the installed papers."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .. import registry
from ..claim import Claim
from ..errors import UsageError
from ..formats import Json
from ..referee.cache import files_of, loaded_files
from ..referee.ledger import select


def _file_of(claim: Claim) -> str:
    """The file in which a claim's body stands; empty where that is none."""
    code = getattr(inspect.unwrap(claim.body), "__code__", None)
    return code.co_filename if code is not None and os.path.isfile(code.co_filename) else ""


class Known:
    """The claims of a command line; drafts are loaded, and papers imported, when they are asked for.

    A worker process gets the words of the command line and loads the drafts itself.

    Parameters
    ----------
    words : iterable of str
        Ids, patterns, files and folders of drafts.
    """

    def __init__(self, words: Iterable[str] = ()) -> None:
        from ..drafts import is_draft

        words = tuple(w + "/" if w.endswith(".py") and Path(w).is_dir() else w for w in words)
        self.files = tuple(w for w in words if is_draft(w))
        self.patterns = tuple(w for w in words if not is_draft(w))
        self._own: Mapping[str, Claim] | None = None

    def __reduce__(self) -> Any:
        return Known, ((*self.files, *self.patterns),)

    @property
    def own(self) -> Mapping[str, Claim]:
        """The claims of the drafts by id."""
        if self._own is None:
            from ..drafts import load

            own, published = load(self.files), []
            for id, c in own.items():
                head = id.split("/")[0]
                if head not in registry.papers() or id not in registry.claims(head):
                    continue
                file = _file_of(registry.claims(head)[id])
                if not (file and os.path.samefile(file, _file_of(c))):
                    raise UsageError(
                        f"{c.source}: {id} is a published claim of the installed paper {head}"
                        f"{f', in {file}' if file else ''}; give the draft another id, or install its package with pip install -e"
                    )
                published.append(id)  # the file is a module of the installed paper, as its author edits it
            self.patterns = (*self.patterns, *published)
            self._own = {id: c for id, c in own.items() if id not in published}
        return self._own

    def was_of_a_file(self, id: str, source: str) -> bool:
        """Whether a claim of a ledger belongs to the files of the command line: it has the paper part of their claims, and does
        not stand in another file that is still there."""
        if id.split("/")[0] not in {own.split("/")[0] for own in self.own}:
            return False
        name = Path(source.rpartition(":")[0]).name
        others = [Path(f).parent / name for f in self.files if f.endswith(".py")]
        whole = any(not f.endswith(".py") for f in self.files)
        return whole or name in {Path(f).name for f in self.files} or not any(f.is_file() for f in others)

    def claim(self, id: str) -> Claim:
        """One claim, of a draft or published.

        Raises
        ------
        UsageError
            If there is none.
        """
        return self.own[id] if id in self.own else registry.claim(id)

    def select(self, paper: str | None = None) -> list[Claim]:
        """Every claim of the drafts and every one that an id or a pattern names, each followed by its repair; all of the
        papers' if the command line names none.

        Raises
        ------
        UsageError
            If a pattern or the paper matches nothing, or a repair is no claim.
        """
        own = [id for id in self.own if paper in (None, id.split("/")[0])]
        if self.own and not own and not self.patterns:
            raise UsageError(f"--paper {paper}: {' '.join(self.files)} has no claim of it")
        return self._select((*own, *self.patterns), paper)

    def named(self, pattern: str) -> list[Claim]:
        """The claims, of drafts or published, that an id or a pattern names, each followed by its repair."""
        return self._select((pattern,), None)

    def _select(self, patterns: tuple[str, ...], paper: str | None) -> list[Claim]:
        drafts = {id.split("/")[0] for id in self.own}
        if paper is not None and paper not in drafts:
            registry.paper(paper)
        published = {id: c for one in self._papers(patterns, paper) for id, c in registry.claims(one).items()}
        return select({**published, **self.own}, patterns, paper, self.claim)

    def _papers(self, patterns: tuple[str, ...], paper: str | None) -> Iterable[str]:
        """The installed papers whose claims the patterns may mean."""
        foreign = [p for p in patterns if p not in self.own]
        if self.files and not foreign:
            return ()
        if paper is not None:
            return {paper} & set(registry.papers())
        heads = {p.split("/")[0] for p in foreign}
        if not foreign or heads - {id.split("/")[0] for id in self.own} - set(registry.papers()):
            return registry.papers()  # also for a misspelt pattern, to which the nearest id is sought
        return [id for id in registry.papers() if id in heads] if heads else ()

    def met(self, id: str) -> bool | None:
        """Whether the printed experiments of a claim's paper meet its assumptions; None for one of a draft."""
        from ..referee.met import met_in_experiments

        return None if id in self.own else met_in_experiments(self.claim(id), registry.paper(id.split("/")[0]))

    def certificates(self, claims: Iterable[Claim]) -> Json:
        """The stored certificates of the papers of these claims; a draft has none."""
        out: Json = {}
        for id in dict.fromkeys(c.id.split("/")[0] for c in claims if c.id not in self.own):
            out |= registry.paper(id).certificates()
        return out

    def evidence(self, claims: Iterable[Claim]) -> list[Json]:
        """The evidence that the papers of these claims ship; a draft has none."""
        papers = dict.fromkeys(c.id.split("/")[0] for c in claims if c.id not in self.own)
        return [registry.paper(id).evidence() for id in papers]

    def sources(self, id: str) -> tuple[Path, ...]:
        """The source files of a claim's own paper, or of its draft; none where they cannot be found."""
        from ..drafts import package_of

        if id in self.own:
            return loaded_files(package_of(self.own[id]))
        return tuple(f for package in self.editable(id) for f in files_of(package))

    def editable(self, id: str) -> tuple[str, ...]:
        """The packages whose functions a mutant of a claim may change: its paper's, or its draft's."""
        from ..drafts import package_of

        if id in self.own:
            return tuple(filter(None, [package_of(self.own[id])]))
        paper = registry.paper(id.split("/")[0])
        return tuple(filter(None, [paper.package, paper.formulas]))
