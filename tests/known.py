"""Statements whose truth is known beforehand: which verdicts they may have. Those that they stand on are decided once a process."""

from typing import Any

from fedtheory.referee.composition import _with_its_lemmas

DECIDED: dict[str, Any] = {}


def holds_true(one, expect):
    """Where the verdict is not `proved`, this one is what the engines come to, or they prove it by now."""
    v = _with_its_lemmas(one, {}, DECIDED)
    assert v.verdict in (expect, "proved"), (v.verdict, v.reason)


def holds_false(one, expect):
    """Nor does an engine prove it, whatever a search finds."""
    v = _with_its_lemmas(one, {}, DECIDED)
    assert v.verdict in (expect, "refuted"), (v.verdict, v.reason)
    assert not [e.engine for e in v.evidence if e.outcome == "proves"]
