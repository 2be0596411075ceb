"""Independent noise and participation of clients, for every number m of them: minibatches, compressors, sampling."""

from fedtheory import eq, le
from problems import Points, Smooth, SmoothConvex, at_least, between

from .pair import ETA, SHORT, G, L, pair

P = between(0, 1, closed=False)
DRAWN = {"sizes": {"S": (1, 2, 3)}}
AGAIN, EACH = {**DRAWN, "participation": "replacement"}, {"p": P, "participation": "independent"}
SIGMA = {"sigma": G, "noise": lambda x: x.sigma**2}
OMEGA = {"omega": at_least(0)}


def grad(x):
    return x.f.grad(x.w)


def gap(x):
    return x.mean(x.f.value(x.w) - x.f.value(x.w_star))


@pair("minibatch-variance", Points(None, at=(), clients_at=("v",), **AGAIN))
def minibatch(x, s=1):
    """Dekel, Gilad-Bachrach, Shamir, Xiao (2012): a minibatch of S samples has 1/S of the variance of one."""
    mean = x.mean_vec(x.v)
    return eq(s * x.E(lambda draw: x.sq(x.total_vec(x.v, over=draw) / x.S - mean)), x.mean(x.sq(x.v - mean)) / x.S)


@pair("fedavg-sampling-again", Points(None, at=("w",), clients_at=("v",), **AGAIN))
def sampling_again(x, s=1):
    """Li et al. (2020), FedAvg on non-iid data, Lemma 5: S models drawn with replacement are off by 1/S of their spread."""
    average = lambda draw: x.total_vec(x.v, over=draw) / x.S  # noqa: E731
    return le(s * x.E(lambda draw: x.sq(average(draw) - x.mean_vec(x.v))), x.mean(x.sq(x.v - x.w)) / x.S)


@pair("fedavg-sampling-once", Points(None, at=("w",), clients_at=("v",), **DRAWN))
def sampling_once(x, s=1):
    """Li et al. (2020), the same lemma without replacement: the factor is (m - S)/(S (m - 1))."""
    average = lambda draw: x.total_vec(x.v, over=draw) / x.S  # noqa: E731
    left = (x.m - 1) * x.S * x.E(lambda draw: x.sq(average(draw) - x.mean_vec(x.v)))
    return le(s * left, (x.m - x.S) * x.mean(x.sq(x.v - x.w)))


@pair("local-sgd-noise", Points(SmoothConvex("L"), optimum_of="f", L=L, eta=ETA, given=(SHORT,), **SIGMA))
def local_sgd_noise(x, s=1):
    """Khaled, Mishchenko, Richtarik (2020): a step of all clients gains 2 eta times the gap, up to eta^2 sigma^2/m."""
    after = x.E(lambda n: x.sq(x.w - x.eta * x.mean_vec(grad(x) + n) - x.w_star))
    return le(s * after, x.sq(x.w - x.w_star) - 2 * x.eta * gap(x) + x.eta**2 * x.sigma**2 / x.m)


@pair("cooperative-noise", Points(Smooth("L"), L=L, beta=at_least(0), sigma=G,
                                  noise=lambda x: x.beta * x.sq(grad(x)) + x.sigma**2))  # fmt: skip
def cooperative(x, s=1):
    """Wang, Joshi (2021), Cooperative SGD: noise of beta |grad f_i|^2 + sigma^2 is divided by m."""
    moment = x.E(lambda n: x.sq(x.mean_vec(grad(x) + n)))
    return le(s * moment, x.sq(x.mean_vec(grad(x))) + (x.beta * x.mean(x.sq(grad(x))) + x.sigma**2) / x.m)


@pair(
    "dcgd-at-the-optimum",
    Points(SmoothConvex("L"), optimum_of="f", L=L, noise=lambda x: x.omega * x.sq(grad(x)), **OMEGA),
)
def compressed_at_the_optimum(x, s=1):
    """Khirirat, Feyzmahdavian, Johansson (2018), DCGD: second moment 2 L gap + omega/m mean |grad f_i|^2."""
    moment = x.E(lambda n: x.sq(x.mean_vec(grad(x) + n)))
    return le(s * moment, 2 * x.L * gap(x) + x.omega / x.m * x.mean(x.sq(grad(x))))


@pair(
    "diana-estimator",
    Points(Smooth("L"), clients_at=("h",), L=L, noise=lambda x: x.omega * x.sq(grad(x) - x.h), **OMEGA),
)
def diana_estimator(x, s=1):
    """Mishchenko, Gorbunov, Takac, Richtarik (2019), DIANA: second moment |grad f|^2 + omega/m mean |grad f_i - h_i|^2."""
    moment = x.E(lambda n: x.sq(x.mean_vec(x.h) + x.mean_vec(grad(x) - x.h + n)))
    return le(s * moment, x.sq(x.mean_vec(grad(x))) + x.omega / x.m * x.mean(x.sq(grad(x) - x.h)))


