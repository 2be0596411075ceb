"""What the methods refuse: one line with the call as typed, the rule and the value."""

import numpy as np
import pytest
from algorithm_rows import PROBLEMS, WHOLE, quadratics

from fedtheory.algorithms import FLAME, FedADMM, FedAvg, FedAvgStored, FedProx, FedProxStored, PerFedAvg, PFedMe
from fedtheory.algorithms.scaffold import Scaffold
from fedtheory.errors import UsageError
from fedtheory.random import stream


class Quadratics:
    """Clients without samples."""

    m, d = 5, 4


def on(alg):
    """Call `init` on five clients of one variable."""
    return lambda: alg().init(PROBLEMS["huber"](WHOLE))


NAN, INF = float("nan"), float("inf")
BAD = [
    (lambda: FedAvg(0.0, 1), r"FedAvg\(eta=...\) must be positive, got 0.0"),
    (lambda: FedAvg(NAN, 1), r"FedAvg\(eta=...\) must be positive, got nan"),
    (lambda: FedAvg(INF, 1), r"FedAvg\(eta=...\) must be finite, got inf"),
    (lambda: FedAvg("0.1", 1), r"FedAvg\(eta=...\) must be a number or an array of them, one a client, got '0.1'"),
    (lambda: FedAvg(None, 1), r"FedAvg\(eta=...\) must be a number .* got None"),
    (lambda: FedAvg(True, 1), r"FedAvg\(eta=...\) must be a number .* got True"),
    (lambda: FedAvg(0.1, 0), r"FedAvg\(E=...\) must be an integer of at least 1, got 0"),
    (lambda: FedAvg(0.1, True), r"FedAvg\(E=...\) must be an integer of at least 1, got True"),
    (lambda: FedAvg(0.1, 1, S=0), r"FedAvg\(S=...\) must be an integer of at least 1, got 0"),
    (lambda: FedAvg(0.1, 1, batch=2.0), r"FedAvg\(batch=...\) must be an integer of at least 1, got 2.0"),
    (lambda: FedAvg(0.1, 1, replace="no"), r"FedAvg\(replace=...\) must be True or False, got 'no'"),
    (lambda: FedAvg(0.1, 1, alpha=np.array([0.5, -0.5])), r"FedAvg\(alpha=...\) must be positive, got -0.5"),
    (lambda: FedAvg(0.1, 1, alpha=[1.0]), r"FedAvg\(alpha=...\) must be a number or an array"),
    (lambda: FedAvg(0.1, 1, alpha=np.array(["a"])), r"FedAvg\(alpha=...\) must hold numbers, got an array of str"),
    (on(lambda: FedAvg(0.1, 1, S=6)), r"FedAvg\(S=...\) must be an integer of at least 1 and at most 5, got 6"),
    (
        on(lambda: FedAvg(0.1, 1, alpha=np.ones(4))),
        r"FedAvg\(alpha=...\) must hold one number .* 5 clients, got shape \(4,\)",
    ),
    (
        lambda: FedAvg(0.1, 1).init(Quadratics()),
        r"FedAvg\(alpha=None\) weighs clients by their samples.* use alpha=1",
    ),
    (lambda: FedAvgStored(-1.0), r"FedAvgStored\(a=...\) must be positive, got -1.0"),
    (lambda: FedAvgStored(1.0, 0), r"FedAvgStored\(k0=...\) must be an integer of at least 1, got 0"),
    (lambda: FedAvgStored(1.0, decreasing=1), r"FedAvgStored\(decreasing=...\) must be True or False, got 1"),
    (lambda: FedProx(0.1, 1, -0.5), r"FedProx\(mu_prox=...\) must be positive, got -0.5"),
    (lambda: FedProxStored(0.1, NAN), r"FedProxStored\(mu_prox=...\) must be positive, got nan"),
    (lambda: FedProxStored(0.1, 0.1, printed=None), r"FedProxStored\(printed=...\) must be True or False, got None"),
    (lambda: PerFedAvg(0.1, 0.0, 1), r"PerFedAvg\(inner_eta=...\) must be positive, got 0.0"),
    (
        lambda: PerFedAvg(0.1, 0.1, 1, hessian="produkt"),
        r"PerFedAvg\(hessian=...\) must be one of none, product, difference.*product\?",
    ),
    (lambda: PerFedAvg(0.1, 0.1, 1, hessian="difference"), r"PerFedAvg\(delta=...\) goes with hessian='difference'"),
    (lambda: PerFedAvg(0.1, 0.1, 1, delta=0.1), r"PerFedAvg\(delta=...\) goes with hessian='difference'"),
    (lambda: PFedMe(-1.0, 0.1, 1.0, 1, 1), r"PFedMe\(lam=...\) must be positive, got -1.0"),
    (lambda: PFedMe(1.0, NAN, 1.0, 1, 1), r"PFedMe\(eta=...\) must be positive, got nan"),
    (lambda: PFedMe(1.0, 0.1, 1.0, 0, 1), r"PFedMe\(R=...\) must be an integer of at least 1, got 0"),
    (lambda: PFedMe(1.0, 0.1, 1.0, 1, 2.5), r"PFedMe\(S=...\) must be an integer"),
    (on(lambda: PFedMe(1.0, 0.1, 1.0, 1, 6)), r"PFedMe\(S=...\) must be an integer .* at most 5, got 6"),
    (lambda: FedADMM(np.array([1.0, 0.0]), np.ones(2), np.ones(2)), r"FedADMM\(sigma=...\) must be positive, got 0.0"),
    (lambda: FLAME(1.0, -2.0, np.ones(2)), r"FLAME\(rho=...\) must be positive, got -2.0"),
    (lambda: Scaffold(0.0, 1), r"Scaffold\(eta=...\) must be positive, got 0.0"),
    (lambda: Scaffold(0.1, 1, eta_g=-1), r"Scaffold\(eta_g=...\) must be positive, got -1"),
    (lambda: Scaffold(0.1, 0), r"Scaffold\(K=...\) must be an integer of at least 1, got 0"),
    (lambda: Scaffold(0.1, 1, control="I"), r"Scaffold\(control=...\) must be one of i, ii, got 'I'"),
    (on(lambda: Scaffold(0.1, 1, S=6)), r"Scaffold\(S=...\) must be an integer .* at most 5, got 6"),
    (lambda: PFedMe(1.0, 0.1, 1.0, 1, 1, K=5), r"PFedMe\(K=..., inner_eta=...\) go together"),
    (lambda: PFedMe(1.0, 0.1, 1.0, 1, 1, nu=0.1), r"nu=... needs both"),
    (
        lambda: PFedMe(1.0, 0.1, 1.0, 1, 1, K=0, inner_eta=0.1),
        r"PFedMe\(K=...\) must be an integer of at least 1, got 0",
    ),
    (
        lambda: PFedMe(1.0, 0.1, 1.0, 1, 1, K=1, inner_eta=0.1, delta=0.1),
        r"PFedMe\(delta=...\) is the error of an exact",
    ),
    (lambda: PFedMe(1.0, 0.1, 1.0, 1, 1, delta=INF), r"PFedMe\(delta=...\) must be finite, got inf"),
    (lambda: PFedMe(1.0, 0.1, 1.0, 1, 1, warm=2), r"PFedMe\(warm=...\) must be True or False, got 2"),
    (lambda: FedADMM(1.0, 0.2, 0.4), r"FedADMM\(nu=...\) must be at least 0.5 and below 1, got 0.4"),
    (lambda: FedADMM(1.0, 0.2, np.array([0.9, 1.0])), r"FedADMM\(nu=...\) must be at least 0.5 and below 1, got 1.0"),
    (lambda: FedADMM(1.0, 0.2, 0.9, r=1.0), r"FedADMM\(r=..., inner_steps=...\) go together"),
    (lambda: FedADMM(1.0, 0.2, 0.9, r=-1.0, inner_steps=1), r"FedADMM\(r=...\) must be positive, got -1.0"),
    (
        lambda: FedADMM(1.0, 0.2, 0.9, r=1.0, inner_steps=1, adversarial=True),
        r"FedADMM\(adversarial=True\) .* excludes inner_steps",
    ),
    (on(lambda: FedADMM(1.0, 0.2, 0.9, S=2, s0=2)), r"FedADMM\(s0=...\) must be an integer of at least 3, got 2"),
    (on(lambda: FedADMM(np.ones(3), 0.2, 0.9)), r"FedADMM\(sigma=...\) must hold one number for each of the 5 clients"),
    (lambda: FLAME(1.0, 1.0, 0.2, candidates=3), r"FLAME\(candidates=...\) needs S=..."),
    (
        lambda: FLAME(1.0, 1.0, 0.2, S=3, candidates=2),
        r"FLAME\(candidates=...\) must be an integer of at least 3, got 2",
    ),
    (on(lambda: FLAME(1.0, 1.0, 0.2, S=3, candidates=6)), r"FLAME\(candidates=...\) must be .* at most 5, got 6"),
    (lambda: FLAME(1.0, 1.0, 0.2, H=3), r"FLAME\(H=..., eta=...\) go together, got H=3 and eta=None"),
    (lambda: FLAME(1.0, 1.0, 0.2, eps=0.0), r"FLAME\(eps=...\) must be positive, got 0.0"),
    (lambda: FLAME(1.0, 1.0, 0.2, decay=NAN), r"FLAME\(decay=...\) must be positive, got nan"),
]


