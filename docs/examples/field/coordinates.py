"""Coordinates: signs, Top-k, AdaGrad, RMSprop and Adam, medians and trimmed means, soft thresholding."""

from fedtheory import le
from problems import Axes, Convex, Smooth, SmoothConvex, between, positive

from .pair import G, L, R, pair

FLAT = {"m": (1,), "d": (2,)}
BETA = between(0, 1)


def soft(x, u, tau):
    return x.sign(u) * x.maximum(x.absolute(u) - tau, 0)


@pair("signsgd-descent", Axes(Smooth("L"), at=("w", "v"), L=L, eta=R))
def signsgd(x, s=1):
    """Bernstein et al. (2018), signSGD: a step by the signs of v gains eta |g|_1, up to 2 eta |g - v|_1 + L eta^2 d/2."""
    g = x.f.grad(x.w)
    error = 2 * x.eta * x.norm(g - x.v, 1)
    left = x.f.value(x.w - x.eta * x.sign(x.v)) + s * x.eta * x.norm(g, 1)
    return le(left, x.f.value(x.w) + error + x.L / 2 * x.eta**2 * x.d)


@pair("signum-descent", Axes(Smooth("L"), at=("w", "q"), L=L, eta=R, beta=BETA))
def signum(x, s=1):
    """Bernstein et al. (2018), Signum: with momentum the error is beta times that of the momentum before."""
    g = x.f.grad(x.w)
    after = x.w - x.eta * x.sign(x.beta * x.q + (1 - x.beta) * g)
    left = x.f.value(after) + s * x.eta * x.norm(g, 1)
    return le(left, x.f.value(x.w) + 2 * x.eta * x.beta * x.norm(g - x.q, 1) + x.L / 2 * x.eta**2 * x.d)


@pair("ef-signsgd-compressor", Axes(at=("u",), sizes={"d": (1, 2)}), expect="certified")
def ef_signsgd(x, s=1):
    """Karimireddy, Rebjock, Stich, Jaggi (2019), Lemma 8: the scaled sign is a compressor with delta = |u|_1^2/(d |u|^2)."""
    scaled = (x.norm(x.u, 1) / x.d)[..., None] * x.sign(x.u)
    return le(x.sq(x.u - scaled) + s * x.norm(x.u, 1) ** 2 / x.d, x.sq(x.u))


@pair("top-k-error-feedback", Axes(at=("g", "e"), sizes={"d": (2,)}, tau=positive()), expect="certified")
def top_k_error_feedback(x, s=1):
    """Stich, Cordonnier, Jaggi (2018), SGD with memory: what Top-1 leaves of g + e contracts by 1 - 1/d."""
    u = x.g + x.e
    bound = (1 + x.tau) * x.sq(x.e) + (1 + 1 / x.tau) * x.sq(x.g)
    return le(s * x.sq(u - x.top(u, 1)), (1 - 1 / x.d) * bound)


@pair("top-k-descent", Axes(Smooth("L"), L=L, sizes=FLAT), expect="certified")
def top_k_descent(x, s=1):
    """Nutini, Schmidt, Laradji, Friedlander, Koepke (2015): the rule of Gauss and Southwell gains |g|_inf^2/(2 L)."""
    g = x.f.grad(x.w)
    return le(x.f.value(x.w - x.top(g, 1) / x.L) + s * x.norm(g, "inf") ** 2 / (2 * x.L), x.f.value(x.w))


@pair("adagrad-step", Axes(Convex(), at=("w", "v", "b"), eta=R, eps=G))
def adagrad(x, s=1):
    """Duchi, Hazan, Singer (2011): the regret of a step with a scale of each coordinate."""
    g, r = x.f.grad(x.w), x.absolute(x.b) + x.eps
    after = x.w - x.eta * g / r
    closer = x.dot(r * (x.w - x.v), x.w - x.v) - x.dot(r * (after - x.v), after - x.v)
    return le(x.f.value(x.w) - x.f.value(x.v), closer / (2 * x.eta) + x.eta / 2 * x.dot(g / r, g) / s)


@pair("adam-bounded-step", Axes(at=("g", "v"), beta=BETA, eps=G))
def adam_step(x, s=1):
    """Kingma, Ba (2015), Section 2.1: without momentum a coordinate moves by at most 1/sqrt(1 - beta)."""
    second = x.beta * x.v * x.v + (1 - x.beta) * x.g * x.g
    return le(s * (1 - x.beta) * x.sq(x.g / (x.sqrt(second) + x.eps)), x.d)


@pair("rmsprop-descent", Axes(Smooth("L"), at=("w", "v"), L=L, eta=R, beta=BETA, eps=G))
def rmsprop(x, s=1):
    """Reddi, Charles, Zaheer et al. (2021), FedOpt: a step scaled by roots of second moments descends."""
    g = x.f.grad(x.w)
    step = x.eta * g / (x.sqrt(x.beta * x.v * x.v + (1 - x.beta) * g * g) + x.eps)
    return le(x.f.value(x.w - step) + s * x.dot(g, step), x.f.value(x.w) + x.L / 2 * x.sq(step))


@pair("median-is-near", Axes(at=("w",), clients_at=("v",), sizes={"m": (3,), "d": (1,)}), expect="certified")
def median(x, s=1):
    """Yin, Chen, Ramchandran, Bartlett (2018): the median of coordinates is no further from w than the largest client."""
    return le(s * x.norm(x.median(x.v) - x.w, "inf"), x.max(x.norm(x.v - x.w, "inf")))


@pair("trimmed-mean-is-near", Axes(at=("w",), clients_at=("v",), sizes={"m": (3,), "d": (1,)}), expect="certified")
def trimmed_mean(x, s=1):
    """Yin et al. (2018): nor is the mean without the smallest and the largest value of each coordinate."""
    return le(s * x.norm(x.trimmed_mean(x.v, 1) - x.w, "inf"), x.max(x.norm(x.v - x.w, "inf")))


@pair("soft-thresholding", Axes(at=("u", "v"), tau=R))
def soft_thresholding(x, s=1):
    """Daubechies, Defrise, De Mol (2004): soft thresholding is nonexpansive."""
    return le(s * x.sq(soft(x, x.u, x.tau) - soft(x, x.v, x.tau)), x.sq(x.u - x.v))


@pair("ista-lasso", Axes(SmoothConvex("L"), at=("w", "v"), L=L, lam=G, sizes={"m": (1,)}))
def lasso(x, s=1):
    """Beck, Teboulle (2009), Lemma 2.3, with lam |.|_1: after soft thresholding f + lam |.|_1 is below any v, up to distances."""
    p = soft(x, x.w - x.f.grad(x.w) / x.L, x.lam / x.L)
    own, other = x.f.value(p) + x.lam * x.norm(p, 1), x.f.value(x.v) + x.lam * x.norm(x.v, 1)
    return le(own + s * x.L / 2 * x.sq(p - x.v), other + x.L / 2 * x.sq(x.w - x.v))
