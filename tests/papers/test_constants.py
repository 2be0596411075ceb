"""Constants and conditions: against values worked out by hand, and bad input."""

import importlib
import math
from fractions import Fraction

import numpy as np
import pytest

from fedtheory.catalogue import Catalogue, Parameters, attempt, evaluate, least_rounds, promise
from fedtheory.cli import main
from fedtheory.theory.dadpfl import constants as dadpfl
from fedtheory.theory.dadpfl.catalogue import CATALOGUE as DADPFL_CATALOGUE
from fedtheory.theory.fedadmm import constants as fedadmm
from fedtheory.theory.fedadmm.catalogue import CATALOGUE as FEDADMM_CATALOGUE
from fedtheory.theory.flame import constants as flame
from fedtheory.theory.flame.catalogue import CATALOGUE as FLAME_CATALOGUE
from fedtheory.theory.pfedme import constants as pfedme
from fedtheory.theory.pfedme import theorem1 as one
from fedtheory.theory.pfedme import theorem2 as two
from fedtheory.theory.pfedme.catalogue import CATALOGUE as PFEDME_CATALOGUE

F = Fraction


def rows(paper, **given):
    """Evaluated rows of one paper by name."""
    catalogue = importlib.import_module(f"fedtheory.theory.{paper}.catalogue").CATALOGUE
    return {r.name: r for r in evaluate(catalogue, {k: F(v) for k, v in given.items()})}


def test_flame_at_its_printed_setting():
    """m = 50, lam = 5, rho = 1/100, L = 1: a = lam/m = 1/10 and both conditions of Theorem 2 fail."""
    got = rows("flame", m=50, lam=5, rho="1/100", L=1)
    condition = got["lam^2 alpha^2 (1 + rho)/rho^2 < (lam alpha + rho)/2"]
    assert (condition.lhs, condition.rhs, condition.holds) == (101, F(11, 200), False)
    assert got["c_1"].value == F(11, 200) - 101
    assert got["c_0"].value == F(1, 2500) / (9999 * F(1, 100) - F(3, 200))
    assert got["c_2"].value == 4 * F(1, 100) * 10001 + F(2, 2500) * 51 + F(2, 10000) + 2
    assert got["rho >= lam alpha"].margin == -9
    assert got["rounds for the target"].missing == "needs gap"


def test_pfedme_step_size_limits():
    """lam = 15, mu = 1/10: kappa_F = 151 and eta1_hat = 1/(90 (3 + 128*151))."""
    got = rows("pfedme", L=1, mu="1/10", lam=15, eta="1/200", beta=1, R=20, S=5, m=20, T=800)
    assert got["kappa_F"].value == 151
    assert got["eta1_hat"].value == F(1, 90 * (3 + 128 * 151))
    assert got["eta <= eta1_hat/(beta R)"].holds is False
    assert got["eta_tilde <= beta/(2 L_F)"].margin == (F(1, 30) - F(1, 10)) * 30
    assert got["sampling factor (N/S - 1)/(N - 1)"].value == F(3, 19)
    assert got["eta2_hat"].value == F(1, 75 * 15**3)


def test_fedadmm_and_dadpfl():
    """sigma = r/5m is below 5 r/2m; Theorem 3 allows M times the squared step of its own lemmas."""
    got = rows("fedadmm", m=64, r=1, sigma="1/320", nu="19/20", S="288/5", s0=5)
    assert got["sigma_i > 5 alpha_i r_i/2"].holds is False
    assert got["c of the client"].value == (F(1, 320) + F(1, 64)) * (F(2, 320) - F(5, 64)) * 320
    assert got["probability of a selection in s0 rounds"].value == 1 - F(1, 10) ** 5
    got = rows("dadpfl", m=10, M=3, L=2, eta=1, E_l=5)
    assert got["largest eta^2 of Theorem 3"].value == F(1, 12 * 4 * 2 * 5)
    assert got["largest eta^2 of Lemmas 1 and 3"].value * 3 == got["largest eta^2 of Theorem 3"].value
    assert got["E_l^* = (3M + 2)/(2(M + 1)) E_l"].value == F(55, 8)
    assert rows("dadpfl", M=1, L=1)["largest eta^2 of Theorem 3"].missing == "division by zero"


