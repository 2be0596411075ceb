"""The methods with masks a second time: one client, one coordinate list at a time, in plain NumPy."""

import math

import numpy as np

# masks


def first_of(cells, score, count):
    """The `count` cells of the lowest score, of equal ones the first."""
    return sorted(cells, key=lambda c: (score[c], c))[: max(0, int(count))]


def cells_of(layers):
    """(coordinates, prunable) of every layer."""
    d = sum(layer.size for layer in layers)
    return [(np.arange(d)[layer.where].tolist(), layer.prunable) for layer in layers]


def of_cells(cells, d):
    """A mask that keeps these cells."""
    out = np.zeros(d, dtype=bool)
    out[list(cells)] = True
    return out


def rigl(alg, layers, x, g, mask, t):
    """Algorithm 3 of one client."""
    masking = alg.masking
    share = masking.alpha / 2 * (1 + math.cos(min(t, masking.T) * math.pi / masking.T))
    keeps = []
    for cells, prunable in cells_of(layers):
        have = [c for c in cells if mask[c]]
        gone = first_of(have, abs(x), math.floor(share * len(have) + 1e-9)) if prunable else []
        stay = [c for c in have if c not in gone]
        keeps += stay + first_of([c for c in cells if c not in stay], -abs(g), len(gone))
    return of_cells(keeps, len(x))


def sap(P, layers, x, mask):
    """Algorithm 2 of one client."""
    keeps = []
    for cells, prunable in cells_of(layers):
        have = [c for c in cells if mask[c]]
        if prunable and have:
            w, d = abs(x[have]), len(have)
            norms = [(w**r).sum() ** (1 / r) for r in (P.p, P.q)]
            e = 1 / P.q - 1 / P.p
            index = 1 - (d**e if P.exponent == "usual" else (1 / d) ** e) * norms[0] / norms[1] if w.any() else 0.0
            power = P.p / (P.q - P.p) * (1 if P.bound == "printed" else P.q)
            r = d * (1 + P.eta_c) ** (-P.q / (P.q - P.p)) * (1 - index) ** power
            out = max(0, math.floor(d * min(P.gamma * (1 - r / d), P.beta) + 1e-9))
            have = [c for c in have if c not in first_of(have, abs(x), out)]
        keeps += have
    return of_cells(keeps, len(x))


# methods


def steps(local, f, z, mask, draws, i, t):
    """Client i's local steps with masked gradients."""
    v = 0.0
    for h in range(local.E if draws.rows is None else len(draws.rows)):
        if draws.active is None or draws.active[h][i]:
            g = f.grad(z, None if draws.rows is None else draws.rows[h][i]) * mask
            v = local.momentum * v + g + local.weight_decay * z
            z = z - local.eta * local.decay**t * v
    return z


def dense(f, z, draws, i):
    """The dense gradient on one minibatch."""
    return f.grad(z, None if draws.rows is None else draws.rows[0][i])


def averaged(models, masks, mask):
    """(sum x_j/sum m_j) m_k with 0/0 := 0, a coordinate at a time."""
    top, count = sum(models), sum(m.astype(float) for m in masks)
    return np.array([top[c] / count[c] if mask[c] and count[c] else 0.0 for c in range(len(mask))])


def dispfl(alg, f, layers, s, draws):
    """Dai et al., on start-of-round models."""
    X, M = list(s.X), list(s.mask)
    for k in range(len(f)):
        heard = [j for j in range(len(f)) if draws.hears[k, j] or j == k]
        z = averaged([X[j] for j in heard], [M[j] for j in heard], M[k])
        z = steps(alg.local, f[k], z, M[k], draws.local, k, s.t)
        s.mask[k] = rigl(alg, layers, z, dense(f[k], z, draws, k), M[k], s.t + 1)
        s.X[k] = z * s.mask[k]


def feddst(alg, f, layers, s, draws):
    """Bibikar et al., on a server."""
    E1 = (alg.local.E + 1) // 2 if alg.before is None else alg.before
    n, sums, weights = s.mask, np.zeros(len(s.w)), np.zeros(len(s.w))
    halves = [type(alg.local)(**{**vars(alg.local), "E": E}) for E in (E1, alg.local.E - E1) if E]
    for i in np.flatnonzero(draws.selected):
        mask = s.mask
        z = steps(halves[0], f[i], s.w, mask, draws.local, i, s.t)
        if (s.t + 1) % alg.interval == 0 and s.t + 1 <= alg.masking.T:
            mask = rigl(alg, layers, z, dense(f[i], z, draws, i), mask, s.t + 1)
            z = z * mask
        if len(halves) > 1:
            z = steps(halves[1], f[i], z, mask, draws.rest, i, s.t)
        a = float(f[i].f.n[0]) if alg.alpha is None else float(alg.alpha)
        sums, weights = sums + a * z, weights + a * mask
    w = np.array([a / b if b else 0.0 for a, b in zip(sums, weights, strict=True)])
    keeps = []
    for cells, prunable in cells_of(layers):
        have = sum(bool(n[c]) for c in cells)
        keeps += first_of([c for c in cells if weights[c]], -abs(w), have) if prunable else cells
    s.mask = of_cells(keeps, len(w))
    s.w = w * s.mask


