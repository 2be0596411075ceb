"""The claims that a command may speak of: those of drafts and those of the installed papers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .. import registry
from ..claim import Claim
from ..referee.ledger import select


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

            self._own = load(self.files)
        return self._own

    def claim(self, id: str) -> Claim:
        """One claim, of a draft or published.

        Raises
        ------
        UsageError
            If there is none.
        """
        return self.own[id] if id in self.own else registry.claim(id)

    def select(self, paper: str | None = None) -> list[Claim]:
        """The claims that the command line names, each followed by its repair; all of the papers' if it names none.

        Raises
        ------
        UsageError
            If a pattern or the paper matches nothing, or a repair is no claim.
        """
        drafts = {id.split("/")[0] for id in self.own}
        if paper is not None and paper not in drafts:
            registry.paper(paper)
        published = {id: c for one in self._papers(paper) for id, c in registry.claims(one).items()}
        return select({**published, **self.own}, self.patterns, paper, self.claim)

    def _papers(self, paper: str | None) -> Iterable[str]:
        """The installed papers whose claims the command line may mean."""
        if self.files and not self.patterns:
            return ()
        if paper is not None:
            return {paper} & set(registry.papers())
        heads = {p.split("/")[0] for p in self.patterns if p not in self.own}
        if not self.patterns or heads - {id.split("/")[0] for id in self.own} - set(registry.papers()):
            return registry.papers()  # also for a misspelt pattern, to which the nearest id is sought
        return [id for id in registry.papers() if id in heads] if heads else ()

    def certificates(self, claims: Iterable[Claim]) -> dict[str, Any]:
        """The stored certificates of the papers of these claims; a draft has none."""
        out: dict[str, Any] = {}
        for id in dict.fromkeys(c.id.split("/")[0] for c in claims if c.id not in self.own):
            out |= registry.paper(id).certificates()
        return out

    def editable(self, id: str) -> tuple[str, ...]:
        """The packages whose functions a mutant of a claim may change: its paper's, or its draft's."""
        from ..drafts import package_of

        if id in self.own:
            return tuple(filter(None, [package_of(self.own[id])]))
        paper = registry.paper(id.split("/")[0])
        return tuple(filter(None, [paper.package, paper.formulas]))