PFEDME = {
    "L": F(1), "mu": F(1, 2), "lam": F(4), "eta": F(1, 10), "beta": F(2), "R": F(3), "S": F(5), "m": F(20), "delta": F(1, 3),
    "sigma_F1_sq": F(7), "sigma_f_sq": F(5), "Delta_0": F(11), "Delta_F": F(13),
}  # fmt: skip


def test_the_constants_of_pfedmes_rates_are_exact():
    """C_1 to C_6 and the right sides of (35) and (44), worked out by hand on Fractions."""
    x = Parameters(PFEDME, PFEDME_CATALOGUE.derived)
    assert (x.mu_F, pfedme.kappa_F(x), pfedme.eta_tilde(x)) == (F(4, 9), 9, F(3, 5))
    assert one.C1(x) == 16 * F(1, 9) * 16 / F(4, 9) == 64
    assert one.C2(x) == 6 * 7 * (F(20, 5) - 1) / 19 == F(126, 19)
    assert one.C3(x) == 256 * (63 + F(16, 9)) * 9 / 3
    assert pfedme.sigma_F2_sq(x) == 5 * F(16, 8)
    assert two.C4(x) == 16 * (90 + F(32, 9)) / 3
    assert two.C5(x) == 3 * 4 * 10 / F(2) * F(3, 19)
    assert two.C6(x) == F(32, 9)
    step = F(3, 5)
    floor = step**2 / 4 * one.C3(x) + step * F(126, 19) + 64
    assert pfedme.floor(x, step, one.C3(x), one.C2(x), one.C1(x)) == floor
    assert one.bound_35(x, math.inf) == pytest.approx(float(floor), rel=1e-15)
    decay = math.exp(-float(step * F(4, 9) * 30 / 2))
    assert one.bound_35(x, 30) == pytest.approx(float(F(44, 9)) * decay + float(floor), rel=1e-14)
    assert one.bound_distance(x, math.inf) == pytest.approx(float(F(9, 2) * floor), rel=1e-15)
    assert one.bound_models(x, F(9, 2) * floor, x.sigma_F1_sq) == 9 * F(9, 2) * floor + F(42, 16) + F(1, 3)
    assert one.least_T_at_step(x) == 2 / (step * F(4, 9))
    assert two.bound_44(x, 6) == 13 / (step * 6) + step**2 / 4 * two.C4(x) + step * two.C5(x) + F(32, 9)
    alone = Parameters({**PFEDME, "m": F(1), "S": F(1)}, PFEDME_CATALOGUE.derived)
    for formula in (one.C2, two.C5):  # the print is 0/0 for one client
        assert attempt(formula, alone) == (None, "division by zero") and pfedme.unless_all_sampled(formula)(alone) == 0


def test_the_rates_of_the_others_are_exact():
    """FLAME's (51), FedADMM's (7.20) and start, DA-DPFL's (13), by hand."""
    given = {"m": F(4), "S": F(2), "lam": F(1), "rho": F(2), "L": F(1), "gap": F(3)}
    c1 = (F(1, 4) + 2) / 2 - F(1, 16) * 3 / 4
    c2 = 4 * F(1, 16) * F(5, 4) + 2 * F(1, 16) * 3 + 8 + 2
    c0 = F(1, 16) / ((F(1, 4) - 1) / 16 - (F(1, 4) + 2) / 2)
    x = Parameters({**given, "eps": F(1, 5)}, FLAME_CATALOGUE.derived)
    assert flame.theorem2(x, 10) == c2 * 3 / (2 * 10 * c1) + (2 + c2 * c0 / c1) / 5
    x = Parameters({**given, "eps": F(0)}, FLAME_CATALOGUE.derived)
    assert flame.theorem2(x, 10) == c2 * 3 / (2 * 10 * c1)
    given = {"m": F(2), "sigma0": F(4), "r": F(1), "nu": F(1, 2), "k0": F(3), "gap_f": F(1)}
    x = Parameters(given, FEDADMM_CATALOGUE.derived)
    weight = 1 / F(1, 2) + 30 / F(2)  # nu/((1 - nu) alpha r) and 10 (1 + nu)/(sigma (1 - nu))
    assert x.gap == 1 + 2 * weight * 9 and fedadmm.mean_move(x, 5) == x.gap / 5
    assert fedadmm.varrho(x) == 8
    given = {"M": F(2), "L": F(3), "eta": F(1, 100), "E_l": F(0), "gap": F(7)}
    given |= {"sigma_l_sq": F(1), "sigma_g_sq": F(2), "sigma_p_sq": F(5)}
    x = Parameters(given)
    assert (
        dadpfl.S1(x) == 0
        and dadpfl.rate_coefficient(x) == 0.01
        and dadpfl.theorem3(x, 50) == pytest.approx(28, rel=1e-15)
    )
    x = Parameters({**given, "E_l": F(3, 2)})
    S1 = 4 * F(1, 10000) * math.expm1(1)
    A = 0.01 - 6 * S1 * 2.99
    S3 = 2 / A * (2.99 * S1 * (1 / 3 + 27) + 3 * 9 * 1e-6 * 8 * 1.5 / 12 * 3)
    assert dadpfl.theorem3(x, 50) == pytest.approx(14 / (50 * A) + S3, rel=1e-12)


