"""The published JSON Schemas, and the files that they are about, judged by a library that knows nothing of ours."""

import json
from collections import Counter
from contextlib import contextmanager
from functools import cache

from jsonschema import Draft7Validator

from fedtheory import files
from fedtheory.formats import schema
from fedtheory.runs import store

SEEN = Counter()  # of the formats that were written so far


@cache
def validator(name):
    """Of the schema of a format."""
    return Draft7Validator(schema(name))


def format_of(data):
    """The format of what is written; None where it has no schema: a failed run of a sweep, its results, a table."""
    for name, keys in (("on_data", {"on"}), ("mutants", {"mutants"}), ("certificates", {"paper", "claims"}),
                       ("audit", {"rows", "runs"}), ("audited", {"problems", "settings"}), ("watch", {"inequalities"}),
                       ("figures", {"cells"}),
                       ("report", {"claims"}), ("run", {"inputs", "results"})):  # fmt: skip
        if keys <= set(data):
            return name
    return "stored_certificates" if all(isinstance(v, list) for v in data.values()) else None


def require_valid(data):
    """Raise ValidationError unless the data are valid."""
    name = format_of(data) if isinstance(data, dict) else None
    if name is not None:
        SEEN[name] += 1
        validator(name).validate(data)


@contextmanager
def watched():
    """What is written within is valid."""
    write_json, write_text, save = files.write_json, files.write_text, store.save

    def json_too(path, data):
        require_valid(json.loads(json.dumps(data)))
        write_json(path, data)

    def text_too(path, text):
        if str(path).endswith(".json") and text.startswith("{"):
            require_valid(json.loads(text))
        write_text(path, text)

    def run_too(*args):
        path = save(*args)
        written = json.loads((path / "run.json").read_text(encoding="utf-8"))
        if "backend" in written["inputs"]:  # else a test of the store, with inputs of its own
            require_valid(written)
        return path

    files.write_json, files.write_text, store.save = json_too, text_too, run_too
    try:
        yield
    finally:
        files.write_json, files.write_text, store.save = write_json, write_text, save
