"""Damaged reports, witnesses, data, drafts and runs: one line that names the file and what is wrong with it."""

import copy
import json
import shutil

import numpy as np
import pytest
from bad_files import DRAFT_CASES, ON, ONE, RUN, again, own

from fedtheory.cli import main

SAID = {
    "empty.json": ":1: not JSON",
    "null.json": "not a fedtheory report of schema 1",
    "number.json": "not a fedtheory report",
    "text.json": "not a fedtheory report",
    "list.json": "not a fedtheory report",
    "nan.json": "not a fedtheory report",
    "binary.json": "cannot be read: 'utf-8' codec",
    "latin.json": "cannot be read: 'utf-8' codec",
    "utf16.json": "cannot be read",
    "mark.json": ":1: not JSON: Unexpected UTF-8 BOM",
    "deep.json": "cannot be read: maximum recursion depth",
    "long.json": "cannot be read: Exceeds the limit",
    "true.json": "not a fedtheory report",
    "unnamed.json": "not a fedtheory report",
    "claimless.json": "not a fedtheory report",
    "dict.json": "not a fedtheory report",
    "nothing.json": "expected an object, got null at claims[0]",
    "id.json": "expected a text, got 3 at claims[0].id",
    "verdict.json": 'got "Proved" at claims[0].verdict',
    "listed.json": "got an array at claims[0].verdict",
    "times.json": "expected an object, got an array at timing",
    "cut.json": "not JSON",
    "trailing.json": "not JSON: Extra data",
    "schema.json": "not a fedtheory report of schema 1",
    "twice.json": "two claims are called",
    "dir.json": "dir.json",
}
READ = {
    "replay": lambda name: ["replay", name, "pfedme/lemma1a"],
    "expect": lambda name: ["verify", ONE, "--expect", name],
    "resume": lambda name: ["verify", ONE, "--resume", "--json", name],
    "mutants": lambda name: ["mutants", name],
}


@pytest.mark.parametrize("command", READ)
@pytest.mark.parametrize("name", SAID)
def test_a_damaged_report(name, command, refused):
    """Named in front of what is wrong; ``--resume`` leaves it as it is."""
    refused(READ[command](name), name, SAID[name])


@pytest.mark.parametrize("command", ["replay", "expect", "mutants"])
@pytest.mark.parametrize("name", ["none.json", "dangling.json", "loop.json"])
def test_a_report_that_is_not_there(name, command, refused):
    """Also behind a link."""
    refused(READ[command](name), "Too many levels" if name == "loop.json" else f"{name}: no such file")


SHAPE, LAM, W = ("shape", "m"), ("scalars", "lam"), ("free", "w")
GONE = object()
WITNESSES = [
    *(((part,), value) for part in ("shape", "scalars", "free") for value in (GONE, None, 3, "x", [], {}, True)),
    *((SHAPE, value) for value in (GONE, None, "1", 1.0, True, [], -1, 0, 2, 10**9)),
    *(
        (LAM, value)
        for value in (
            GONE,
            None,
            3,
            True,
            [],
            ["1"],
            {},
            "",
            "x",
            "nan",
            "inf",
            "1e400",
            "0.5",
            "1/0",
            "1/2/3",
            "1/-2",
            " 1",
            "+1",
            "-",
            "1" * 30_000,
            "\u0663",
        )
    ),
    *(
        (W, value)
        for value in (
            GONE,
            None,
            "0",
            [],
            [[]],
            ["0"],
            [[["0"]]],
            [["0", "0"]],
            [["0"], ["0"]],
            [["0"], ["0", "1"]],
            [["a"]],
            [[0]],
            [[None]],
        )
    ),
    (("shape", "q"), 1),
    (("scalars", "q"), "1"),
    (("free", "q"), [["1"]]),
    ((), 3),
    ((), "x"),
    ((), [1]),
    ((), True),
]