@pytest.mark.parametrize("accuracy", [0.3, 0.011, 1e-6])
@pytest.mark.parametrize("least", [0, 7.5, 5000])
def test_the_rounds_for_an_accuracy_are_the_fewest(accuracy, least):
    """Against a search from one on."""

    def right(T):
        return 0.01 + math.exp(-T / 100)

    expected = next((T for T in range(1, 20000) if least <= T and right(T) <= accuracy), math.inf)
    assert least_rounds(right, accuracy, least) == expected


def test_a_promise_names_its_conditions_and_its_best_step():
    """At the paper's step nothing is promised; at the best one the rounds beat its neighbours."""
    given = {**PFEDME, "delta": F(0), "S": F(20)}
    bound = PFEDME_CATALOGUE.bounds[0]
    printed = promise(PFEDME_CATALOGUE, bound, given, accuracy=0.1)
    assert [r.name for r in printed.failing] == ["eta <= eta1_hat/(beta R)"] and printed.chosen is None
    best = promise(PFEDME_CATALOGUE, bound, given, accuracy=0.1, horizons=(10**6,), best=True)
    assert best.failing == () and best.unknown == () and best.chosen[0] == "eta" and best.limit <= 0.1
    top = float(pfedme.eta1_hat(Parameters(given, PFEDME_CATALOGUE.derived)) / (2 * 3))

    def rounds(step):
        return promise(PFEDME_CATALOGUE, bound, {**given, "eta": step}, accuracy=0.1).rounds

    assert best.rounds == rounds(best.chosen[1]) <= min(rounds(top), rounds(top / 2), rounds(top / 64))
    assert best.values[0] == pytest.approx(
        one.bound_35(Parameters({**given, "eta": best.chosen[1]}, PFEDME_CATALOGUE.derived), 10**6)
    )
    never = promise(PFEDME_CATALOGUE, bound, {**PFEDME, "delta": F(1)}, accuracy=0.1, best=True)
    assert never.rounds == math.inf and never.limit > 0.1  # 16 delta^2 lam^2/mu_F stays
    assert promise(PFEDME_CATALOGUE, bound, {"mu": F(1)}).missing == "needs eta"


def test_flames_rounds_are_those_of_its_catalogue():
    """The promise and the constant of (19) are one formula, the constant before rounding up."""
    given = {"m": 4, "S": 4, "lam": F(1), "rho": F(2), "L": F(1), "gap": F(3), "eps": F(0), "target": F(1, 100)}
    row = next(r for r in evaluate(FLAME_CATALOGUE, given) if r.name == "rounds for the target")
    assert promise(FLAME_CATALOGUE, FLAME_CATALOGUE.bounds[0], given, accuracy=0.01).rounds == math.ceil(row.value)


def test_a_condition_on_clients_is_that_of_the_worst_one():
    """One array entry a client: the row names the client with the least margin, and holds where all do."""
    given = {"m": 3, "r": np.array([1.0, 2.0, 3.0]), "sigma": np.array([3.0, 2.0, 2.6]), "nu": 0.9}
    got = {r.name: r for r in evaluate(FEDADMM_CATALOGUE, given)}
    row = got["sigma_i > 5 alpha_i r_i/2"]
    assert (row.client, row.holds) == (2, True) and (row.lhs, row.rhs) == (2.5, 2.6)
    assert got["r_i < inf (Assumption 4.1)"].holds is True
    assert got["least sigma_i"].value.tolist() == pytest.approx([5 / 6, 5 / 3, 5 / 2])
    rows = {r.name: r for r in evaluate(FEDADMM_CATALOGUE, {**given, "r": np.array([1.0, np.inf, 3.0])})}
    assert (rows["r_i < inf (Assumption 4.1)"].holds, rows["r_i < inf (Assumption 4.1)"].client) == (False, 1)