@pair("diana-at-the-optimum", Points(SmoothConvex("L"), optimum_of="f", L=L,
                                     noise=lambda x: x.omega * x.sq(grad(x) - x.f.grad(x.w_star)), **OMEGA))  # fmt: skip
def diana_at_the_optimum(x, s=1):
    """Gorbunov, Hanzely, Richtarik (2020): with h_i = grad f_i(w*) DIANA's second moment is 2 L (1 + omega/m) gap."""
    h = x.f.grad(x.w_star)
    moment = x.E(lambda n: x.sq(x.mean_vec(h) + x.mean_vec(grad(x) - h + n)))
    return le(s * moment, 2 * x.L * (1 + x.omega / x.m) * gap(x))


@pair("marina-estimator", Points(Smooth("L"), at=("w", "v", "g"), L=L, p=between(0, 1),
                                 noise=lambda x: x.omega * x.sq(x.f.grad(x.v) - grad(x)), **OMEGA))  # fmt: skip
def marina(x, s=1):
    """Gorbunov, Burlachenko, Li, Richtarik (2021), MARINA: the error grows by omega L^2/m |v - w|^2, with the chance 1 - p."""
    moved = x.f.grad(x.v) - grad(x)
    error = (1 - x.p) * x.E(lambda n: x.sq(x.g + x.mean_vec(moved + n) - x.mean_vec(x.f.grad(x.v))))
    bound = x.sq(x.g - x.mean_vec(grad(x))) + x.omega * x.L**2 / x.m * x.sq(x.v - x.w)
    return le(s * error, (1 - x.p) * bound)


@pair("bernoulli-participation", Points(Smooth("L"), L=L, **EACH))
def bernoulli(x, s=1):
    """Chen, Horvath, Richtarik (2022), one p for all: independent participation adds (1 - p)/(p m) mean |g_i|^2."""
    moment = x.E(lambda draw: x.sq(x.total_vec(grad(x), over=draw) / (x.p * x.m)))
    return le(s * moment, x.sq(x.mean_vec(grad(x))) + (1 - x.p) / (x.p * x.m) * x.mean(x.sq(grad(x))))


@pair("stored-updates", Points(None, at=(), clients_at=("h", "g", "k"), **EACH))
def stored(x, s=1):
    """Gu, Huang, Zhang, Huang (2021), MIFA: what is stored of clients that take part with the chance p is p new and 1 - p old."""
    after = x.E(lambda draw: x.mean(x.sq(x.where(draw, x.g, x.h) - x.k)))
    return eq(s * after, (1 - x.p) * x.mean(x.sq(x.h - x.k)) + x.p * x.mean(x.sq(x.g - x.k)))


@pair("expected-smoothness", Points(SmoothConvex("L"), optimum_of="f", L=L, **DRAWN))
def expected_smoothness(x, s=1):
    """Gower et al. (2019), expected smoothness of minibatches without replacement, of the same L: 2 L gap."""
    moved = grad(x) - x.f.grad(x.w_star)
    return le(s * x.E(lambda draw: x.sq(x.total_vec(moved, over=draw) / x.S)), 2 * x.L * gap(x))


@pair("sampled-noise", Points(None, at=(), clients_at=("v",), **SIGMA, **DRAWN))
def sampled_noise(x, s=1):
    """Yang, Fang, Liu (2021): stochastic gradients of S clients of m have (m - S)/(S (m - 1)) of the spread and sigma^2/S."""
    mean = x.mean_vec(x.v)
    apart = x.E(lambda draw, n: x.sq(x.total_vec(x.v + n, over=draw) / x.S - mean))
    return le(s * x.S * (x.m - 1) * apart, (x.m - x.S) * x.mean(x.sq(x.v - mean)) + (x.m - 1) * x.sigma**2)


@pair(
    "sampled-compression", Points(None, at=(), clients_at=("v",), noise=lambda x: x.omega * x.sq(x.v), **OMEGA, **EACH)
)
def sampled_compression(x, s=1):
    """Tyurin, Richtarik (2023), DASHA-PP: a compressor of clients that take part with the chance p is one of (1 + omega)/p - 1."""
    moment = x.E(lambda draw, n: x.sq(x.total_vec(x.v + n, over=draw) / (x.p * x.m)))
    return le(s * moment, x.sq(x.mean_vec(x.v)) + ((1 + x.omega) / x.p - 1) / x.m * x.mean(x.sq(x.v)))
