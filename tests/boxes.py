"""The methods a second time: one client, one vector at a time, from the printed lines; what the stacked steps are held to."""

import math
from types import SimpleNamespace

import numpy as np


class One:
    """One client on plain vectors ``(d,)``."""

    def __init__(self, problem):
        self.f = problem

    def grad(self, w, rows=None):
        """Gradient at w, on the samples `rows` ``(b,)``."""
        return self.f.grad(w[None], rows=None if rows is None else rows[None])[0]

    def hessian_times(self, w, v, rows=None):
        """Hessian at w times v."""
        return self.f.hessian_product(w[None], v[None], rows=None if rows is None else rows[None])[0]

    def prox(self, w, lam, rows=None):
        """argmin of f(theta) + lam/2 |theta - w|^2."""
        f = self.f if rows is None else self.f.minibatch(rows[None])
        return f.prox(w[None], lam)[0]


def unstacked(state):
    """A state with a list of vectors for every stack."""
    out = SimpleNamespace(**state._asdict())
    for name, value in vars(out).items():
        if isinstance(value, np.ndarray):
            setattr(out, name, np.array(value[0]) if name in SERVER else [np.array(v) for v in value])
    return out


def of(hyper, i):
    """Client i's entry of a hyper-parameter."""
    return float(hyper[i]) if getattr(hyper, "ndim", 0) else float(hyper)


def at(rows, h, i):
    """Client i's minibatch h."""
    return None if rows is None else rows[h][i]


def scaled(direction, length):
    """A vector of this length along `direction`."""
    norm = np.linalg.norm(direction)
    return direction * (length / norm) if norm else direction * 0


def fedavg(alg, f, s, draws):
    """McMahan et al., Algorithm 1; with a proximal term Li et al., Algorithm 2."""
    z, mu = {}, getattr(alg, "mu_prox", 0.0)
    for i in np.flatnonzero(draws.selected):
        z[i] = s.w
        for h in range(alg.E):
            z[i] = z[i] - alg.eta * (f[i].grad(z[i], at(draws.rows, h, i)) + mu * (z[i] - s.w))
    weight = {i: float(f[i].f.n[0]) if alg.alpha is None else of(alg.alpha, i) for i in z}
    s.w = sum(weight[i] / sum(weight.values()) * z[i] for i in z)


def gamma(alg, k):
    """Step size of iteration k, counted from one."""
    return alg.a / math.log2(k + 1 + 1) if alg.decreasing else alg.a


def fedavg_stored(alg, f, s, draws):
    """Zhou and Li, Algorithm 2, FedAvg."""
    m = len(f)
    in_K = s.k % alg.k0 == 0
    if in_K:
        s.w = sum(s.W) / m  # (3.14)
        s.selected = draws.selected
    for i in np.flatnonzero(s.selected):
        start = s.w if in_K else s.W[i]
        s.W[i] = start - gamma(alg, s.k) / m * f[i].grad(start)  # (3.16)
    s.k += 1


def fedprox_stored(alg, f, s, draws):
    """Zhou and Li, Algorithm 2, FedProx."""
    m = len(f)
    if s.k % alg.k0 == 0:
        before = np.flatnonzero(s.selected)
        s.w = sum(s.W[i] for i in before) / len(before)  # (3.15)
        s.selected = draws.selected
    for i in np.flatnonzero(s.selected):
        push = alg.mu_prox * (s.W[i] - s.w)
        s.W[i] = s.W[i] + (push if alg.printed else -push) - gamma(alg, s.k) / m * f[i].grad(s.W[i])  # (3.17)
    s.k += 1


