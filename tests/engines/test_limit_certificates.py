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
from fedtheory.referee.composition import _with_its_lemmas, in_order

CHECKER = Path(fedtheory.__file__).with_name("fedtheory_check.py")
OTHERS = {"a": "u", "b": "u", "c": "r", "u": "b", "g": "e", "e": "g"}  # sequences of which less is known
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
    return re.sub(r"\b([abceug])\[", lambda m: f"{OTHERS[m[1]]}[", text)


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


MORE = {
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
    "least": [("half of the bound", put(("limits", 0, "to", "bound"), ["e0", [["eta", 1], ["T", 1]]]))],
}  # fmt: skip
HARMLESS = {
    "on the first": ("bound from nothing",),
    "linear": ("power from nothing", "ratio from nothing"),
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
