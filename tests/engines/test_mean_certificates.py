"""Certificates with a mean over the steps, or of one client in the mean over the clients: what is edited is rejected."""

import copy
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import mean_runs as own
import pytest
from certified import file_of

from fedtheory import fedtheory_check

Edit = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def files() -> dict[str, list[dict[str, Any]]]:
    known: dict[str, Any] = {}
    return {one.id: file_of(one, known) for one in own.LEGAL}


def check_bare(folder: Any, claims: list[dict[str, Any]]) -> list[str]:
    """What the stand-alone checker says of a file, by nothing but Python."""
    file = folder / "claims.json"
    file.write_text(json.dumps({"schema": "fedtheory certificates", "version": 2, "paper": "own", "claims": claims}))
    run = subprocess.run(
        [sys.executable, "-I", "-S", fedtheory_check.__file__, str(file)], capture_output=True, text=True, check=False
    )
    return run.stdout.splitlines()


def test_what_the_engines_write_is_accepted(files, tmp_path):
    for claims in files.values():
        said = check_bare(tmp_path, claims)
        assert len(said) == len(claims) and all(line.startswith("accepted ") for line in said), said


def use_of(theorem: dict[str, Any], **has: Any) -> dict[str, Any]:
    """The one use with these entries, or with an entry at all where it is true."""
    (found,) = (u for u in theorem["uses"] if all(k in u if v is True else u.get(k) == v for k, v in has.items()))
    return found


def states(theorem: dict[str, Any]) -> list[dict[str, Any]]:
    return theorem["model"]["states"]


def each_state(edit: Callable[[dict[str, Any]], Any]) -> Edit:
    return lambda theorem: [edit(state) for state in states(theorem)]


# over the steps


def mean(**entries: Any) -> Edit:
    return lambda theorem: use_of(theorem, of="means").update(entries)


def swap_sums(theorem: dict[str, Any]) -> None:
    use_of(theorem, of="means")["sums"].reverse()


def sum_of_values(theorem: dict[str, Any]) -> None:
    """The sum of a^t e_t in the place of that of a^t tilt_t."""
    (of_e,) = (name for name, (_, step) in theorem["defined"].items() if "e[t:any]" in str(step))
    use_of(theorem, of="means")["sums"][0] = of_e


def start_at_one(theorem: dict[str, Any]) -> None:
    for name in use_of(theorem, of="means")["sums"]:
        theorem["defined"][name][0] = "1"


def weights(text: str) -> Edit:
    return lambda theorem: theorem["model"]["means"].update(w_bar=text)


def by_steps(theorem: dict[str, Any]) -> None:
    theorem["by"] = ["base", "step"]


def moving(state: dict[str, Any]) -> int:
    return state["mean"]["w_bar"][0]


def turned(state: dict[str, Any]) -> None:
    state["mean"]["w_bar"].reverse()


def of_the_optimum(state: dict[str, Any]) -> None:
    place = next(int(k) for k, name in state["leaves"].items() if name in ("w_star", "mean w_star"))
    state["mean"]["w_bar"][1] = place
    state["apart"]["leaves"].remove(place)


def tilt_with_t(state: dict[str, Any]) -> None:
    state["forms"].pop("tilt[t:any']", None)
    form = state["forms"]["tilt[t:any]"]
    for key in form:
        form[key] = form[key].replace("1", "t")


def place_of(state: dict[str, Any], name: str) -> str:
    """A vector of the server, or the mean of a client's."""
    return next(k for k, own in state["leaves"].items() if own in (name, f"mean mean {name}"))


def after_a_draw(state: dict[str, Any]) -> None:
    """What the slope would be after a step in the mean over its draws, were w_bar a fixed vector."""
    both = sorted(int(place_of(state, f"grad f[0]({point})")) for point in ("w", "w_bar"))
    state["forms"]["tilt[t:any']"] = {**state["forms"]["tilt[t:any]"], "G {} {}".format(*both): "-eta"}


