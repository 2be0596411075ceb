"""Rates at the tightest legal setting: settings are legal, ratios are what they say, and a wrong bound is found out."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fedtheory.catalogue import Parameters
from fedtheory.cli import main
from fedtheory.commands import rates as command
from fedtheory.rates.fit import fitted
from fedtheory.rates.search import search
from fedtheory.rates.worst import worst
from fedtheory.registry import paper, papers
from fedtheory.relation import Condition, le
from fedtheory.show.rates import Tried, exponent, said
from problems.exact.bowls import Bowls

F = Fraction
ALL = [(p.id, r) for p in papers().values() for r in p.rates() or ()]
every_rate = pytest.mark.parametrize(("of", "rate"), ALL, ids=[f"{of}/{r.id}" for of, r in ALL])
FEW = 3


def rate(of, id):
    return next(r for r in paper(of).rates() if r.id == id)


@pytest.fixture(scope="module")
def found():
    """The tightest of a few settings of every bound."""
    kept = {}

    def best(of, r):
        if (of, r.id) not in kept:
            kept[of, r.id] = search(r, draws=FEW)
        return kept[of, r.id]

    return best


@every_rate
def test_a_setting_is_legal_by_exact_numbers(of, rate, found):
    """Every condition, evaluated once more from the constants of the setting, all of which are rational."""
    setting = found(of, rate).setting
    x = rate.constants(setting)
    assert all(isinstance(v, (int, Fraction)) for v in x.values()), x
    assert rate.conditions
    for c in rate.conditions:
        r = c.relation(Parameters(x, rate.derived))
        assert r.lhs <= r.rhs if r.op == "<=" else r.lhs < r.rhs, c.printed


@every_rate
def test_a_claim_stands_behind_each(of, rate):
    """Each bound names claims of its paper; a repaired one names no printed row that falls."""
    claims = paper(of).claims()
    assert rate.claims and set(rate.claims) <= set(claims)


@every_rate
def test_what_holds_is_not_exceeded_and_what_falls_is(of, rate, found):
    """By what the evidence of the paper says of the claims: no run above a proved bound, one above each refuted one."""
    entries = paper(of).evidence()["claims"]
    verdicts = {entries[id]["entry"]["verdict"] for id in rate.claims}
    best = found(of, rate)
    if verdicts == {"refuted"}:
        best = search(rate, draws=12)
        assert best.largest > 1, rate.id
    else:
        assert verdicts <= {"proved", "certified"} and best.largest <= 1, (rate.id, best.largest)


def test_an_illegal_setting_is_none():
    """Twice the largest step of pFedMe's Theorem 1, and a penalty of FLAME below the condition, are not legal."""
    r = rate("pfedme", "theorem1a")
    one = {"lam": F(1), "ratio": F(1), "apart": F(0), "beta": F(100), "R": F(1)}
    assert r.legal({**one, "share": F(1)}) and not r.legal({**one, "share": F(2)})
    r = rate("flame", "theorem2-1")
    two = {"lam": F(2), "h": F(1), "apart": F(0), "bent": F(0)}
    assert r.legal({**two, "rho": F(5)}) and not r.legal({**two, "rho": F(4)})


def test_the_ratio_of_gradient_descent_by_hand():
    """DA-DPFL's repaired bound on clients that are alike: both sides from the recursion w <- (1 - eta L) w alone."""
    r = rate("dadpfl", "theorem3")
    s = {"L": F(1), "E_l": F(1), "eta": F(1, 8)}
    p = r.play(s, r.constants(s))
    w = (1 - 1 / 8) ** np.arange(len(p.T))
    left = np.cumsum(w**2) / p.T
    np.testing.assert_allclose(p.ratio, left / (8 * 0.5 / (1 / 8 * p.T)), rtol=1e-12)
    assert p.ratio[-1] == pytest.approx(2 / 15, rel=1e-3)