@pytest.mark.parametrize(("path", "value"), WITNESSES, ids=lambda v: "gone" if v is GONE else str(v)[:30])
def test_a_forged_witness(path, value, files, refused):
    """Parts that are missing, too many, of another shape, or no exact numbers: nothing is replayed."""
    data = json.loads((files / "good.json").read_text())
    entry = next(e for e in data["claims"] if e["id"] == "pfedme/lemma1a")
    at = entry if not path else entry["witness"] if len(path) == 1 else entry["witness"][path[0]]
    last = path[-1] if path else "witness"
    if value is GONE:
        del at[last]
    else:
        at[last] = copy.deepcopy(value)
    (files / "forged.json").write_text(json.dumps(data))
    refused(["replay", "forged.json", "pfedme/lemma1a"], "forged.json", "witness")


def test_a_witness_outside_the_conditions_refutes_nothing(files, capsys):
    """Exit status 1: it can be read, and it is no counterexample."""
    data = json.loads((files / "good.json").read_text())
    next(e for e in data["claims"] if e["id"] == "pfedme/lemma1a")["witness"]["scalars"]["mu"] = "-1"
    (files / "forged.json").write_text(json.dumps(data))
    assert main(["replay", str(files / "forged.json"), "pfedme/lemma1a"]) == 1
    assert "pfedme/lemma1a: outside" in capsys.readouterr().out


def test_a_witness_with_another_part_is_refused(files, capsys):
    """A word that is misspelt is not passed over."""
    data = json.loads((files / "good.json").read_text())
    witness = next(e for e in data["claims"] if e["id"] == "pfedme/lemma1a")["witness"]
    witness["scalar"] = {"mu": "1"}
    (files / "odd.json").write_text(json.dumps(data))
    assert main(["replay", str(files / "odd.json"), "pfedme/lemma1a"]) == 2
    assert "got 'scalar'; did you mean scalars" in capsys.readouterr().err


DAMAGED = {
    "empty.csv": "empty.csv is empty",
    "blank.csv": "is empty",
    "header.csv": "has a header and no rows",
    "column.csv": "none is left for the features",
    "ragged.csv": "line 2: 1 fields, the first row has 2",
    "text.csv": "line 2: column 0 (a) must be a number, got 'x'",
    "nan.csv": "line 1: column 0 must be finite, got nan",
    "target.csv": "line 1: the target is missing, got 'nan'",
    "missing.csv": "line 1: the target is missing, got ''",
    "inf.csv": "line 2: column 0 must be finite, got inf",
    "same.csv": "all targets are the one label",
    "alone.csv": "there is one sample; labels need two at least, and --with task=targets takes real targets",
    "semicolon.csv": "is ',' right?",
    "quotes.csv": "unexpected end of data",
    "commas.csv": "must be a number, got ''",
    "huge.csv": "feature 0 is too large, its squares overflow: 1e+308",
    "hugey.csv": "the targets are too large, their squares overflow",
    "field.csv": "field larger than field limit",
    "underscore.csv": "must be a number, got '1_0'",
    "latin.csv": "not UTF-8 text",
    "binary.csv": "not UTF-8 text",
    "utf16.csv": "not UTF-8 text",
    "plain.csv.gz": "truncated or damaged",
    "cut.csv.gz": "truncated or damaged",
    "dir.csv": "there is no file dir.csv",
    "pipe.csv": "there is no file pipe.csv",
    "dangling.csv": "there is no file dangling.csv",
    "loop.csv": "there is no file loop.csv",
    "gone.csv": "there is no file gone.csv",
    "empty.npz": "is no npz file or is truncated",
    "text.npz": "is no npz file",
    "binary.npz": "is no npz file",
    "start.npz": "is no npz file",
    "junk.npz": "no array of NumPy",
    "noy.npz": "has no array 'y', only X",
    "none.npz": "has no array 'X', only none",
    "objects.npz": "Object arrays cannot be loaded",
    "complex.npz": "must hold real numbers, got complex128",
    "short.npz": "array 'y' must have shape (6,), got (3,)",
    "line.npz": "array 'X' must hold numbers (n, features)",
    "flat.npz": "array 'y' must have shape (6,), got (6, 2)",
    "single.npz": "array 'y' must have shape (6,), got ()",
    "nan.npz": "array 'X': entry (0, 0) must be finite, got nan",
    "nany.npz": "array 'y': entry (0,) must be finite, got nan",
    "rows.npz": "must hold numbers (n, features)",
    "columns.npz": "must hold numbers (n, features)",
    "words.npz": "must hold numbers",
    "dates.npz": "must hold real numbers, got datetime64[D]",
    "hugex.npz": "its squares overflow: 1e+201",
    "dir.npz": "there is no file dir.npz",
    "pipe.npz": "there is no file pipe.npz",
    "loop.npz": "there is no file loop.npz",
}
TAKE = {
    "on": lambda name: [*ON, name, "--m", "2"],
    "run": lambda name: ["run", "fedavg", "--data", name, "--m", "2", "--rounds", "1", "--out", "new"],
    "constants": lambda name: ["constants", "flame", "--data", name, "--m", "2"],
}


