"""What is right in an idx, csv or npz file is read; what is wrong is one line with the file and the place in it."""

import gzip
import hashlib
import struct

import numpy as np
import pytest

from fedtheory.errors import UsageError
from problems.data.datasets import clients, load
from problems.data.readers import read_csv, read_idx, read_npz

TYPES = {"u1": 8, "i1": 9, ">i2": 11, ">i4": 12, ">f4": 13, ">f8": 14}


def idx(values, dtype="u1"):
    """The bytes of an idx file."""
    values = np.asarray(values)
    header = struct.pack(f">BBBB{values.ndim}I", 0, 0, TYPES[dtype], values.ndim, *values.shape)
    return header + values.astype(dtype).tobytes()


def digest(data):
    """SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


def table(path, *lines):
    """A text file of these lines."""
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("packed", [True, False])
def test_idx_types(tmp_path, dtype, packed):
    """All six types of the format, plain and gzip."""
    values = np.array([[1, 2, 3], [4, 5, 100]])
    path = tmp_path / ("a.gz" if packed else "a")
    path.write_bytes(gzip.compress(idx(values, dtype)) if packed else idx(values, dtype))
    read = read_idx(path, (None, 3))
    assert np.array_equal(read, values) and read.dtype == np.dtype(dtype).newbyteorder("=")


@pytest.mark.parametrize("packed", [True, False])
def test_own_csv(tmp_path, packed):
    """Header found, target by name, a column dropped, text labels in alphabetical order, blank lines skipped."""
    text = "\ufeffid,kind,a,b\nx1,red,1,2.5\n\nx2,blue,-3e0,.5\nx3,red,4,+6\n".encode()
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(text) if packed else text)
    data = load(path, target="kind", drop=["id"])
    assert data.X.tolist() == [[1, 2.5], [-3, 0.5], [4, 6]] and data.X.flags.writeable
    assert data.y.tolist() == [1, 0, 1] and data.labels == ("blue", "red") and data.classes == 2
    assert load(str(path), target=1, drop=[0]).X.tolist() == data.X.tolist()
    parts, held = clients(path, 2, target="kind", drop=["id"], partition="iid", seed=1)
    assert sum(len(y) for _, y in parts) == 3 and held.counts.sum(axis=0).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("column", "task", "y", "classes"),
    [
        (["3", "1", "3"], "auto", [1, 0, 1], 2),
        (["-1", "+1", "1.0"], "auto", [0, 1, 1], 2),
        (["10", "9", "2"], "labels", [2, 1, 0], 3),
        (["3", "1", "3"], "targets", [3.0, 1.0, 3.0], None),
        (["0.5", "1", "2"], "auto", [0.5, 1.0, 2.0], None),
        (["0.5", "1", "0.5"], "labels", [0, 1, 0], 2),
    ],
)
def test_labels_or_targets(tmp_path, column, task, y, classes):
    """A few integers are labels, other numbers targets, unless `task` says so."""
    path = table(tmp_path / "t.csv", *(f"{k},{text}" for k, text in enumerate(column)))
    data = load(path, task=task)
    assert data.y.tolist() == y and data.classes == classes
    assert data.y.dtype == (np.float64 if classes is None else np.int64)


def damaged(root, name):
    """A file that is wrong in one way, and the reader that meets it."""
    path = root / name
    good = idx(np.zeros((4, 2)))
    made = {
        "cut.gz": gzip.compress(idx(np.arange(200).reshape(20, 10)))[:-12],
        "nogzip.gz": b"\x00\x00\x08\x01\x00\x00\x00\x01\x05",
        "crc.gz": gzip.compress(good)[:-8] + b"\0" * 8,
        "short": good[:-1],
        "long": good + b"\0",
        "header": good[:7],
        "magic": b"\x01" + good[1:],
        "type": b"\0\0\x07" + good[3:],
        "empty": b"",
        "huge": b"\0\0\x08\x03" + b"\xff" * 12,
        "cut.npz": None,
        "text.npz": b"hello",
        "pickle.npz": None,
    }[name]
    if name == "cut.npz":
        np.savez(path, X=np.zeros((9, 9)), y=np.zeros(9))
        made = path.read_bytes()[:-40]
    if name == "pickle.npz":
        np.savez(path, X=np.array([None, 1], dtype=object), y=np.zeros(2))
        made = path.read_bytes()
    path.write_bytes(made)
    return read_npz(path, ("X", "y")) if path.suffix == ".npz" else read_idx(path)


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("cut.gz", "truncated or damaged"),
        ("nogzip.gz", "truncated or damaged"),
        ("crc.gz", "truncated or damaged"),
        ("short", "is truncated: shape (4, 2) needs 8 bytes of data, got 7"),
        ("long", "is too long"),
        ("header", "is truncated: its header has 2 extents"),
        ("magic", "no idx file"),
        ("type", "no idx file"),
        ("empty", "no idx file"),
        ("huge", "is truncated"),
        ("cut.npz", "no npz file or is truncated"),
        ("text.npz", "no npz file"),
        ("pickle.npz", "Object arrays"),
    ],
)
def test_damaged_files(tmp_path, name, rule):
    """The file and what is wrong with it."""
    with pytest.raises(UsageError) as refused:
        damaged(tmp_path, name)
    said = str(refused.value)
    assert rule in said and str(tmp_path / name) in said and "\n" not in said


BAD_TABLES = [
    ("a,b,y\n1,2,0\n1,x,1\n", {}, "line 3: column 1 (b) must be a number, got 'x'"),
    ("1,2,0\n1,,1\n", {}, "line 2: column 1 must be a number, got ''"),
    ("1,2,0\n1,nan,1\n", {}, "line 2: column 1 must be finite, got nan"),
    ("a,y\n\n1,0\n-inf,1\n", {}, "line 4: column 0 (a) must be finite, got -inf"),
    ("1,2,0\n1,1e999,1\n", {}, "line 2: column 1 must be finite, got inf"),
    ("1,2,0\n1,1_0,1\n", {}, "line 2: column 1 must be a number, got '1_0'"),
    ("1,2,0\n1,2\n", {}, "line 2: 2 fields, the first row has 3"),
    ("1,2,0\n1,2,3,4\n", {}, "line 2: 4 fields"),
    ("", {}, "is empty"),
    ("a,b\n", {}, "no rows"),
    ("1,2\n1,\n", {}, "line 2: the target is missing"),
    ("1,2\n1,NaN\n", {}, "line 2: the target is missing"),
    ("1,2\n1,inf\n", {}, "line 2: the target must be finite"),
    ("1,2\n1,b\n", {"task": "targets"}, "line 2: the target must be a number, got 'b'"),
    ("1,2\n1,2\n", {}, "all targets are the one label 2"),
    ("1;2\n3;4\n", {}, "none is left for the features"),
    ('1,"2\n3,4\n', {}, "unexpected end of data"),
    ("a,label\n1,0\n", {"target": "lable"}, "did you mean label"),
    ("a,a,y\n1,2,0\n", {"target": "a"}, "two columns called 'a'"),
    ("1,0\n", {"target": "y"}, "has no header"),
    ("1,0\n", {"target": 2}, "has 2 columns"),
    ("1,0\n", {"target": 1.5}, "position or name, got 1.5"),
    ("a,b,y\n1,2,0\n", {"drop": ["c"]}, "no column called 'c'"),
    ("1,0\n", {"delimiter": ", "}, "one character"),
    ("1,0\n", {"task": "label"}, "did you mean labels"),
    ("1,0\n", {"sha256": "0" * 64}, "has SHA-256"),
    ("1,0\n", {"sha256": "abc"}, "64 hexadecimal digits, got 'abc'"),
    ("1,0\n", {"header": "no"}, "True, False or None, got 'no'"),
    ("a,b,y\n1,2,0\n", {"drop": "q"}, "no column called 'q'"),
    ("1,0\n", {"seperator": ";"}, "has no option 'seperator'"),
    ("\xff".encode("latin-1"), {}, "not UTF-8"),
]


@pytest.mark.parametrize(("text", "options", "rule"), BAD_TABLES, ids=range(len(BAD_TABLES)))
@pytest.mark.parametrize("packed", [False, True])
def test_bad_tables(tmp_path, text, options, rule, packed):
    """The file, the line and the column."""
    raw = text if isinstance(text, bytes) else text.encode()
    path = tmp_path / ("bad.csv.gz" if packed else "bad.csv")
    path.write_bytes(gzip.compress(raw) if packed else raw)
    with pytest.raises(UsageError) as refused:
        load(path, **options)
    said = str(refused.value)
    assert rule in said and ("bad.csv" in said or "=...)" in said or "=...`" in said) and "\n" not in said


def test_read_csv_keeps_scattered_columns(tmp_path):
    """Columns that are no neighbours are picked in their order."""
    path = table(tmp_path / "t.csv", "1,9,2,0,3", "4,9,5,1,6")
    read = read_csv(path, target=3, drop=[1])
    assert read.X.tolist() == [[1, 2, 3], [4, 5, 6]] and read.y == ["0", "1"] and list(read.lines) == [1, 2]
