"""The proof of Lemma 1, relation by relation (Section A.2)."""

from typing import Any

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.section3 import delta_sq, regularised, regularised_grad
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Convex, Points, Scalars, Smooth, StronglyConvex, at_least, between, condition, positive

from ..worlds.minibatch import minibatch
from .statement import LAM_ABOVE_L, error_sq

RATES: dict[str, Any] = {"lam": positive(CURVATURE), "mu": positive(CURVATURE)}


def short(sides, relation=le):
    """The relation between the two sides with nine tenths of the right one."""

    def body(x):
        left, right = sides(x)
        return relation(10 * left, 9 * right)

    return body


def first_order(x, curvature):
    """The first-order inequality of h_i between two points, and at its solution theta_hat_i(w), where it is least."""
    there, hat = x.theta_prime, x.f.prox(x.w, x.lam)
    linear = x.dot(regularised_grad(x, there, x.w), x.theta - there)
    here = regularised(x, x.theta, x.w)
    return (
        le(regularised(x, there, x.w) + linear + curvature / 2 * x.sq(x.theta - there), here, "two points"),
        le(regularised(x, hat, x.w) + curvature / 2 * x.sq(x.theta - hat), here, "the unique solution"),
    )


@claim(
    "pfedme/lemma1a-proof-s2",
    world=Points(StronglyConvex("mu"), envelope="lam", at=("w", "theta", "theta_prime"), **RATES),
    control=Control(
        "for a quadratic client of curvature mu h_i is a quadratic of curvature lam + mu and no more",
        lambda x: first_order(x, 11 * (x.lam + x.mu) / 10),
    ),
    step=True,
)
def lemma1a_s2(x):
    return first_order(x, x.lam + x.mu)


@claim(
    "pfedme/lemma1b-proof-s1",
    world=Points(
        Smooth("L"), envelope="lam", at=("w", "theta", "theta_prime"), lam=positive(CURVATURE), L=positive(CURVATURE),
        given=(LAM_ABOVE_L,),
    ),
    control=Control(
        "for a quadratic client of curvature -L h_i is a quadratic of curvature lam - L and no more",
        lambda x: first_order(x, 11 * (x.lam - x.L) / 10),
    ),
    step=True,
)  # fmt: skip
def lemma1b_s1(x):
    return first_order(x, x.lam - x.L)


def by_the_gradient(x):
    """|theta_tilde - theta_hat|^2 and |grad h_i(theta_tilde)|^2/(lam + mu)^2."""
    grad_sq = x.sq(regularised_grad(x, x.theta_tilde, x.w))
    return x.sq(x.theta_tilde - x.f.prox(x.w, x.lam)), 1 / (x.lam + x.mu) ** 2 * grad_sq


@claim(
    "pfedme/lemma1a-proof-s3-a",
    world=Points(StronglyConvex("mu"), envelope="lam", at=("w", "theta_tilde"), **RATES),
    control=Control("a quadratic client of curvature mu attains it", short(by_the_gradient)),
    uses=("pfedme/lemma1a-proof-s2", "pfedme/prop2b"),
    step=True,
    note="At any theta_tilde. Proposition 2, the stated reason, asks for smoothness too; its second inequality does not need it.",
)
def lemma1a_s3a(x):
    return le(*by_the_gradient(x))


def split_in_two(x):
    """|grad h|^2 and 2 (|grad h - grad h~|^2 + |grad h~|^2), both over (lam + mu)^2."""
    scale = (x.lam + x.mu) ** 2
    return x.sq(x.g) / scale, 2 / scale * (x.sq(x.g - x.g_tilde) + x.sq(x.g_tilde))


@claim(
    "pfedme/lemma1a-proof-s3-b",
    world=Points(None, at=(), clients_at=("g", "g_tilde"), **RATES),
    control=Control("g~ = g/2 attains it", short(split_in_two)),
    uses=("pfedme/prop3",),
    step=True,
    note="g and g_tilde are the gradients of h_i and of its minibatch estimate at theta_tilde; any two vectors.",
)
def lemma1a_s3b(x):
    return le(*split_in_two(x))