def test_the_ratio_of_a_weighted_mean_by_hand():
    """pFedMe's (35) with R = 1 and one curvature: w_t - w* = (1 - eta_tilde curve)^t, w_bar_T with the weights alpha_t."""
    r = rate("pfedme", "theorem1a")
    s = {"lam": F(1), "ratio": F(1), "apart": F(0), "beta": F(100), "R": F(1), "share": F(1)}
    x = r.constants(s)
    p = r.play(s, x)
    curve = 0.5
    step = float(x["eta"] * x["beta"])
    assert step == pytest.approx(1 / (6 * (3 + 128 * 2 / 100)))
    T = int(p.T[-1])
    alpha = (1 - step * curve / 2) ** -np.arange(1.0, T + 1)
    w_bar = float(np.sum(alpha * (1 - step * curve) ** np.arange(T)) / alpha.sum())
    assert p.left[-1] == pytest.approx(curve / 2 * w_bar**2, rel=1e-9)
    assert p.right[-1] == pytest.approx(curve * np.exp(-step * curve * T / 2), rel=1e-9)
    assert p.T[0] >= 2 / (step * curve) > p.T[0] - 1


def test_a_planted_wrong_bound_is_found_above(monkeypatch, capsys):
    """A tenth of a bound that is proved is exceeded, and the command says so and ends with 1."""
    good = rate("dadpfl", "theorem3")

    def planted(s, x):
        p = good.play(s, x)
        return replace(p, right=p.right / 10)

    wrong = replace(good, play=planted, program=None)
    best = search(wrong, draws=FEW)
    assert best.largest > 1
    assert Tried("dadpfl", best, "proved", []).contradicts
    assert "error" in said(Tried("dadpfl", best, "proved", []))
    of = replace(paper("dadpfl"), rates=lambda: (wrong,))
    monkeypatch.setattr(command, "paper", lambda *_: of)
    monkeypatch.setattr(command, "decided", lambda ids: dict.fromkeys(ids, "proved"))
    assert main(["rates", "dadpfl", "--quick"]) == 1
    assert "above a bound that is proved" in capsys.readouterr().err


def test_the_same_seed_finds_the_same_setting():
    """And the climb does not end below its best draw."""
    r = rate("flame", "theorem2-2")
    one, other = search(r, draws=6, seed=3), search(r, draws=6, seed=3)
    assert (one.setting, one.end, one.tried) == (other.setting, other.end, other.tried)
    assert one.legal <= one.drawn and one.tried <= one.legal


def test_nothing_legal_is_an_error():
    """A condition that never holds leaves no setting."""
    from fedtheory.errors import UsageError

    r = replace(rate("flame", "theorem2-2"), conditions=(Condition("never", "here", lambda x: le(1, 0)),))
    with pytest.raises(UsageError, match="no legal setting"):
        search(r, draws=2)


def test_the_worst_client_of_gradient_descent():
    """The program's value for one round at eta L = 1/8 is 1/(4 (2 - 1/8)) = 2/15, and rational clients come within 1 %."""
    r = rate("dadpfl", "theorem3")
    s = {"L": F(1), "E_l": F(1), "eta": F(1, 8)}
    w = worst(*r.program(s, 1), 1)
    assert w.value == pytest.approx(2 / 15, rel=1e-4)
    assert 0.98 * w.value <= w.ratio <= w.value * (1 + 1e-5)
    assert w.clients


def test_the_run_is_at_most_the_worst_over_the_decrease():
    """In the first rounds no run is above what the program says of all clients; its right side is the smaller one."""
    for of, id in (("fedadmm", "theorem3.1"), ("dadpfl", "theorem3"), ("pfedme", "theorem2a")):
        r = rate(of, id)
        best = search(r, draws=FEW)
        w = worst(*r.program(best.setting, 1), 1)
        at = list(best.played.T).index(1)
        assert best.played.ratio[at] <= w.value * (1 + 1e-5), id


def test_a_bound_that_is_not_positive_is_exceeded_by_anything_above_it():
    """DA-DPFL's (13) at a step that Theorem 3 allows: negative, so that a gradient is above it and no ratio is a number."""
    r = rate("dadpfl", "theorem3-printed")
    s = {"L": F(100), "E_l": F(3), "eta": F(1, 10)}
    assert r.legal(s)
    p = r.play(s, r.constants(s))
    assert (p.right < 0).all() and np.isinf(p.ratio).all()