def starts(prior, order, N, rule, chance):
    """(start, waited set) of every client: who has waited for enough starts, a time after the other."""
    m = len(prior)
    need = [min(N, int(row.sum())) for row in prior]
    may = [set(np.flatnonzero(row).tolist()) for row in prior]
    if rule != "fastest":
        score = np.broadcast_to(order, (m, m)) if rule == "lowest" else chance
        may = [set(first_of(sorted(may[k]), score[k], need[k])) for k in range(m)]
    start, waited, now = {}, {}, 0
    while len(start) < m:
        ready = {}
        for k in set(range(m)) - set(start):
            over = [j for j in may[k] if start.get(j, m) < now]
            if len(over) >= need[k]:
                ready[k] = set(sorted(over, key=lambda j: (start[j], order[j]))[: need[k]])
        start, waited, now = {**start, **dict.fromkeys(ready, now)}, {**waited, **ready}, now + 1
    return start, waited


def dadpfl(alg, f, layers, s, draws):
    """Long et al., Algorithm 1, a client at a time in the order in which they start."""
    m, t, P = len(f), s.t + 1, alg.pruning
    before = draws.order if alg.indices == "global" else draws.indices
    prior = np.array([[draws.hears[k, j] and (before[j] < draws.order[k] if alg.indices == "global"
                       else before[k, j] <= draws.order[k]) for j in range(m)] for k in range(m)])  # fmt: skip
    start, waited = starts(prior, draws.order, m if alg.N is None else alg.N, alg.rule, draws.chance)
    X, M, new, delta, times = list(s.X), list(s.mask), {}, np.zeros(m), []
    if P is not None and s.t_star:
        at, gap = (0, 0) if P.intervals == "printed" else (s.t_star, s.t_star)
        for tau in range(1, alg.masking.T):
            coded = max(1, math.floor((gap + P.b) / P.c + 0.5))
            gap = coded if P.intervals == "coded" else math.ceil((s.t_star + P.b) / P.c ** (tau - 1))
            at += gap
            times += [at] if s.t_star < at < alg.masking.T else []
    for k in sorted(range(m), key=lambda k: start[k]):
        heard = [j for j in range(m) if draws.hears[k, j] or (j == k and alg.mean == "in")]
        pairs = [new[j] if j in waited[k] else (X[j], M[j]) for j in heard]
        z = averaged([x for x, _ in pairs], [a for _, a in pairs], M[k]) if pairs else np.zeros(len(X[k]))
        z, mask = steps(alg.local, f[k], z, M[k], draws.local, k, s.t), M[k]
        if P is not None:
            delta[k] = ((z - s.X0[k]) ** 2).sum() ** (1.0 if P.delta == "squared" else 0.5)
            prunable = [c for cells, yes in cells_of(layers) if yes for c in cells]
            share = np.mean(mask[prunable]) if P.share == "kept" else 1 - np.mean(mask[prunable])
            if t in times and share < P.target:
                mask = sap(P, layers, z, mask)
                z = z * mask
        mask = rigl(alg, layers, z, dense(f[k], z, draws, k), mask, t)
        new[k] = (z * mask if alg.carry == "masked" else z, mask)
    s.X, s.mask = [new[k][0] for k in range(m)], [new[k][1] for k in range(m)]
    if P is not None:
        s.delta_first = delta if t == 1 else s.delta_first
        votes = np.mean([abs(delta[k] - s.delta[k]) < P.delta_pr * abs(s.delta_first[k]) for k in range(m)])
        if not s.t_star and (votes >= P.delta_v) == (P.vote == "at-least"):
            s.t_star = t
        s.score = sum(abs(delta[k] - s.delta[k]) / abs(s.delta_first[k]) for k in range(m) if s.delta_first[k]) / m
        s.delta = delta
    s.time += max(start.values()) + 1


SPARSE_BOXES = {"DisPFL": dispfl, "FedDST": feddst, "DADPFL": dadpfl}