@pytest.mark.parametrize("catalogue", [PFEDME_CATALOGUE, FEDADMM_CATALOGUE, FLAME_CATALOGUE, DADPFL_CATALOGUE])
def test_every_bound_stands_on_conditions_of_its_catalogue(catalogue: Catalogue):
    """Names that conditions and bounds share, and parameters that exist."""
    names = set(catalogue.conditions)
    for bound in catalogue.bounds:
        assert set(bound.conditions) | set(bound.unstated) <= names and bound.printed
    assert set(catalogue.settings) | catalogue.zero <= set(catalogue.parameters)


def test_what_has_no_value_says_why():
    """A missing parameter, a division by zero of numbers and of arrays, an undefined difference."""
    x = Parameters({"a": 0, "b": np.array([0.0, 1.0]), "c": math.inf})
    assert attempt(lambda x: x.z, x) == (None, "needs z")
    assert attempt(lambda x: 1 / x.a, x) == (None, "division by zero")
    assert attempt(lambda x: 1 / x.b, x) == (None, "division by zero")
    assert attempt(lambda x: x.c - x.c, x) == (None, "not defined here (inf - inf or 0 inf)")
    assert (
        Parameters({"m": 3}).total(2) == 6
        and Parameters({}).exp(-(10**400)) == 0.0
        and Parameters({}).exp(800) == math.inf
    )