def perfedavg(alg, f, s, draws):
    """Fallah et al., Algorithm 1."""
    z = {}
    for i in np.flatnonzero(draws.selected):
        z[i] = s.w
        for h in range(alg.E):
            D1, D2, D3 = (at(draws.rows, 3 * h + j, i) for j in range(3))
            g = f[i].grad(z[i] - alg.inner_eta * f[i].grad(z[i], D1), D2)
            if alg.hessian == "product":
                g = g - alg.inner_eta * f[i].hessian_times(z[i], g, D3)
            elif alg.hessian == "difference":
                up, down = (f[i].grad(z[i] + sign * alg.delta * g, D3) for sign in (1, -1))
                g = g - alg.inner_eta * (up - down) / (2 * alg.delta)
            z[i] = z[i] - alg.eta * g
    s.w = sum(z.values()) / len(z)


def pfedme(alg, f, s, draws):
    """pFedMe, Algorithm 1."""
    m = len(f)
    W, Theta = [None] * m, [None] * m
    for i in range(m):  # line 4
        w = theta = s.w  # line 5
        for r in range(alg.R):  # line 6
            rows = at(draws.rows, r, i)
            if alg.K is None:  # line 7
                error = draws.error[r] if np.isscalar(draws.error[r]) else draws.error[r][i]
                error = scaled(error, alg.delta) if alg.delta is not None else error
                theta = f[i].prox(w, alg.lam, rows) + error
            else:
                theta = theta if alg.warm else w
                for _ in range(alg.K):
                    g = f[i].grad(theta, rows) + alg.lam * (theta - w)
                    if alg.nu is not None and np.linalg.norm(g) <= alg.nu:  # (8)
                        break
                    theta = theta - alg.inner_eta * g
            w = w - alg.eta * alg.lam * (w - theta)  # line 8
        W[i], Theta[i] = w, theta
    if alg.everyone:
        s.W, s.Theta = W, Theta
    chosen = np.flatnonzero(draws.selected)
    s.w = (1 - alg.beta) * s.w + alg.beta * sum(W[i] / len(chosen) for i in chosen)  # line 10
    s.t += 1


def fedadmm(alg, f, s, draws):
    """FedADMM, Algorithm 1."""
    m = len(f)
    sigma, alpha = [of(alg.sigma, i) for i in range(m)], [of(alg.alpha, i) for i in range(m)]
    if s.k % alg.k0 == 0:
        s.w = sum(s.Z) / sum(sigma)  # (3.3)
        if alg.s0 is None:
            s.selected = draws.selected
        else:
            s.selected = scheme(alg, s, draws, m)
    for i in np.flatnonzero(s.selected):
        s.eps[i] = of(alg.nu, i) * s.eps[i] * draws.tighten  # (3.4)
        if alg.inner_steps is None:  # (3.5)
            e = draws.error if np.isscalar(draws.error) else draws.error[i]
            e = scaled(e, math.sqrt(s.eps[i])) if alg.adversarial else e
            v = f[i].prox(s.w - (s.Pi[i] - e) / sigma[i], sigma[i] / alpha[i])
        else:
            v, r = s.w, of(alg.r, i)
            for step in range(alg.inner_steps):
                g = alpha[i] * f[i].grad(v)
                if step and np.sum((g + s.Pi[i] + sigma[i] * (v - s.w)) ** 2) <= s.eps[i]:
                    break
                v = (alpha[i] * r * v + sigma[i] * s.w - (g + s.Pi[i])) / (alpha[i] * r + sigma[i])  # (3.12)
        s.W[i] = v
        s.Pi[i] = s.Pi[i] + sigma[i] * (s.W[i] - s.w)  # (3.6)
        s.Z[i] = sigma[i] * s.W[i] + s.Pi[i]  # (3.7)
    s.k += 1


def scheme(alg, s, draws, m):
    """Scheme 4.1: unseen clients first as far as the rest of the cycle could not take them, then anybody."""
    place = s.communications % alg.s0
    unseen = set(range(m)) if place == 0 else {i for i in range(m) if s.unseen[i]}
    S = alg.S or m
    must = max(0, len(unseen) - (alg.s0 - place - 1) * S)
    chosen = [i for i in draws.order if i in unseen][:must]
    chosen += [i for i in draws.order if i not in chosen][: S - must]
    s.unseen = [i in unseen and i not in chosen for i in range(m)]
    s.communications += 1
    return np.array([i in chosen for i in range(m)])


