"""Edited certificates of limits, every one of which the stand-alone checker rejects, alone and without any package."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from limit_claims import KERNEL

import fedtheory
from fedtheory import fedtheory_check
from fedtheory.referee.composition import _with_its_lemmas, in_order

CHECKER = Path(fedtheory.__file__).with_name("fedtheory_check.py")
OTHERS = {"a": "u", "b": "u", "c": "r", "u": "b", "g": "e", "e": "g", "q": "z"}  # sequences of which less is known
STATIONARY, RENEWED, SQUEEZED, FOR_EVERY = "stationary", "renewed", "squeezed", "for every s"


@cache
def certificates(what):
    """The certificates of a claim and its lemmas, in order."""
    of, known = KERNEL[what], {}
    own = _with_its_lemmas(of, {}, known)
    assert own.trust == "kernel", what
    return in_order([{"id": of.id, "certificate": own.certificate}], known)


def said(c):
    return c["theorem"]["limits"]


def roles_of(c):
    return [(k, name) for k, one in enumerate(said(c)) for name in one["roles"]]


def other_sequence(text):
    return re.sub(r"\b([abceugq])\[", lambda m: f"{OTHERS[m[1]]}[", text)


def grown(value, by):
    """A quotient with more of something."""
    text, *below = [value] if isinstance(value, str) else value
    return f"{text} + {by}" if not below else [f"{text} + {by}", *below]


def of_all(c):
    """(what, edit) for a limit of any rule."""
    theorem = c["theorem"]
    of, index = said(c)[0]["of"][0], theorem["index"]
    yield "no such rule", lambda t: t["limits"][0].update(rule="sum")
    yield "a name of Python as a rule", lambda t: t["limits"][0].update(rule="_")
    yield "no limit", lambda t: t.update(limits=[])
    yield "another sequence", lambda t: t["limits"][0]["of"].__setitem__(0, other_sequence(of))
    yield "a sequence and the length", lambda t: t["limits"][0]["of"].__setitem__(0, grown(of, index))
    yield "a sequence and the time", lambda t: t["limits"][0]["of"].__setitem__(0, grown(of, "t:any"))
    yield "it is nothing", lambda t: t["limits"][0].update(of=[])
    yield "a statement beside", lambda t: t.update(statement=[[">=", "1"]])
    yield "a hypothesis that reads the length", lambda t: t["stated"].append(["given", ">=", f"1 - {index}", "n <= 1"])
    yield "the conclusion is printed", lambda t: t["printed"].append(["null", of])
    yield "by a step", lambda t: t.update(by=["base", "step"])
    for name, value in said(c)[0]["to"].items():
        for by, why in ((index, "the length"), ("u[t:any]", "an element"), ("u[T]", "the last element")):

            def reads(t, name=name, value=value, by=by):
                t["limits"][0]["to"][name] = grown(value, by)

            yield f"{name} and {why}", reads
        yield f"{name} is missing", lambda t, name=name: t["limits"][0]["to"].pop(name)
    for k, role in roles_of(c):
        own = said(c)[k]["roles"][role]
        ways = [["any"], ["length"], ["direct"], ["base", "step"], ["base"], ["step"], []]
        for way in ways if own["parts"] else ():
            if way != own["by"]:
                yield (
                    f"{role} by {way}",
                    lambda t, k=k, role=role, way=way: t["limits"][k]["roles"][role].update(by=way),
                )
        if own["parts"] and theorem["model"]:  # else it may be what is stated
            yield f"{role} from nothing", lambda t, k=k, role=role: t["limits"][k]["roles"][role].update(parts=[])
        yield f"without {role}", lambda t, k=k, role=role: t["limits"][k]["roles"].pop(role)
    for k, use in enumerate(theorem["uses"]):
        if use.get("finite") != "length":
            continue
        yield f"use {k} of what is finite at t alone", lambda t, k=k: t["uses"][k].update(finite="t")
        yield f"use {k} at another length", lambda t, k=k: t["uses"][k].update(place=[index, 1])
        yield f"use {k} at every t", lambda t, k=k: t["uses"][k].update(place=["t:any", 0])
        yield f"use {k} of no lemma", lambda t, k=k: t["uses"][k].update(lemma=None)
        yield f"use {k} with the length for a number", lambda t, k=k: t["uses"][k]["at"].update(C=index)
        if "a" in use["sequences"]:  # of no run, of which the names are what they are
            yield f"use {k} with another a", lambda t, k=k: t["uses"][k]["sequences"].update(a=[["1", "u"]])
            yield f"use {k} with the last a", lambda t, k=k: t["uses"][k]["sequences"].update(a=[["a[T]", ""]])
            yield f"use {k} with a times the length", lambda t, k=k: t["uses"][k]["sequences"].update(a=[["T", "a"]])


def edits_of(what):
    """(what, the certificates with one edit) of those that would be wrong."""
    own = certificates(what)
    good = HARMLESS.get(what, ())
    for name, edit in (*of_all(own[-1]), *MORE.get(what, ())):
        if name not in good:
            changed = copy.deepcopy(own)
            edit(changed[-1]["theorem"])
            yield name, changed


def put(place, value):
    def edit(t):
        for step in place[:-1]:
            t = t[step]
        t[place[-1]] = value

    return edit


def printed(*values):
    return put(("printed",), [list(values)] if values else [])


EACH = ("limits", 0, "each")


def of_a_client(edit, *cases):
    """Edits of the theorem about a step of one client, in every case or in some."""

    def both(t):
        for case in cases or ("selected", "passed over"):
            edit(t["limits"][0]["each"][case]["theorem"])

    return both


def in_its_state(name, form):
    """Another form of a quantity of one client."""
    return of_a_client(lambda own: own["model"]["states"][0]["forms"].__setitem__(name, form))


def of_all_clients(name, value, of="forms"):
    """Other quantities in the state of several clients."""
    return lambda t: t["model"]["states"][-1][of].__setitem__(name, value)


def moved_to(place, vector):
    return lambda t: t["model"]["states"][-1]["moves"][0]["leaves"].__setitem__(place, vector)


def swapped(t):
    each = t["limits"][0]["each"]
    each["selected"], each["passed over"] = each["passed over"], each["selected"]


def stands_for(case, name, k=-1):
    """Another vector for W of the one client."""

    def edit(t):
        own, states = t["limits"][0]["each"][case], t["model"]["states"]
        (theirs,) = own["theorem"]["model"]["states"]
        places = {name: place for place, name in theirs["leaves"].items()}
        mine = {name: int(place) for place, name in states[k]["leaves"].items()}
        own["of"][k]["leaves"][places["W[0]"]] = mine[name]

    return edit


def place_of(t, name):
    return next(place for place, own in t["model"]["states"][-1]["leaves"].items() if own == name)


def everyone_moves(t):
    """Whoever is passed over moves as well."""
    new = place_of(t, "client Z[0]")
    moved_to(place_of(t, "client W[0]"), {new: "1"})(t)


def nobody_moves(t):
    old = place_of(t, "client W[0]")
    moved_to(old, {old: "1"})(t)


OF_EACH = [
    ("nothing is printed", printed()),
    ("another is printed", printed("recurs", "r[t:any]", "q[t:any]", "rounds")),
    ("selected within the length", printed("chosen", "T")),
    ("of no client", put(EACH, {})),
    ("of a client that is selected alone", lambda t: t["limits"][0]["each"].pop("passed over")),
    ("of a client that is passed over alone", lambda t: t["limits"][0]["each"].pop("selected")),
    ("of the other case", swapped),
    ("it falls to nothing", put(("limits", 0, "to", "falls_to"), "0")),
    ("it falls to half", put(("limits", 0, "to", "falls_to"), "1/2")),
    ("it falls to itself", put(("limits", 0, "to", "falls_to"), "1")),
    ("it grows", put(("limits", 0, "to", "grows"), "2")),
    ("it falls to a quantity", put(("limits", 0, "to", "falls_to"), "s[0]")),
    ("what is added", put(("limits", 0, "to", "more"), "s[t:any]")),
    ("it tends to 1", put(("limits", 0, "to", "b"), "1")),
    ("renewed by itself", put(("limits", 0, "to", "by"), "q[t:any]")),
    ("renewed by another", put(("limits", 0, "to", "by"), "s[t:any]")),
    ("more is stated of a client", of_a_client(lambda own: own["stated"].append(["given", ">=", "nu - 1", "nu >= 1"]))),
    ("more is stated of what it has", of_a_client(lambda own: own["stated"].append(["t", ">=", "-q[t:any]", "q <= 0"]))),
    ("that is stated of all clients", of_a_client(lambda own: own["stated"].append(["given", ">=", "q[0]", "q >= 0"]))),
    ("less is shown of a client", of_a_client(lambda own: own["statement"].pop())),
    ("no sign is shown of a client", of_a_client(lambda own: own["statement"].pop(0))),
    ("nothing is shown of a client", of_a_client(lambda own: own.update(parts=[]))),
    ("nothing is used of a client", of_a_client(lambda own: own.update(uses=[]))),
    ("a step by induction", of_a_client(lambda own: own.update(by=["base", "step"]))),
    ("a step of no run", of_a_client(lambda own: own.update(model=None))),
    ("two states of a client", of_a_client(lambda own: own["model"]["states"].append(own["model"]["states"][0]))),
    ("no state of a client", of_a_client(lambda own: own["model"].update(states=[]))),
    ("the other selection", of_a_client(lambda own: own["model"]["states"][0]["at"].update(chosen="0"), "selected")),
    ("selected after all", of_a_client(lambda own: own["model"]["states"][0]["at"].update(chosen="1"), "passed over")),
    ("any selection", of_a_client(lambda own: own["model"]["states"][0]["at"].pop("chosen"))),
    ("another length", of_a_client(lambda own: own.update(index="N"))),
    ("q is nothing", in_its_state("q[t:any]", {})),
    ("q is nothing after a step", in_its_state("q[t:any']", {})),
    ("nobody is selected", in_its_state("r[t:any]", {})),
    ("q of all is nothing after a step", of_all_clients("q[t:any']", {})),
    ("q of all is another number", of_all_clients("q[t:any]", {"G 0 0": "m*nu"})),
    ("r of all is that of all clients", lambda t: of_all_clients("r[t:any]", t["model"]["states"][-1]["forms"]["q[t:any]"])(t)),
    ("nothing is known of each client", lambda t: t["model"]["states"][-1].update(rows={})),
    ("nothing is known of the one client", lambda t: t["model"]["states"][0].update(rows={})),
    ("it is not written how they move", lambda t: t["model"]["states"][-1].update(moves=None)),
    ("everyone moves", everyone_moves),
    ("nobody moves", nobody_moves),
    ("two draws", lambda t: t["model"]["states"][-1]["moves"].append(t["model"]["states"][-1]["moves"][0])),
    ("W is Z", stands_for("selected", "client Z[0]")),
    ("W is Z where it is passed over", stands_for("passed over", "client Z[0]")),
    ("the one client alone", lambda t: t["limits"][0]["each"]["selected"]["of"].pop()),
    ("no vectors", lambda t: t["limits"][0]["each"]["selected"]["of"][-1].update(leaves={})),
]  # fmt: skip


def of_a_use(**entries):
    """Another last use of a theorem about the run."""
    return lambda t: next(use for use in reversed(t["uses"]) if use.get("part")).update(entries)


OF_A_PART = [
    ("nothing is printed", printed()),
    ("every client within more steps", printed("chosen", "2*rounds")),
    ("q is another", of_all_clients("q[t:any]", {"G 0 0": "2*m"})),
    ("r is another", of_all_clients("r[t:any]", {"G 0 0": "m"})),
    ("r is not there", lambda t: t["model"]["states"][-1]["forms"].pop("r[t:any]")),
    ("q is another after a step", of_all_clients("q[t:any']", {"G 0 0": "m"})),
    ("q begins elsewhere", of_all_clients("q[0]", {"G 0 0": "2*m"}, "begun")),
    ("of one client another", lambda t: t["model"]["states"][0]["forms"].update({"q[t:any]": {"G 0 0": "2"}})),
    ("nothing is known of each client", lambda t: t["model"]["states"][-1].update(rows={})),
    ("it is not written how they move", lambda t: t["model"]["states"][-1].update(moves=None)),
    ("everyone moves", everyone_moves),
    ("nobody moves", nobody_moves),
    ("W is of all clients", lambda t: t["model"]["states"][-1]["clients"]["leaves"].remove(int(place_of(t, "client W[0]")))),
    ("another selection", lambda t: t["model"]["states"][-1].update(chosen="nu")),
    ("more numbers of each client", lambda t: t["model"]["states"][-1]["each"].append("rounds")),
    ("no number of each client", lambda t: t["model"]["states"][-1].update(each=[])),
    ("a state less", lambda t: t["model"]["states"].pop(0)),
    ("of another length", of_a_use(place=["t:any", 0])),
    ("of a longer run", of_a_use(place=["T", 1])),
    ("with another number", of_a_use(at={"nu": "2*nu"})),
    ("with the length for a number", of_a_use(at={"rounds": "T"})),
    ("a lower bound that is not stated", lambda t: t.update(stated=[one for one in t["stated"] if "nu" not in str(one)])),
]  # fmt: skip
MORE = {
    "each of its own": OF_EACH,
    "each of fewer": OF_A_PART,
    "each of more": OF_A_PART,
    STATIONARY: [("at no point", put(("limits", 0, "points"), []))],
    RENEWED: [
        ("nothing is printed", printed()),
        ("the other way round", printed("recurs", "c[t:any]", "r[t:any]", "S")),
        ("another is renewed", printed("recurs", "r[t:any]", "a[t:any]", "S")),
        ("renewed within the length", printed("recurs", "r[t:any]", "c[t:any]", "T")),
        ("renewed within no number of steps", printed("recurs", "r[t:any]", "c[t:any]")),
        ("every client is chosen", printed("chosen", "S")),
        ("it falls to more than itself", put(("limits", 0, "to", "falls_to"), "3")),
        ("it does not grow", put(("limits", 0, "to", "grows"), "1")),
        ("what is added is another", put(("limits", 0, "to", "more"), "b[t:any]")),
        ("nothing is added", put(("limits", 0, "to", "more"), "0")),
        ("it tends to 1", put(("limits", 0, "to", "b"), "1")),
        ("renewed by itself", put(("limits", 0, "to", "by"), "c[t:any]")),
    ],
    "shrinking": [
        ("nothing is printed", printed()),
        ("another is renewed", printed("recurs", "r[t:any]", "a[t:any]", "S")),
        ("it falls to itself", put(("limits", 0, "to", "falls_to"), "1")),
        ("it falls to nothing", put(("limits", 0, "to", "falls_to"), "0")),
        ("it grows", put(("limits", 0, "to", "grows"), "2")),
        ("what is added need not be small", put(("limits", 0, "to", "more"), "b[t:any]")),
    ],
    "together": [
        ("with another", lambda t: t["limits"][0]["of"].append("b[t:any]")),
        ("with a number", lambda t: t["limits"][0]["of"].append("k")),
        ("none that converges", put(("limits", 0, "of"), ["u[t:any]", "r[t:any]"])),
        ("with the double of one", lambda t: t["limits"][0]["of"].append("2*c[t:any]")),
        ("with the last", lambda t: t["limits"][0]["of"].append("c[T]")),
    ],
    "on the first": [("the second first", lambda t: t["limits"].reverse())],
    FOR_EVERY: [
        ("for every value of another", put(("limits", 0, "to", "for_every"), "k")),
        ("for every value of the length", put(("limits", 0, "to", "for_every"), "T")),
        ("for every value of a sequence", put(("limits", 0, "to", "for_every"), "c[t:any]")),
        ("for every value of a square", put(("limits", 0, "to", "for_every"), "s^2")),
        ("the sequence reads it", put(("limits", 0, "of", 0), "s*u[t:any]")),
        ("more is stated of it", lambda t: t["stated"].append(["given", ">=", "1 - s", "s <= 1"])),
        ("it need not be positive", lambda t: t["stated"].__setitem__(slice(None), [s for s in t["stated"] if s[2] != "s"])),
        ("from one value", put(("limits", 0, "rule"), "squeezed")),
    ],
    SQUEEZED: [
        ("by its square", lambda t: t["limits"][0]["to"].update(square=t["limits"][0]["to"].pop("B"))),
        ("for every value", put(("limits", 0, "rule"), "for_every")),
        ("a bound that does not hold", put(("limits", 0, "to", "B"), "a[t:any]^2")),
        ("to another limit", put(("limits", 0, "to", "b"), "1")),
    ],
    "sum": [("a sum of another", put(("limits", 0, "to", "sum"), "0")), ("as linear", put(("limits", 0, "rule"), "linear"))],
    "linear": [
        ("a power of another", put(("limits", 0, "to", "power"), "1")),
        ("a rate of 1", put(("limits", 0, "to", "q"), "1")),
        ("as a sum", put(("limits", 0, "rule"), "summable")),
    ],
    "an index": [
        ("half of the index", put(("limits", 0, "to", "after"), ["e0", [["eta", 1], ["eps", 1]]])),
        ("from the beginning", put(("limits", 0, "to", "after"), "0")),
        ("an index that is undefined", put(("limits", 0, "to", "after"), ["2*e0", [["eta - L", 1], ["eps", 1]]])),
        ("the last in place of the least", lambda t: t["limits"][0]["to"].pop("sum")),
        ("half of eps", put(("limits", 0, "to", "eps"), "1/2*eps")),
        ("another number for eps", put(("limits", 0, "to", "eps"), "eta")),
        ("more is stated of eps", lambda t: t["stated"].append(["given", ">=", "1 - eps", "eps <= 1"])),
        ("eps need not be positive", lambda t: t["stated"].__setitem__(slice(None), [s for s in t["stated"] if s[2] != "eps"])),
        ("by a logarithm", put(("limits", 0, "rule"), "geometric")),
    ],
    "a logarithm": [
        ("half of the index", put(("limits", 0, "to", "after"), ["1/2*log:0", [["mu", 1], ["eta", 1]]])),
        ("of another", put(("limits", 0, "to", "of_log"), "1/2*e0")),
        ("of another start", put(("limits", 0, "to", "of_log"), ["2*e0", [["eps", 1]]])),
        ("a number for the logarithm", lambda t: t["limits"][0]["to"].update(log="L", after=["L", [["mu", 1], ["eta", 1]]])),
        ("the length for the logarithm", lambda t: t["limits"][0]["to"].update(log="T", after=["T", [["mu", 1], ["eta", 1]]])),
        ("more is stated of the logarithm", lambda t: t["stated"].append(["given", ">=", "log:0 - 1", "it is at least 1"])),
        ("more is stated of eps", lambda t: t["stated"].append(["given", ">=", "1 - eps", "eps <= 1"])),
        ("without the rate", lambda t: t["uses"].__setitem__(slice(None), [u for u in t["uses"] if u["lemma"] != "limits/linear"])),
        ("by a sum", put(("limits", 0, "rule"), "below")),
    ],
    "least": [("half of the bound", put(("limits", 0, "to", "bound"), ["e0", [["eta", 1], ["T", 1]]]))],
}  # fmt: skip
HARMLESS = {
    "on the first": ("bound from nothing",),
    "linear": ("power from nothing", "ratio from nothing"),
    "each client": ("signs from nothing", "rates from nothing"),
    "each of its own": ("signs from nothing", "rates from nothing"),
}  # it is stated, or what the lemma says, or 1 - q is a product of positive numbers


def checked(files):
    """What the checker says of each file of certificates, on bare Python."""
    ran = subprocess.run(
        [sys.executable, "-I", "-S", str(CHECKER), *map(str, files)], capture_output=True, text=True, check=False
    )
    lines = iter(ran.stdout.splitlines())
    out = []
    for file in files:
        own = [next(lines) for _ in json.loads(file.read_text())["claims"]]
        out.append(own[-1])
    return out


def written(folder, name, claims):
    file = folder / f"{name}.json"
    file.write_text(json.dumps({"schema": "fedtheory certificates", "version": 2, "paper": "limits", "claims": claims}))
    return file


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("what", KERNEL)
def test_edited_certificates_are_rejected_and_the_others_are_not(what, tmp_path):
    names, files = ["as it is"], [written(tmp_path, "good", certificates(what))]
    for k, (name, claims) in enumerate(edits_of(what)):
        names.append(name)
        files.append(written(tmp_path, str(k), claims))
    lines = checked(files)
    assert lines[0].startswith("accepted"), lines[0]
    taken = [name for name, line in zip(names[1:], lines[1:], strict=True) if line.startswith("accepted")]
    assert len(lines) > 10
    assert not taken


def test_a_step_of_one_client_knows_this_step_alone():
    """Nothing of another step, of the start, the length or indices, nor that what is claimed is defined."""
    step = object.__new__(fedtheory_check.beside("each").Step)
    step.index, step.first = "T", 1
    names = {"D[t:any]": "t", "D[t:any']": "t", "a": "given"}
    others = {
        "D[t:any'']": "t",
        "D['t:any]": "t",
        "D[0]": "t",
        "D[s:any]": "t",
        "T": "given",
        "D[T]": "length",
        "b": "start",
    }
    step.known = [(scope, ">=", ({(name,): 1}, {})) for name, scope in {**names, **others}.items()]
    step.statement = [(">=", ({("a",): 1}, {frozenset({(("c",), 1), ((), 1)}): 1}))]
    step.defined, step.stated, step.shown, step.kept, step.exponentials = {}, [], {}, {}, {}
    known = [(">=", ({(name,): 1}, {})) for name in names]
    assert step.facts("any") == known
    assert all(step.holds({(name,): 1}, ">=", "any") for name in names)
    assert not any(
        step.holds(p, op, "any")
        for p, op in (({("c",): 1, (): 1}, "!="), ({("t:any",): 1}, ">="), ({("D[0]",): 1}, ">="))
    )
