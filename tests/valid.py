"""The published JSON Schemas, and the files that they are about, judged by a library that knows nothing of ours."""

import json
from collections import Counter
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator

import fedtheory
from fedtheory import files
from fedtheory.runs import store

FOLDER = Path(fedtheory.__file__).parent / "schemas"
SEEN = Counter()  # of the formats that were written so far


@cache
def validator(name):
    """Of the schema of a format."""
    return Draft202012Validator(json.loads((FOLDER / f"{name}-1.json").read_text(encoding="utf-8")))


def format_of(data):
    """The format of what is written."""
    for name, key in (("on_data", "on"), ("mutants", "mutants"), ("certificates", "paper"), ("report", "claims"),
                      ("run", "results")):  # fmt: skip
        if key in data:
            return name
    return "stored_certificates"


def require_valid(data):
    """Raise ValidationError unless the data are valid."""
    name = format_of(data)
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
        require_valid(json.loads((path / "run.json").read_text(encoding="utf-8")))
        return path

    files.write_json, files.write_text, store.save = json_too, text_too, run_too
    try:
        yield
    finally:
        files.write_json, files.write_text, store.save = write_json, write_text, save
