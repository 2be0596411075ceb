"""The stand-alone checker: it accepts what engines write, and rejects what is damaged, check by check."""

import ast
import copy
import json
import math
import random
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from fedtheory import fedtheory_check, verify
from fedtheory.cli import main
from fedtheory.referee import ledger
from proofs_checks import claims

FILE = Path(fedtheory_check.__file__)
SAMPLE = [  # scalars, minima, listed sizes, forms for all parameters, forms at listed parameters, a draw
    "pfedme/a41-s3", "pfedme/lemma1a-proof-s3-c~repaired", "pfedme/cond-thm2-case1@obeys-43", "pfedme/eq9",
    "fedadmm/rem4.1-c", "pfedme/lemma2a", "pfedme/prop1a", "pfedme/lemma4", "flame/eq24", "pfedme/lemma1a~repaired",
]  # fmt: skip


@pytest.fixture(scope="module")
def certified(certificates):
    """Certificates of a sample of the published claims."""
    found = [verify(claims()[id], stored=dict(certificates)) for id in SAMPLE]
    assert [(v.id, v.trust) for v in found] == [(id, "kernel") for id in SAMPLE]
    return json.loads(json.dumps([v.certificate for v in found]))


def run(*files, python=sys.executable):
    """Exit status and lines of the checker, in a Python without packages."""
    done = subprocess.run([python, "-I", "-S", str(FILE), *map(str, files)], capture_output=True, text=True)
    assert not done.stderr
    return done.returncode, done.stdout.splitlines()


def written(tmp_path, *found, name="made.json", **head):
    """A certificate file."""
    data = {"schema": "fedtheory certificates", "version": 2, "paper": "made", **head}
    path = tmp_path / name
    path.write_text(ledger.in_lines({**data, "claims": list(found)}), encoding="utf-8")
    return path


def test_the_checker_stands_alone():
    """Python's standard library, a few modules of it; nothing is imported from here, but the first file by the others."""
    names, lines = set(), []
    for file in sorted(FILE.parent.glob("fedtheory_check*.py")):
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
        names |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        names |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        lines.append(len(text.splitlines()))
    own = {
        "copy",
        "functools",
        "importlib.util",
        "json",
        "math",
        "pathlib",
        "re",
        "sys",
        "fractions",
        "types",
        "typing",
    }
    assert names == {*own, "fedtheory_check"} and len(lines) >= 4 and max(lines) <= 500