def with_residual(x, bound):
    """2/(lam + mu)^2 (noise + |grad h~|^2) and 2/(lam + mu)^2 (noise + bound)."""
    return delta_sq(x.lam + x.mu, x.noise_sq, x.residual), 2 / (x.lam + x.mu) ** 2 * (x.noise_sq + bound)


RESIDUAL = Scalars(
    noise_sq=positive(GRADIENT**2),
    residual=positive(GRADIENT),
    nu=positive(GRADIENT),
    given=(condition("(8)", lambda x: le(x.residual, x.nu)),),
    **RATES,
)


@claim(
    "pfedme/lemma1a-proof-s3-c",
    world=RESIDUAL,
    control=Control("(8) may hold with equality", short(lambda x: with_residual(x, x.nu**2))),
    repair="pfedme/lemma1a-proof-s3-c~repaired",
    step=True,
    note="residual = |grad h~(theta_tilde)|, at most nu by (8), and noise_sq = |grad f~ - grad f|^2 at theta_tilde, which is "
    "|grad h - grad h~|^2 since the terms with lambda cancel.",
)
def lemma1a_s3c(x):
    return le(*with_residual(x, x.nu))


@claim(
    "pfedme/lemma1a-proof-s3-c~repaired",
    world=RESIDUAL,
    control=Control("(8) may hold with equality", short(lambda x: with_residual(x, x.nu**2))),
    step=True,
    note="nu squared.",
)
def lemma1a_s3c_repaired(x):
    return le(*with_residual(x, x.nu**2))


def as_a_sum(x, size):
    """The noise of a minibatch, |mean of grad f~ - grad f|^2, as |sum of (grad f~ - grad f)|^2 over `size`."""
    scale, G, g = 2 / (x.lam + x.mu) ** 2, x.U * x.lam, x.u * x.lam
    return eq(scale * (x.sq(x.mean_vec(G) - g) + x.nu), scale * (x.sq(x.total_vec(G - g)) / size + x.nu))


@claim(
    "pfedme/lemma1a-proof-s3-d",
    world=Points(None, at=("u",), clients_at=("U",), nu=positive(GRADIENT), **RATES),
    control=Control(
        "with |D| in place of |D|^2 a minibatch of two has twice the noise",
        lambda x: as_a_sum(x, x.m),
    ),
    step=True,
    note="The clients of this world are the |D| samples of one minibatch, with any gradients lam U_xi and lam u; the sum is read "
    "as that of the differences.",
)
def lemma1a_s3d(x):
    return as_a_sum(x, x.m**2)


def noise_at(x, theta):
    """E_xi |grad f~(theta; xi) - grad f(theta)|^2 for a sample drawn anew."""
    G = x.f.grad(theta)
    return x.mean(x.sq(G - x.mean_vec(G)))


ATTAINED = Control(
    "without sampling noise the distance is nu/(lam + mu) for a client of curvature mu, so a quarter of the bound fails",
    lambda x: le(error_sq(x), delta_sq(x.lam + x.mu, noise_at(x, x.theta_hat) / x.batch, x.nu) / 4),
)


@claim(
    "pfedme/lemma1a-proof-s4-a",
    world=minibatch(StronglyConvex("mu"), mu=positive(CURVATURE)),
    control=ATTAINED,
    repair="pfedme/lemma1a-proof-s4-a~repaired",
    uses=("pfedme/lemma1a-proof-s3-c", "pfedme/lemma1a-proof-s5", "pfedme/lemma1a-proof-s6"),
    step=True,
    note="Printed with =, and with E_xi over a sample drawn anew at theta_tilde, averaged over minibatches.",
)
def lemma1a_s4a(x):
    noise = x.E(lambda D: noise_at(x, x.theta_tilde(D)))
    return eq(error_sq(x), 2 / (x.lam + x.mu) ** 2 * (noise / x.batch + x.nu))


@claim(
    "pfedme/lemma1a-proof-s4-a~repaired",
    world=minibatch(StronglyConvex("mu"), mu=positive(CURVATURE), each_sample=True),
    control=ATTAINED,
    step=True,
    note="<= in place of =, nu squared, every sample function mu-strongly convex and the noise at theta_hat, which does not "
    "depend on the minibatch.",
)
def lemma1a_s4a_repaired(x):
    return le(error_sq(x), delta_sq(x.lam + x.mu, noise_at(x, x.theta_hat) / x.batch, x.nu))