@pytest.mark.parametrize(("make", "message"), BAD, ids=[f"{i}" for i in range(len(BAD))])
def test_bad_hyper_parameters(make, message):
    """One line: the call as typed, the rule, the value."""
    with pytest.raises(UsageError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda f: FedAvg(0.1, 1).init(f, np.zeros(4)),
            r"FedAvg.init\(w0=...\) must be an array \(..., 1, 4\), got shape \(4,\)",
        ),
        (lambda f: FedAvg(0.1, 1).init(f, np.zeros((1, 3))), r"got shape \(1, 3\)"),
        (lambda f: FedAvg(0.1, 1).init(f, np.zeros((5, 4))), r"got shape \(5, 4\)"),
        (lambda f: FedAvg(0.1, 1).init(f, 0.0), r"FedAvg.init\(w0=...\) must be an array .* got float"),
        (
            lambda f: PFedMe(1.0, 0.1, 1.0, 1, 1).init(f, np.full((1, 4), NAN)),
            r"PFedMe.init\(w0=...\) must hold finite",
        ),
        (
            lambda f: FedADMM(1.0, 0.2, 0.9).init(f, None, np.full((5, 4), INF)),
            r"FedADMM.init\(W0=...\) must hold finite",
        ),
        (lambda f: FedADMM(1.0, 0.2, 0.9).init(f, eps0=-1.0), r"FedADMM.init\(eps0=...\) must be positive, got -1.0"),
        (lambda f: FedADMM(1.0, 0.2, 0.9).init(f, eps0=np.ones(3)), r"FedADMM.init\(eps0=...\) must hold one number"),
        (lambda f: FedADMM(1.0, 0.2, 0.9).init(f, Pi0=np.ones((4, 4))), r"FedADMM.init\(Pi0=...\) must be an array"),
        (lambda f: FLAME(1.0, 1.0, 0.2).init(f, np.ones((1, 4))), r"FLAME.init\(Theta0=...\) must be an array"),
        (lambda f: FLAME(1.0, 1.0, 0.2).init(f, Pi0=np.full((5, 4), NAN)), r"FLAME.init\(Pi0=...\) must hold finite"),
        (
            lambda f: FedAvg(0.1, 1).init(f, np.array([["a"] * 4])),
            r"FedAvg.init\(w0=...\) must hold finite real numbers",
        ),
        (lambda f: FedAvg(0.1, 1, S=9).draw(f, stream(0, 0, "x")), r"FedAvg\(S=...\) must be .* at most 5, got 9"),
        (
            lambda f: PFedMe(1.0, 0.1, 1.0, 1, 1, batch=2, replace=False).draw(f, stream(0, 0, "x")),
            r"PFedMe\(batch=..., replace=False\) must be at most 1, the samples of the smallest client, got 2",
        ),
        (
            lambda f: FedAvg(0.1, 1, batch=2, alpha=1).draw(Quadratics(), stream(0, 0, "x")),
            r"FedAvg\(batch=...\) needs clients with samples, and Quadratics has none; leave batch=None",
        ),
    ],
    ids=[f"{i}" for i in range(15)],
)
def test_bad_vectors_and_draws(make, message):
    """What does not fit the problem is refused where it meets it."""
    with pytest.raises(UsageError, match=message):
        make(quadratics(WHOLE))