def of_steps() -> Iterator[tuple[str, str, Edit]]:
    jensen, noisy, again = "means/jensen", "means/noisy-jensen", "means/again"
    yield "of another point", jensen, mean(mean="w")
    yield "of a quantity that is not affine", jensen, mean(quantity="D")
    yield "of a quantity with values that move", jensen, mean(quantity="e")
    yield "of a quantity that is none", jensen, mean(quantity="J")
    yield "what it is there, a number more", jensen, mean(by={"": "1"})
    yield "what it is there, another quantity", jensen, mean(by={"J": "1"})
    yield "what it is there, with a factor that depends on T", jensen, mean(by={"J": "T"})
    yield "what it is there, with a divisor", jensen, mean(by={"": ["0", [["a - 1", 1]]], "J": ["1", [["a - 1", 1]]]})
    yield "the two sums in the other order", jensen, swap_sums
    yield "the sum of another quantity", jensen, sum_of_values
    yield "a sum of the wrong start", jensen, start_at_one
    yield "other weights", jensen, weights("1")
    yield "weights that are a quantity", jensen, weights("D[t:any]")
    yield "weights that depend on the length", jensen, weights("T")
    yield "by induction", jensen, by_steps
    yield "the mean of itself", jensen, each_state(turned)
    yield "the optimum as the mean", jensen, each_state(of_the_optimum)
    yield "no mean in the states", jensen, each_state(lambda s: s.update(mean={}))
    yield "what moves is still", jensen, each_state(lambda s: s["still"]["leaves"].append(moving(s)))
    yield "the mean is not still", jensen, each_state(lambda s: s["still"]["leaves"].remove(s["mean"]["w_bar"][1]))
    yield "nothing is still", jensen, each_state(lambda s: s.update(still={"leaves": [], "values": []}))
    yield "a quantity with t in it", jensen, each_state(tilt_with_t)
    yield "the model has no mean", jensen, lambda theorem: theorem["model"].update(means={})
    yield "one state less", jensen, lambda theorem: states(theorem).pop()
    yield "after a draw, with the mean as if it were fixed", noisy, each_state(after_a_draw)
    yield "the mean apart from itself", noisy, each_state(lambda s: s["apart"]["leaves"].append(s["mean"]["w_bar"][1]))
    yield "nothing apart from the mean", noisy, each_state(lambda s: s.update(apart={"leaves": [], "values": []}))
    yield "at another length", again, lambda theorem: use_of(theorem, lemma=jensen).update(place=["T", 1])
    yield "at any length", again, lambda theorem: use_of(theorem, lemma=jensen).update(place=["t:any", 0])
    yield "a theorem of a mean with other weights", again, weights("1")
    yield "a theorem of a mean in a run without one", again, lambda theorem: theorem["model"].pop("means")
    yield "a theorem of the mean of another point", again, each_state(of_the_optimum)
    yield "a theorem of a mean, by induction", again, by_steps


# over the clients


def client(**entries: Any) -> Edit:
    return lambda theorem: use_of(theorem, averaged=True).update(entries)


def each_run(edit: Callable[[dict[str, Any]], Any]) -> Edit:
    return lambda theorem: [edit(state) for state in use_of(theorem, averaged=True)["run"]]


def uphill(state: dict[str, Any]) -> None:
    """The clients move by their gradients in the other direction."""
    for draw in state["moves"]:
        for vector in draw["leaves"].values():
            for place, c in vector.items():
                vector[place] = c.removeprefix("-") if c == "-eta" else c


def anywhere(state: dict[str, Any]) -> None:
    """Every vector begins where it is."""
    state["starts"] = {
        "leaves": {k: {k: "1"} for k in state["starts"]["leaves"]},
        "values": {k: {f"v {k}": "1"} for k in state["starts"]["values"]},
    }


def one_vector_less(run: dict[str, Any]) -> None:
    """The mean in the place of each client's vector."""
    for vector in run["leaves"].values():
        for place in list(vector)[1:]:
            del vector[place]


def doubled(c: Any) -> Any:
    """A coefficient of one term, times two."""
    text = c if isinstance(c, str) else c[0]
    twice = f"-2*{text.removeprefix('-')}" if text.startswith("-") else f"2*{text}"
    return twice if isinstance(c, str) else [twice, c[1]]


def twice_the_spread(state: dict[str, Any]) -> None:
    for of in ("forms", "begun"):
        for name, form in state[of].items():
            for key in form if name.startswith("A") else ():
                places = key.split(" ")[1:]
                if set(places) & {str(k) for k in (*state["own"], *state["own"].values())}:
                    form[key] = doubled(form[key])


def of_the_mean(theorem: dict[str, Any]) -> None:
    """The state of several clients alone, said to be every number of them."""
    del states(theorem)[0], use_of(theorem, averaged=True)["run"][0]


