"""Compressors by what defines them, and error feedback."""

from fedtheory import claim, le
from fedtheory.units import STEP
from problems import Points, between, condition, positive

CONTRACTIVE = condition("|c - (e + eta g)|^2 <= (1 - delta) |e + eta g|^2", lambda x: le(
    x.sq(x.c - x.e - x.eta * x.g), (1 - x.delta) * x.sq(x.e + x.eta * x.g)))  # fmt: skip
FEEDBACK = Points(None, at=("c", "e", "g"), eta=positive(STEP), delta=between(0, 1, closed=False), given=(CONTRACTIVE,))


@claim("shelf/error-feedback", world=FEEDBACK, expect="proved")
def error_feedback(x):
    after = x.e + x.eta * x.g - x.c
    return le(x.sq(after), (1 - x.delta / 2) * x.sq(x.e) + 2 / x.delta * x.eta**2 * x.sq(x.g))


@claim(
    "shelf/ef21",
    world=Points(
        None,
        at=("h", "u", "v", "c"),
        delta=between(0, 1, closed=False),
        s=positive(),
        given=(
            condition(
                "|c - (v - h)|^2 <= (1 - delta) |v - h|^2",
                lambda x: le(x.sq(x.c - x.v + x.h), (1 - x.delta) * x.sq(x.v - x.h)),
            ),
        ),
    ),
    expect="proved",
)
def ef21(x):
    bound = (1 - x.delta) * ((1 + x.s) * x.sq(x.h - x.u) + (1 + 1 / x.s) * x.sq(x.v - x.u))
    return le(x.sq(x.h + x.c - x.v), bound)


@claim(
    "shelf/shift",
    world=Points(
        None,
        at=("h", "g"),
        clients_at=("v",),
        alpha=positive(),
        omega=positive(),
        given=(
            condition(
                "E|C(g - h) - (g - h)|^2 <= omega |g - h|^2",
                lambda x: le(x.mean(x.sq(x.v - x.mean_vec(x.v))), x.omega * x.sq(x.g - x.h)),
            ),
            condition("alpha <= 1/(1 + omega)", lambda x: le(x.alpha * (1 + x.omega), 1)),
        ),
    ),
    expect="proved",
)
def shift(x):
    outcomes = x.g - x.h + x.v - x.mean_vec(x.v)  # their mean is g - h
    return le(x.mean(x.sq(x.h + x.alpha * outcomes - x.g)), (1 - x.alpha) * x.sq(x.h - x.g))


@claim(
    "shelf/ef21-each",
    world=Points(
        None,
        at=(),
        clients_at=("h", "u", "v", "c"),
        r=between(0, 1, closed=False),
        given=(
            condition(
                "|c - (v - h)|^2 <= r^2 |v - h|^2", lambda x: le(x.sq(x.c - x.v + x.h), x.r**2 * x.sq(x.v - x.h))
            ),
        ),
    ),
    expect="proved",
)
def ef21_each(x):
    return le(x.sq(x.h + x.c - x.v), x.r * x.sq(x.h - x.u) + x.r**2 / (1 - x.r) * x.sq(x.v - x.u))


@claim(
    "shelf/feedback-each",
    world=Points(
        None, at=(), clients_at=("c", "e", "g"), eta=positive(STEP), delta=between(0, 1, closed=False), given=(CONTRACTIVE,)
    ),
    expect="proved",
)  # fmt: skip
def feedback_each(x):
    after = x.e + x.eta * x.g - x.c
    return le(x.sq(after), (1 - x.delta / 2) * x.sq(x.e) + 2 / x.delta * x.eta**2 * x.sq(x.g))
