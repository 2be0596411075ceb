"""What fedtheory writes, judged by a library that knows nothing of ours, beside the check that every write makes itself."""

import json
from collections import Counter
from contextlib import contextmanager
from functools import cache

from jsonschema import Draft7Validator

from fedtheory import formats

SEEN = Counter()  # of the formats that were written so far


@cache
def validator(name):
    """Of the schema of a format."""
    return Draft7Validator(formats.schema(name))


@contextmanager
def watched():
    """What is written within is valid; the check of ours runs as well, as it does in every other process."""
    from fedtheory.commands import experiment

    ours = formats.require

    def both(data, name, path):
        SEEN[name] += 1
        validator(name).validate(json.loads(json.dumps(data)))
        ours(data, name, path)

    formats.require = experiment.require = both
    try:
        yield
    finally:
        formats.require = experiment.require = ours
