"""The files that fedtheory writes and reads, as types: their JSON Schemas, and the check where they are read.

Each type is one file format of one version; `fedtheory/schemas` has its schema, which ``python -m fedtheory.formats`` writes anew.
Names that a type does not have are allowed, so that a reader of an older version reads a newer file of the same schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Required, TypedDict

import msgspec

from .errors import UsageError
from .files import write_text

Rational = Annotated[str, msgspec.Meta(pattern=r"^-?[0-9]+(/[0-9]+)?$", description='an exact number "p/q"')]
Exact = Annotated[
    Rational | list[str], msgspec.Meta(description='an exact number "p/q", or an enclosure ["lo", "hi"] in decimals')
]
Array = list[Rational | list[Rational | list[Rational | list[Rational | list[Rational]]]]]
Scope = Annotated[
    Literal["all"] | list[Any] | None, msgspec.Meta(description="all, or the parameters and sizes that are covered")
]
Named = Literal["proved", "certified", "supported", "refuted", "vacuous", "unknown"]
Id = Annotated[str, msgspec.Meta(description="paper/name, with @reading or ~repaired")]


class Evidence(TypedDict, total=False):
    """What one engine says."""

    engine: Required[str]
    outcome: Required[Literal["proves", "certifies", "refutes", "supports", "declines", "fails"]]
    scope: Scope
    numbers: dict[str, Any]
    reason: str


class Given(TypedDict):
    """A condition at the counterexample, both sides evaluated exactly."""

    name: str
    lhs: Exact
    op: Literal["<=", "<", "=="]
    rhs: Exact


class Witness(TypedDict, total=False):
    """A counterexample: sizes, parameters, free data, conditions, and both sides of the relation that fails."""

    shape: Required[dict[str, int]]
    scalars: Required[dict[str, Rational | list[Rational]]]
    free: Required[dict[str, Rational | Array]]
    given: list[Given]
    relation: str
    op: Literal["<=", "<", "==", ""]
    lhs: Exact | None
    rhs: Exact | None


class Repair(TypedDict):
    """The repaired claim and what it came to."""

    id: Id
    latex: str
    verdict: Named


class Hypotheses(TypedDict, total=False):
    """What is known of the hypotheses; null where it is not known."""

    satisfiable: bool | None
    homogeneous: bool | None
    met_in_experiments: bool | None
    needed: bool | None


class Entry(TypedDict, total=False):
    """The verdict on one claim."""

    id: Required[Id]
    verdict: Required[Named]
    paper: str
    locator: str
    kind: str
    step: bool
    latex: str
    trust: Literal["kernel", "replayed", "z3", "search", ""]
    tier: str | None
    scope: Scope
    trials: int
    min_slack: float | None
    tightness: float | None
    evidence: list[Evidence]
    witness: Witness | None
    replay: str | None
    repair: Repair | None
    uses: list[Id]
    hypotheses: Hypotheses
    domain: str
    reason: str
    note: str
    source: str
    key: str | None


class Times(TypedDict, total=False):
    """Seconds of a claim, and the times among the numbers of its evidence, by place."""

    seconds: float
    evidence: dict[str, dict[str, float]]


class Report(TypedDict, total=False):
    """What ``fedtheory verify --json`` writes; ``--expect``, ``--resume``, ``replay`` and ``mutants`` read it."""

    schema: Required[Literal[1]]
    claims: Required[list[Entry]]
    version: str
    seed: int
    budget: str
    complete: bool
    environment: dict[str, str]
    timing: dict[str, Times]


class Row(TypedDict):
    """One claim on given clients."""

    id: Id
    outcome: str
    instances: list[str]
    slacks: list[float]
    note: str


class OnData(TypedDict):
    """What ``fedtheory verify --on DATA --json`` writes."""

    schema: Literal[1]
    on: str
    m: int
    seed: int
    clients: list[dict[str, Rational]]
    results: list[Row]
    complete: bool


class Mutants(TypedDict):
    """What ``fedtheory mutants --json`` writes."""

    schema: Literal[1]
    version: str
    seed: int
    budget: str
    complete: bool
    operators: list[str]
    shares: dict[str, dict[str, int]]
    mutants: list[dict[str, Any]]


class Certificate(TypedDict):
    """The certificate of one claim, a part for every entry of its scope; ``fedtheory_check.py`` says what a part is."""

    id: Id
    verdict: Literal["proved", "certified"]
    scope: Literal["all"] | list[Any]
    parts: list[dict[str, Any]]


class Certificates(TypedDict):
    """What ``fedtheory verify --write-proofs`` writes; ``fedtheory_check.py`` reads it."""

    schema: Literal["fedtheory certificates"]
    version: Literal[1]
    paper: str
    claims: list[Certificate]


Stored = Annotated[
    dict[str, list[dict[str, str]]],
    msgspec.Meta(
        title="Stored",
        description="certificates.json of a paper, which --write-certificates writes: by claim and parameters the "
        "multipliers of every relation, by inequality",
    ),
]


class Plan(TypedDict):
    """All that a run depends on."""

    method: str
    options: dict[str, Any]
    rounds: int
    every: int
    seed: int
    stop: str
    data: dict[str, Any]
    backend: str
    device: str
    version: str


class Measured(TypedDict):
    """A constant of the problem and where it comes from."""

    value: Any
    label: str
    how: str


class CurveEnd(TypedDict):
    """The end of one curve, measured and bound."""

    name: str
    where: str
    outcome: str
    notes: list[str]
    last: list[float | str | None]


class Results(TypedDict, total=False):
    """What a run came to, besides its trace."""

    problem: Required[str]
    optimal: Required[float | str | None]
    no_optimum: Required[str]
    stop_at: Required[float | str | None]
    constants: Required[dict[str, Measured]]
    given: Required[dict[str, Any]]
    last: dict[str, float | str]
    curves: list[CurveEnd]


class Run(TypedDict):
    """run.json of a run; trace.npz beside it has the columns ``t``, ``communications``, ``objective`` and those of the method."""

    schema: Literal[1]
    inputs: Plan
    stopped: str
    results: Results


class Statement(TypedDict, total=False):
    """One statement of a paper."""

    id: Required[Id]
    kind: Required[str]
    locator: Required[str]
    formula: Required[str]
    conditions: str


class Inventory(TypedDict, total=False):
    """inventory.toml of a paper."""

    row: list[Statement]


class Binding(TypedDict, total=False):
    """What a statement that is no claim is bound to."""

    binding: Required[str]
    to: str
    reason: str
    erratum: str


Bindings = Annotated[
    dict[str, Binding], msgspec.Meta(title="Bindings", description="bindings.toml of a paper, by the id of the row")
]


class PaperWords(TypedDict, total=False):
    """paper.toml."""

    id: Required[str]
    title: Required[str]
    authors: str
    reference: str
    formulas: str


SCHEMAS: Mapping[str, Any] = {
    "report": Report, "on_data": OnData, "mutants": Mutants, "certificates": Certificates, "stored_certificates": Stored,
    "run": Run, "paper": PaperWords, "inventory": Inventory, "bindings": Bindings,
}  # fmt: skip
VERSION = 1
FOLDER = Path(__file__).parent / "schemas"


def check(data: Any, form: Any, called: str) -> None:
    """Raise UsageError unless plain data are of a form; the message begins with `called` and names the place.

    Examples
    --------
    >>> check({"schema": 1, "claims": [{"id": "a/b", "verdict": "proven"}]}, Report, "r.json: not a report")
    Traceback (most recent call last):
    fedtheory.errors.UsageError: r.json: not a report: invalid enum value 'proven' at claims[0].verdict
    """
    try:
        msgspec.convert(data, form)
    except msgspec.ValidationError as error:
        said, _, where = str(error).partition(" - at ")
        where = re.sub(r"^\$\.?", "", where.strip("`"))
        said = re.sub(
            r"^object missing required field (.*)", r"\1 is missing", said[:1].lower() + said[1:].replace("`", "")
        )
        raise UsageError(f"{called}: {said}{f' at {where}' if where else ''}") from None


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a format."""
    (at,), parts = msgspec.json.schema_components([SCHEMAS[name]], ref_template="#/$defs/{name}")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"fedtheory/{name}-{VERSION}.json",
        "title": f"fedtheory {name.replace('_', ' ')}, version {VERSION}",
    }
    return {**head, **{k: v for k, v in at.items() if k != "title"}, "$defs": parts}


def main() -> None:
    """Write every schema."""
    for name in SCHEMAS:
        write_text(FOLDER / f"{name}-{VERSION}.json", json.dumps(schema(name), indent=1) + "\n")


if __name__ == "__main__":
    main()