@pytest.mark.parametrize("command", TAKE)
@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_data(name, command, refused):
    """The file, the place in it and the rule, from every command that takes data."""
    refused(TAKE[command](name), name, DAMAGED[name])


@pytest.mark.parametrize("name", DRAFT_CASES)
def test_a_broken_draft(name, refused):
    """The file, the line where there is one, and what to write."""
    refused(["verify", f"{name}.py"], *DRAFT_CASES[name][1:])


@pytest.mark.parametrize(
    "command", [["verify"], ["explain"], ["list"], ["mutants", "good.json"], ["replay", "good.json", "draft/x"]]
)
@pytest.mark.parametrize("name", ["indented", "exits", "blank", "control", "published"])
def test_a_broken_draft_everywhere(command, name, refused):
    """Every command that takes a file says the same."""
    words = [*command, f"{name}.py"]
    if command[0] == "replay":
        words[2] = "pfedme/lemma1a"
    refused(words, f"{name}.py")


@pytest.mark.parametrize(
    ("name", "said"),
    [("dir.py", "no claim"), ("dangling.py", "no such file"), ("loop.py", "no such file"), ("pipe.py", "no such file")],
)
def test_what_is_no_file(name, said, refused):
    """A folder, links and a pipe that are called like a draft."""
    refused(["verify", name], name, said)


