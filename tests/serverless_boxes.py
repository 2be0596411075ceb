"""The methods of `fedtheory.algorithms` with local steps a second time: one client, one vector at a time, in plain NumPy."""

import numpy as np
from boxes import One, of, scaled


def steps(local, f, i, z, draws, t, direction):
    """Client i's local steps from z, as an optimiser of one client takes them."""
    v, H = 0.0, local.E if draws.rows is None else len(draws.rows)
    for h in range(H):
        if draws.active is not None and not draws.active[h][i]:
            continue
        rows = None if draws.rows is None else draws.rows[h][i]
        v = local.momentum * v + direction(z, rows) + local.weight_decay * z
        z = z - local.eta * local.decay**t * v
    return z


def compressed(C, x, chosen):
    """One vector as it is sent."""
    d = len(x)
    if C.kind == "top":
        out = np.zeros(d)
        for c in sorted(range(d), key=lambda c: (-abs(x[c]), c))[: int(np.ceil(C.ratio * d))]:
            out[c] = x[c]
        return out
    if C.kind == "random":
        return np.array([x[c] if chosen[c] else 0.0 for c in range(d)])
    if C.kind == "quantised":
        levels = 2 ** (max(2, int(C.ratio * 64)) - 1) - 1
        unit = max(abs(x)) / levels
        return np.array([round(v / unit) * unit if unit else 0.0 for v in x])
    return x


def weighted(V, vectors, i):
    """Client i's mean over those whom it gives a weight."""
    return sum(V[i, j] * vectors[j] for j in range(len(vectors)) if V[i, j])


def row(chosen, i):
    """Client i's mask."""
    return None if chosen is None else chosen[i]


def dfedavgm(alg, f, s, draws):
    """Sun et al., Algorithms 1 and 2; momentum by the difference of the last two iterates."""
    m, local = len(f), alg.local
    eta = local.eta * local.decay**s.t
    for i in range(m):
        z = before = s.X[i]
        for h in range(local.E if draws.local.rows is None else len(draws.local.rows)):
            if draws.local.active is None or draws.local.active[h][i]:
                rows = None if draws.local.rows is None else draws.local.rows[h][i]
                g = f[i].grad(z, rows) + local.weight_decay * z
                z, before = z - eta * g + local.momentum * (z - before), z
        s.Z[i] = z
    if alg.compressor.kind == "none":
        s.X = [weighted(draws.V, s.Z, i) for i in range(m)]
    else:
        Q = [compressed(alg.compressor, s.Z[j] - s.X[j], row(draws.chosen, j)) for j in range(m)]
        s.X = [s.X[i] + weighted(draws.V, Q, i) for i in range(m)]


def dfedsam(alg, f, s, draws):
    """Shi et al., Algorithm 1."""
    for i in range(len(f)):

        def uphill(z, rows, i=i):
            return f[i].grad(z + scaled(f[i].grad(z, rows), alg.rho), rows)

        s.Z[i] = steps(alg.local, f, i, s.X[i], draws.local, s.t, uphill)
    s.X = [weighted(draws.V, s.Z, i) for i in range(len(f))]


def gossipfl(alg, f, s, draws):
    """Tang et al.: the coordinates of the shared mask are mixed, then local steps."""
    mixed = [weighted(draws.V, s.X, i) for i in range(len(f))]
    for i in range(len(f)):
        x = np.array([mixed[i][c] if draws.b[c] else s.X[i][c] for c in range(len(draws.b))])
        s.X[i] = steps(alg.local, f, i, x, draws.local, s.t, f[i].grad)


def beer(alg, f, s, draws):
    """Zhao et al., Algorithm 1."""
    m, eta = len(f), alg.local.eta * alg.local.decay**s.t
    X = [s.X[i] + alg.gamma * (weighted(draws.V, s.H, i) - s.H[i]) - eta * s.Y[i] for i in range(m)]
    H = [s.H[i] + compressed(alg.compressor, X[i] - s.H[i], row(draws.of_H, i)) for i in range(m)]
    rows = [None if draws.local.rows is None else draws.local.rows[0][i] for i in range(m)]
    D = [f[i].grad(X[i], rows[i]) + alg.local.weight_decay * X[i] for i in range(m)]
    Y = [s.Y[i] + alg.gamma * (weighted(draws.V, s.G, i) - s.G[i]) + D[i] - s.D[i] for i in range(m)]
    G = [s.G[i] + compressed(alg.compressor, Y[i] - s.G[i], row(draws.of_G, i)) for i in range(m)]
    s.X, s.H, s.Y, s.G, s.D = X, H, Y, G, D


def ditto(alg, f, s, draws):
    """Li et al., Algorithm 1."""
    z, w = {}, s.w
    for i in np.flatnonzero(draws.selected):
        z[i] = steps(alg.local, f, i, w, draws.local, s.t, f[i].grad)

        def pulled(v, rows, i=i):
            return f[i].grad(v, rows) + alg.lam * (v - w)

        s.Own[i] = steps(alg.own, f, i, s.Own[i], draws.own, s.t, pulled)
    weight = {i: float(f[i].f.n[0]) if alg.alpha is None else of(alg.alpha, i) for i in z}
    s.w = sum(weight[i] / sum(weight.values()) * z[i] for i in z)


SERVERLESS_BOXES = {
    "DFedAvgM": dfedavgm,
    "DFedSAM": dfedsam,
    "GossipFL": gossipfl,
    "BEER": beer,
    "Ditto": ditto,
}


def clients_of(make, m):
    """The clients one by one."""
    return [One(make(np.arange(i, i + 1))) for i in range(m)]
