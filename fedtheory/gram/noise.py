"""Forms and vectors in the mean over errors n_i of mean zero, which are independent from client to client: E<n_i, n_j> = 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ..errors import NotApplicable
from .forms import Form, Key, Rows
from .kinds import MASKED, SELECTED, gram_key
from .ratio import ZERO, Ratio

if TYPE_CHECKING:
    from ..quantity import Quantity


class WithErrors(Protocol):
    """What is read of the client sums of a generic client."""

    noise: frozenset[int]
    drawn: set[int]
    kinds: list[str]
    sizes: dict[str, Ratio]
    of_weighted: dict[int, tuple[str, int, Ratio]]

    def _mapped(self, form: Form, key: Callable[[Key, Quantity], Mapping[Key, Quantity]]) -> Form: ...


def quiet(numbers: WithErrors, form: Form) -> Form:
    """A form in the mean over the errors, of which there are second moments alone.

    Raises
    ------
    NotApplicable
        If errors stand in sums with weights or over a selection, or a function is asked at a point with an error.
    """
    own = min(numbers.noise)

    def key(k: Key, c: Quantity) -> Mapping[Key, Quantity]:
        places = k[1:3] if k and k[0] != "v" else ()
        if any(numbers.of_weighted[i][1] in numbers.noise for i in places if i in numbers.of_weighted):
            raise NotApplicable("errors in a sum with weights")
        loud = [i for i in places if i in numbers.noise]
        if not loud:
            return {k: c}
        if k[0] not in ("G", "M") or len(k) > 3 or any(numbers.kinds[i] in (SELECTED, MASKED) for i in places):
            raise NotApplicable("errors in a sum with weights, or over selected clients")
        if any(i in numbers.drawn for i in places):
            raise NotApplicable("a function at a point with an error")
        if len(loud) == 1:
            return {}
        if k[0] == "M" or places == (own, own):
            return {k: c}
        return {("M", own, own) if places[0] == places[1] else gram_key(own, own): c / numbers.sizes["m"]}

    return numbers._mapped(form, key)


def quiet_rows(numbers: WithErrors, u: Rows) -> Rows:
    """A vector in the mean over the errors."""
    out = u.view(np.ndarray).copy()
    weighted = (slot for slot, (_, leaf, _) in numbers.of_weighted.items() if leaf in numbers.noise)
    for slot in (*numbers.noise, *weighted):
        out[..., slot] = ZERO
    return out.view(Rows)