def flame(alg, f, s, draws):
    """FLAME, Algorithm 1."""
    m = len(f)
    selected = np.flatnonzero(draws.selected)
    if alg.candidates is not None:  # l20 to l25
        g = {i: f[i].grad(s.Theta[i], at(draws.scored, 0, i)) + alg.lam * (s.Theta[i] - s.W[i]) for i in selected}
        selected = sorted(selected, key=lambda i: -np.linalg.norm(g[i]))[: alg.S]
    s.selected = np.isin(np.arange(m), selected)
    for i in selected:  # l7
        alpha = of(alg.alpha, i)
        eps = None if alg.eps is None else of(alg.eps, i) * alg.decay**s.t
        theta = s.Theta[i]
        if alg.H is None:
            e = draws.error if np.isscalar(draws.error) else draws.error[i]
            e = scaled(e, math.sqrt(eps)) if eps is not None else e
            theta = f[i].prox(s.W[i] + e / (alpha * alg.lam), alg.lam, at(draws.rows, 0, i))
        for h in range(alg.H or 0):
            g = f[i].grad(theta, at(draws.rows, h, i)) + alg.lam * (theta - s.W[i])
            if eps is not None and np.sum((alpha * g) ** 2) <= eps:  # (13)
                break
            theta = theta - alg.eta * g  # l12
        s.Theta[i] = theta  # l13
        s.W[i] = (alg.lam * alpha * theta + alg.rho * s.w - s.Pi[i]) / (alg.lam * alpha + alg.rho)  # l14
        s.Pi[i] = s.Pi[i] + alg.rho * (s.W[i] - s.w)  # l15
        s.Z[i] = s.W[i] + s.Pi[i] / alg.rho  # l16
    s.w = sum(s.Z) / m  # l5 of the next round
    s.t += 1


def scaffold(alg, f, s, draws):
    """Karimireddy et al., Algorithm 1."""
    m, chosen = len(f), np.flatnonzero(draws.selected)  # line 4
    y, c_plus = {}, {}
    for i in chosen:  # line 6
        y[i] = s.w  # line 7
        for h in range(alg.K):  # line 8
            y[i] = y[i] - alg.eta * (f[i].grad(y[i], at(draws.rows, h, i)) - s.C[i] + s.c)  # lines 9, 10
        c_plus[i] = f[i].grad(s.w) if alg.control == "i" else s.C[i] - s.c + (s.w - y[i]) / (alg.K * alg.eta)  # line 12
    delta_x = sum(y[i] - s.w for i in chosen) / len(chosen)  # line 16
    delta_c = sum(c_plus[i] - s.C[i] for i in chosen) / len(chosen)
    for i in chosen:
        s.C[i] = c_plus[i]  # line 14
    s.w, s.c = s.w + alg.eta_g * delta_x, s.c + len(chosen) / m * delta_c  # line 17


def gong(alg, f, s, draws):
    """Gong et al., Algorithm 1, as the list of compared methods has it."""
    chosen = np.flatnonzero(draws.selected)
    delta = 0
    for i in chosen:
        z = s.w
        for h in range(alg.E):
            z = z - alg.eta * (f[i].grad(z, at(draws.rows, h, i)) + s.Pi[i] + alg.rho * (z - s.w))
        pi = s.Pi[i] + alg.rho * (z - s.w)
        delta = delta + (z - s.Z[i]) + (pi - s.Pi[i]) / alg.rho
        s.Z[i], s.Pi[i] = z, pi
    s.w = s.w + alg.eta_s * delta / len(chosen)


SERVER = ("w", "c")  # fields of a state that are one vector

BOXES = {
    "FedAvg": fedavg,
    "FedAvgStored": fedavg_stored,
    "FedProx": fedavg,
    "FedProxStored": fedprox_stored,
    "PerFedAvg": perfedavg,
    "PFedMe": pfedme,
    "FedADMM": fedadmm,
    "FLAME": flame,
    "Gong": gong,
    "Scaffold": scaffold,
}