def by_assumption_2(x):
    """2/(lam + mu)^2 (noise/|D| + nu) with the noise at theta_tilde and with gamma_f^2."""
    scale = 2 / (x.lam + x.mu) ** 2
    return scale * (noise_at(x, x.theta_tilde) / x.batch + x.nu), scale * (x.gamma_f_sq / x.batch + x.nu)


@claim(
    "pfedme/lemma1a-proof-s4-b",
    world=Points(
        Convex(), at=("theta_tilde",), diversity="gamma_f_sq", nu=positive(GRADIENT), batch=at_least(1), **RATES
    ),
    control=Control(
        "for samples that differ by a linear term the noise is gamma_f^2 everywhere", short(by_assumption_2)
    ),
    step=True,
    note="The clients of this world are the samples. E_xi is Assumption 2's, over a sample drawn anew at a point that is held.",
)
def lemma1a_s4b(x):
    return le(*by_assumption_2(x))


def independent(x, fn):
    """E of fn(X_1, X_2, X_3) for independent variables, each uniform on the m vectors of its name."""

    def pick(U, D):
        return x.total_vec(U, over=D)

    return x.E(lambda a: x.E(lambda b: x.E(lambda c: fn(pick(x.X, a), pick(x.Y, b), pick(x.Z, c)))))


def variances(x):
    """E |sum of (X_k - E X_k)|^2 and the sum of E |X_k - E X_k|^2."""
    X, Y, Z = (U - x.mean_vec(U) for U in (x.X, x.Y, x.Z))
    centre = x.mean_vec(x.X) + x.mean_vec(x.Y) + x.mean_vec(x.Z)
    return independent(x, lambda u, v, w: x.sq(u + v + w - centre)), x.mean(x.sq(X) + x.sq(Y) + x.sq(Z))


@claim(
    "pfedme/lemma1a-proof-s5",
    world=Points(None, at=(), clients_at=("X", "Y", "Z"), sizes={"S": (1,), "d": (1, 2)}),
    control=Control("variances of independent variables add, and nine tenths of their sum are less", short(variances)),
    step=True,
    note="Three variables, each uniform on m vectors of its own. One step from two to three is the induction step: a sum of "
    "independent variables is one variable, independent of the next.",
)
def lemma1a_s5(x):
    return eq(*variances(x))


def own_solutions(x):
    """theta_tilde of the samples with curvature mu + c and mu - c between 0 and `reach`; their solutions lie there."""
    return tuple(x.lam * x.w / (x.lam + h) for h in curvatures_of(x))


def curvatures_of(x):
    """mu (1 + share) and mu (1 - share)."""
    return x.mu * (1 + x.share), x.mu * (1 - x.share)


@claim(
    "pfedme/lemma1a-proof-s6",
    world=Scalars(
        w=positive(LENGTH), reach=positive(LENGTH), share=between(0, 1, closed=False), **RATES,
        given=(condition("the solutions lie within reach", lambda x: le(own_solutions(x)[1], x.reach)),),
    ),
    control=Control(
        "at a common point theta = w the two samples average to mu w and not to half of it",
        lambda x: eq(x.w * (curvatures_of(x)[0] + curvatures_of(x)[1]) / 2, x.mu * x.w / 2),
    ),
    repair="pfedme/sec32-s5",
    uses=("pfedme/sec32-s5",),
    step=True,
    note="X_i of row s5 are the samples of the minibatch that made theta_tilde; at a point held fixed the relation is true, "
    "sec32-s5. At the method's own theta_tilde, which solves the problem of the sample that is averaged (|D| = 1, nu = 0). Two "
    "equally likely samples on the line, mu theta^2/2 with a noise gradient of +-share mu theta, cut off at 0 and at "
    "`reach`: each is strongly convex, the noise is bounded, and theta_tilde = lam w/(lam + mu (1 +- share)).",
)  # fmt: skip
def lemma1a_s6(x):
    (more, less), (h_more, h_less) = own_solutions(x), curvatures_of(x)
    return eq((h_more * more + h_less * less) / 2, x.mu * (more + less) / 2)
