"""The options that name a problem: data, model, clients, backend."""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection
from types import ModuleType

from .._arrays import backend
from ..errors import UsageError
from ..formats import Document, Json
from .options import count, positive

CLIENTS = 20
SCALINGS = ("standardise", "unit_columns", "bias")
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a problem to a command."""
    problem = parser.add_argument_group("problem")
    problem.add_argument("--data", metavar="NAME|FILE", help="a data set (fedtheory data status) or a csv or npz file")
    problem.add_argument(
        "--model",
        help="least-squares, logistic, logistic-nonconvex, softmax or margin, or a network, mlp or cnn, on --backend torch "
        "(default: by the data)",
    )
    problem.add_argument("--m", "--N", "--K", dest="m", help=f"clients (default: {CLIENTS})")
    problem.add_argument("--l2", default="0", help="coefficient of the squared norm in the loss (default: 0)")
    problem.add_argument("--smoothing", help="smoothing of the hinge of --model margin")
    add_data(problem)
    problem.add_argument("--backend", default="numpy", help="numpy, torch or cupy (default: numpy)")
    problem.add_argument("--device", default="", help="device of the backend, such as cuda (default: its own)")


def add_data(group: argparse._ArgumentGroup) -> None:
    """Add the options of a data set and its partition."""
    group.add_argument("--partition", help="iid, shards, dirichlet, power-law or quantiles (default: iid)")
    group.add_argument("--standardise", action="store_true", help="features of mean 0 and variance 1")
    group.add_argument("--unit-columns", action="store_true", help="features of norm 1")
    group.add_argument("--bias", action="store_true", help="append a column of ones")
    group.add_argument(
        "--with", action="append", default=[], metavar="NAME=VALUE", dest="more",
        help="another option of the data set or of the partition, such as alpha=0.3",
    )  # fmt: skip
    group.add_argument("--root", metavar="FOLDER", help="where data files lie")


def problem_of(o: argparse.Namespace) -> Json:
    """The options of the problem, checked, as `problems.build.build` takes them, without seed and backend.

    Raises
    ------
    UsageError
        If the data are not named or a value is out of range.
    """
    if not o.data:
        raise UsageError("--data NAME is needed; fedtheory data status lists the names")
    found: Json = {
        "data": o.data, "m": None, "model": o.model,
        "l2": positive("l2", o.l2, zero=True), "partition": o.partition, "root": o.root,
        "smoothing": None if o.smoothing is None else positive("smoothing", o.smoothing),
    }  # fmt: skip
    found |= data_of(o, found)
    return found | {"m": clients_in(found, None if o.m is None else count("m", o.m, 1), CLIENTS)}


def clients_in(found: Document, asked: int | None, usual: int) -> int:
    """How many clients there are: those that the data come with, else as many as are asked for, else as usual.

    Raises
    ------
    UsageError
        If the data come with another number than is asked for.
    """
    from problems.data.datasets import NAMES, count_clients

    if found["data"] in NAMES:
        return usual if asked is None else asked
    more = {k: v for k, v in found.items() if k not in ("data", "root", "m")}
    there = count_clients(found["data"], root=found.get("root"), **more)
    if there is not None and asked not in (None, there):
        raise UsageError(f"--m {asked}: {found['data']} comes with {there} clients; leave --m out")
    return there or (usual if asked is None else asked)


def data_of(o: argparse.Namespace, taken: Collection[str] = ()) -> Json:
    """Scalings and ``--with``, as `problems.data.datasets.clients` takes them; `taken` are names with an option of their own.

    Raises
    ------
    UsageError
        If a word of ``--with`` is not NAME=VALUE, or its name is taken.
    """
    found: Json = {name: True for name in SCALINGS if getattr(o, name)}
    for text in o.more:
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise UsageError(f"--with needs NAME=VALUE, got {text!r}")
        name = name.replace("-", "_")
        if name in found or name in taken or name in ("seed", "xp", "device"):
            raise UsageError(f"--with {name}: this has an option of its own, or is given twice")
        found[name] = typed(value)
    return found


def typed(text: str) -> object:
    """A word as a flag, a whole number, a number or itself.

    Examples
    --------
    >>> typed("true"), typed("3"), typed("0.5"), typed("mean")
    (True, 3, 0.5, 'mean')
    """
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def place(name: str, device: str) -> tuple[ModuleType, object]:
    """Namespace and device of a backend; one thread of NumPy's BLAS or of torch, unless the environment names a number.

    Products of these sizes gain little from several threads, and lose much where a thread waits for a busy core; with one
    the same seed gives the same bytes on machines of any number of cores.

    Raises
    ------
    UsageError
        If the backend or its device is not there.
    """
    xp = backend(name, "--backend")
    if not any(variable in os.environ for variable in THREADS):
        if name == "numpy":
            from threadpoolctl import threadpool_limits  # not at the top: `fedtheory list` starts without it

            threadpool_limits(1, user_api="blas")
        elif name == "torch":
            xp.set_num_threads(1)
    if not device:
        return xp, None
    if name != "torch":
        raise UsageError(f"--device goes with --backend torch, got --backend {name}")
    try:
        xp.asarray([0.0], device=device) + 0
    except (RuntimeError, AssertionError) as error:
        raise UsageError(f"--device {device}: {str(error).splitlines()[0]}") from None
    return xp, device
