"""A referee for federated-optimisation theory: write a lemma as a function of an instance, and get a verdict.

Where to start: ``fedtheory new claim my_lemma`` writes a file with a lemma, ``fedtheory verify my_lemma.py`` gives the verdict,
``pytest my_lemma.py`` makes a test of it. docs/tutorial.md takes a lemma from the paper to its repair, docs/writing_claims.md
has every construct, docs/examples files to copy. In Python:

============================  ===========================================================================================
``claim(id, world=...)``      decorator that makes a claim of a function ``body(x)``; see ``help(fedtheory.claim)``
``verify(claim)``             decide it: a `Verdict` with ``.verdict``, ``.holds``, ``.witness``, ``.reason``, ``.evidence``
``le(a, b)``                  the relation a <= b, what a body returns
``lt(a, b)``                  the relation a < b
``eq(a, b)``                  the relation a == b
``Control(why, body)``        a false statement near the claim, which the search must refute
``use(claim, w=...)``         a lemma at a substitution, for ``by=(...)`` of a claim that is proved from it
``assumed(why, relation)``    a fact that is taken for granted, for ``by=(...)``, and listed wherever the verdict stands
``Condition(...)``            a condition as a paper states it; ``problems.condition`` makes one for ``given=(...)``
``printed(text, relation)``   what a paper states of a whole run, for ``by=(...)`` of a claim about limits
``experiment(method, data)``  run a method on federated clients of a data set: traces, curves under their bounds, a figure
``fedtheory.testing``         strategies for hypothesis, ``given_world`` and ``assert_holds``
============================  ===========================================================================================

Worlds and function classes are in ``problems`` (``Scalars``, ``Points``, ``Convex``, ...), also called ``fedtheory.problems``;
what a body may ask of ``x``
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

from . import _start  # noqa: I001  before all that takes time
from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from .claim import Claim as Claim
from .claim import Control as Control
from .claim import claim as claim
from .errors import NotApplicable as NotApplicable
from .errors import UsageError as UsageError
from .files import version as _version
from .relation import Condition as Condition
from .relation import Relation as Relation
from .relation import eq as eq
from .relation import le as le
from .relation import lt as lt
from .theorem import assumed as assumed
from .theorem import printed as printed
from .theorem import use as use
from .verdict import Evidence as Evidence
from .verdict import Verdict as Verdict

if _TYPE_CHECKING:
    from .commands.notebook import experiment as experiment
    from .instance import Instance as Instance
    from .referee.composition import verify as verify

__version__ = _version()
__all__ = (
    "Claim", "Condition", "Control", "Evidence", "Instance", "NotApplicable", "Relation", "UsageError", "Verdict",
    "assumed", "claim", "eq", "experiment", "le", "lt", "printed", "use", "verify",
)  # fmt: skip
del _start
_LATE = {
    "Instance": ".instance",
    "experiment": ".commands.notebook",
    "verify": ".referee.composition",
}  # imported when they are first asked for


def __getattr__(name: str) -> _Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = getattr(_import_module(_LATE[name], __name__), name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})