CASES = {
    "a paper that is none": (["nopaper"], "constants PAPER must be one of "),
    "unknown paper": (["pfedm"], "got 'pfedm'; did you mean pfedme"),
    "unknown parameter": (["flame", "--lamb", "5"], "constants has no parameter '--lamb'; did you mean lam?"),
    "parameter of another paper": (["flame", "--beta", "5"], "constants has no parameter '--beta'"),
    "no dashes": (["flame", "lam", "5"], "constants has no parameter 'lam'"),
    "no value": (["flame", "--lam"], "--lam needs a number such as 0.01 or 1/3, got ''"),
    "no number": (["flame", "--lam", "five"], "--lam needs a number such as 0.01 or 1/3, got 'five'"),
    "nan": (["flame", "--lam", "nan"], "--lam needs a number such as 0.01 or 1/3, got 'nan'"),
    "infinite": (["flame", "--lam", "inf"], "--lam needs a number such as 0.01 or 1/3, got 'inf'"),
    "a quotient by zero": (["flame", "--lam", "1/0"], "--lam needs a number such as 0.01 or 1/3, got '1/0'"),
    "negative": (["flame", "--rho", "-0.1"], "--rho must be positive, got -0.1"),
    "zero": (["pfedme", "--mu", "0"], "--mu must be positive, got 0"),
    "twice": (["flame", "--lam", "1", "--lam", "2"], "--lam is given twice"),
    "twice by alias": (["pfedme", "--N", "3", "--m", "2"], "--m is given twice"),
    "negative where zero is allowed": (["pfedme", "--delta", "-1"], "--delta must be at least 0, got -1"),
    "accuracy zero": (["flame", "--accuracy", "0"], "--accuracy must be positive, got 0"),
    "accuracy no number": (
        ["flame", "--accuracy", "small"],
        "--accuracy needs a number such as 0.01 or 1/3, got 'small'",
    ),
    "accuracy missing": (["flame", "--accuracy"], "--accuracy needs a number such as 0.01 or 1/3, got ''"),
    "accuracy twice": (["flame", "--accuracy", "1", "--accuracy=2"], "--accuracy is given twice"),
    "data unknown": (["pfedme", "--data", "digit"], "did you mean digits"),
    "data without a name": (["pfedme", "--data"], "argument --data: expected one argument"),
    "model unknown": (["pfedme", "--data", "digits", "--model", "softmx"], "did you mean softmax"),
    "model for other targets": (
        ["flame", "--data", "diabetes", "--model", "softmax"],
        "needs labels, and diabetes has real targets",
    ),
    "no client": (["flame", "--data", "diabetes", "--m", "0"], "--m must be at least 1, got 0"),
    "more clients than samples": (
        ["flame", "--data", "diabetes", "--m", "443"],
        "iid(m=...)` must be an integer from 1 to 442",
    ),
    "negative l2": (["flame", "--data", "diabetes", "--l2", "-1"], "--l2 must be at least 0, got -1"),
    "parameter beside data": (["flame", "--data", "diabetes", "--beta", "1"], "constants has no parameter '--beta'"),
    "lam too small": (["flame", "--data", "diabetes", "--lam", "0"], "--lam must be positive, got 0"),
    "partition unknown": (["flame", "--data", "digits", "--partition", "shard"], "did you mean shards"),
    "option of no partition": (["flame", "--data", "digits", "--with", "alfa=1"], "has no option 'alfa'"),
    "option without a value": (
        ["flame", "--data", "digits", "--with", "alpha"],
        "--with needs NAME=VALUE, got 'alpha'",
    ),
    "backend unknown": (
        ["flame", "--data", "diabetes", "--backend", "numpyy"],
        "--backend must be one of numpy, torch, cupy",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input(case, capsys):
    """One line, exit status 2."""
    arguments, message = CASES[case]
    assert main(["constants", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err and len(err.strip().splitlines()) == 1


def test_the_command_says_what_fails_and_what_is_missing(capsys):
    """The printed setting of FLAME at the command line."""
    assert main(["constants", "flame", "--m", "50", "--lam", "5", "--rho", "0.01", "--L", "1"]) == 0
    out = capsys.readouterr().out
    assert "2 conditions fail; not given: --S, --gap" in out and "fails" in out and "-1.84e+03" in out


@pytest.mark.parametrize("paper", ["pfedme", "fedadmm", "flame", "dadpfl"])
def test_constants_from_data(paper, capsys):
    """Measured constants with their source, every condition decided or its parameter named, a promise or why there is none."""
    words = [
        "--data",
        "breast-cancer",
        "--standardise",
        "--l2",
        "0.1",
        "--m",
        "4",
        "--lam",
        "200",
        "--accuracy",
        "0.001",
    ]
    if paper in ("fedadmm", "dadpfl"):
        words = [w for w in words if w not in ("--lam", "200")]
    extra = {
        "dadpfl": ["--sigma_p_sq", "0", "--eta", "0.001"],
        "fedadmm": ["--sigma0", "3"],
        "flame": ["--rho", "1000"],
    }
    assert main(["constants", paper, *words, *extra.get(paper, [])]) == 0
    out = capsys.readouterr().out
    assert "logistic, m = 4 clients of 142 to 143 samples" in out and "measured" in out
    assert "T for 0.001" in out and " <= " in out
    promised = {
        "pfedme": "Theorem 1 (a), (35)",
        "fedadmm": "Lemma 4.1, (7.20)",
        "flame": "Theorem 2 1), (51)",
        "dadpfl": "Theorem 3, (13)",
    }
    line = next(line for line in out.splitlines() if promised[paper] in line and " hold " in line)
    assert "never" not in line


def test_data_and_numbers_give_the_same_figures(capsys):
    """The measured constants typed in as numbers: the same conditions."""
    assert main(["constants", "flame", "--data", "breast-cancer", "--standardise", "--m", "4", "--l2", "0.1"]) == 0
    measured = capsys.readouterr().out
    L = next(line.split()[1] for line in measured.splitlines() if line.startswith("L "))
    gap = next(line.split()[1] for line in measured.splitlines() if line.startswith("gap "))
    words = ["--m", "4", "--L", L, "--gap", gap, "--lam", "5", "--rho", "0.01", "--S", "4", "--eps", "0"]
    assert main(["constants", "flame", *words]) == 0
    typed = capsys.readouterr().out

    def verdicts(out):
        found = []
        for line in out.splitlines():
            found += [line.split("  ")[0] + verdict for verdict in ("holds", "fails") if f" {verdict} " in line]
        return found

    assert len(verdicts(typed)) == 6 and verdicts(typed) == verdicts(measured)