def of_clients() -> Iterator[tuple[str, str, Edit]]:
    of_all, twice, summed = "clients/of-all", "clients/twice", "clients/summed-of-all"
    yield "one of them not averaged", of_all, client(averaged=["G"])
    yield "none of them averaged", of_all, client(averaged=[])
    yield "one that is none here", of_all, client(averaged=["A", "B", "G"])
    yield "another lemma", of_all, client(lemma="clients/back")
    yield "a lemma about one step", of_all, client(lemma="clients/along")
    yield "one step more", of_all, client(place=["n", 1])
    yield "at any length, of clients", of_all, client(place=["t:any", 0])
    yield "of another number", of_all, client(at={"G": "2*G"})
    yield "a number left out", of_all, client(at={})
    yield "with another step", of_all, client(at={"G": "G", "eta": "2*eta"})
    yield "with a step that is a quantity", of_all, client(at={"G": "G", "eta": "A[n]"})
    yield "of another sequence", of_all, client(sequences={"A": [["2", "A"]]})
    yield "of no sequence", of_all, client(sequences={})
    yield "it says less", of_all, client(values=[[">=", "-1/2*A[n] + n^2*eta^2*G"]])
    yield "the mean of the clients as a client", of_all, each_run(one_vector_less)
    yield (
        "a vector twice as long",
        of_all,
        each_run(lambda r: r["leaves"].update({"1": dict.fromkeys(r["leaves"]["1"], "2")})),
    )
    yield "no vectors", of_all, each_run(lambda r: r["leaves"].clear())
    yield "in one state alone", of_all, lambda theorem: use_of(theorem, averaged=True)["run"].pop()
    yield "of several clients alone", of_all, of_the_mean
    yield "the clients move uphill", of_all, each_state(uphill)
    yield "how they move is not written", of_all, each_state(lambda s: s.update(moves=None))
    yield "they begin anywhere", of_all, each_state(anywhere)
    yield "where they begin is not written", of_all, each_state(lambda s: s.update(starts=None))
    yield "another weight in the mean", of_all, each_state(twice_the_spread)
    yield "deviations without spreads", of_all, each_state(lambda s: s.update(own={}))
    yield "every client has its own step", of_all, each_state(lambda s: s.update(each=["eta"]))
    yield (
        "a statement that is too much",
        of_all,
        lambda theorem: theorem["statement"][0].__setitem__(1, "-2*A[n] + n^2*eta^2*G"),
    )
    yield "the clients move uphill, all quantities there", twice, each_state(uphill)
    yield "they begin anywhere, all quantities there", twice, each_state(anywhere)
    yield "sums of another sequence", summed, client(sequences={"A": [["1", "A"]], "B": [["1", "A"]]})
    yield "a sum with one not averaged", summed, client(averaged=["A", "G"])


def several(edit: Callable[[dict[str, Any]], Any]) -> Edit:
    """An edit of what stands for the one client in the state of several."""
    return lambda theorem: edit(use_of(theorem, averaged=True)["run"][-1])


def other_vectors(run: dict[str, Any]) -> None:
    run["leaves"] = dict(zip(run["leaves"], reversed(run["leaves"].values()), strict=True))


def scaled(text: str) -> Callable[[dict[str, Any]], None]:
    def edit(run: dict[str, Any]) -> None:
        for vector in run["leaves"].values():
            vector.update(dict.fromkeys(vector, text))

    return edit


def of_weighed() -> Iterator[tuple[str, str, Edit]]:
    weighed, mixed = "clients/weighed", {"U": [["1", "V"]], "V": [["1", "U"]], "W": [["1", "W"]]}
    more = "-c*U[t:any] + 2*c*V[t:any] + 2*c*W[t:any]"
    yield "each with its scalar, one not averaged", weighed, client(averaged=["U", "V"])
    yield "each with its scalar, at another scalar", weighed, client(at={"c": "2*c"})
    yield "each with its scalar, of another sequence", weighed, client(sequences=mixed)
    yield "each with its scalar, other vectors", weighed, several(other_vectors)
    yield "each with its scalar, vectors times it", weighed, several(scaled("c"))
    yield "each with its scalar, no vectors", weighed, several(lambda run: run["leaves"].clear())
    yield "each with its scalar, in a factor of what is said", weighed, client(values=[[">=", more]])
    yield (
        "each with its scalar, in one state alone",
        weighed,
        lambda theorem: use_of(theorem, averaged=True)["run"].pop(),
    )


EDITS = {what: rest for what, *rest in (*of_steps(), *of_clients(), *of_weighed())}


@pytest.mark.parametrize("what", EDITS)
def test_an_edited_certificate_is_rejected(what, files):
    of, edit = EDITS[what]
    assert not own.accepts(own.edited(files[of], edit))


def test_bare_python_rejects_them_as_well(files, tmp_path):
    """The edited theorems after one another, each with all that it stands on, by nothing but Python."""
    whole: list[dict[str, Any]] = []
    for k, (of, edit) in enumerate(EDITS.values()):
        *lemmas, last = own.edited(files[of], edit)
        seen = {c["id"] for c in whole}
        whole += [c for c in copy.deepcopy(lemmas) if c["id"] not in seen] + [{**last, "id": f"edit {k}"}]
    said = [line.partition(":")[0] for line in check_bare(tmp_path, whole)]
    assert len([line for line in said if line.startswith("rejected edit ")]) == len(EDITS) >= 70
    assert all(line.startswith("accepted ") for line in said if " edit " not in line)
