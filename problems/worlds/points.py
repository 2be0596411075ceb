"""The world of functions at points: quadratic clients to search and decide on, abstract clients to certify on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedtheory.errors import UsageError
from fedtheory.gram.forms import Space
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers, Units
from fedtheory.relation import eq, le, lt
from fedtheory.units import GRADIENT, LENGTH
from fedtheory.world import Free, Scalar

from .abstract import AbstractClients, UnitClients
from .classes.curvature import FunctionClass
from .quadratics import Moreau, Quadratics, per_client
from .region import Given, Region, stated

READING = (
    "How to read a counterexample: a client is f_i(w) = (w - center)' Q H Q (w - center)/2 + slope_i' (w - center) + offset_i "
    "with Q the reflection along `axis` and H the curvatures mu + (L - mu) curvature along its axes (mu + curvature where the "
    "class has no L; mu = -L for smooth non-convex clients). Along an axis that is `kinked` the curvature changes to the one "
    "given by `far` at the distance `knee`. Errors have the relative size `error_reach` along `error_axis`. Parts that are zero "
    "are left out; `fedtheory explain ID` has all of them."
)
COUNTS = {"m": (1, 2, 3, 4), "d": (1, 2, 3)}


@dataclass(frozen=True)
class FunctionWorld(Region):
    """Clients of one function class at named points; `Points` builds it.

    Attributes
    ----------
    f : FunctionClass or None
        Class of every client; None for vectors alone.
    envelope : str or None
        Scalar lam of the Moreau envelopes ``x.F``.
    at, clients_at : tuple of str
        Server vectors ``(..., 1, d)`` and per-client vectors ``(..., m, d)``.
    optimum_of : None, "f" or "F"
        Puts ``x.w_star``, a minimiser of the mean, by substitution.
    diversity : str or None
        Scalar of Assumption 3: a bound on the mean of |grad f_i - grad f|^2 at every point.
    """

    f: FunctionClass | None = None
    envelope: str | None = None
    at: tuple[str, ...] = ("w",)
    clients_at: tuple[str, ...] = ()
    optimum_of: str | None = None
    diversity: str | None = None

    batched_scalars: ClassVar[bool] = False
    exchangeable: ClassVar[bool] = True
    own_clients: ClassVar[str] = ""

    def scope(self, scalars: Mapping[str, Any], shape: Mapping[str, int], numbers: Numbers) -> Instance:
        """The scalars; a class with two named bounds needs mu < L."""
        x = super().scope(scalars, shape, numbers)
        if self.f is None or not self.f.upper or not self.f.lower or self.f.lower.startswith("-"):
            return x
        return Instance(numbers, x._names, given=[*x.given, lt(*self.f.bounds(x), f"{self.f.lower} < {self.f.upper}")])

    def assumptions(self) -> list[str]:
        """The class of the clients, and what is known of w_star."""
        out = [f"clients {self.f.name}"] if self.f is not None else []
        if self.optimum_of:
            out.append(f"w_star minimises {self.optimum_of}")
        if self.diversity:
            out.append(f"{self.diversity} bounds the variance of the gradients")
        return out

    def reading(self) -> str:
        """How the search clients are given."""
        return READING if self.f is not None else ""

    def legible(self, vectors: Mapping[str, Any]) -> dict[str, Any]:
        """Without knees where no axis is kinked, and without centres and offsets that are zero."""
        smooth = not np.any(np.asarray(vectors.get("kinked", 0)) != 0)
        silent = {"far", "knee", "kinked"} if smooth else set()
        silent |= {k for k in ("offset", "center") if not np.any(np.asarray(vectors.get(k, 0)) != 0)}
        return {k: v for k, v in vectors.items() if k not in silent}

    # free data

    def sample(self, rng: np.random.Generator, shape: dict[str, int], cells: int, batch: int) -> Iterator[Free]:
        """`cells` batches; the scalars of a batch are shared."""
        rows = self.draw_scalars(rng, shape, cells)
        if not rows and not self.draw_vectors(rng, shape, 1):
            yield Free(shape, {})  # nothing to draw: the sizes are the whole instance
            return
        for c in range(cells):
            scalars = {k: v[c] if self.scalars[k].per_client else float(v[c, 0]) for k, v in rows.items()}
            yield Free(shape, scalars, self.draw_vectors(rng, shape, batch))

    def draw_vectors(self, rng: np.random.Generator, shape: Mapping[str, int], batch: int) -> dict[str, np.ndarray]:
        """Free vectors of a batch, over many magnitudes, aligned, sparse, equal and heterogeneous clients."""
        m, d = shape.get("m", 1), shape.get("d", 1)
        free = {name: vectors(rng, batch, 1, d) for name in self.at} | {
            name: vectors(rng, batch, m, d) for name in self.clients_at
        }
        if self.f is not None:
            free |= {
                "curvature": curvatures(rng, (batch, m, d), self.f.upper is not None),
                "far": curvatures(rng, (batch, m, d), self.f.upper is not None),
                "kinked": (rng.random((batch, 1, 1)) < 0.4) * np.ones((batch, m, d)),
                "knee": np.abs(vectors(rng, batch, m, d)) + 1e-3,
                "axis": rng.standard_normal((batch, m, d)),
                "slope": vectors(rng, batch, m, d),
                "offset": rng.standard_normal((batch, m)) * (rng.random((batch, 1)) < 0.2),
                "center": vectors(rng, batch, 1, d) * (rng.random((batch, 1, 1)) < 0.3),
            }
        return free

    def extents(self, shape: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
        """The shape of every free array of one instance."""
        return {k: v.shape[1:] for k, v in self.draw_vectors(np.random.default_rng(0), shape, 1).items()}

    def pick(self, free: Free, index: int) -> Free:
        return free.replace(vectors={k: v[index] for k, v in free.vectors.items()})

    def mutate(self, rng: np.random.Generator, free: Free, batch: int) -> Free:
        """Edit a few entries of one instance's vectors in every row, and now and then its scalars."""
        edited = {}
        for name, v in free.vectors.items():
            rows = np.repeat(np.asarray(v, dtype=float)[None], batch, axis=0)
            factor = rng.choice([0.0, -1.0, 0.1, 0.5, 0.9, 1.1, 2.0, 10.0], rows.shape)
            noise = rng.standard_normal(rows.shape) * rng.choice([0.0, 0.1, 1.0], (batch,) + (1,) * (rows.ndim - 1))
            hit = rng.random(rows.shape) < rng.choice([0.05, 0.3], (batch,) + (1,) * (rows.ndim - 1))
            edited[name] = self.admit(name, np.where(hit, rows * factor + noise, rows))
        scalars = free.scalars
        if rng.random() < 0.5:
            row = super().mutate(rng, Free(free.shape, scalars), 1).scalars
            scalars = {k: v[0] if self.scalars[k].per_client else float(v[0, 0]) for k, v in row.items()}
        return free.replace(vectors=edited, scalars=scalars)

    def admit(self, name: str, v: np.ndarray) -> np.ndarray:
        """Bring edited free data back into its range."""
        if name == "knee":
            return np.maximum(np.abs(v), 1e-6)
        if name == "kinked":
            return (v != 0) * 1.0
        if name in ("curvature", "far"):
            return np.clip(np.abs(v), 0.0, 1.0 if self.f is not None and self.f.upper else None)
        if name.endswith("axis"):
            return np.where(np.all(v == 0, axis=-1, keepdims=True), 1.0, v)
        if name.endswith("reach"):
            return np.clip(v, -1.0, 1.0)
        return v

    # instances on numbers

    def build(self, free: Free, numbers: Numbers) -> Instance:
        x = self.scope(self.convert(free.scalars, numbers), free.shape, numbers)
        data = {k: numbers.array(v) for k, v in free.vectors.items()}
        names = {k: data[k] for k in (*self.at, *self.clients_at)}
        given = list(x.given)
        if self.f is not None:
            problem, more = self.quadratics(x, data, numbers)
            names |= {"f": problem} | ({"w_star": problem.center} if self.optimum_of else {})
            given += more
            if self.envelope:
                names["F"] = Moreau(problem, getattr(x, self.envelope), x.sq)
            if self.diversity:
                names[self.diversity] = x.mean(x.sq(problem.slope - x.mean_vec(problem.slope)))
        return self.finish({**x._names, **names}, given, free.shape, data, numbers)

    def quadratics(self, x: Instance, data: dict[str, Any], numbers: Numbers) -> tuple[Quadratics, list[Any]]:
        """The clients, with their membership in the class and the optimality of w_star as conditions."""
        assert self.f is not None
        u, axis, knee = data["curvature"], data["axis"], data["knee"]
        far = u + (data["far"] - u) * data["kinked"]
        concave = bool(self.optimum_of and self.f.lower and self.f.lower.startswith("-"))
        if concave:
            far = u  # then the sign of the mean curvature says whether w_star is a minimiser
        if self.diversity or concave:
            axis = axis[..., :1, :] + u * 0  # one basis, so that mean curvatures are read off
        if self.diversity:  # a bound at every point needs equal Hessians
            u, far, knee = (a[..., :1, :] + a * 0 for a in (u, far, knee))
        mu, L = (b if b is None else per_client(b) for b in self.f.bounds(x))
        h, k = (p + mu if L is None else p * (L - mu) + mu for p in (u, far))
        slope = data["slope"]
        given = [le(0, u, "curvature at least mu"), le(0, far, "curvature at least mu"), lt(0, knee, "knee")]
        if L is not None:
            given += [le(u, 1, "curvature at most L"), le(far, 1, "curvature at most L")]
        if self.envelope:
            lam = per_client(getattr(x, self.envelope))
            given += [lt(0, c + lam, "the inner problem is strongly convex") for c in (h, k)]
        problem = Quadratics(h, axis, slope, data["center"], data["offset"], numbers, k, knee)
        if self.optimum_of:
            slope = slope - x.mean_vec(slope)
            if self.optimum_of == "F":
                slope = slope + problem.bend(slope / lam)  # grad f at the prox of w_star
            problem = Quadratics(h, axis, slope, data["center"], data["offset"], numbers, k, knee)
            F = Moreau(problem, lam, x.sq) if self.optimum_of == "F" else problem
            given.append(eq(x.sq(x.mean_vec(F.grad(problem.center))), 0, "w_star is stationary"))
            if concave:
                hF = h * lam / (h + lam) if self.optimum_of == "F" else h
                given.append(le(0, x.total_vec(hF), "w_star is a minimiser"))
        return problem, given

    def finish(
        self, names: dict[str, Any], given: list[Any], shape: Mapping[str, int], data: dict[str, Any], numbers: Numbers
    ) -> Instance:
        """Add what a subclass computes from the instance; here the subsets of S clients as draws."""
        draws = subsets(shape["m"], shape["S"], numbers) if "S" in shape else ()
        return Instance(numbers, names, given=given, draws=draws)

    # abstract instances and units

    def abstract(self, scalars: Mapping[str, Any], shape: dict[str, int], space: Space) -> Instance:
        numbers = space.numbers
        x = self.scope(self.convert(scalars, numbers), shape, numbers)
        m = shape.get("m", 1)
        names: dict[str, Any] = {k: space.leaf(k)[None] for k in self.at} | {
            k: space.leaves_for(k, m) for k in self.clients_at
        }
        if self.f is not None:
            problem = AbstractClients(space, m, *self.f.bounds(x))
            w_star = self.abstract_optimum(space, problem, x, m)
            names |= {"f": problem} | ({"w_star": w_star} if self.optimum_of else {})
            if self.envelope:
                names["F"] = Moreau(problem, getattr(x, self.envelope), x.sq)
            if self.diversity:
                bound = space.value(self.diversity)
                names[self.diversity] = np.array([bound], dtype=object)
                for p in self.at:
                    G = problem.grad(names[p])
                    space.nonnegative(f"{self.diversity} at {p}", bound - x.mean(x.sq(G - x.mean_vec(G))))
        return self.abstract_finish(names, x, shape, space)

    def abstract_optimum(self, space: Space, problem: AbstractClients, x: Instance, m: int) -> np.ndarray | None:
        """w_star with gradients that sum to zero, by substitution."""
        if not self.optimum_of:
            return None
        w_star = space.leaf("w_star")[None]
        G = space.centered_for("g_star", m)
        if self.optimum_of == "F":
            problem.declare_prox(w_star, getattr(x, str(self.envelope)), G)
        else:
            problem.declare(w_star, G)
        return w_star

    def abstract_finish(self, names: dict[str, Any], x: Instance, shape: dict[str, int], space: Space) -> Instance:
        draws = subsets(shape["m"], shape["S"], space.numbers) if "S" in shape else ()
        return Instance(space.numbers, {**x._names, **names}, draws=draws)

    def units(self) -> Instance:
        shape = self.shapes(2)[-1]
        m = shape.get("m", 1)
        numbers = Units()
        names: dict[str, Any] = {k: unit_vectors(1) for k in self.at} | {k: unit_vectors(m) for k in self.clients_at}
        scope = self.scope(self.unit_names(shape), shape, numbers)
        if self.f is not None:
            names |= {"f": UnitClients(m)} | ({"w_star": unit_vectors(1)} if self.optimum_of else {})
            if self.envelope:
                names["F"] = UnitClients(m)
            if self.diversity:
                names[self.diversity] = np.array([GRADIENT**2], dtype=object)
        return self.unit_finish({**scope._names, **names}, shape, numbers, scope.given)

    def unit_finish(self, names: dict[str, Any], shape: dict[str, int], numbers: Numbers, given: Any) -> Instance:
        draws = subsets(shape["m"], shape["S"], numbers) if "S" in shape else ()
        return Instance(numbers, names, draws=draws, given=given)