@pytest.mark.parametrize(
    "how", [[str(FILE)], ["-m", "fedtheory.fedtheory_check"]], ids=["where it lies", "as a module"]
)
def test_the_checker_runs_in_the_package(how, certified, tmp_path):
    """Modules beside it have names of Python's own."""
    done = subprocess.run([sys.executable, *how, written(tmp_path, *certified)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_the_engines_write_is_accepted(certified, tmp_path):
    status, lines = run(written(tmp_path, *certified))
    assert status == 0 and len(lines) == len(SAMPLE) and all(line.startswith("accepted ") for line in lines)


def test_the_command_writes_a_file_that_is_accepted(tmp_path, capsys):
    assert main(["verify", "pfedme/a41-s3", "pfedme/cor1a", "--no-cache", "--write-proofs", str(tmp_path / "p")]) == 0
    status, lines = run(tmp_path / "p" / "pfedme.json")
    assert status == 0 and [line.split(":")[0] for line in lines] == [
        "accepted pfedme/a41-s3", "accepted pfedme/cor1a~repaired",
    ]  # fmt: skip


def test_one_rejected_certificate_is_exit_status_1(certified, tmp_path):
    wrong = {**certified[1], "verdict": "supported"}
    status, lines = run(written(tmp_path, certified[0], wrong))
    assert status == 1 and [line.split()[0] for line in lines] == ["accepted", "rejected"]


@pytest.mark.parametrize("head", [{"schema": "another"}, {"version": 1}, {"claims": 7}])
def test_another_file_is_exit_status_2(head, tmp_path):
    path = tmp_path / "made.json"
    path.write_text(json.dumps({"schema": "fedtheory certificates", "version": 2, "claims": [], **head}))
    assert run(path)[0] == 2 and run(tmp_path / "none.json")[0] == 2 and run()[0] == 2


MADE = {
    "id": "made/one",
    "verdict": "proved",
    "scope": "all",
    "parts": [
        {
            "where": "all",
            "names": ["a", "b"],
            "facts": [
                {"says": "a > 0", "from": "a range"},
                {"says": "-a + b >= 0", "from": "a <= b"},
                {"says": "a - 1 != 0", "from": "a side is defined"},
                {"says": "b > 0", "by": [["1", {"not": 1}], ["1", {"0": 1}], ["1", {"1": 1}]]},
                {"says": "a^2 - 2*a*b + b^2 >= 0", "by": [["1", {"not": 1}], ["1", {}, ["a - b"]]]},
                {"says": "b - 1 == 0", "from": "b = 1"},
                {"says": "a*b - a == 0", "by": [["a^3*b - a^3", {"5": 1}], ["-1", {"not": 2}], ["1", {"not": 2}]]},
            ],
            "relations": [
                {"lhs": {"": "a"}, "op": "<=", "rhs": {"": "b"}, "pieces": [{"times": ["1", {"1": 1}]}]},
                {"lhs": {"": "1"}, "op": "<", "rhs": {"": "a + 1"}, "pieces": [{"times": ["1", {"0": 1}]}]},
                {
                    "lhs": {}, "op": "<=", "rhs": {"": ["b", {"0": 2, "2": 2}]},
                    "pieces": [{"times": ["1", {"3": 1, "0": -2, "2": -2}]}],
                },
                {
                    "lhs": {"G 0 1": "2*a"}, "op": "<=", "rhs": {"G 0 0": "a", "v 0": ["1", {"0": 1}], "G 1 1": "b"},
                    "rows": {"known": {"v 0": "1"}},
                    "pieces": [
                        {"times": ["1", {"0": -1}], "row": "known"},
                        {"times": ["1", {"0": 1}], "square": {"0": "1", "1": "-1"}},
                        {"times": ["1", {"1": 1}], "square": {"1": "1"}},
                    ],
                },
                {"lhs": {"v 1": "a"}, "op": "==", "rhs": {"v 1": "a"}, "pieces": []},
            ],
        },
    ],
}  # fmt: skip
MADE["parts"][0]["facts"].pop()  # a lemma that is an equation is tried on its own, below


def damaged(*where, to=None, made=MADE):
    """The made certificate with one entry changed, or taken away."""
    out = copy.deepcopy(made)
    *path, last = where
    at = out
    for step in path:
        at = at[step]
    if to is None:
        del at[last]
    else:
        at[last] = to
    return out


FACTS, RELATIONS = ("parts", 0, "facts"), ("parts", 0, "relations")
LISTED = {**MADE, "verdict": "certified", "scope": [{"m": 1}], "parts": [{**MADE["parts"][0], "where": {"m": 1}}]}
PLACES = [{**MADE["parts"][0], "where": place} for place in ("m=1", "every m, m >= 2")]
STEPS, SEVENTEEN, MANY = (
    [{**MADE["parts"][0], "where": place} for place in places]
    for places in (
        ("T = 1", "from T to T + 1"), ("m=17", "every m, m >= 2"), ("m=1", "every m, m >= 99")
    )
)  # fmt: skip
DAMAGES = {
    "listed parameters as all": {**LISTED, "verdict": "proved", "scope": "all"},
    "one client for any number": damaged("parts", to=PLACES[:1]),
    "several clients for any number": damaged("parts", to=PLACES[1:]),
    "one client, said of several": {**damaged("parts", to=PLACES[:1]), "clients": "several"},
    "a base and a step, of no theorem": damaged("parts", to=STEPS),
    "seventeen clients for one": damaged("parts", to=SEVENTEEN),
    "ninety-nine clients for several": damaged("parts", to=MANY),
    "another number of clients": {**MADE, "clients": "many"},
    "no verdict that has a certificate": damaged("verdict", to="supported"),
    "proved where it is listed": damaged("scope", to=[{"m": 1}]),
    "certified for all": damaged("verdict", to="certified"),
    "another scope": damaged("scope", to=[{"m": 2}], made=LISTED),
    "less than the scope": damaged("scope", to=[{"m": 1}, {"m": 2}], made=LISTED),
    "a part twice": damaged("parts", to=MADE["parts"] * 2),
    "no part": damaged("parts", to=[]),
    "no relation": damaged(*RELATIONS, to=[]),
    "no facts": damaged(*FACTS),
    "names twice": damaged("parts", 0, "names", to=["a", "b", "b"]),
    "a name that is an operator": damaged("parts", 0, "names", to=["a", "b", "c*d"]),
    "a name is missing": damaged("parts", 0, "names", to=["a"]),
    "a fact from nowhere": damaged(*FACTS, 0, "from", to=""),
    "a fact that is no relation": damaged(*FACTS, 0, "says", to="a 0"),
    "a fact against another number": damaged(*FACTS, 0, "says", to="a > 1"),
    "a case that is none": damaged(*FACTS, 1, "from", to="case"),
    "both hypothesis and lemma": damaged(*FACTS, 3, "from", to="b range"),
    "a lemma without its negation": damaged(*FACTS, 3, "by", 0),
    "a lemma without a positive term": damaged(*FACTS, 3, "by", to=[["1", {"not": 1}], ["1", {"1": 1}], ["0", {"0": 1}]]),
    "a lemma that is stricter": damaged(*FACTS, 4, "says", to="a^2 - 2*a*b + b^2 > 0"),
    "a lemma with another weight": damaged(*FACTS, 3, "by", 1, 0, to="2"),
    "a lemma with a negative weight": damaged(
        *FACTS, 3, "by", to=[["1", {"not": 1}], ["2", {"0": 1}], ["-1", {"0": 1}], ["1", {"1": 1}]]
    ),
    "a lemma from an odd power of what is not zero": damaged(
        *FACTS, 3, to={"says": "a - 1 > 0", "by": [["1", {"not": 1}], ["1", {"2": 1}], ["1", {}], ["-1", {}]]}
    ),
    "a lemma from itself": damaged(*FACTS, 3, "by", to=[["1", {"not": 1}], ["1", {"3": 1}]]),
    "a lemma from a later fact": damaged(*FACTS, 3, "by", 1, 1, to={"5": 1}),
    "a lemma with a power of zero": damaged(*FACTS, 3, "by", 1, 1, to={"0": 0}),
    "a lemma with another square": damaged(*FACTS, 4, "by", 1, 2, to=["a - 2*b"]),
    "a lemma with a polynomial for a weight": damaged(*FACTS, 3, "by", 1, to=["a", {}]),
    "a lemma with a term too long": damaged(*FACTS, 3, "by", 1, to=["1", {"0": 1}, [], []]),
    "a decimal": damaged(*RELATIONS, 0, "pieces", 0, "times", 0, to="1.0"),
    "a float": damaged(*RELATIONS, 0, "pieces", 0, "times", 0, to=1.0),
    "another left side": damaged(*RELATIONS, 0, "lhs", "", to="2*a"),
    "another right side": damaged(*RELATIONS, 0, "rhs", "", to="b - 1"),
    "no such operator": damaged(*RELATIONS, 0, "op", to=">="),
    "a strict relation from a weak fact": damaged(*RELATIONS, 0, "op", to="<"),
    "an inequality called equation": damaged(*RELATIONS, 0, "op", to="=="),
    "an equation that is none": damaged(*RELATIONS, 4, "rhs", "v 1", to="b"),
    "another piece": damaged(*RELATIONS, 0, "pieces", 0, "times", 0, to="2"),
    "a negative piece": damaged(*RELATIONS, 0, "pieces", to=[{"times": ["-1", {"0": 1}]}, {"times": ["1", {"3": 1}]}]),
    "a piece too few": damaged(*RELATIONS, 3, "pieces", 2),
    "a piece with another fact": damaged(*RELATIONS, 0, "pieces", 0, "times", 1, to={"3": 1}),
    "a piece of no fact": damaged(*RELATIONS, 0, "pieces", 0, "times", 1, to={"9": 1}),
    "a piece over what may be zero": damaged(*RELATIONS, 2, "pieces", 0, "times", 1, to={"3": 1, "1": -1}),
    "a piece with an odd power of what is not zero": damaged(*RELATIONS, 2, "pieces", 0, "times", 1, to={"3": 1, "0": -2, "2": -1}),
    "a coefficient over what may be zero": damaged(*RELATIONS, 2, "rhs", "", to=["b", {"1": 2}]),
    "a coefficient over a negative power": damaged(*RELATIONS, 2, "rhs", "", to=["b", {"0": -2}]),
    "another denominator": damaged(*RELATIONS, 2, "rhs", "", to=["b", {"0": 3, "2": 2}]),
    "an entry of a form under another name": damaged(*RELATIONS, 2, "rhs", "G 1 0", to="1"),
    "another row": damaged(*RELATIONS, 3, "rows", "known", to={"v 0": "2"}),
    "no such row": damaged(*RELATIONS, 3, "rows", to={"other": {"v 0": "1"}}),
    "a square of another vector": damaged(*RELATIONS, 3, "pieces", 1, "square", to={"0": "1", "1": "1"}),
    "a square of no vector": damaged(*RELATIONS, 3, "pieces", 1, "square", to={"0": "1", "x": "-1"}),
    "a piece with a row and a square": damaged(*RELATIONS, 3, "pieces", 0, "square", to={}),
    "an unknown key of a form": damaged(*RELATIONS, 3, "lhs", to={"H 0 1": "2*a"}),
    "a term of a form that is not matched": damaged(*RELATIONS, 3, "rhs", "v 2", to="1"),
    "a fact that is none of the statement's": damaged(*FACTS, 1, "says", to="-a + 2*b >= 0"),
    "a power out of all bounds": damaged(*FACTS, 0, "says", to="a^999999999 > 0"),
}  # fmt: skip


def test_the_made_certificate_is_accepted():
    for made in (MADE, LISTED):
        assert fedtheory_check.accepted(made) == (True, f"{made['verdict']}, parts 1, relations 5, lemmas 2")
    assert fedtheory_check.accepted({**MADE, "parts": PLACES})[0]
    good, said = fedtheory_check.accepted({**MADE, "parts": PLACES[:1], "clients": "one"})
    assert good and "for m=1; one of the clients" in said


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_rejected(name):
    good, why = fedtheory_check.accepted(DAMAGES[name])
    assert not good and why


def leaf(says, source="case", pieces=({"times": ["1", {"0": 1}]},), lhs="a", rhs="b"):
    """A part of one relation with one fact."""
    relation = {"lhs": {"": lhs}, "op": "<=", "rhs": {"": rhs}, "pieces": list(pieces)}
    return {"names": ["b", "a"], "facts": [{"says": says, "from": source}], "relations": [relation]}


def split(**parts):
    """A split on the sign of b - a."""
    return {"id": "x", "verdict": "proved", "scope": "all", "parts": [{"where": "all", "names": ["a", "b"], **parts}]}


YES, NO = leaf("b - a >= 0"), leaf("-b + a > 0", lhs="b", rhs="a")


@pytest.mark.parametrize(
    "parts, good",
    [
        ({"split": "-a + b", "yes": YES, "no": NO}, True),
        ({"split": "-a + b", "yes": NO, "no": YES}, False),
        ({"split": "a - b", "yes": YES, "no": NO}, False),
        ({"split": "-a + b", "yes": YES}, False),
        ({"split": "-a + b", "yes": YES, "no": leaf("-b + a >= 0", lhs="b", rhs="a")}, False),
        ({"each": [leaf("b - a >= 0", "a <= b"), leaf("b - a >= 0", "a <= b")]}, True),
        ({"each": [leaf("b - a >= 0", "a <= b"), leaf("b - a >= 0", "a <= b", pieces=())]}, False),
        ({"each": [YES]}, False),
        ({"each": []}, False),
    ],
)
def test_parts_of_parts(parts, good):
    assert fedtheory_check.accepted(split(**parts))[0] is good


@pytest.mark.parametrize(
    "op, by, good",
    [
        ("== 0", [["1", {"not": 2}], ["-a^2*b + a^2", {"1": 1}]], True),  # a (b - 1) is zero where b is one
        ("== 0", [["1", {"not": 1}], ["-a", {"1": 1}]], False),
        ("== 0", [["1", {"not": 2}], ["-a^2*b + a^2", {"0": 1}]], False),
        ("!= 0", [["1", {"0": 2}], ["-1", {"not": 1}]], False),
    ],
)
def test_lemmas_that_are_equations(op, by, good):
    facts = [
        {"says": "a > 0", "from": "a range"},
        {"says": "b - 1 == 0", "from": "b = 1"},
        {"says": f"a*b - a {op}", "by": by},
    ]
    relation = {"lhs": {"": "a*b"}, "op": "==", "rhs": {"": "a"}, "pieces": []}
    assert fedtheory_check.accepted(split(facts=facts, relations=[relation]))[0] is False  # the sides are no identity
    relation = {"lhs": {"": "a"}, "op": "==", "rhs": {"": "a"}, "pieces": [{"times": ["1", {"1": 1}]}]}
    assert fedtheory_check.accepted(split(facts=facts, relations=[relation]))[0] is good


# words to a reader, on which nothing rests; and a sign to split on, which need not matter to a part (it does in YES and NO)
TEXTS = ("id", "from", "where", "split", "leaves", "values", "clients", "undefined")


def numbers(data, path=()):
    """(path, key or entry, match) of every whole number in a certificate besides words to a reader."""
    if isinstance(data, dict):
        for k, v in data.items():
            yield from ((path, "key", k, m) for m in re.finditer(r"\d+", k) if k not in TEXTS)
            yield from numbers(v, (*path, k)) if k not in TEXTS else ()
    elif isinstance(data, list):
        for k, v in enumerate(data):
            yield from numbers(v, (*path, k))
    elif isinstance(data, (str, int)) and not isinstance(data, bool):
        yield from ((path[:-1], "entry", path[-1], m) for m in re.finditer(r"\d+", str(data)))


def with_another_number(certificate, rng):
    """The certificate with one of its numbers changed."""
    path, kind, k, m = rng.choice(list(numbers(certificate)))
    out = copy.deepcopy(certificate)
    at = out
    for step in path:
        at = at[step]
    digits = m.group()
    other = str(int(digits) + rng.choice([1, 2, 10, -1 if int(digits) else 3]))
    if kind == "key":
        name = k[: m.start()] + other + k[m.end() :]
        entries = [(name if n == k else n, v) for n, v in at.items()]
        at.clear()
        at.update(entries)
    else:
        text = str(at[k])
        new = text[: m.start()] + other + text[m.end() :]
        at[k] = int(new) if isinstance(at[k], int) else new
    return out, (*path, k)


def test_no_certificate_with_one_number_changed_is_accepted(certified):
    rng = random.Random(20200607)
    accepted = []
    for _ in range(40):
        for certificate in certified:
            changed, where = with_another_number(certificate, rng)
            if changed != certificate and fedtheory_check.accepted(changed)[0]:
                accepted.append((certificate["id"], where))
    assert accepted == []


def drawn(rng, names, terms):
    """A polynomial of the checker, with rational coefficients."""
    some = {tuple(sorted(rng.choices(names, k=rng.randrange(4)))) for _ in range(terms)}
    return {a: Fraction(rng.choice((-3, -2, -1, 1, 2, 5)), rng.choice((1, 1, 2, 7))) for a in some}


def at_a_point(value, point):
    """What a quotient of the checker is at numbers."""

    def of(p):
        return sum(c * math.prod(point[name] for name in a) for a, c in dict(p).items())

    return Fraction(of(value[0])) / math.prod(of(p) ** n for p, n in value[1].items())


@pytest.mark.parametrize("seed", range(40))
def test_quotients_are_added_as_numbers_are(seed):
    """At points; what cancels is nothing, and what differs by one coefficient of one term is not."""
    rng, names = random.Random(seed), ["a", "b", "c[0]", "long name"]
    common = [drawn(rng, names, rng.randrange(1, 5)) for _ in range(3)]
    terms = []
    for _ in range(rng.randrange(1, 7)):
        term = drawn(rng, names, 4), {}
        for p in rng.choices(common, k=rng.randrange(4)):
            term = fedtheory_check.product(term, fedtheory_check.over(p, rng.randrange(1, 4)))
        terms.append(term)
    point = {name: Fraction(rng.randrange(1, 10**6), 997) for name in names}
    total = fedtheory_check.added(terms)
    assert at_a_point(total, point) == sum(at_a_point(t, point) for t in terms)
    assert all(total[0].values()) and all(list(a) == sorted(a) for a in total[0])
    minus = fedtheory_check.product(({(): -1}, {}), total)
    assert fedtheory_check.added([minus, *reversed(terms)])[0] == {}
    top, below = terms[0]
    off = {**top, ("a", "b"): top.get(("a", "b"), 0) + Fraction(1, 10**30)}
    assert fedtheory_check.added([minus, *terms[1:], (off, below)])[0] != {}


def test_one_monomial_in_two_orders_is_one():
    divided = fedtheory_check.over({("a",): 1, (): 1})
    twice, _ = fedtheory_check.added([({("a", "b"): 1, ("b", "a"): 1}, {}), divided])
    assert twice == {("a", "a", "b"): 2, ("a", "b"): 2, (): 1}
