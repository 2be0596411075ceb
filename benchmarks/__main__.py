"""python -m benchmarks: figures beside their limits; exit status 1 where a limit is broken.

Every figure is taken in a process of its own with one BLAS thread (`benchmarks.fresh`).
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence

from fedtheory._arrays import INSTALL
from fedtheory._arrays import backend as namespace_of
from fedtheory.commands.terminal import Parser
from fedtheory.errors import UsageError
from fedtheory.show.plots import check_format

from . import networks
from .fresh import Failed
from .report import load, show

BENCHMARKS = {
    "pfedme": "benchmarks.pfedme", "least-squares": "benchmarks.least_squares", "convex": "benchmarks.convex",
    "networks": "benchmarks.networks",
}  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmarks that are named, all by default."""
    parser = Parser(prog="python -m benchmarks", description=(__doc__ or "").partition("\n")[0], allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(BENCHMARKS)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="small sizes, some seconds")
    parser.add_argument("--plot", metavar="FILE", help="draw how least-squares grows (svg, png or pdf)")
    parser.add_argument(
        "--backend", metavar="NAME", default="numpy", help="of convex: numpy, torch or cupy (default: numpy)"
    )
    parser.add_argument(
        "--device", metavar="NAME", default="", help="of networks, and of convex on torch, such as cuda"
    )
    o = parser.parse_args(argv)
    names = list(dict.fromkeys(o.names or (name for name in BENCHMARKS if name != "networks" or networks.installed())))
    for name in names:
        if name not in BENCHMARKS:
            parser.error(f"NAME must be one of {', '.join(BENCHMARKS)}, got {name!r}")
    if o.plot and "least-squares" not in names:
        parser.error("--plot draws least-squares, which is not among the names")
    if "networks" in names and not networks.installed():
        parser.error("networks needs torch; install it with " + INSTALL["torch"])
    kept = True
    try:
        if "convex" in names:
            namespace_of(o.backend, "--backend")
        if o.plot:
            check_format(o.plot)
        for name in names:
            options = {
                "least-squares": {"plot": o.plot}, "networks": {"device": o.device or "cpu"},
                "convex": {"backend": o.backend, "device": o.device if o.backend == "torch" else ""},
            }.get(name, {})  # fmt: skip
            before = load()
            rows = importlib.import_module(BENCHMARKS[name]).benchmark(o.quick, say(name), **options)
            show(f"{name}{' (quick)' if o.quick else ''}, {before} at the start, {load()} at the end", rows)
            kept = kept and all(r.passed for r in rows)
    except UsageError as error:
        parser.error(str(error))
    except Failed as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0 if kept else 1


def say(name: str) -> Callable[[str], None]:
    """Progress of a benchmark, on stderr."""
    return lambda text: print(f"{name}: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