def Points(
    f: FunctionClass | None = None,
    *,
    envelope: str | None = None,
    at: tuple[str, ...] = ("w",),
    clients_at: tuple[str, ...] = (),
    optimum_of: str | None = None,
    diversity: str | None = None,
    given: tuple[Given, ...] = (),
    sizes: Mapping[str, tuple[int, ...]] | None = None,
    **scalars: Scalar,
) -> FunctionWorld:
    """A world of functions at points; scalars by keyword, such as ``lam=positive(CURVATURE)``.

    Raises
    ------
    UsageError
        If an argument is not one of the stated values.
    """
    if f is not None and not isinstance(f, FunctionClass):
        raise UsageError(f"Points(f=...) must be a function class such as Convex() or Smooth('L'), got {f!r}")
    if optimum_of not in (None, "f", "F"):
        raise UsageError(f"Points(optimum_of=...) must be None, 'f' or 'F', got {optimum_of!r}")
    if optimum_of == "F" and envelope is None:
        raise UsageError("Points(optimum_of='F') needs envelope=..., the name of the scalar lam")
    for name, spec in scalars.items():
        if not isinstance(spec, Scalar):
            raise UsageError(f"Points({name}=...) must be positive(), at_least(), between() or weights(), got {spec!r}")
    needed = [b.lstrip("-") for b in (f.lower, f.upper) if b] if f else []
    for name in [*needed, *([envelope] if envelope else [])]:
        if name not in scalars:
            raise UsageError(
                f"Points({f.name if f else ''}) needs the scalar {name}=..., for instance {name}=positive(CURVATURE)"
            )
    return FunctionWorld(
        scalars,
        stated(given),
        {**COUNTS, **(sizes or {})},
        f,
        envelope,
        at,
        clients_at,
        optimum_of,
        diversity,
    )


