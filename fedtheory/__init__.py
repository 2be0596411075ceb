"""A referee for federated-optimisation theory: write a lemma as a function of an instance, and get a verdict.

Functions of this package:

========================  ===========================================================================================
``claim(id, world=...)``  decorator that makes a claim of a function ``body(x)``; see ``help(fedtheory.claim)``
``verify(claim)``         decide it: a `Verdict` with ``.verdict``, ``.holds``, ``.witness``, ``.reason``, ``.evidence``
``le(a, b)``              the relation a <= b, what a body returns
``lt(a, b)``              the relation a < b
``eq(a, b)``              the relation a == b
``Control(why, body)``    a false statement near the claim, which the search must refute
``Condition(...)``        a condition as a paper states it; ``problems.condition`` makes one for ``given=(...)``
========================  ===========================================================================================

Worlds and function classes are in ``problems`` (``Scalars``, ``Points``, ``Convex``, ...); what a body may ask of ``x``
is listed by ``help(fedtheory.Instance)``. The command line is ``fedtheory --help``, also ``python -m fedtheory``.

Examples
--------
>>> from fedtheory import Control, claim, le, verify
>>> from problems import Scalars, positive
>>> @claim("draft/halves", world=Scalars(a=positive(), b=positive()),
...        control=Control("the product is no larger for a = b", lambda x: le(x.a**2 + x.b**2, x.a*x.b)))
... def halves(x):
...     return le(x.a**2 + x.b**2, 2*x.a*x.b)
>>> verify(halves).holds
False
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from .claim import Claim as Claim
from .claim import Control as Control
from .claim import claim as claim
from .errors import NotApplicable as NotApplicable
from .errors import UsageError as UsageError
from .files import version as _version
from .instance import Instance as Instance
from .relation import Condition as Condition
from .relation import Relation as Relation
from .relation import eq as eq
from .relation import le as le
from .relation import lt as lt
from .verdict import Evidence as Evidence
from .verdict import Verdict as Verdict

if _TYPE_CHECKING:
    from .referee.decide import verify as verify

__version__ = _version()
__all__ = (
    "Claim", "Condition", "Control", "Evidence", "Instance", "NotApplicable", "Relation", "UsageError", "Verdict",
    "claim", "eq", "le", "lt", "verify",
)  # fmt: skip


def __getattr__(name: str) -> _Any:
    """`verify` comes with its engines when it is first asked for; what does without them starts sooner."""
    if name != "verify":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .referee.decide import verify

    globals()[name] = verify
    return verify
