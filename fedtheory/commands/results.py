"""fedtheory results: what finished runs came to, filtered, as a table, JSON, CSV, LaTeX or parquet."""

from __future__ import annotations

import argparse

from ..errors import UsageError, did_you_mean
from ..files import check_writable
from ..formats import Json
from ..runs import store
from ..show.export import FORMATS, format_of, write
from ..show.runs import table
from .problem import typed
from .terminal import consoles

FIRST = ("run", "method", "data", "m", "seed")
DIGEST = 16  # signs
LATER = ("rounds", "every", "stop", "measure", "backend", "device", "version", "code", "samples", "stopped")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("results")
    parser.add_argument("folder", nargs="?", default="runs", metavar="FOLDER", help="of runs (default: runs)")
    parser.add_argument(
        "--where", action="append", default=[], metavar="NAME=VALUE", help="only runs with this value, such as seed=0"
    )
    parser.add_argument("--columns", metavar="NAME[,NAME]", help="these columns only")
    parser.add_argument(
        "--write", action="append", default=[], metavar="FILE", help=f"export all rows ({', '.join(FORMATS)})"
    )
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    out, _ = consoles(*o.write)
    for path in o.write:
        format_of(path)
        check_writable(path, "--write")
    rows = [row(key, found) for key, found in store.runs(o.folder).items()]
    rows.sort(
        key=lambda r: (r["method"], r["data"], r["m"], str([v for k, v in r.items() if "option" in k]), r["seed"])
    )
    known = list(dict.fromkeys(name for r in rows for name in r))
    rows = [r for r in rows if all(_meets(r, text, known) for text in o.where)]
    columns = _columns(o.columns, known, rows)
    rows = [{name: r.get(name) for name in columns} for r in rows]
    for path in o.write:
        write(path, columns, rows, "results")
    shown = table(*columns, right=[c for c in columns if any(isinstance(r[c], (int, float)) for r in rows)])
    for r in rows:
        shown.add_row(*(_cell(name, v) for name, v in r.items()))
    out.print(shown)
    out.print(f"{len(rows)} runs", highlight=False)
    return 0


def _cell(name: str, v: object) -> str:
    """As it is shown; of the digest of the samples the first signs, as files have the whole of it."""
    if name == "samples":
        return str(v)[:DIGEST]
    return "-" if v is None else f"{v:.6g}" if isinstance(v, float) else str(v)


def row(key: str, found: Json) -> Json:
    """A run as one flat row: what it is, its hyper-parameters, what it came to."""
    data = dict(found["data"])
    flat = {"run": key, "method": found["method"], "data": data.pop("data"), "m": data.pop("m"), "seed": found["seed"]}
    flat |= {name: found.get(name) for name in LATER if name != "samples"} | {"samples": data.pop("samples")}
    flat |= {f"problem.{name}": value for name, value in data.items()}
    flat |= {f"option.{name}": value for name, value in found["options"].items()}
    flat |= {name: found.get(name) for name in ("optimal", "gradients", "bytes")}
    flat |= {f"last.{name}": value for name, value in found["last"].items()}
    return flat | {f"best.{name}": value for name, value in found.get("best", {}).items()}


def _meets(r: dict[str, object], text: str, known: list[str]) -> bool:
    name, sign, value = text.partition("=")
    if not sign or not name or not value:
        raise UsageError(f"--where needs NAME=VALUE, got {text!r}")
    return str(r.get(_known("--where", name, known))) in (value, str(typed(value)))


def _columns(chosen: str | None, known: list[str], rows: list[dict[str, object]]) -> list[str]:
    """The columns asked for, else those in which the rows differ, with what names a run and what it came to."""
    if chosen is not None:
        return [_known("--columns", name.strip(), known) for name in chosen.split(",")]
    varied = [n for n in known if len({str(r.get(n)) for r in rows}) > 1]
    return [n for n in known if n in FIRST or n in varied]


def _known(option: str, name: str, known: list[str]) -> str:
    """A column by its name, or by the last part of it where only one column ends so."""
    ends = [k for k in known if k.rpartition(".")[2] == name]
    if name in known:
        return name
    if len(ends) == 1:
        return ends[0]
    if ends:
        raise UsageError(f"{option} {name}: one of {', '.join(ends)}")
    raise UsageError(f"{option}: no run has {name!r}{did_you_mean(name, known)}; the columns are {', '.join(known)}")
