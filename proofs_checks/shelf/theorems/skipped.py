"""ProxSkip in the form with clients (Scaffnew): a coin of chance p decides whether they communicate; every T, m and p.

A control is L times h_i less the mean of these, since the mean of the controls stays zero; it goes to grad f_i(w*).
"""

from fedtheory import claim, le
from fedtheory.units import CURVATURE, STEP
from problems import Run, SmoothStronglyConvex, condition, positive

L, MU, ETA = positive(CURVATURE), positive(CURVATURE), positive(STEP)


def control(x):
    """The control of a client."""
    return x.L * (x.h - x.mean_vec(x.h))


def local(x):
    """A step of a client by itself."""
    return x.v - x.eta * (x.f.grad(x.v) - control(x))


def model(x, talks):
    """v_i after a step."""
    return x.mean_vec(local(x)) if talks else local(x)


def after(x, talks):
    """h_i after a step."""
    return (control(x) + x.p / x.eta * (model(x, talks) - local(x))) / x.L


PROXSKIP = Run(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", at=(), clients_at=("v", "h"), L=L, mu=MU, eta=ETA,
    p=positive(), zeta=positive(),
    given=(
        condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1)),
        condition("zeta <= min(eta mu, p^2)", lambda x: (le(x.zeta, x.eta * x.mu), le(x.zeta, x.p**2))),
    ),
    outcomes=(1, 0), chances=lambda x: (x.p, 1 - x.p), step={"v": model, "h": after},
    quantities={"D": lambda x: x.mean(x.sq(x.v - x.w_star)), "H": lambda x: x.mean(x.sq(control(x) - x.f.grad(x.w_star)))},
)  # fmt: skip


@claim("shelf/proxskip-step", world=PROXSKIP.one_step, expect="proved")
def proxskip_step(x):
    weight = x.eta**2 / x.p**2
    return le(x.next.D + weight * x.next.H, (1 - x.zeta) * (x.D + weight * x.H))


@claim("shelf/proxskip", world=PROXSKIP, by=(proxskip_step,), expect="proved")
def proxskip(x):
    weight = x.eta**2 / x.p**2
    return le(x.D[x.T] + weight * x.H[x.T], (1 - x.zeta) ** x.T * (x.D[0] + weight * x.H[0]))
