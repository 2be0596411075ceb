"""Certificates of theorems about sums over clients: legal ones are accepted, edited ones rejected, and nothing false has one."""

import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest
from certified import file_of
from sums_over_clients import FALSE, TRUE, theorem

from fedtheory import fedtheory_check
from fedtheory.engines.context import Docket
from fedtheory.referee.decide import proof

FILE = Path(fedtheory_check.__file__)


@pytest.fixture(scope="module")
def files():
    """The certificates of every theorem, after those of its lemmas."""
    known = {}
    return {what: file_of(theorem(TRUE, what), known) for what in TRUE}


@pytest.mark.lies
@pytest.mark.in_turn(3)
@pytest.mark.parametrize("what", FALSE)
def test_what_is_false_is_not_proved(what):
    v = proof(theorem(FALSE, what), Docket())
    assert v.verdict == "unknown" and v.reason


def put(*path, to):
    """An edit: the entry of the theorem at a path is another."""

    def edit(theorem):
        for step in path[:-1]:
            theorem = theorem[step]
        assert theorem[path[-1]] != to
        theorem[path[-1]] = to

    return edit


def of_use(*path, to):
    return lambda theorem: put(*path, to=to)(used(theorem))


def used(theorem):
    """The use of a lemma that has an id."""
    return next(use for use in theorem["uses"] if isinstance(use["lemma"], str))


def of_clients(*path, to):
    """Of the state of several clients."""
    return put("model", "states", -1, *path, to=to)


def drop(*path):
    def edit(theorem):
        for step in path[:-1]:
            theorem = theorem[step]
        del theorem[path[-1]]

    return edit


def both(*edits):
    def edit(theorem):
        for one in edits:
            one(theorem)

    return edit


def no_state(k):
    """Without one of the states, in the model and in every use."""

    def edit(theorem):
        del theorem["model"]["states"][k]
        for use in theorem["uses"]:
            del use["states"][k]

    return edit


def vector(place, to):
    """What stands for a vector of the lemma, for several clients."""
    return of_use("states", -1, "draws", 0, "leaves", place, to=to)


def says(name, to):
    return of_use("says", 0, 1, name, to=to)


def form(name, entry, to):
    return of_clients("forms", name, entry, to=to)


def a_name_of_a_client(theorem):
    """A scalar of the first of two clients, by a name of the checker's own."""
    theorem["model"]["states"][-1]["forms"]["M[t:any]"] = {"G 0 0": "a@1"}


def sum_of_itself(theorem):
    sums = theorem["model"]["states"][-1]["clients"]["sums"]
    next(iter(sums.values()))[0][1] = int(next(iter(sums)))


def first_mean_is_own(theorem):
    clients = theorem["model"]["states"][-1]["clients"]
    clients["leaves"].append(int(next(iter(clients["sums"]))))


def first_sum(to):
    def edit(theorem):
        sums = theorem["model"]["states"][-1]["clients"]["sums"]
        sums[next(iter(sums))] = to

    return edit


