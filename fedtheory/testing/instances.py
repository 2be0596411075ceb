"""Strategies for the parameters of a world and for its instances: small rationals first, conditions met exactly."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from ..engines.counterexamples.exact import decide
from ..engines.counterexamples.refutation import simplicity
from ..errors import NotApplicable, UsageError, did_you_mean
from ..instance import Instance
from ..numbers import Balls, Floats, Fractions, Numbers
from ..world import Free, Scalar, World

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

    from ..quantity import ByName

NUMBERS: Mapping[str, type[Numbers]] = {"fraction": Fractions, "float": Floats, "ball": Balls}
LARGEST_M, LARGEST_D = 3, 2  # clients and dimensions, where a world has more
SHAPES = 48  # sizes, the smallest ones
FEW = 6  # parameters of each size that a world gives itself
PLAIN = tuple(
    map(Fraction, ("1", "2", "1/2", "3"))
)  # the others: every scalar one of these, where the conditions allow it
PRODUCTS = 64  # of them that are looked at
SIGNED = tuple(
    Fraction(sign * Fraction(q)) for q in ("1", "2", "1/2", "3", "1/3", "3/2", "4", "1/4", "10", "1/10", "100", "1/100")
    for sign in (1, -1)
)  # fmt: skip
FAR = tuple(Fraction(q) for q in ("1000", "-1000", "1/1000", "-1/1000", "5", "2/3", "9/10"))
SIMPLE = (Fraction(0), *SIGNED, *FAR)
ENTRIES = np.array(
    [SIMPLE[k * len(SIMPLE) // 256] for k in range(256)], dtype=object
)  # of a byte: the smaller, the simpler
FINEST = 10**6  # denominator of an entry that a world brings into its range


def rationals(low: Any = None, high: Any = None) -> st.SearchStrategy[Fraction]:
    """Small rationals, ``low < q < high`` where there are ends; they shrink to 0, else to the simplest inside.

    Raises
    ------
    UsageError
        If nothing lies between the ends.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(rationals(1, 2), lambda q: True)
    Fraction(3, 2)
    """
    if low is not None and high is not None and not low < high:
        raise UsageError(f"rationals(low, high) needs low < high, got {low!r} and {high!r}")
    inside = [q for q in SIMPLE if (low is None or low < q) and (high is None or q < high)]
    if low is None and high is None:
        return st.sampled_from(SIMPLE)
    positive = [q for q in SIMPLE if q > 0]
    if low is not None and high is not None:
        inside += [Fraction(low) + (Fraction(high) - Fraction(low)) * q / (1 + q) for q in positive]
    else:
        inside += [Fraction(high) - q if low is None else Fraction(low) + q for q in positive]
    return st.sampled_from(list(dict.fromkeys(inside)))


def scalars(
    world: World, *, numbers: str = "fraction", shape: Mapping[str, int] | None = None
) -> st.SearchStrategy[ByName]:
    """Parameters of a world by name, which meet its ranges and the conditions on them.

    Parameters
    ----------
    world : World
        Such as ``Scalars(...)`` or ``Points(...)``.
    numbers : {"fraction", "float", "ball"}
        What they are; per-client ones are arrays ``(m,)``.
    shape : dict, optional
        The sizes; the smallest ones if not given.

    Raises
    ------
    UsageError
        If `world` is no world, `numbers` is unknown, or no parameters were found that meet the conditions.
    """
    kind = _numbers(numbers)()
    at = dict(shape) if shape is not None else (_shapes(world)[0])
    return _parameters(world, at, Fractions).map(
        lambda row: {k: kind.array(v) if getattr(v, "ndim", 0) else kind.scalar(v) for k, v in row.items()}
    )


def instances(world: World, *, numbers: str = "fraction", largest_m: int = LARGEST_M) -> st.SearchStrategy[Instance]:
    """Instances of a world, all of whose hypotheses hold exactly: what a claim's body receives.

    Parameters
    ----------
    world : World
    numbers : {"fraction", "float", "ball"}
        Of the instances: exact, float64 of the same small rationals, or balls, which have roots, exponentials and logarithms.
    largest_m : int
        Clients, at most; worlds that start above it give their smallest number.

    Raises
    ------
    UsageError
        If `world` is no world, `numbers` is unknown, or no parameters were found that meet the conditions.

    Examples
    --------
    >>> from hypothesis import find
    >>> from problems import Scalars, positive
    >>> x = find(instances(Scalars(a=positive())), lambda x: x.a > 1)
    >>> x.a, x
    (Fraction(2, 1), Instance(a=2))
    """
    kind = _numbers(numbers)
    shapes = _shapes(world, largest_m)
    parameters = {0: _parameters(world, shapes[0], kind)}  # the others when they are asked for
    extents = [world.extents(shape) for shape in shapes]
    whole = {name: tuple(np.max([e[name] for e in extents], axis=0)) for name in extents[0]}
    count = sum(int(np.prod(e)) for e in whole.values())

    @st.composite
    def free(draw: DrawFn) -> Free:
        at = draw(st.integers(0, len(shapes) - 1))
        if at not in parameters:
            parameters[at] = _parameters(world, shapes[at], kind)
        row = draw(parameters[at])
        alike = bool(whole) and draw(st.booleans())
        entries = np.frombuffer(draw(st.binary(min_size=count, max_size=count)), dtype=np.uint8)
        vectors, begin = {}, 0
        for name, size in whole.items():  # of the largest size, so that entries keep their places where a size shrinks
            block = entries[begin : begin + int(np.prod(size))].reshape(size)
            begin += block.size
            vectors[name] = _vector(world, name, block[tuple(slice(n) for n in extents[at][name])], alike)
        return Free(shapes[at], row, vectors)

    return free().filter(lambda f: meets(world, f)).map(lambda f: Drawn(world.build(f, kind()), world, f))


class Drawn(Instance):
    """An instance that says in which numbers it was drawn."""

    def __init__(self, x: Instance, world: World, free: Free) -> None:
        self.__dict__.update(x.__dict__)
        self._drawn = {**free.shape, **free.scalars, **world.legible(free.vectors)}

    def __repr__(self) -> str:
        return f"Instance({', '.join(f'{name}={_text(v)}' for name, v in self._drawn.items())})"


def meets(world: World, free: Free) -> bool:
    """Whether all conditions hold of an instance in exact numbers, as in a replay; not where one is undefined or undecided."""
    for kind in (Fractions, Balls):
        try:
            return all(side.truth is True for side in decide(world.build(free, kind()).given))
        except NotApplicable:
            continue
        except (ZeroDivisionError, ValueError, OverflowError):
            return False
    return False


def _numbers(name: str) -> type[Numbers]:
    if name not in NUMBERS:
        raise UsageError(
            f"numbers=... must be one of {', '.join(NUMBERS)}, got {name!r}{did_you_mean(str(name), NUMBERS)}"
        )
    return NUMBERS[name]


def _shapes(world: World, largest_m: int = LARGEST_M) -> list[dict[str, int]]:
    """The sizes of a world, smallest first."""
    if not hasattr(world, "shapes"):
        raise UsageError(f"a world such as Scalars(...) or Points(...) is needed, got {world!r}")
    found = [s for s in world.shapes(largest_m) if s.get("d", 1) <= max(LARGEST_D, *world.sizes.get("d", (1,))[:1])]
    return sorted(found or [{}], key=lambda s: sum(s.values()))[:SHAPES]


def _parameters(world: World, shape: dict[str, int], kind: type[Numbers]) -> st.SearchStrategy[dict[str, object]]:
    """Parameters that meet the conditions: known ones, or drawn ones where these do."""
    try:
        known = _plain(world, shape) + world.grid(shape, FEW) if world.scalars else [{}]
        if kind is Fractions and known:
            world.scope(Free(shape, known[0]).map(Fraction).scalars, shape, kind())
    except NotApplicable as error:
        raise UsageError(f"a condition of this world is not rational, so none of it is drawn: {error}") from None
    if not known:
        stated = ", ".join(c.printed for c in world.given) or "what this world asks of them"
        raise UsageError(f"no rational parameters were found that meet {stated}")
    known = sorted(known, key=lambda row: _size(Free(shape, row)))

    @st.composite
    def rows(draw: DrawFn) -> ByName:
        chosen = draw(st.sampled_from(known))
        if not world.scalars or not draw(st.booleans()):
            return dict(chosen)
        m = shape.get("m", 1)
        entries = iter(draw(st.binary(min_size=m * len(world.scalars), max_size=m * len(world.scalars))))
        far = (abs(ENTRIES[e]) for e in entries)
        row = {name: _scalar(spec, list(itertools.islice(far, m))) for name, spec in world.scalars.items()}
        return row if _within(world, row, shape) else dict(chosen)

    return rows()


def _size(free: Free) -> tuple[Any, ...]:
    """How much there is to read, and how large the numbers are."""
    numbers = [Fraction(q) for v in free.scalars.values() for q in np.ravel(np.asarray(v, dtype=object))]
    return *simplicity(free), sum(abs(q.numerator) + q.denominator for q in numbers)


def _within(world: World, row: Mapping[str, object], shape: Mapping[str, int]) -> bool:
    try:
        return all(side.truth is True for side in decide(world.scope(row, shape, Fractions()).given))
    except (NotApplicable, ZeroDivisionError, ValueError, OverflowError):
        return False


def _plain(world: World, shape: dict[str, int]) -> list[ByName]:
    """The simplest parameters that meet the conditions."""
    m = shape.get("m", 1)
    products = itertools.islice(itertools.product(PLAIN, repeat=len(world.scalars)), PRODUCTS)
    rows = (
        {name: _scalar(spec, [q] * m) for (name, spec), q in zip(world.scalars.items(), p, strict=True)}
        for p in products
    )
    return [row for row in rows if _within(world, row, shape)]


def _scalar(spec: Scalar, far: list[Fraction]) -> object:
    """A value at a distance from the low end of a range, or one a client; at the end itself where that is allowed."""
    low = Fraction(spec.low or 0)

    def value(q: Fraction) -> Fraction:
        q = q or Fraction(0 if spec.closed else 1)
        return low + q if spec.high is None else low + (Fraction(spec.high) - low) * (q / (1 + q))

    if not spec.per_client:
        return value(far[0])
    out = np.empty(len(far), dtype=object)
    out[:] = [value(q) for q in far]
    return out


def _vector(world: World, name: str, entries: np.ndarray, alike: bool) -> np.ndarray:
    """A free vector from bytes, brought into its range; with `alike` every client has that of the first."""
    v = ENTRIES[entries]
    if alike and v.ndim > 1:
        v = v[..., :1, :] + v * 0
    v[(v == 0) & (world.admit(name, v.astype(float)) != 0)] = Fraction(1)  # where 0 is out of the range
    return _exact(v, world.admit(name, v.astype(float)))


@partial(np.frompyfunc, nin=2, nout=1)
def _exact(old: Fraction, admitted: float) -> Fraction:
    return old if float(old) == admitted else Fraction(admitted).limit_denominator(FINEST)


def _text(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"[{', '.join(map(_text, value))}]"
    return str(value)
