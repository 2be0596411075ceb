"""Norms and square roots: clipping, normalised and Polyak steps, relative errors, step sizes that are tuned."""

from fedtheory import le
from problems import (
    Convex,
    ConvexLipschitz,
    Points,
    Scalars,
    Smooth,
    SmoothBoundedBelow,
    SmoothStronglyConvex,
    at_least,
    between,
    condition,
    positive,
)  # fmt: skip

from .pair import ETA, MU, SHORT, G, L, R, pair

ONE = {"m": (1,)}


def clip(x, u):
    return x.minimum(1, x.c / x.norm(u))[..., None] * u


def unit(x, u):
    return u / x.norm(u)[..., None]


@pair("l0-l1-step", Points(None, at=("g",), M=positive(), K=positive(), eta=positive(), given=(
    condition("eta <= 1/(L0 + L1 |g|)", lambda x: le(x.eta * (x.M + x.K * x.norm(x.g)), 1)),)))  # fmt: skip
def l0_l1(x, s=1):
    """Zhang, He, Sra, Jadbabaie (2020): under (L0, L1)-smoothness a step of at most 1/(L0 + L1 |g|) gains half of eta |g|^2."""
    change = -x.eta * x.sq(x.g) + (x.M + x.K * x.norm(x.g)) / 2 * x.eta**2 * x.sq(x.g)
    return le(change, -s * x.eta / 2 * x.sq(x.g))


@pair("clipping-error", Points(None, at=("u",), c=R))
def clipping_error(x, s=1):
    """Khirirat, Gorbunov, Horvath, Islamov, Karray, Richtarik (2023), Clip21: clipping takes away |u| - c, or nothing."""
    return le(s * x.norm(clip(x, x.u) - x.u), x.maximum(x.norm(x.u) - x.c, 0))


@pair("clipping-bias", Points(None, at=("u",), c=R))
def clipping_bias(x, s=1):
    """Karimireddy, He, Jaggi (2021), centered clipping: the bias of clipping is at most the second moment over 4 c."""
    return le(4 * s * x.c * x.norm(clip(x, x.u) - x.u), x.sq(x.u))


@pair("clipping-sensitivity", Points(None, at=("u", "v"), c=R))
def sensitivity(x, s=1):
    """Abadi et al. (2016), DP-SGD: two clipped gradients are at most 2 c apart."""
    return le(s * x.norm(clip(x, x.u) - clip(x, x.v)), 2 * x.c)


@pair("clipped-descent", Points(Smooth("L"), L=L, eta=ETA, c=G, given=(SHORT,)))
def clipped_descent(x, s=1):
    """Koloskova, Hendrikx, Stich (2023): a clipped step with eta <= 1/L gains half of eta min(|g|, c) |g|."""
    g = x.f.grad(x.w)
    gained = x.eta / 2 * x.minimum(x.norm(g), x.c) * x.norm(g)
    return le(x.f.value(x.w - x.eta * clip(x, g)) + s * gained, x.f.value(x.w))


@pair("normalised-momentum", Points(Smooth("L"), at=("w", "v"), L=L, eta=R, sizes=ONE), expect="supported")
def normalised_momentum(x, s=1):
    """Cutkosky, Mehta (2020): a normalised step along v gains eta |g|, up to 2 eta |v - g| + L eta^2/2."""
    g = x.f.grad(x.w)
    after = x.f.value(x.w - x.eta * unit(x, x.v))
    return le(after + s * x.eta * x.norm(g), x.f.value(x.w) + 2 * x.eta * x.norm(x.v - g) + x.L / 2 * x.eta**2)


@pair("normalised-direction", Points(None, at=("g", "v")))
def normalised_direction(x, s=1):
    """Cutkosky, Mehta (2020), in that proof: |g| is at most <g, v/|v|> + 2 |v - g|."""
    return le(s * x.norm(x.g), x.dot(x.g, unit(x, x.v)) + 2 * x.norm(x.v - x.g))


@pair("sharpness-aware", Points(Smooth("L"), L=L, rho=R))
def sharpness_aware(x, s=1):
    """Andriushchenko, Flammarion (2022); Qu et al. (2022): <grad f(w + rho g/|g|), g> is at least |g|^2 - L rho |g|."""
    g = x.f.grad(x.w)
    return le(x.sq(g), x.dot(x.f.grad(x.w + x.rho * unit(x, g)), g) + x.L * x.rho * x.norm(g) / s)


@pair("polyak-step", Points(Convex(), optimum_of="f", sizes=ONE))
def polyak_step(x, s=1):
    """Polyak (1969): after a step of (f - f*)/|g|^2 the squared distance to w* is less by (f - f*)^2/|g|^2."""
    g, gap = x.f.grad(x.w), x.f.value(x.w) - x.f.value(x.w_star)
    after = x.w - (gap / x.sq(g))[..., None] * g
    return le(x.sq(after - x.w_star) + s * gap**2 / x.sq(g), x.sq(x.w - x.w_star))