def test_no_claim_of_a_draft_is_lost(tmp_path, capsys):
    """Neither one whose name another one takes, nor those of a list."""
    text = (
        own(id="draft/first")
        + again("draft/second")
        + "\nMORE = [claim(f'draft/more{k}', world=AB)(mine.body) for k in range(2)]\n"
    )
    (tmp_path / "d.py").write_text(text)
    assert main(["list", str(tmp_path / "d.py")]) == 0
    ids = [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]]
    assert sorted(ids) == ["draft/first", "draft/more0", "draft/more1", "draft/second"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The folder of a run that is finished, by its content."""
    out = tmp_path_factory.mktemp("kept") / "out"
    assert main([*RUN[:-1], str(out)]) == 0
    (folder,) = out.iterdir()
    return folder.name, {p.name: p.read_bytes() for p in folder.iterdir()}


def npz(folder, name="trace.npz", **changed):
    """Write an archive again with other columns; None leaves one out."""
    with np.load(folder / name) as archive:
        columns = {key: changed.get(key, archive[key]) for key in archive.files}
    np.savez(folder / name, **{key: column for key, column in columns.items() if column is not None})


def edit(folder, *path, value=None):
    """Change or remove a part of run.json."""
    data = json.loads((folder / "run.json").read_text())
    at = data
    for part in path[:-1]:
        at = at[part]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    (folder / "run.json").write_text(json.dumps(data))


def as_folder(path):
    """A folder in place of a file."""
    path.unlink()
    path.mkdir()


KEPT = {
    **{
        f"{name} {what}": (lambda d, name=name, fn=fn: fn(d / name), f"{name}: cannot be read")
        for name in ("run.json", "trace.npz")
        for what, fn in {
            "missing": lambda p: p.unlink(),
            "empty": lambda p: p.write_bytes(b""),
            "cut": lambda p: p.write_bytes(p.read_bytes()[:300]),
            "text": lambda p: p.write_text("hello"),
            "binary": lambda p: p.write_bytes(bytes(range(256))),
            "a folder": as_folder,
        }.items()
    },
    "run.json a list": (
        lambda d: (d / "run.json").write_text("[]"),
        "run.json: not this run",
    ),
    "run.json deep": (lambda d: (d / "run.json").write_text(100_000 * "["), "run.json: cannot be read"),
    **{
        f"run.json without {part}": (lambda d, part=part: edit(d, part), "remove the folder to run again")
        for part in ("schema", "inputs", "stopped", "results")
    },
    "run.json of another seed": (lambda d: edit(d, "inputs", "seed", value=7), "run.json: not this run"),
    **{
        f"results without {part}": (
            lambda d, part=part: edit(d, "results", part),
            f"{part} is missing at results; remove the folder",
        )
        for part in ("problem", "optimal", "no_optimum", "stop_at", "constants", "given")
    },
    "results of another kind": (
        lambda d: edit(d, "results", "constants", value=3),
        "expected an object, got 3 at results.constants",
    ),
    **{
        f"trace without {name}": (lambda d, name=name: npz(d, **{name: None}), f"trace.npz: {name} is missing")
        for name in ("t", "communications", "objective")
    },
    "trace of unequal columns": (
        lambda d: npz(d, objective=np.zeros(1)),
        "trace.npz: `Trace(columns=...)` must hold columns of one length",
    ),
    "trace of text": (
        lambda d: npz(d, objective=np.array(["a", "b", "c"])),
        'trace.npz: expected a number, got "a" at objective[0]',
    ),
    "trace of objects": (lambda d: npz(d, objective=np.array([None, 1, 2])), "trace.npz: cannot be read"),
    "trace of no rows": (
        lambda d: npz(d, t=np.zeros(0), communications=np.zeros(0), objective=np.zeros(0), error=np.zeros(0)),
        "trace.npz: it has no rows",
    ),
}


@pytest.mark.parametrize("case", KEPT)
def test_a_damaged_run(case, kept, refused, files):
    """What is damaged, and what to do; nothing is run, and no advice to load pickles."""
    name, content = kept
    folder = files / "kept" / name
    folder.mkdir(parents=True)
    for file, data in content.items():
        (folder / file).write_bytes(data)
    damage, said = KEPT[case]
    damage(folder)
    try:
        line = refused([*RUN[:-1], "kept"], f"kept/{name}", said, "remove the folder to run again")
        assert "pickle.load" not in line
    finally:
        shutil.rmtree(files / "kept")


@pytest.mark.parametrize("content", [b"", b"x", bytes(range(256))])
def test_a_damaged_checkpoint(content, kept, refused, files):
    """As it lies in the folder of an unfinished run."""
    folder = files / "kept" / f"{kept[0]}.partial"
    folder.mkdir(parents=True)
    (folder / "checkpoint.npz").write_bytes(content)
    try:
        refused([*RUN[:-1], "kept"], "checkpoint.npz: cannot be read", "remove it to start again")
    finally:
        shutil.rmtree(files / "kept")


def test_more_than_the_memory_holds(refused, monkeypatch):
    """One line, no traceback."""
    from fedtheory.commands import run

    def too_large(*_):
        raise MemoryError("Unable to allocate 8.00 PiB")

    monkeypatch.setattr(run, "execute", too_large)
    refused(RUN, "more than the memory of the machine holds: Unable to allocate 8.00 PiB")
