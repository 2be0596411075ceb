"""Rows of a table as JSON, CSV, LaTeX or parquet."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from ..errors import UsageError
from ..files import whole, write_json, write_text
from ..formats import Document

FORMATS = (".json", ".csv", ".tex", ".parquet")
SPECIAL = {c: f"\\{c}" for c in "&%$#_{}"} | {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
}
Rows = Sequence[Document]


def format_of(path: str) -> str:
    """The format that the end of a path names.

    Raises
    ------
    UsageError
        If it is none of `FORMATS`, or needs a package that is not installed.
    """
    suffix = Path(path).suffix
    if suffix not in FORMATS:
        raise UsageError(f"a table goes to a file that ends in {', '.join(FORMATS)}, got {path!r}")
    if suffix == ".parquet":
        _pyarrow()
    return suffix


def write(path: str, columns: Sequence[str], rows: Rows, kind: str) -> None:
    """Write rows to a file, whole or not at all, in the format that its end names; as JSON they are of the schema `kind`.

    Raises
    ------
    UsageError
        If the file cannot be written, or its end names no format.
    """
    suffix = format_of(path)
    if suffix == ".parquet":
        arrow, parquet = _pyarrow()
        content = arrow.table({name: arrow.array([_plain(r[name]) for r in rows]) for name in columns})
        with whole(path) as temporary:
            parquet.write_table(content, temporary)
        return
    if suffix == ".json":
        write_json(path, [{name: _finite(r[name]) for name in columns} for r in rows], kind)
    else:
        write_text(path, (as_csv if suffix == ".csv" else as_latex)(columns, rows))


def as_csv(columns: Sequence[str], rows: Rows) -> str:
    """A head line and a line a row; None is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([["" if r[name] is None else r[name] for name in columns] for r in rows])
    return out.getvalue()


def as_latex(columns: Sequence[str], rows: Rows) -> str:
    """A tabular with the rules of booktabs."""
    lines = [" & ".join(latex(c) for c in columns) + r" \\", r"\midrule"]
    lines += [" & ".join(latex(_shown(r[c])) for c in columns) + r" \\" for r in rows]
    aligned = "".join("r" if all(isinstance(r[c], (int, float, type(None))) for r in rows) else "l" for c in columns)
    return "\n".join([rf"\begin{{tabular}}{{{aligned}}}", r"\toprule", *lines, r"\bottomrule", r"\end{tabular}", ""])


def latex(text: str) -> str:
    r"""A text with what LaTeX reads otherwise escaped.

    Examples
    --------
    >>> latex("50 % of k_0")
    '50 \\% of k\\_0'
    """
    return "".join(SPECIAL.get(c, c) for c in text).replace("+-", r"$\pm$")


def _shown(value: object) -> str:
    return "--" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _finite(value: object) -> object:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _plain(value: object) -> object:
    return json.dumps(value) if isinstance(value, (list, dict)) else value


def _pyarrow() -> tuple[ModuleType, ModuleType]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("parquet needs pyarrow; pip install pyarrow, or write .csv or .json") from None
    return pyarrow, pyarrow.parquet