@pair("subgradient-step", Points(ConvexLipschitz("M"), optimum_of="f", sizes=ONE, M=G, eta=R))
def subgradient_step(x, s=1):
    """Nesterov (2004), Section 3.2.3: a normalised subgradient step of eta takes 2 eta (f - f*)/M - eta^2 from |w - w*|^2."""
    g, gap = x.f.grad(x.w), x.f.value(x.w) - x.f.value(x.w_star)
    return le(x.sq(x.w - x.eta * unit(x, g) - x.w_star) + 2 * s * x.eta * gap / x.M, x.sq(x.w - x.w_star) + x.eta**2)


@pair("gradient-by-gap", Points(SmoothBoundedBelow("L"), L=L))
def gradient_by_gap(x, s=1):
    """Nesterov (2004): the norm of the gradient is at most the root of 2 L times the gap."""
    return le(s * x.norm(x.f.grad(x.w)), x.sqrt(2 * x.L * (x.f.value(x.w) - x.f.infimum())))


@pair("relative-error", Points(Smooth("L"), at=("w", "e"), L=L, eps=between(0, 1), sizes=ONE, given=(
    condition("|e| <= eps |grad f(w)|", lambda x: le(x.sq(x.e), x.eps**2 * x.sq(x.f.grad(x.w)))),)))  # fmt: skip
def relative_error(x, s=1):
    """Ajalloeian, Stich (2020): with a bias of eps |g| a step 1/L gains (1 - eps^2) |g|^2/(2 L)."""
    g = x.f.grad(x.w)
    return le(x.f.value(x.w - (g + x.e) / x.L) + s * (1 - x.eps**2) / (2 * x.L) * x.sq(g), x.f.value(x.w))


@pair("inexact-prox", Points(SmoothStronglyConvex("mu", "L"), at=("w", "v"), mu=MU, L=L, gamma=between(0, 1), given=(
    condition("|grad h(v)| <= gamma |grad h(w)|",
              lambda x: le(x.sq(x.f.grad(x.v)), x.gamma**2 * x.sq(x.f.grad(x.w)))),)))  # fmt: skip
def inexact_prox(x, s=1):
    """Li et al. (2020), FedProx, proof of Theorem 4: a gamma-inexact solution is within (1 + gamma) |grad h(w)|/mu of w."""
    return le(s * x.mu * x.norm(x.v - x.w), (1 + x.gamma) * x.norm(x.f.grad(x.w)))


@pair("dissimilarity-root", Points(Smooth("L"), L=L, zeta=G, given=(
    condition("mean |grad f_i - grad f|^2 <= zeta^2",
              lambda x: le(x.mean(x.sq(x.f.grad(x.w) - x.mean_vec(x.f.grad(x.w)))), x.zeta**2)),)), expect="certified")  # fmt: skip
def dissimilarity_root(x, s=1):
    """Karimireddy et al. (2020), (G, B)-dissimilarity: the root mean square of the gradients is at most zeta + |grad f|."""
    g = x.f.grad(x.w)
    return le(s * x.sqrt(x.mean(x.sq(g))), x.zeta + x.norm(x.mean_vec(g)))


@pair("tuned-step", Scalars(a=positive(), b=positive(), c=positive(), T=at_least(1)))
def tuned_step(x, s=1):
    """Koloskova et al. (2020), the tuning lemma without its third term: a capped step has at most 2 sqrt(a b/T) + c a/T."""
    eta = x.minimum(x.sqrt(x.a / (x.b * x.T)), 1 / x.c)
    return le(s * (x.a / (eta * x.T) + x.b * eta), 2 * x.sqrt(x.a * x.b / x.T) + x.c * x.a / x.T)


@pair("tuned-step-cubic", Scalars(a=positive(), b=positive(), c=positive(), e=positive(), r=positive(), T=at_least(1), given=(
    condition("r = (a/(e T))^(1/3)", lambda x: le(x.r**3 * x.e * x.T, x.a)),
    condition("r is no less", lambda x: le(x.a, x.r**3 * x.e * x.T)))), off="11/10")  # fmt: skip
def tuned_step_cubic(x, s=1):
    """Koloskova et al. (2020), the tuning lemma: with e eta^2 as well it is 2 e^(1/3) (a/T)^(2/3) more."""
    eta = x.minimum(x.sqrt(x.a / (x.b * x.T)), x.r, 1 / x.c)
    bound = 2 * x.sqrt(x.a * x.b / x.T) + 2 * x.e * x.r**2 + x.c * x.a / x.T
    return le(s * (x.a / (eta * x.T) + x.b * eta + x.e * eta**2), bound)


@pair("adagrad-norm", Scalars(a=positive(), S=positive()))
def adagrad_norm(x, s=1):
    """Duchi, Hazan, Singer (2011), Lemma 4; Ward, Wu, Bottou (2019): a/sqrt(S + a) is at most 2 sqrt(S + a) - 2 sqrt(S)."""
    return le(s * x.a / x.sqrt(x.S + x.a), 2 * (x.sqrt(x.S + x.a) - x.sqrt(x.S)))
