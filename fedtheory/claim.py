"""A claim: one plain function of an instance, the world in which it is claimed, and its negative control."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from .errors import UsageError, did_you_mean
from .files import relative
from .outside import bound
from .premise import Names, Premise, at_t
from .relation import Relation, relations_of
from .verdict import VERDICTS

if TYPE_CHECKING:
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
    changes: Mapping[str, Any]

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

        def control(x: Instance) -> Any:
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

    def halved(x: Instance) -> Any:
        half = x.ratio(1, 2)
        return tuple(Relation(r.lhs, r.op, half * r.rhs, r.name) for r in relations_of(body, x, owner))

    def turned(x: Instance) -> Any:
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

    def scaled(x: Instance) -> Any:
        pairs = zip(relations_of(halved, x, owner), relations_of(turned, x, owner), strict=True)
        bare = [type(r.lhs) is int or type(r.rhs) is int for r in relations_of(body, x, owner)]
        return tuple(other if alone else half for (half, other), alone in zip(pairs, bare, strict=True))

    return Control("by default: the right side halved, and the sign turned of what is compared with a number", scaled)


def keywords(body: Body) -> tuple[str, ...]:
    """The keyword constants of a body, those of its arguments that have a default."""
    return tuple(p.name for p in inspect.signature(body).parameters.values() if p.default is not p.empty)


def exactly(x: Instance, value: Any) -> Any:
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
    given : tuple of Premise
        Lemmas, made by `lemma`, of which this claim is what they say at the arguments that they name.
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
    """

    id: str
    body: Body
    world: World
    control: Control | None = None
    repair: str | None = None
    uses: tuple[str, ...] = ()
    given: tuple[Premise, ...] = ()
    latex: str = ""
    locator: str = ""
    kind: str = ""
    step: bool = False
    note: str = ""
    expect: str = field(default="", compare=False)
    source: str = field(default="", compare=False)
    bound: dict[str, Any] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.bound is None:
            object.__setattr__(self, "bound", bound(self.body))

    @property
    def premises(self) -> tuple[Premise, ...]:
        """The lemmas with whose verdicts this one stands or falls: those among its conditions, and those it is `given`."""
        stated = (*self.world.given, *getattr(self.world, "every", ()))
        return (*(c for c in stated if isinstance(c, Premise)), *self.given)

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
    given: Sequence[Premise] = (),
    latex: str = "",
    locator: str = "",
    kind: str = "",
    step: bool = False,
    note: str = "",
    expect: str = "",
) -> Callable[[Body], Claim]:
    """Turn a body into a :class:`Claim`.

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
    if not isinstance(id, str) or not ID.fullmatch(id):
        raise UsageError(f"claim id must look like paper/name, with an optional @reading or ~repaired, got {id!r}")
    _arguments(id, control, repair, uses, given, step, {"latex": latex, "locator": locator, "kind": kind, "note": note})
    if expect not in ("", *VERDICTS):
        raise UsageError(
            f"claim {id}: expect=... must be one of {', '.join(VERDICTS)}, got {expect!r}{did_you_mean(str(expect), VERDICTS)}"
        )

    def wrap(body: Body) -> Claim:
        _one_argument(body, id)
        refuse_floats(body, id)
        if not hasattr(world, "shapes"):
            raise UsageError(
                f"claim {id}: world=... must be a world such as Scalars(...) or Points(...), got {world!r}"
            )
        for stated in world.given:
            refuse_floats(stated.relation, f"{id} (condition)")
        against = None if control is None else control.against(body, id)
        if against is not None:
            refuse_floats(against.body, f"{id} (control)")
        done = Claim(
            id, body, world, against, repair, tuple(uses), tuple(given), latex, locator, kind, step, note,
            expect=expect, source=source_of(body),
        )  # fmt: skip
        if (entered := made.get()) is not None:
            entered.append(done)
        return done

    return wrap


def lemma(
    claim: Claim,
    says: Callable[..., Any] | None = None,
    *,
    meaning: Names | None = None,
    names: Names | None = None,
    then: Callable[[Any, Callable[[Any], Any]], Any] | None = None,
    to: Mapping[str, str] | None = None,
    at: Names | None = None,
    along: Callable[[Any, Any], Mapping[str, Any]] | None = None,
    over: Callable[[Any], Any] | None = None,
) -> Premise:
    """A claim as a condition of another one, whose verdict is then never stronger than the lemma's.

    Parameters
    ----------
    claim : Claim
        The lemma.
    says : callable, optional
        Its relation as a function of quantities, ``(x)`` or, for every t of a sequence, ``(x, t)``; by default its own body,
        for a lemma about scalars.
    meaning : dict of callables, optional
        What the quantities are: ``{"D": lambda x: x.sq(x.w - x.w_star)}``.
    names : dict of callables, optional
        Names that `meaning` uses and the lemma's world calls otherwise: ``{"w": lambda x: x.state.w}``.
    then : callable, optional
        The value of a quantity after a step: ``lambda x, of: x.E(lambda h: of(x.at(w=h.states[1].w)))``.
    to : dict of str, optional
        Where the lemma holds for any step, the points at which it ends by those that it moves: ``{"w": "w_next"}``.
    at : dict of callables, optional
        Scalars of the lemma at which it is used, ``{"tau": lambda x: x.eta / 2}``; one that is not listed is the same in both.
    along : callable, optional
        Where a claim about runs is what the lemma says, the points of the run at t, ``lambda x, t: {"w": x.states[t].w}``.
    over : callable, optional
        The t for which a claim is what the lemma says, ``lambda x: range(1, x.R)``; then `at` has functions ``(x, t)``.

    Raises
    ------
    UsageError
        If an argument is of another kind, `at` names something else than a scalar of the lemma, or `to` than a point.
    """
    if not isinstance(claim, Claim):
        raise UsageError(f"lemma(claim, ...) needs a claim made by @claim(...), got {claim!r}")
    for what, fn in (("says", says), ("then", then), ("along", along), ("over", over)):
        if fn is not None and not callable(fn):
            raise UsageError(f"lemma({claim.id}): {what}=... must be a function, got {fn!r}")
    for what, table in (("meaning", meaning), ("names", names), ("at", at)):
        if table is not None and not (isinstance(table, Mapping) and all(map(callable, table.values()))):
            raise UsageError(f"lemma({claim.id}): {what}=... must map names to functions, got {table!r}")
    if to is not None and not (isinstance(to, Mapping) and all(isinstance(end, str) for end in to.values())):
        raise UsageError(f"lemma({claim.id}): to=... must map names of points to names of points, got {to!r}")
    points = () if claim.world.index else getattr(claim.world, "at", ())  # `at` of sequences is another matter
    for end in (to or {}).values():
        if end not in points:
            raise UsageError(
                f"lemma({claim.id}): to={to!r} names no point of the lemma that may be any (it has {', '.join(points) or 'none'})"
                f"{did_you_mean(end, points)}"
            )
    relation, arguments = says or claim.body, dict(at or {})
    known = (*claim.world.scalars, *getattr(claim.world, "sequences", ()), claim.world.index)
    for name in arguments:
        if name not in known:
            raise UsageError(
                f"lemma({claim.id}): at={{{name!r}: ...}} names no scalar of the lemma (it has {', '.join(filter(None, known))})"
                f"{did_you_mean(name, known)}"
            )

    def used(x: Any, *t: Any) -> Any:
        names = {name: fn(x, *t) for name, fn in arguments.items()}
        if says is None and t:
            return relation(at_t(claim, x, *t).at(**names))
        return relation(x.at(**names), *t)

    return Premise(
        claim.id, claim.locator, used, claim=claim, says=relation, meaning=dict(meaning or {}), names=dict(names or {}),
        then=then, to=dict(to or {}), at=arguments, along=along, over=over,
    )  # fmt: skip


def _arguments(id: str, control: Any, repair: Any, uses: Any, given: Any, step: Any, texts: Mapping[str, Any]) -> None:
    """Raise UsageError where an argument of `claim` is of another kind than it has to be."""
    if control is not None and not isinstance(control, Control):
        raise UsageError(f'claim {id}: control=... must be Control("why it is false", body), got {control!r}')
    if repair is not None and not isinstance(repair, str):
        raise UsageError(f"claim {id}: repair=... must be the id of a claim, got {repair!r}")
    if isinstance(uses, str) or not isinstance(uses, Sequence) or not all(isinstance(one, str) for one in uses):
        raise UsageError(f"claim {id}: uses=... must be a list of ids, got {uses!r}")
    if not isinstance(given, Sequence) or not all(isinstance(one, Premise) for one in given):
        raise UsageError(f"claim {id}: given=... must be a list of lemma(claim, ...), got {given!r}")
    if not isinstance(step, bool):
        raise UsageError(f"claim {id}: step=... must be True or False, got {step!r}")
    for name, text in texts.items():
        if not isinstance(text, str):
            raise UsageError(f"claim {id}: {name}=... must be a text, got {text!r}")


def _one_argument(body: Any, id: str) -> None:
    """Raise UsageError unless a body is a plain function that can be called with one instance."""
    if not callable(body) or isinstance(body, type):
        raise UsageError(f"claim {id}: the body must be a function of one instance, got {_kind(body)}")
    if inspect.iscoroutinefunction(body) or inspect.isgeneratorfunction(body):
        raise UsageError(
            f"claim {id}: the body must return its relation, and an async function or a generator does not"
        )
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


def _kind(body: Any) -> str:
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


def _constants(code: CodeType | None) -> Iterator[Any]:
    for value in code.co_consts if code else ():
        if isinstance(value, CodeType):
            yield from _constants(value)
        elif isinstance(value, tuple):
            yield from value
        else:
            yield value
