"""Theorems about runs whose quantities are sums over clients with scalars of their own, or over those that are selected."""

from fedtheory import claim, eq, le, use
from fedtheory.units import CURVATURE
from problems import Points, Run, Smooth, condition, positive

ONE = {"m": (1,), "d": (1, 2)}
SIZES = {"m": (1, 2, 3), "d": (1, 2)}
LESS = condition("a <= b", lambda x: le(x.a, x.b))


def beside(scalar):
    """A scalar of each client beside vectors."""
    return scalar[..., None] if getattr(scalar, "ndim", 0) else scalar


def over(quantity):
    """The sum over the selected clients."""
    return lambda x: x.total(quantity(x), over=x.chosen)


def scaled(x):
    return beside(x.a) * x.W


def stepped(x):
    return x.W - x.f.grad(x.W) / beside(x.r)


YOUNG = claim("sums/young", world=Points(None, at=(), clients_at=("u", "v"), sizes=ONE))(
    lambda x: le(2 * x.dot(x.u, x.v), x.sq(x.u) + x.sq(x.v))
)
JENSEN = claim("sums/jensen", world=Points(None, at=(), clients_at=("v",)))(
    lambda x: le(x.sq(x.mean_vec(x.v)), x.mean(x.sq(x.v)))
)
WEIGHED = claim(
    "sums/weighed", world=Points(None, at=(), clients_at=("v",), sizes=ONE, a=positive(), b=positive(), given=(LESS,))
)(lambda x: le(x.a * x.sq(x.v), x.b * x.sq(x.v)))
FALLS = claim("sums/falls", world=Points(Smooth("r"), at=(), clients_at=("v",), sizes=ONE, r=positive(CURVATURE)))(
    lambda x: le(x.f.value(x.v - x.f.grad(x.v) / x.r), x.f.value(x.v) - x.sq(x.f.grad(x.v)) / (2 * x.r))
)


def halved(**sizes):
    """Those that are selected are halved; `Z` are any vectors."""
    return Run(
        None, at=(), clients_at=("W", "Z"), fresh=("Z",), selection="chosen", index="T", sizes={**SIZES, **sizes}, given=(LESS,),
        step={"W": lambda x: x.where(x.chosen, x.W / 2, x.W)}, a=positive(per_client=True), b=positive(),
        quantities={
            "A": lambda x: x.total(x.a * x.sq(x.W)), "B": lambda x: x.total(x.b * x.sq(x.W)), "D": lambda x: x.total(x.sq(x.W)),
            "F": over(lambda x: x.a * x.sq(x.W)), "V": over(lambda x: x.sq(x.W)), "Y": over(lambda x: x.sq(x.Z)),
            "X": over(lambda x: x.dot(x.W, x.Z)), "XA": lambda x: x.total(x.dot(x.W, x.Z)),
            "M": lambda x: x.sq(x.mean_vec(scaled(x))), "Q": lambda x: x.mean(x.sq(scaled(x))),
            "P": lambda x: x.dot(x.mean_vec(scaled(x)), x.mean_vec(x.Z)), "U": lambda x: x.mean(x.dot(scaled(x), x.Z)),
            "K": lambda x: x.sq(x.total_vec(x.W, over=x.chosen)),
        },
    )  # fmt: skip


HALVED, COUNTED = halved(), halved(S=(1, 2))
DESCENT = Run(
    Smooth("r"), at=(), clients_at=("W",), selection="chosen", index="T", sizes=SIZES, r=positive(CURVATURE, per_client=True),
    step={"W": lambda x: x.where(x.chosen, stepped(x), x.W)},
    quantities={
        "H": lambda x: x.total(x.f.value(x.W)), "G": over(lambda x: x.sq(x.f.grad(x.W)) / (2 * x.r)),
        "GA": lambda x: x.total(x.sq(x.f.grad(x.W)) / (2 * x.r)),
        "C": over(lambda x: x.f.value(stepped(x)) - x.f.value(x.W)),
    },
)  # fmt: skip
OF_PRODUCTS = use(YOUNG, u=lambda x: x.W, v=lambda x: x.Z)
OF_SCALED = use(JENSEN, v=scaled)
OF_WEIGHED = use(WEIGHED, v=lambda x: x.W)
OF_STEPS = use(FALLS, v=lambda x: x.W)

TRUE = {
    "an identity and a sign": (HALVED, (), lambda x, t: le(x.A[t + 1], x.A[t] - x.F[t] / 2)),
    "over the selected": (HALVED, (OF_PRODUCTS,), lambda x, t: le(2 * x.X[t], x.V[t] + x.Y[t])),
    "of all, with a factor of each": (HALVED, (OF_SCALED,), lambda x, t: le(x.M[t], x.Q[t])),
    "at every client, with its scalar": (HALVED, (OF_WEIGHED,), lambda x, t: le(x.A[t], x.B[t])),
    "with functions": (DESCENT, (OF_STEPS,), lambda x, t: le(x.H[t + 1] + x.G[t], x.H[t])),
    "S of them": (COUNTED, (OF_PRODUCTS,), lambda x, t: le(2 * x.X[t], x.V[t] + x.Y[t])),
}
FALSE = {
    "all are halved": (HALVED, (), lambda x, t: le(4 * x.A[t + 1], x.A[t])),
    "those selected have no more than all, of either sign": (HALVED, (OF_PRODUCTS,), lambda x, t: le(x.X[t], x.XA[t])),
    "a mean of products is a product of means": (HALVED, (OF_SCALED,), lambda x, t: eq(x.U[t], x.P[t])),
    "the square of a mean is the mean of squares": (HALVED, (OF_SCALED,), lambda x, t: le(x.Q[t], x.M[t])),
    "a factor of each may go before the sum": (HALVED, (OF_WEIGHED,), lambda x, t: le(x.B[t], x.A[t])),
    "the square of a sum over the selected is the sum of squares": (HALVED, (), lambda x, t: le(x.K[t], x.V[t])),
    "those selected have their share of everything": (COUNTED, (), lambda x, t: eq(x.m * x.V[t], x.S * x.D[t])),
    "all have moved": (DESCENT, (OF_STEPS,), lambda x, t: le(x.H[t + 1] + x.GA[t], x.H[t])),
    "those selected fall twice": (DESCENT, (OF_STEPS,), lambda x, t: le(x.H[t + 1] + 2 * x.G[t], x.H[t])),
}


def theorem(kind, what):
    """One of them as a claim."""
    run, by, body = kind[what]
    return claim(f"sums/{what.replace(' ', '-').replace(',', '')}", world=run, by=by)(body)
