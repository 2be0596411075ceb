"""The JSON Schemas of the files that fedtheory writes and reads, and the checks where they are read and written.

``fedtheory/schemas/NAME-VERSION.json`` is the schema of a format. Names that a schema does not have are allowed, so that a reader
of an older version reads a newer file of the same schema.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from .errors import UsageError

Json = dict[str, Any]  # an object of JSON, or a part of one, that is made
Document = Mapping[str, Any]  # one that is read, of JSON or TOML
FOLDER = Path(__file__).parent / "schemas"
VERSION = 1
VERSIONS = {"certificates": 2}  # of those that have changed
NAMES = (
    "report", "on_data", "mutants", "certificates", "stored_certificates", "evidence", "run", "paper", "inventory", "bindings",
    "settings", "audited", "audit", "watch", "trace", "timing", "failed", "references", "results", "table",
    "plan", "experiment", "empirical", "figures", "verdicts", "schedule",
)  # fmt: skip
LONGEST = 60  # characters of a value that is shown
WORDS = {
    "object": "an object", "array": "an array", "string": "a text", "boolean": "a truth value", "null": "null",
    "integer": "a whole number", "number": "a number",
}  # fmt: skip


def schema(name: str) -> Json:
    """The JSON Schema (draft 7) of a format, one of `NAMES`."""
    return json.loads((FOLDER / f"{name}-{VERSIONS.get(name, VERSION)}.json").read_text(encoding="utf-8"))


@cache
def _checker(name: str) -> Callable[[object], object]:
    import fastjsonschema  # when it is needed

    return fastjsonschema.compile(schema(name), use_default=False)


def check(data: object, name: str, called: str) -> None:
    """Raise UsageError unless plain data are of a format; the message begins with `called` and names the place.

    Examples
    --------
    >>> check({"schema": 1, "claims": [{"id": 3, "verdict": "proved"}]}, "report", "r.json: not a report")
    Traceback (most recent call last):
    fedtheory.errors.UsageError: r.json: not a report: expected a text, got 3 at claims[0].id
    """
    from fastjsonschema import JsonSchemaValueException

    try:
        _checker(name)(data)
    except JsonSchemaValueException as error:
        raise UsageError(f"{called}: {_said(error)}{_at(error.path[1:])}") from None


def require(data: object, name: str, path: str | Path) -> None:
    """Raise AssertionError unless what has been written at `path` is of the format that is published for it.

    The file is there all the same: this is a mistake of the program, not of its user.
    """
    try:
        check(data, name, f"{path}: not of the published format {name}")
    except UsageError as error:
        raise AssertionError(str(error)) from None


def _said(error: Any) -> str:
    """What is wrong with a value, in a few words."""
    rule, value = error.rule_definition, error.value
    if error.rule == "required":
        return f"{next(key for key in rule if key not in value)} is missing"
    if error.rule == "type":
        wanted = " or ".join(WORDS[kind] for kind in ([rule] if isinstance(rule, str) else rule))
        return f"expected {wanted}, got {_shown(value)}"
    if error.rule == "enum":
        wanted = ", ".join(json.dumps(one) for one in rule)
        return f"expected {'one of ' if len(rule) > 1 else ''}{wanted}, got {_shown(value)}"
    if error.rule == "pattern":
        return f'expected an exact number "p/q", got {_shown(value)}'
    raise AssertionError(f"a schema has the rule {error.rule}, of which nothing is said here")


def _shown(value: object) -> str:
    if isinstance(value, (dict, list)):
        return WORDS["object" if isinstance(value, dict) else "array"]
    text = json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _at(path: list[str]) -> str:
    """A place such as claims[0].id."""
    place = "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in path)
    return f" at {place.removeprefix('.')}" if place else ""
