"""Every engine, when it is asked and why: the one table that says how a verdict is reached (docs/deciding.md shows it).

A new one of ours is a file in fedtheory/engines and a row here; one of an installed package is a row of its own, found through
the entry points ``fedtheory.engines``. No order changes what an exact replay says; it says what is spent on which claim.
"""

from __future__ import annotations

from functools import cache

from .. import registry
from ..claim import Claim
from ..engines import context as when
from ..engines.context import Stage
from ..engines.lemmas.compose import theorem
from ..engines.lemmas.limits import limits
from ..engines.lemmas.taken import taken
from ..engines.prove.best_constant import best
from ..engines.prove.coordinates import coordinates
from ..engines.prove.feasible import exhibit
from ..engines.prove.induction import induction
from ..engines.prove.inner_products import inner_products
from ..engines.prove.lengths import lengths
from ..engines.prove.listed import certify
from ..engines.prove.scalars import smt
from ..engines.prove.symbolic import lift
from ..engines.prove.tightness import tight
from ..engines.search.at_rest import rest, shown_to_be_met
from ..engines.search.coefficients import edges
from ..engines.search.engine import power, search
from ..engines.search.magnitudes import magnitudes
from ..engines.search.parameter_descent import descent
from ..engines.search.parameters import frozen
from ..engines.search.relatives import elsewhere
from ..engines.search.worst_case import adversary
from ..engines.smaller_budget import counts
from ..engines.units import units
from ..errors import UsageError, did_you_mean

ASSUMED = Stage("assumed", taken, when.always, "a counterexample to what is taken for granted leaves all undecided")
ORDER = (
    Stage("units", units, when.always, "a sum of what has different units is a slip of the pen, which no number shows",
          says=(), beside=("units",)),
    ASSUMED,
    Stage("theorem", theorem, when.always, "a claim may follow from its lemmas, used by substitution",
          says=("theorem", "induction")),
    Stage("induction", induction, when.unproved, "a claim about every length needs a step, which no list of lengths gives"),
    Stage("scalars", smt, when.always, "z3 knows whether the conditions can hold together, and decides claims about numbers",
          says=("smt",)),
    Stage("symbolic", lift, when.unsettled, "multipliers that are functions of the parameters hold for all of them",
          says=("lift", "symbolic")),
    Stage("inner_products", inner_products, when.unsettled,
          "products, quotients and roots of inner products are no program; as numbers they are polynomials",
          says=("inner products",)),
    Stage("coordinates", coordinates, when.unsettled,
          "what reads coordinates is no program; in few dimensions they are numbers, and a sum over them is of one",
          says=("coordinates",)),
    Stage("search", search, when.always, "the simplest counterexample; a proof is cross-checked by a quarter of the instances",
          says=("falsify",), searches=True),
    Stage("coefficients", edges, when.unsettled, "certificates at listed parameters do not see a narrow window between them",
          says=("edges",), searches=True),
    Stage("listed", certify, when.listed_too, "where no multipliers hold for all parameters, each of a list has its own",
          says=("gram", "expectation")),
    Stage("smaller_budget", counts, when.thorough_unsettled, "a larger budget never says less than a smaller one",
          says=("counts",)),
    Stage("worst_case", adversary, when.unsettled,
          "where a program has no certificate, its dual is the worst instance of the class", says=("adversary",), searches=True),
    Stage("relatives", elsewhere, when.unsettled, "functions and sizes that the world draws none of, and numbers beyond floats",
          says=("elsewhere",), searches=True),
    Stage("magnitudes", magnitudes, when.unsettled, "a claim may hold at small sizes and fail at large ones", searches=True),
    Stage("parameters", frozen, when.only_searched, "with the points given, z3 finds the window of parameters that no draw hits",
          says=("frozen",), searches=True),
    Stage("descent", descent, when.only_searched, "what no draw and no edit comes to, all numbers moved downhill at once may",
          searches=True),
    Stage("lengths", lengths, when.only_searched, "a run without lemmas has certificates at the lengths that are listed",
          says=("lift", "gram", "expectation")),
    Stage("feasible", exhibit, when.holds, "what no instance meets is true of nothing", says=(), beside=("exhibit",)),
    Stage("tightness", tight, when.holds, "how much smaller a proved bound could be", says=(), beside=("tight",)),
    Stage("best_constant", best, when.thorough_proved, "the least constant with which a proved bound holds", says=("best",)),
    Stage("power", power, when.unsettled, "a search that finds nothing supports only what it would refute if it were false",
          says=("falsify",), beside=("control",)),
)  # fmt: skip
OF_LIMITS = (
    ASSUMED,
    Stage("limits", limits, when.always, "a limit follows by a rule from finite statements for every length"),
    Stage("at_rest", rest, when.always, "a state at which the method stays for ever may be none of those that are claimed",
          says=("rest",), searches=True),
    Stage("met", shown_to_be_met, when.proved, "what no run meets is true of nothing", says=(), beside=("exhibit",)),
)  # fmt: skip


def asked(claim: Claim) -> tuple[Stage, ...]:
    """The stages of a claim, in order; those of installed packages are asked of every claim but limits."""
    return OF_LIMITS if claim.limits else with_installed(ORDER)


def proving(claim: Claim) -> tuple[Stage, ...]:
    """Those by which a proof is made again: all that do not search, before the first of ours that does."""
    ours, stages = OF_LIMITS if claim.limits else ORDER, asked(claim)
    ends = [k for k, stage in enumerate(stages) if stage.searches and stage in ours]
    return tuple(stage for stage in stages[: min(ends, default=len(stages))] if not stage.searches)


@cache
def with_installed(order: tuple[Stage, ...]) -> tuple[Stage, ...]:
    """An order with the installed engines in their places.

    Raises
    ------
    UsageError
        If an installed engine is called as one that is there, or names a stage that is not.
    """
    out = list(order)
    for stage in registry.engines().values():
        names = [s.name for s in out]
        if stage.name in names:
            raise UsageError(f"an installed engine is called {stage.name!r}, as one of fedtheory; give it another name")
        if stage.before not in names:
            near = did_you_mean(stage.before, names)
            raise UsageError(f"engine {stage.name}: Stage(before=...) must name a stage, got {stage.before!r}{near}")
        out.insert(names.index(stage.before), stage)
    return tuple(out)


def beside() -> frozenset[str]:
    """The names in reports of what is not about the claim itself."""
    return frozenset(name for stage in (*with_installed(ORDER), *OF_LIMITS) for name in stage.beside)


def table(order: tuple[Stage, ...]) -> str:
    """An order as a table in Markdown: stage, file, when it is asked and why, names in reports."""
    rows = [
        f"| {s.name} | `{s.engine.__module__.removeprefix('fedtheory.engines.')}` | {(s.when.__doc__ or '').strip()} "
        f"| {s.because} | {', '.join(s.reported)} |"
        for s in order
    ]
    return "\n".join(["| stage | file | asked | because | in reports |", "|---|---|---|---|---|", *rows])