SELECTED, OF_ALL, EACH, STEPS, SIGN, COUNTED, DRAWN, AFTER, TWO = (
    "over the selected", "of all, with a factor of each", "at every client, with its scalar", "with functions",
    "an identity and a sign", "S of them", "of one that is drawn", "after the draw", "of two that are drawn",
)  # fmt: skip
EDITS = {
    "of all clients in place of those selected": (SELECTED, of_use("over", to="all")),
    "of no sum": (SELECTED, of_use("over", to="")),
    "of another sum": (SELECTED, of_use("over", to="none")),
    "over those selected in place of all": (EACH, of_use("over", to="selected")),
    "a scalar of each client in what is said of all": (EACH, of_use("over", to="")),
    "the lemma at another scalar": (EACH, of_use("at", to={"a": "2*a"})),
    "the lemma where its condition fails": (EACH, of_use("at", to={"a": "b", "b": "a"})),
    "a factor of each before a sum": (EACH, says("B[t:any]", "a")),
    "another factor": (SELECTED, says("X[t:any]", "-3")),
    "the other sign": (SELECTED, says("Y[t:any]", "-1")),
    "another vector": (SELECTED, vector("0", {"1": "1"})),
    "a vector times a scalar": (SELECTED, vector("0", {"0": "a"})),
    "a vector of those selected twice": (SELECTED, vector("0", {"0": "2*chosen"})),
    "one client is always selected": (SELECTED, no_state(1)),
    "one client is never selected": (SELECTED, no_state(0)),
    "several clients alone": (SELECTED, both(no_state(0), no_state(0))),
    "one client alone": (SELECTED, no_state(2)),
    "selected where it is not": (SELECTED, put("model", "states", 1, "at", "chosen", to="1")),
    "half selected": (SELECTED, put("model", "states", 1, "at", "chosen", to="1/2")),
    "another number of clients": (SELECTED, put("model", "states", 0, "at", "m", to="2")),
    "another selection": (SELECTED, of_clients("clients", "chosen", to="other")),
    "no selection": (SELECTED, of_clients("clients", "chosen", to=None)),
    "a count that there is not": (SELECTED, of_clients("clients", "count", to="S")),
    "no clients": (SELECTED, drop("model", "states", -1, "clients")),
    "a quantity of all clients": (SELECTED, form("X[t:any]", "G 0 1", "m")),
    "a mean of another multiple": (OF_ALL, first_sum([["2*a", 0]])),
    "a mean over those selected": (OF_ALL, first_sum([["a*chosen", 0]])),
    "a mean that is a client's vector": (OF_ALL, first_mean_is_own),
    "a mean of nothing, in one place": (OF_ALL, of_clients("forms", "M[t:any]", to={})),
    "a mean that is its own": (OF_ALL, sum_of_itself),
    "a name of the checker's own": (OF_ALL, a_name_of_a_client),
    "a spread that is none": (OF_ALL, vector("1", {"0": "a"})),
    "a mean in place of the vector": (OF_ALL, vector("1", {"0": "0"})),
    "a deviation is averaged twice": (OF_ALL, of_use("states", -1, "mean", to=True)),
    "another inequality": (STEPS, of_use("states", -1, "rows", 0, to={})),
    "a step of all clients": (STEPS, of_use("over", to="all")),
    "the lemma at another curvature": (STEPS, of_use("at", to={"r": "2*r"})),
    "another value": (STEPS, form("H[t:any]", "v 0", "2")),
    "more than is selected": (SIGN, form("F[t:any]", "G 0 0", "a*m")),
    "a weight of each that is none": (SIGN, form("A[t:any]", "G 0 0", "m")),
    "S of them, and one is not": (COUNTED, put("model", "states", 0, "at", "chosen", to="0")),
    "S of them, and any number": (COUNTED, of_clients("clients", "count", to=None)),
    "drawn, and it is any that are selected": (DRAWN, drop("model", "states", -1, "clients", "before")),
    "a draw of any number": (DRAWN, of_clients("clients", "count", to=None)),
    "a draw of m": (DRAWN, of_clients("clients", "count", to="m")),
    "a draw of nobody": (DRAWN, of_clients("clients", "chosen", to=None)),
    "all of it depends on the draw": (DRAWN, of_clients("clients", "before", "G", to=[])),
    "nothing is said of what depends on the draw": (DRAWN, of_clients("clients", "before", to={})),
    "it is halved twice": (DRAWN, form("A[t:any']", "G 0 0", "-7/8*a*m*drawn + a*m")),
    "all are halved": (DRAWN, form("A[t:any']", "G 0 0", "1/4*a*m")),
    "a weight that is drawn": (DRAWN, form("A[t:any]", "G 0 0", "a*m*drawn")),
    "what is said of several clients, of one": (DRAWN, put("model", "states", 0, "at", "S", to="2")),
    "over those that are drawn": (AFTER, of_use("over", to="selected")),
    "the client is drawn": (AFTER, vector("0", {"0": "1/2"})),
    "the client is not drawn": (AFTER, vector("0", {"0": "1"})),
    "three quarters": (AFTER, vector("0", {"0": "-3/4*drawn + 1"})),
    "two draws": (AFTER, lambda theorem: used(theorem)["states"][-1].update(draws=2 * used(theorem)["states"][-1]["draws"])),
    "no draw": (AFTER, of_use("states", -1, "draws", to=[])),
    "another leaf is drawn": (AFTER, of_clients("clients", "before", "G", to=[1])),
    "two are drawn as one": (TWO, of_clients("forms", "L[t:any]", to={})),
    "two are drawn, and depend on it": (TWO, of_clients("clients", "before", "G", to=[])),
    "a sum of what is drawn twice": (TWO, first_sum([["a*drawn", 0]])),
}  # fmt: skip


def edited(files, what):
    """The certificates with one thing changed in the theorem."""
    of, edit = EDITS[what]
    claims = copy.deepcopy(files[of])
    edit(claims[-1]["theorem"])
    return {**claims[-1], "id": f"edited/{what}"}


def test_edited_certificates_are_rejected_and_legal_ones_accepted(files, tmp_path):
    """On the bare interpreter, all in one file."""
    legal = {one["id"]: one for claims in files.values() for one in claims}
    wrong = [edited(files, what) for what in EDITS]
    path = tmp_path / "all.json"
    head = {"schema": "fedtheory certificates", "version": 2, "paper": "sums"}
    path.write_text(json.dumps({**head, "claims": [*legal.values(), *wrong]}))
    done = subprocess.run([sys.executable, "-I", "-S", str(FILE), str(path)], capture_output=True, text=True)
    assert not done.stderr and done.returncode == 1
    said = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert [id for id in legal if f"accepted {id}" not in said] == []
    passed = [what for what in EDITS if f"rejected edited/{what}" not in said]
    assert not passed, str(passed)
    assert len(EDITS) >= 60
