"""A claim: one plain function of an instance, the world in which it is claimed, and its negative control."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, wraps
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from .bodies import takes_one
from .errors import UsageError, did_you_mean
from .files import relative
from .limits import says_limits
from .outside import bound
from .relation import Relation, as_relations, relations_of
from .theorem import Assumed, Printed, Use
from .verdict import VERDICTS

if TYPE_CHECKING:
    from .formats import Document, Json
    from .instance import Instance
    from .world import World

Body = Callable[["Instance"], "Relation | tuple[Relation, ...]"]
QUOTIENT = re.compile(r"^-?\d+/\d+$")
ID = re.compile(r"[a-z0-9]+/[A-Za-z0-9._-]+([@~][A-Za-z0-9._-]+)?")

made: ContextVar[list[Claim] | None] = ContextVar("made", default=None)
"""Where every claim is entered that is made while a file of a draft is read, so that none is lost."""


@dataclass(frozen=True, init=False)
class Control:
    """A statement near the claim that is known to be false, and why; the claim's own search must refute it.

    Either the claim's body with some of its keyword constants changed, ``Control("why", share="9/10")`` for
    ``def body(x, share=1)``, or a body of its own. An exact quotient is a text such as "9/10" or a Fraction; the engine
    makes its own number of it.
    """

    because: str
    body: Body
    changes: Document

    def __init__(self, because: str, body: Body | None = None, /, **changes: Any) -> None:
        if not isinstance(because, str) or (body is not None and not callable(body)):
            raise UsageError(
                f'Control("why it is false", body) needs a text and a function, got {because!r} and {body!r}'
            )
        if (body is None) == (not changes):
            raise UsageError(
                f"Control({because!r}) needs either a body of its own or changed constants of the claim's body, "
                'such as share="9/10"'
            )
        object.__setattr__(self, "because", because)
        object.__setattr__(self, "changes", dict(changes))
        object.__setattr__(self, "body", body)

    def against(self, body: Body, owner: str) -> Control:
        """The control of one claim, with a body to run.

        Raises
        ------
        UsageError
            If the claim's body has no keyword constant of a name that is changed, or the value is a float.
        """
        if not self.changes:
            return self
        known = keywords(body)
        for name, value in self.changes.items():
            if name not in known:
                has = f"it has {', '.join(known)}" if known else f"write it as {name}=1 in the body's arguments"
                raise UsageError(
                    f"claim {owner}: the control changes {name}=..., which the body does not take ({has})"
                    f"{did_you_mean(name, known)}"
                )
            if isinstance(value, (float, complex)):
                raise UsageError(f'claim {owner} (control): {name}={value!r} is not exact; write it as a text "p/q"')

        def control(x: Instance) -> Relation | tuple[Relation, ...]:
            return body(x, **{name: exactly(x, value) for name, value in self.changes.items()})  # type: ignore[call-arg]

        bound = Control(self.because, control)
        object.__setattr__(bound, "changes", self.changes)
        return bound


def default_controls(body: Body, owner: str) -> tuple[Control, ...]:
    """What stands in for a control where a claim has none: half of the right side, and the other direction.

    Examples
    --------
    >>> [c.because for c in default_controls(lambda x: Relation(x.a, "<=", x.b), "draft/step")]
    ['by default: the right side halved', 'by default: the sign turned']
    """

    def halved(x: Instance) -> tuple[Relation, ...]:
        half = x.ratio(1, 2)
        return tuple(Relation(r.lhs, r.op, half * r.rhs, r.name) for r in relations_of(body, x, owner))

    def turned(x: Instance) -> tuple[Relation, ...]:
        return tuple(
            Relation(r.lhs, r.op, -r.rhs, r.name) if r.op == "==" else Relation(r.rhs, r.op, r.lhs, r.name)
            for r in relations_of(body, x, owner)
        )

    return Control("by default: the right side halved", halved), Control("by default: the sign turned", turned)


def scaled_control(body: Body, owner: str) -> Control:
    """The same for a claim about functions: half of the right side, the other direction of what is compared with a whole number.

    Where there are functions the other direction fails at any instance that is not tight, which says nothing of a search.
    """
    halved, turned = (c.body for c in default_controls(body, owner))

    def scaled(x: Instance) -> tuple[Relation, ...]:
        pairs = zip(relations_of(halved, x, owner), relations_of(turned, x, owner), strict=True)
        bare = [type(r.lhs) is int or type(r.rhs) is int for r in relations_of(body, x, owner)]
        return tuple(other if alone else half for (half, other), alone in zip(pairs, bare, strict=True))

    return Control("by default: the right side halved, and the sign turned of what is compared with a number", scaled)


def keywords(body: Body) -> tuple[str, ...]:
    """The keyword constants of a body, those of its arguments that have a default."""
    return tuple(p.name for p in inspect.signature(body).parameters.values() if p.default is not p.empty)


def exactly(x: Instance, value: object) -> object:
    """A changed constant as a number of the instance; anything that is no quotient as it is."""
    if isinstance(value, Fraction) or (isinstance(value, str) and QUOTIENT.match(value)):
        q = Fraction(value)
        return x.ratio(q.numerator, q.denominator)
    return value


@dataclass(frozen=True)
class Claim:
    """One statement of a paper, executable by every engine.

    Attributes
    ----------
    id : str
        ``paper/name``; ``@reading`` and ``~repaired`` mark readings and repairs.
    body : callable
        From an instance to one relation, or to a tuple of relations that hold together.
    world : World
        Where the claim is claimed: scalars, function classes, points or steps, and the stated conditions.
    control : Control
        The negative control of the search.
    repair : str or None
        Id of the claim that repairs this one.
    uses : tuple of str
        Ids of the claims on which this one stands.
    by : tuple of Use, Assumed and Printed
        What it is proved from: lemmas at substitutions, facts that are assumed, each by those before it, and what a paper
        states of a run that never ends.
    latex, locator, kind : str
        From the paper's inventory unless given.
    step : bool
        True for a step of a proof, False for a statement.
    note : str
        How the print was read, where that needs saying.
    expect : str
        The verdict that its author expects, to which pytest holds it; empty where none is stated.
    source : str
        File and line of the body, the file from its package on.
    bound : dict
        Numbers, texts, containers and functions that the body reads from outside, as they were when the claim was made.
    held : dict of dict
        The same of every one of `parts`.
    """

    id: str
    body: Body
    world: World
    control: Control | None = None
    repair: str | None = None
    uses: tuple[str, ...] = ()
    by: tuple[Use | Assumed | Printed, ...] = ()
    latex: str = ""
    locator: str = ""
    kind: str = ""
    step: bool = False
    note: str = ""
    expect: str = field(default="", compare=False)
    source: str = field(default="", compare=False)
    bound: Json | None = field(default=None, repr=False, compare=False)
    held: dict[str, Json] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        if self.bound is None:
            object.__setattr__(self, "bound", bound(self.body))
        object.__setattr__(self, "held", {what: bound(fn) for what, fn in self.parts.items()})

    @property
    def parts(self) -> dict[str, Callable[..., object]]:
        """The functions that make its world, and those at which its lemmas are used, by what they are."""
        world = self.world.parts()
        kinds = {"the formula": world.derived, "the step": world.step, "the start": world.start}
        kinds["the quantity"] = world.quantities or {}
        own = {f"{what} of {name}": fn for what, parts in kinds.items() for name, fn in parts.items()}
        uses = [one for one in self.by if isinstance(one, Use)]
        return own | {f"use({one.claim.id}, {name}=...)": fn for one in uses for name, fn in one.at.items()}

    @property
    def lemmas(self) -> tuple[Claim, ...]:
        """The claims with whose verdicts this one stands or falls."""
        return tuple(u.claim for u in self.by if isinstance(u, Use))

    @property
    def assumed(self) -> tuple[Assumed, ...]:
        """What is taken for granted."""
        return tuple(a for a in self.by if isinstance(a, Assumed))

    @cached_property
    def limits(self) -> bool:
        """Whether the body returns limits, as it may in a world with an index."""
        return bool(self.world.index) and self.at_t is None and says_limits(self.body)

    @property
    def at_t(self) -> Callable[..., object] | None:
        """The body as a function ``(x, t)``, where it says something of every t."""
        return getattr(self.body, "at_t", None)

    def relations(self, x: Instance) -> tuple[Relation, ...]:
        """Evaluate the body; always a tuple, checked to hold relations only."""
        return relations_of(self.body, x, self.id)


def claim(
    id: str,
    *,
    world: World,
    control: Control | None = None,
    repair: str | None = None,
    uses: Sequence[str] = (),
    by: Sequence[Claim | Use | Assumed | Printed] = (),
    latex: str = "",
    locator: str = "",
    kind: str = "",
    step: bool = False,
    note: str = "",
    expect: str = "",
) -> Callable[[Body], Claim]:
    """Turn a body into a :class:`Claim`.

    A body is a function of one instance; in a world with an index also of an instance and t, for a statement about every t.

    Raises
    ------
    UsageError
        If the id is malformed, the body contains a float literal, or an argument is of another kind than it has to be.

    Examples
    --------
    >>> from fedtheory import Control, claim, le
    >>> from problems import Scalars, positive
    >>> @claim("draft/am-gm", world=Scalars(a=positive(), b=positive()),
    ...        control=Control("2 ab can be as large as a^2 + b^2", lambda x: le(3*x.a*x.b, x.a**2 + x.b**2)))
    ... def am_gm(x):
    ...     return le(2*x.a*x.b, x.a**2 + x.b**2)
    >>> am_gm.id
    'draft/am-gm'
    """
    texts = {"latex": latex, "locator": locator, "kind": kind, "note": note}
    _arguments(id, control, repair, uses, by, step, texts, expect)
    uses_of = tuple(Use(one) if isinstance(one, Claim) else one for one in by)

    def wrap(body: Body) -> Claim:
        if not hasattr(world, "shapes"):
            raise UsageError(
                f"claim {id}: world=... must be a world such as Scalars(...) or Points(...), got {world!r}"
            )
        if world.index and _takes_t(body):
            body = everywhere(body, world.index, id)
        _one_argument(body, id)
        refuse_floats(inspect.unwrap(body), id)
        within = _assuming(world, [one for one in uses_of if isinstance(one, Assumed)], id)
        _refuse_floats_beside(within, uses_of, id)
        against = None if control is None else _against(control, body, id)
        done = Claim(
            id, body, within, against, repair, tuple(uses), uses_of, latex, locator, kind, step, note,
            expect=expect, source=source_of(inspect.unwrap(body)),
        )  # fmt: skip
        if (entered := made.get()) is not None:
            entered.append(done)
        return done

    return wrap


def _refuse_floats_beside(within: World, by: Sequence[Use | Assumed | Printed], id: str) -> None:
    """Raise UsageError where a condition or a use of a lemma contains a float literal."""
    for stated in (*within.given, *getattr(within, "every", ()), *getattr(within, "obeys", ())):
        refuse_floats(stated.relation, f"{id} (condition)")
    for one in by:
        for fn in one.at.values() if isinstance(one, Use) else ():
            refuse_floats(fn, f"{id} (by)")


def _against(control: Control, body: Body, id: str) -> Control:
    """The control of this body, which contains no float literal either."""
    against = control.against(body, id)
    refuse_floats(against.body, f"{id} (control)")
    return against


def _arguments(
    id: str,
    control: Control | None,
    repair: str | None,
    uses: Sequence[str],
    by: Sequence[Claim | Use | Assumed | Printed],
    step: bool,
    texts: Mapping[str, object],
    expect: str,
) -> None:
    """Raise UsageError where an argument of `claim` is of another kind than it has to be."""
    if not isinstance(id, str) or not ID.fullmatch(id):
        raise UsageError(f"claim id must look like paper/name, with an optional @reading or ~repaired, got {id!r}")
    if control is not None and not isinstance(control, Control):
        raise UsageError(f'claim {id}: control=... must be Control("why it is false", body), got {control!r}')
    if repair is not None and not isinstance(repair, str):
        raise UsageError(f"claim {id}: repair=... must be the id of a claim, got {repair!r}")
    if isinstance(uses, str) or not isinstance(uses, Sequence) or not all(isinstance(one, str) for one in uses):
        raise UsageError(f"claim {id}: uses=... must be a list of ids, got {uses!r}")
    if not isinstance(by, Sequence) or not all(isinstance(one, (Claim, Use, Assumed, Printed)) for one in by):
        raise UsageError(
            f"claim {id}: by=... must be a tuple of claims, use(claim, ...), assumed(...) and printed(...), got {by!r}"
        )
    if not isinstance(step, bool):
        raise UsageError(f"claim {id}: step=... must be True or False, got {step!r}")
    for name, text in texts.items():
        if not isinstance(text, str):
            raise UsageError(f"claim {id}: {name}=... must be a text, got {text!r}")
    if expect not in ("", *VERDICTS):
        raise UsageError(
            f"claim {id}: expect=... must be one of {', '.join(VERDICTS)}, got {expect!r}{did_you_mean(str(expect), VERDICTS)}"
        )


def _assuming(world: Any, facts: Sequence[Assumed], id: str) -> World:
    """The world with what is assumed among its conditions, at every t where it is about every t."""
    at_t = [one for one in facts if not takes_one(one.relation)]
    if at_t and not hasattr(world, "every"):
        raise UsageError(f"claim {id}: assumed({at_t[0].printed!r}, ...) takes t, and the world has no index")
    changes = {"given": (*world.given, *(one for one in facts if one not in at_t))}
    changes |= {"every": (*world.every, *at_t)} if at_t else {}
    return replace(world, **changes) if facts else world


def _takes_t(body: Body) -> bool:
    """Whether a function has two arguments without a default, the instance and t."""
    code = getattr(body, "__code__", None)
    return isinstance(code, CodeType) and code.co_argcount - len(body.__defaults__ or ()) == 2


def everywhere(body: Callable[..., object], index: str, id: str) -> Body:
    """A statement ``(x, t)`` as one about every t < T."""

    @wraps(body)
    def whole(x: Instance, **changes: object) -> tuple[Relation, ...]:
        length = getattr(x, index)
        count = x._numbers.count
        found = tuple(r for t in range(length) for r in as_relations(body(x, count(t), **changes), id))
        return found or (Relation(0, "<=", 0, f"no t < {index}"),)

    whole.at_t = body  # type: ignore[attr-defined]
    x, _, *changes = inspect.signature(body).parameters.values()
    whole.__signature__ = inspect.Signature([x, *changes])  # type: ignore[attr-defined]
    return whole


def _one_argument(body: Body, id: str) -> None:
    """Raise UsageError unless a body is a plain function that can be called with one instance."""
    if not callable(body) or isinstance(body, type):
        raise UsageError(f"claim {id}: the body must be a function of one instance, got {_kind(body)}")
    if inspect.iscoroutinefunction(body) or inspect.isgeneratorfunction(body):
        raise UsageError(
            f"claim {id}: the body must return its relation, and an async function or a generator does not"
        )
    if hasattr(body, "at_t"):
        return
    if isinstance(body, FunctionType):  # as most are, and quicker to see than by its signature
        code, defaults = body.__code__, len(body.__defaults__ or ())
        if code.co_argcount - defaults <= 1 <= code.co_argcount and not code.co_kwonlyargcount:
            return
    try:
        inspect.signature(body).bind(None)
    except TypeError:
        raise UsageError(
            f"claim {id}: the body must take one argument, the instance x, got {inspect.signature(body)}"
        ) from None
    except ValueError:  # Python does not know what it takes
        return


def _kind(body: Body) -> str:
    return f"the class {body.__name__}" if isinstance(body, type) else type(body).__name__


def source_of(body: Body) -> str:
    """File and line of a body, from its package on: the same on every machine."""
    code = getattr(body, "__code__", None)
    return f"{relative(code.co_filename, body.__module__ or '')}:{code.co_firstlineno}" if code else ""


def refuse_floats(body: Body, owner: str) -> None:
    """Raise UsageError when a float constant stands in the body: it would not be exact in Fractions."""
    for value in (*_constants(getattr(body, "__code__", None)), *(getattr(body, "__defaults__", None) or ())):
        if isinstance(value, (float, complex)):
            raise UsageError(
                f"claim {owner}: the body holds the float {value!r}; write a quotient such as x.w/2 or x.ratio(1, 2) instead"
            )


def _constants(code: CodeType | None) -> Iterator[object]:
    for value in code.co_consts if code else ():
        if isinstance(value, CodeType):
            yield from _constants(value)
        elif isinstance(value, tuple):
            yield from value
        else:
            yield value
