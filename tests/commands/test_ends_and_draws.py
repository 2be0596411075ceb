"""Files of theorems that rest on runs within a step, on draws of clients and on powers that read the length: edits are rejected."""

from copy import deepcopy
from functools import cache

import pytest

from fedtheory import registry
from fedtheory.fedtheory_check import accepted

ENDS, DRAWS, ABOVE, POWERS = (
    "pfedme/eq34~repaired",
    "pfedme/eq42@every-R",
    "pfedme/eq44~repaired",
    "pfedme/lemma5-proof-s4-a",
)


@cache
def proofs():
    return {id: one["proof"] for id, one in registry.paper("pfedme").evidence()["claims"].items() if one["proof"]}


def below(id):
    """What a theorem stands on, each after its own lemmas."""
    uses = [u["lemma"] for u in proofs()[id].get("theorem", {}).get("uses", ()) if isinstance(u["lemma"], str)]
    return dict.fromkeys(other for lemma in uses for other in (*below(lemma), lemma))


@cache
def earlier(id):
    found = {}
    for lemma in below(id):
        assert accepted(proofs()[lemma], found)[0], lemma
    return found


def state(theorem):
    return next(s for s in theorem["model"]["states"] if s["sizes"])


def use_of(theorem, lemma):
    return next(u for u in theorem["uses"] if u["lemma"] == lemma)


def put(at, key, value):
    def edit(theorem):
        found = at(theorem)
        assert key in found and found[key] != value
        found[key] = value

    return edit


def drop(at, key):
    return lambda theorem: at(theorem).pop(key)


def end(theorem):
    return state(theorem)["within"]["s"]


def within(theorem):
    return theorem["model"]["within"]["s"]


def round_of(theorem):
    return next(s for s in use_of(theorem, "pfedme/eq30@every-R")["run"] if s["leaves"])


def selected(theorem):
    return state(theorem)["selected"]


def smoothness(theorem):
    return use_of(theorem, "pfedme/eq36-a")["says"][0][1]


def of_one_client(theorem):
    """A spread is without the client of which there is a quantity."""
    own = state(theorem)
    theorem["model"]["quantities"].append("own")
    own["forms"] |= {f"own[{t}]": {"G 11 11": "1"} for t in ("t:any", "t:any'")}
    own["begun"] |= {f"own[{k}]": {"G 11 11": "1"} for k in (0, 1)}


EDITS = [
    (ENDS, "another point stands for the end", put(lambda t: round_of(t)["leaves"], "6", {"2": "1"})),
    (ENDS, "nothing stands for a client's own part of it", put(lambda t: round_of(t)["leaves"], "15", {})),
    (ENDS, "another point stands for the server's", put(lambda t: round_of(t)["leaves"], "0", {"1": "1"})),
    (ENDS, "the end is no client's", put(lambda t: end(t)["leaves"], "3", {"6": "1"})),
    (ENDS, "the end is twice what it is", lambda t: end(t)["leaves"]["3"].update({"6": "2"})),
    (ENDS, "another value at the end", put(lambda t: end(t)["values"], "1", {"v 0": "1"})),
    (ENDS, "no value at the end", drop(lambda t: end(t)["values"], "1")),
    (ENDS, "the run within a step has another length", put(within, "index", "m")),
    (ENDS, "less is stated of it", put(within, "stated", [])),
    (ENDS, "another point of it", put(within, "point", 0)),
    (ENDS, "there is none", drop(lambda t: t["model"]["within"], "s")),
    (ENDS, "twice as many steps", lambda t: use_of(t, "pfedme/eq30@every-R")["at"].update({"R": "2*R"})),
    (DRAWS, "no sum over the drawn clients", lambda t: selected(t).clear()),
    (DRAWS, "the sum is of something else", lambda t: selected(t).update({k: [0, 1] for k in selected(t)})),
    (DRAWS, "with the spread of something else", lambda t: [of.reverse() for of in selected(t).values()]),
    (DRAWS, "nothing is apart from the draw", lambda t: state(t)["before"].clear()),
    (DRAWS, "a quantity of one client, who is not in the spread", of_one_client),
    (DRAWS, "a smaller part of the squares", lambda t: smoothness(t).update({"off_sq[t:any]": "1/4*lam"})),
    (DRAWS, "a larger fall", lambda t: smoothness(t).update({"gradient_sq[t:any]": ["-1", [["lam", 1]]]})),
    (ABOVE, "other sums than its lemma has", lambda t: selected(t).clear()),
    (ABOVE, "sums of something else", lambda t: selected(t).update({k: [0, 1] for k in selected(t)})),
    (ABOVE, "less is apart from the draw", lambda t: state(t)["before"].clear()),
    (POWERS, "an induction over the length that a power reads", lambda t: t.update({"by": ["base", "step"]})),
]  # fmt: skip


@pytest.mark.parametrize("id", [ENDS, DRAWS, ABOVE, POWERS])
def test_a_file_as_it_is(id):
    assert accepted(proofs()[id], dict(earlier(id)))[0]


@pytest.mark.parametrize(
    ("id", "edit"), [pytest.param(id, e, id=f"{id.split('/')[1]}: {what}") for id, what, e in EDITS]
)
def test_an_edited_file_is_rejected(id, edit):
    claim = deepcopy(proofs()[id])
    edit(claim["theorem"])
    assert claim != proofs()[id] and not accepted(claim, dict(earlier(id)))[0]


def test_the_spread_without_a_client_is_not_that_of_the_drawn():
    claim = deepcopy(proofs()[DRAWS])
    of_one_client(claim["theorem"])
    assert "without one client" in accepted(claim, dict(earlier(DRAWS)))[1]
