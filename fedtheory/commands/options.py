"""Hyper-parameters on the command line: what each method takes, how a word becomes a value, and the method itself."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..algorithms import FLAME, FedADMM, FedAvg, FedAvgStored, FedProx, FedProxStored, PerFedAvg, PFedMe
from ..errors import UsageError, did_you_mean

MOST_RUNS = 100


class Option(NamedTuple):
    """One hyper-parameter: what kind of value it takes and what it is."""

    kind: str  # positive, least 0, share, count, flag, or one of the choices
    what: str
    choices: tuple[str, ...] = ()


OPTIONS: dict[str, Option] = {
    "lam": Option("positive", "Moreau parameter lambda"),
    "eta": Option("positive", "step size"),
    "beta": Option("positive", "server relaxation"),
    "R": Option("count", "local rounds"),
    "E": Option("count", "local steps"),
    "S": Option("count", "selected clients (default: all)"),
    "participation": Option("share", "share of the clients that is selected, instead of --S"),
    "rho": Option("positive", "flame: penalty; fedadmm: the paper's letter for --participation"),
    "sigma0": Option("positive", "penalties sigma_i = sigma0 r_i/m"),
    "sigma": Option("positive", "one penalty for all clients, instead of --sigma0"),
    "nu": Option("positive", "fedadmm: accuracy factor in [1/2, 1); pfedme: accuracy of (8)"),
    "k0": Option("count", "iterations between communications"),
    "s0": Option("count", "selection cycle of Scheme 4.1 (default: independent selections)"),
    "eps0": Option("positive", "first accuracy (default: k0^2)"),
    "dual": Option("choice", "first dual variables: -g_i (Algorithm 1) or 0 (Section 5.2)", ("gradient", "zero")),
    "inner": Option("choice", "how local problems are solved", ("exact", "gradient", "adversarial")),
    "inner-steps": Option("count", "most gradient steps of --inner gradient (K, kappa + 1, H)"),
    "inner-eta": Option("positive", "their step size; perfedavg: step of the adaptation"),
    "delta": Option("positive", "length of the error of --inner adversarial; perfedavg: of --hessian difference"),
    "eps": Option("positive", "accuracy of (13)"),
    "decay": Option("positive", "factor of --eps a round"),
    "candidates": Option("count", "candidates of the biased selection (default: unbiased)"),
    "batch": Option("count", "samples of a minibatch (default: all)"),
    "mu-prox": Option("positive", "proximal weight"),
    "a": Option("positive", "step size a/log2(k + 2) over m"),
    "sign": Option("choice", "sign of the proximal term of (3.17)", ("printed", "turned")),
    "weights": Option("choice", "weights of the mean over clients", ("equal", "samples")),
    "hessian": Option("choice", "second-order term", ("none", "product", "difference")),
}


class Method(NamedTuple):
    """One method of the command line."""

    make: Callable[[dict[str, Any], Any], tuple[Any, Any]]  # options and problem to the method and its first state
    defaults: Mapping[str, Any]  # every option that it takes; None where there is no value by default
    paper: str  # of the theorem that its curves stand under, or empty
    stop: str  # its stopping rule by default


def participants(o: Mapping[str, Any], m: int, share: str = "participation") -> int:
    """Selected clients from S or a share; all of them by default."""
    if o.get("S") is not None and o.get(share) is not None:
        raise UsageError(f"--S and --{share} exclude each other; give one of them")
    if o.get("S") is not None:
        if o["S"] > m:
            raise UsageError(f"--S must be at most the {m} clients, got {o['S']}")
        return int(o["S"])
    if o.get(share) is None:
        return m
    return max(1, math.floor(o[share] * m + Fraction(1, 2)))


def inner_of(o: Mapping[str, Any], *needs: str) -> str:
    """The way local problems are solved, with what it needs and nothing else."""
    for name in needs:
        if o["inner"] == "gradient" and o[name] is None:
            raise UsageError(f"--inner gradient needs --{name}")
        if o["inner"] != "gradient" and o[name] is not None:
            raise UsageError(f"--{name} goes with --inner gradient, got --inner {o['inner']}")
    return str(o["inner"])


def _pfedme(o: dict[str, Any], problem: Any) -> tuple[Any, Any]:
    inner = inner_of(o, "inner-steps", "inner-eta")
    if (inner == "adversarial") != (o["delta"] is not None):
        raise UsageError("--inner adversarial and --delta go together, the length of the error")
    method = PFedMe(
        o["lam"], o["eta"], o["beta"], o["R"], participants(o, problem.m), K=o["inner-steps"], inner_eta=o["inner-eta"],
        nu=o["nu"], delta=o["delta"], batch=o["batch"],
    )  # fmt: skip
    return method, method.init(problem)


def _fedadmm(o: dict[str, Any], problem: Any) -> tuple[Any, Any]:
    m = problem.m
    inner, r = inner_of(o, "inner-steps"), problem.constants().L_i
    if not np.isfinite(r).all():
        raise UsageError("fedadmm needs Lipschitz gradients for r_i, and this model has none; smooth it (--smoothing)")
    if o["sigma"] is not None and o["sigma0"] is not None:
        raise UsageError("--sigma and --sigma0 exclude each other; give one of them")
    if o["rho"] is not None and o["rho"] > 1:
        raise UsageError(f"--rho of fedadmm is the share of selected clients, at most 1, got {o['rho']}")
    if o["rho"] is not None and o["participation"] is not None:
        raise UsageError("--rho of fedadmm is --participation; give one of them")
    S = participants({**o, "participation": o["participation"] if o["rho"] is None else o["rho"]}, m)
    factor = 0.2 if o["sigma0"] is None else o["sigma0"]
    sigma = factor * r / m if o["sigma"] is None else np.full(m, o["sigma"])
    if not 0.5 <= o["nu"] < 1:
        raise UsageError(f"--nu of fedadmm must be at least 1/2 and below 1, got {o['nu']}")
    method = FedADMM(
        sigma, np.full(m, 1 / m), np.full(m, o["nu"]), o["k0"], S=S, s0=o["s0"],
        r=r if inner == "gradient" else None, inner_steps=o["inner-steps"], adversarial=inner == "adversarial",
    )  # fmt: skip
    xp = problem.xp
    zero = xp.zeros((m, problem.d), dtype=xp.float64, device=problem.device) if o["dual"] == "zero" else None
    return method, method.init(problem, eps0=o["eps0"], Pi0=zero)


def _flame(o: dict[str, Any], problem: Any) -> tuple[Any, Any]:
    m, inner = problem.m, inner_of(o, "inner-steps", "inner-eta")
    if inner == "adversarial" and o["eps"] is None:
        raise UsageError("--inner adversarial of flame needs --eps, the accuracy of (13)")
    if inner == "exact" and o["eps"] is not None:
        raise UsageError("--eps goes with --inner gradient or adversarial, got --inner exact")
    if o["decay"] != 1 and o["eps"] is None:
        raise UsageError("--decay needs --eps, whose factor a round it is")
    method = FLAME(
        o["lam"], o["rho"], np.full(m, 1 / m), S=participants(o, m), candidates=o["candidates"], H=o["inner-steps"],
        eta=o["inner-eta"], eps=o["eps"], decay=o["decay"], batch=o["batch"],
    )  # fmt: skip
    return method, method.init(problem)


def _alpha(o: Mapping[str, Any]) -> Any:
    return 1 if o["weights"] == "equal" else None


def _fedavg(o: dict[str, Any], problem: Any) -> tuple[Any, Any]:
    method = FedAvg(o["eta"], o["E"], S=participants(o, problem.m), batch=o["batch"], alpha=_alpha(o))
    return method, method.init(problem)


def _fedprox(o: dict[str, Any], problem: Any) -> tuple[Any, Any]:
    S = participants(o, problem.m)
    method = FedProx(o["eta"], o["E"], o["mu-prox"], S=S, batch=o["batch"], alpha=_alpha(o))
    return method, method.init(problem)


def _perfedavg(o: dict[str, Any], problem: Any) -> tuple[Any, Any]:
    if (o["hessian"] == "difference") != (o["delta"] is not None):
        raise UsageError("--hessian difference and --delta go together, the distance of the difference")
    method = PerFedAvg(
        o["eta"], o["inner-eta"], o["E"], S=participants(o, problem.m), hessian=o["hessian"], delta=o["delta"], batch=o["batch"]
    )  # fmt: skip
    return method, method.init(problem)


def _fedavg_stored(o: dict[str, Any], problem: Any) -> tuple[Any, Any]:
    method = FedAvgStored(o["a"], o["k0"], S=participants(o, problem.m))
    return method, method.init(problem)


def _fedprox_stored(o: dict[str, Any], problem: Any) -> tuple[Any, Any]:
    S = participants(o, problem.m)
    method = FedProxStored(o["a"], o["mu-prox"], o["k0"], S=S, printed=o["sign"] == "printed")
    return method, method.init(problem)


SELECTION = {"S": None, "participation": None}
INNER = {"inner": "exact", "inner-steps": None, "batch": None}
METHODS: dict[str, Method] = {
    "pfedme": Method(
        _pfedme,
        {"lam": 15.0, "eta": 0.005, "beta": 1.0, "R": 20, "nu": None, "delta": None, "inner-eta": None, **INNER, **SELECTION},
        "pfedme", "none",
    ),
    "fedadmm": Method(
        _fedadmm,
        {"sigma0": None, "sigma": None, "nu": 0.95, "k0": 10, "rho": None, "s0": None, "eps0": None, "dual": "gradient",
         "inner": "exact", "inner-steps": None, **SELECTION},
        "fedadmm", "5.1",
    ),
    "flame": Method(
        _flame,
        {"lam": 5.0, "rho": 0.01, "candidates": None, "eps": None, "decay": 1.0, "inner-eta": None, **INNER, **SELECTION},
        "flame", "none",
    ),
    "fedavg": Method(_fedavg, {"eta": 0.005, "E": 20, "batch": None, "weights": "equal", **SELECTION}, "", "none"),
    "fedprox": Method(
        _fedprox, {"eta": 0.005, "E": 20, "mu-prox": 1.0, "batch": None, "weights": "equal", **SELECTION}, "", "none"
    ),
    "perfedavg": Method(
        _perfedavg,
        {"eta": 0.001, "inner-eta": 0.005, "E": 20, "hessian": "none", "delta": None, "batch": None, **SELECTION},
        "", "none",
    ),
    "fedavg-stored": Method(_fedavg_stored, {"a": 0.005, "k0": 10, **SELECTION}, "", "5.1"),
    "fedprox-stored": Method(
        _fedprox_stored, {"a": 0.005, "k0": 10, "mu-prox": 1e-4, "sign": "printed", **SELECTION}, "", "5.1"
    ),
}  # fmt: skip


def value(name: str, word: str) -> Any:
    """One word of the command line as the value of a hyper-parameter.

    Examples
    --------
    >>> value("eta", "1/200"), value("R", "20"), value("inner", "exact")
    (0.005, 20, 'exact')
    """
    option = OPTIONS[name]
    if option.kind == "choice":
        if word not in option.choices:
            raise UsageError(
                f"--{name} must be one of {', '.join(option.choices)}, got {word!r}{did_you_mean(word, option.choices)}"
            )
        return word
    if option.kind == "count":
        return count(name, word, 1)
    number = positive(name, word)
    if option.kind == "share" and number > 1:
        raise UsageError(f"--{name} must be above 0 and at most 1, got {word}")
    return number


def count(name: str, word: str, least: int) -> int:
    """A whole number of at least `least`."""
    try:
        found = int(word)
    except ValueError:
        raise UsageError(f"--{name} needs a whole number, got {word!r}") from None
    if found < least:
        raise UsageError(f"--{name} must be at least {least}, got {word}")
    return found


def positive(name: str, word: str, *, zero: bool = False) -> float:
    """A positive finite number such as 0.01 or 1/3; with `zero` also 0."""
    try:
        found = float(Fraction(word))
    except (ValueError, ZeroDivisionError, OverflowError):
        raise UsageError(f"--{name} needs a number such as 0.01 or 1/3, got {word!r}") from None
    if found < 0 or (found == 0 and not zero):
        raise UsageError(f"--{name} must be {'at least 0' if zero else 'positive'}, got {word}")
    return found


def words(name: str, text: str) -> list[str]:
    """The comma-separated words of an option."""
    found = [w.strip() for w in text.split(",")]
    if not all(found):
        raise UsageError(f"--{name} has an empty entry: {text!r}")
    if len(set(found)) < len(found):
        raise UsageError(f"--{name} has an entry twice: {text}")
    return found


def grid(methods: list[str], given: Mapping[str, str]) -> list[tuple[str, dict[str, Any]]]:
    """Every method with every combination of the values given for the options that it takes.

    Raises
    ------
    UsageError
        If a method is unknown, an option is taken by none of the methods, a value is out of range, or there are too many.

    Examples
    --------
    >>> [(name, o["k0"]) for name, o in grid(["fedadmm"], {"k0": "1,5"})]
    [('fedadmm', 1), ('fedadmm', 5)]
    """
    for name in methods:
        if name not in METHODS:
            raise UsageError(
                f"run METHOD must be one of {', '.join(METHODS)}, got {name!r}{did_you_mean(name, METHODS)}"
            )
    for option in given:
        if not any(option in METHODS[name].defaults for name in methods):
            taken = sorted({o for name in methods for o in METHODS[name].defaults})
            raise UsageError(
                f"{', '.join(methods)} has no option --{option}{did_you_mean(option, taken)}; "
                f"it takes {', '.join('--' + o for o in taken)}"
            )
    values = {option: [value(option, w) for w in words(option, text)] for option, text in given.items()}
    out = []
    for name in methods:
        own = {option: found for option, found in values.items() if option in METHODS[name].defaults}
        for chosen in itertools.product(*own.values()):
            out.append((name, {**METHODS[name].defaults, **dict(zip(own, chosen, strict=True))}))
    if len(out) > MOST_RUNS:
        raise UsageError(f"these lists ask for {len(out)} runs; at most {MOST_RUNS} at a time")
    return out