def vectors(rng: np.random.Generator, *size: int) -> np.ndarray:
    """Gaussian ``(batch, m, d)`` vectors over many magnitudes; some rows have equal, aligned, zero or uneven clients."""
    batch, m, _ = size
    v = rng.standard_normal(size)
    scale = np.where(rng.random((batch, 1, 1)) < 0.3, 10.0 ** rng.uniform(-4, 4, (batch, 1, 1)), 1.0)
    uneven = np.where(rng.random((batch, 1, 1)) < 0.3, 10.0 ** rng.uniform(-3, 3, (batch, m, 1)), 1.0)
    aligned = v[:, :1] * rng.standard_normal((batch, m, 1))
    kind = rng.random((batch, 1, 1))
    v = np.where(kind < 0.15, v[:, :1], np.where(kind < 0.35, aligned, v))
    v = np.where(rng.random((batch, m, 1)) < 0.08, 0.0, v)
    return v * scale * uneven


def curvatures(rng: np.random.Generator, size: tuple[int, ...], bounded: bool) -> np.ndarray:
    """Positions between mu and L in [0, 1], or distances above mu; ends, and log-uniform to condition numbers of 1e8."""
    ends = rng.integers(0, 2, size).astype(float)
    spread = 10.0 ** rng.uniform(-8, 0, size)
    inner = np.where(rng.random(size) < 0.5, 0.5, rng.random(size))  # 1/2 is a flat client where mu = -L
    kind = rng.random(size)
    u = np.where(kind < 0.45, ends, np.where(kind < 0.6, spread, np.where(kind < 0.75, 1.0 - spread, inner)))
    return (
        u
        if bounded
        else u * 10.0 ** np.where(rng.random((size[0], 1, 1)) < 0.5, rng.uniform(-9, 9, (size[0], 1, 1)), 0.0)
    )


def subsets(m: int, S: int, numbers: Numbers) -> tuple[Any, ...]:
    """All selections of S of m clients as ones and zeros ``(m,)``, equally likely."""
    return numbers.selections(m, S)


def unit_vectors(m: int) -> np.ndarray:
    """Vectors ``(m, 1)`` whose coordinates carry a length."""
    out = np.empty((m, 1), dtype=object)
    out[...] = LENGTH
    return out