def test_fitted_rates():
    """Of what falls like a power, like an exponential, and of what stays."""
    T = np.arange(1, 50)
    assert fitted(T, 7 / T**2, "power") == pytest.approx(2)
    assert fitted(T, 7 * 0.9**T, "exponential") == pytest.approx(-np.log(0.9))
    assert exponent(fitted(T, np.ones(49), "power"), "power", 1.0) == "level"
    assert fitted(T, np.zeros(49), "power") is None


def test_bowls_are_the_same_on_floats():
    """Values, gradients, proximal points and the minimiser."""
    f = Bowls((F(1), F(3)), (F(-1), F(2)))
    g = f.floats()
    W = np.array([[F(1, 2)], [F(5, 4)]], dtype=object)
    for name in ("value", "grad"):
        np.testing.assert_allclose(getattr(f, name)(W).astype(float), getattr(g, name)(W.astype(float)), rtol=1e-14)
    np.testing.assert_allclose(f.prox(W, F(2)).astype(float), g.prox(W.astype(float), 2.0), rtol=1e-14)
    assert float(f.w_star) == pytest.approx(g.optimum().w_star.item())
    assert float(f.least) == pytest.approx(g.optimum().f_star)


def test_the_page_has_every_bound_and_its_picture(tmp_path, monkeypatch, capsys):
    """Theorem, setting, ratios, both rates; a picture a bound; the same bytes again."""
    monkeypatch.setattr(command, "decided", lambda ids: dict.fromkeys(ids, "proved"))
    monkeypatch.chdir(tmp_path)
    assert (
        main(["rates", "dadpfl", "--quick", "--only", "theorem3", "--page", "rates.md"]) == 1
    )  # of what is not proved
    text = (tmp_path / "rates.md").read_text(encoding="utf-8")
    for r in paper("dadpfl").rates():
        assert f"### {r.theorem}, {r.kind}" in text and f"`{r.left} <= {r.printed}`" in text
        assert (tmp_path / "rates" / f"dadpfl-{r.id}.svg").is_file()
    assert "T^-1" in text and re.search(r"Setting: L = \S+, E_l = 1, eta = 1/8\.", text)
    before = {path.name: path.read_bytes() for path in (tmp_path / "rates").iterdir()}
    capsys.readouterr()
    main(["rates", "dadpfl", "--quick", "--page", "rates.md"])
    assert (tmp_path / "rates.md").read_text(encoding="utf-8") == text
    assert before == {path.name: path.read_bytes() for path in (tmp_path / "rates").iterdir()}


@pytest.mark.parametrize("of", ["pfedme", "fedadmm", "flame", "dadpfl"])
def test_every_theorem_of_a_paper_has_its_picture_or_why_it_has_none(of):
    """Theorems and corollaries where the inventory places its rows are named by a bound: as its own, or in its remark."""
    named = re.compile(r"(?:Theorem|Corollary) \d(?:\.\d)?")
    stated = {name for row in paper(of).inventory().values() for name in named.findall(row["locator"])}
    words = " ".join(f"{r.theorem} {r.remark}" for r in paper(of).rates())
    words = words.replace("Theorems 4.1 and 4.2", "Theorem 4.1, Theorem 4.2")
    assert stated and stated == stated & set(named.findall(words))


@pytest.mark.parametrize(
    ("words", "said_"),
    [
        (["rates", "flame", "--only", "theorem9"], "no explicit bounds"),
        (["rates", "flame", "--page", "rates.txt"], "must end in .md"),
        (["rates", "nobody"], "rates PAPER"),
        (["rates", "flame", "--seed", "-1"], "seed"),
    ],
)
def test_words_that_are_refused(words, said_, capsys):
    """One line each, and status 2."""
    assert main(words) == 2
    assert said_ in capsys.readouterr().err
