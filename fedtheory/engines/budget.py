"""Budgets: counts, never seconds, so that the same seed and budget give the same verdicts everywhere.

Of every verdict the counts are those of `Budget`; what an engine spends besides stands in one record an engine, which it reads
by ``docket.limits.of(ITS_RECORD)``. A count is the same in every budget, or has three columns: quick, standard, deep.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from ..errors import UsageError, did_you_mean

COLUMNS = ("quick", "standard", "deep")
T = TypeVar("T")
E = TypeVar("E", bound="Effort")


class By(Generic[T]):
    """A count with three columns; read from a record of a budget it is that budget's."""

    def __init__(self, quick: T, standard: T, deep: T) -> None:
        self.columns = (quick, standard, deep)

    def __get__(self, record: Effort | None, kind: Any) -> T:
        if record is None:
            raise AttributeError(f"{kind.__name__} has three columns: read it by docket.limits.of({kind.__name__})")
        return self.columns[record.column]


class Effort:
    """What one engine may spend at a budget; an engine of an installed package brings its own."""

    def __init__(self, column: int) -> None:
        self.column = column


@dataclass(frozen=True)
class Budget:
    """What the engines may spend on one claim.

    Attributes
    ----------
    name : str
        quick, standard or deep.
    simple : int
        Instances in small numbers that are looked at first.
    instances : int
        Drawn and edited at random after them; for the claim, and again for its control.
    shared : int
        The same, where instances share their scalars.
    replays : int
        Instances of least slack that are replayed exactly.
    largest_m : int
        Clients up to which z3 and certificates go; worlds that start above it give their smallest number.
    search_m : int
        Clients up to which the search goes.
    rlimit : int
        z3's own steps a question.
    signs : int
        The same for a question on the sign of a polynomial, of which a claim may have hundreds.
    grid : int
        Rational parameters at which certificates are sought.
    thorough : bool
        Whether to go on after a proof: which conditions it needs, certificates at listed parameters, the best constant;
        and to lift claims of which some sizes can only be listed.
    """

    name: str
    simple: int
    instances: int
    shared: int
    replays: int
    largest_m: int
    search_m: int
    rlimit: int
    signs: int
    grid: int
    thorough: bool = True

    def of(self, kind: type[E]) -> E:
        """The record of an engine at this budget."""
        return kind(COLUMNS.index(self.name))

    def cross_check(self) -> Budget:
        """To search where there is a proof: briefly, at random, with fewer replays of rounding noise."""
        return replace(
            self, simple=0, instances=self.instances // Search.checked, shared=self.shared // Search.checked, replays=1
        )


BUDGETS = {
    "quick": Budget("quick", 500, 24_000, 2_000, 5, 2, 8, 2_000_000, 2_000_000, 2, thorough=False),
    "standard": Budget("standard", 5_000, 300_000, 50_000, 125, 3, 8, 50_000_000, 4_000_000, 4),
    "deep": Budget("deep", 50_000, 4_000_000, 2_000_000, 5_000, 4, 8, 2_000_000_000, 20_000_000, 8),
}


def smaller(than: Budget) -> list[Budget]:
    """The budgets of smaller counts, the largest first."""
    names = list(BUDGETS)
    return [BUDGETS[name] for name in reversed(names[: names.index(than.name)])] if than.name in names else []


def budget_named(name: str, called: str = "budget") -> Budget:
    """The budget called `name`; a complaint calls the argument `called`.

    Raises
    ------
    UsageError
        If there is none.
    """
    if not isinstance(name, str) or name not in BUDGETS:
        raise UsageError(
            f"{called} must be one of {', '.join(BUDGETS)}, got {name!r}{did_you_mean(str(name), BUDGETS)}"
        )
    return BUDGETS[name]


# -- search


class Hunting(Effort):
    """`hunt`: instances drawn, edited and replayed."""

    batch = (
        600  # instances of an evaluation, where each has its own scalars: it costs half as much again as one of fifty
    )
    shared = 50  # where they share them, so that many sets of scalars are looked at
    noisy = 3  # negative instances of one batch, or of so many, that are replayed before they are left
    judged = 20  # instances replayed during the hunt, for each one that is kept
    blurred = 4  # of them, where what is negative may well be rounding
    counted = 25  # of those that are kept, at most: a hunt in which so many replays refute nothing meets rounding
    spare = 4  # instances of least slack remembered, for each one that is kept
    edits = 2  # times as many edits at once where each has its own scalars
    rows = 5000  # instances that are evaluated at once, at most, where several are edited
    probe, alone = 17, 2  # instances of a batch, some of which are compared with themselves alone
    probed_m = 8  # clients of the sizes at which there may be one
    lost, lost_at = 3, 4  # instances beyond floats that are replayed of an evaluation, and of how many evaluations


class Search(Effort):
    """`search.engine` and its simple instances."""

    checked = 4  # part of the instances that is drawn where a proof is cross-checked
    points = 40  # parameters of a size where there are no vectors
    rows = 20  # simple instances at the same parameters where there are
    starts = 3  # simple instances from which a witness is sought
    unmet = By(500, 2_000, 10_000)  # simple instances that a proof is held against where no draw meets the conditions
    short, short_batch = 400, 20  # instances at each size for the simplest witness, and those that share their scalars
    short_m, sizes = 9, 60  # clients that it may have, and sizes that are looked at for it, the smallest ones


class Witness(Effort):
    """`refutation` and `ordinary`: the same witness at every budget."""

    kept = 30  # elements of a longer sequence that is made simpler
    passes = 3  # over all entries of a witness
    replays = 3_000  # that one witness may take; what is simple by then is shown
    instances, batch, largest_m = 400, 20, 9  # of the short search among convex functions


class Coefficients(Effort):
    """`search.coefficients`."""

    sizes = By(4, 6, 8)  # that are looked at, the smallest first
    questions = By(12, 24, 48)  # to z3 at each of them
    rows = By(40, 100, 400)  # instances at parameters that z3 names
    replays = By(5, 10, 20)  # of them, those of least slack: the first one, and others that floats do not clear


class WorstCase(Effort):
    """`search.worst_case`."""

    points = By(8, 12, 24)  # parameters in general position at which instances are sought
    drawn = By(60, 120, 240)  # draws of the search, many of them on the boundary of the region,
    near = By(6, 12, 24)  # and how many of them are looked at
    largest_m = 5  # clients
    many_at = By(2, 4, 8)  # parameters where there are more clients than a certificate is sought for, or steps of a run
    targets = By(12, 24, 48)  # relations of which an instance is sought


class Relatives(Effort):
    """`search.relatives`."""

    sizes = By(3, 4, 6)  # that are looked at far out and near
    starts = By(2, 4, 8)  # rational parameters that are moved beyond floats
    many = By(200, 400, 2_000)  # instances of a size far out,
    few = By(30, 60, 300)  # and where they share their scalars
    nearest = 1  # of them, kept; twenty times as many are replayed
    more, wide = 4, 200  # where instances share their scalars: for each one of the search before, and of an evaluation
    part = 4  # of the instances of the search before, where conditions stand at points or sizes are larger
    first = By(1_200, 2_400, 12_000)  # instances of a size that are looked at anew,
    polished = By(40, 80, 160)  # and rounds of small edits of the best of them
    keep = By(3, 6, 12)  # instances of least slack that are edited, and replayed exactly at the end


class Magnitudes(Effort):
    """`search.magnitudes`."""

    lengths = (30, 100, 300, 1000, 10_000, 1_000_000)  # the last one where nothing is summed up
    counts = (10, 30, 100, 300, 1000, 10_000)  # of clients, and dimensions
    summed, asked = 10_000, 300  # terms, at most; and where it is asked whether a body has powers that are too large
    rolled = 1000  # elements of a sequence, at most
    each = 300  # clients and dimensions of functions, and clients with scalars of their own, at most
    rows, entries = 60, 20_000_000  # instances of a size, and numbers of them together
    grid = By(3, 6, 12)  # rational parameters of a size
    lines = 1_000_000  # of Python that a body may take at one size, where conditions at the elements that are rolled take most
    many, long = By(4, 6, 8), By(2, 3, 4)  # sets of parameters and patterns of sequences, and of those that are longer
    bits = 400  # of an element, beyond which it is rounded down
    scanned = 1601  # values of a parameter
    bases = By(4, 6, 8)  # sets of the other parameters
    followed = By(6, 12, 24)  # valleys that are followed
    steps = By(400, 800, 1_600)  # evaluations of each


class Parameters(Effort):
    """`search.parameters`."""

    sizes, instances = By(2, 3, 4), By(2, 4, 8)  # that are looked at, the smallest first, and instances of each
    unknowns = 4  # values of functions; z3 may take minutes over more, whatever its limit
    together = 3  # parameters that z3 is asked about together
    share = 10  # part of z3's steps


class Descent(Effort):
    """`search.parameter_descent`."""

    sizes, starts = By(3, 4, 6), By(4, 8, 16)  # the smallest first, and parameters or instances of each
    drawn, farther = By(60, 120, 240), By(8, 16, 32)  # parameters that are drawn, and those at which walks begin
    steps = By(600, 1_200, 2_400)  # evaluations from one start
    first = By(1_200, 2_400, 12_000)  # instances of a size of which the nearest begin walks of vectors,
    edits, rounds = 200, By(120, 240, 480)  # edits of a round, and rounds
    moved, moved_from = (
        By(400, 800, 4_000),
        By(2, 4, 8),
    )  # instances of a size, and those of least slack that are moved at once
    drawn_again = By(6_000, 150_000, 4_000_000)  # instances of a longer hunt, where they share their parameters
    moved_m = 2  # clients of these
    moved_steps = By(150, 300, 600)  # of one descent
    entries = By(80, 120, 160)  # numbers of an instance
    longest = 50  # steps of a run


class AtRest(Effort):
    """`search.at_rest`."""

    cells, rows = By(24, 48, 96), By(160, 320, 640)  # draws of the scalars at each size, and states at each of them
    replayed = By(60, 120, 480)
    size = 2  # clients and dimensions, at most


class Feasible(Effort):
    """`feasible`."""

    parameters = By(3, 6, 12)  # in general position, at which the program is asked for one
    instances = By(4, 16, 64)  # of a batch that are replayed
    more = 20  # times as many are drawn where none of these meets the conditions


# -- proofs


class Questions(Effort):
    """Questions to z3, beside those of `Budget`: parts or numbers of its steps."""

    powers = 8  # the largest power of an index whose sum is written in closed form
    aside = 10  # part for a question on which no verdict rests
    glance = 100_000  # in which it may find numbers for which something does not follow, before it is proved
    defined = 1_000_000  # for whether a lemma is defined
    unanswered = 20  # on signs of one claim without an answer, after which it is asked no more


class Certificates(Effort):
    """`prove.listed`, beside the counts of the budget."""

    smallest_m = 2  # client numbers up to which a certificate is sought for any number of unknown vectors
    leaves = 24  # unknown vectors up to which one is sought for more clients
    steps = 3  # local steps up to which certificates are sought; the search goes further
    points = 3  # parameters at the least at which they are, where there are several scalars


class Symbolic(Effort):
    """`prove.symbolic`."""

    points = 4  # rational parameters at which multipliers are sought before they are fitted
    cases = 8  # structures beyond which a claim is left to listed sizes
    agreed = ((2, 1), (3, 2), (4, 1), (4, 3), (5, 2), (6, 3))  # explicit clients that are compared with a generic one
    least_agreed = 2  # of them that have to be, however many unknown vectors they have
    aside = 200_000  # of z3's steps for whether there is something to compare
    same = 3  # parameters at which symbols are compared with numbers


class Products(Effort):
    """`certificates.products` and the parts of certificates."""

    products, facts = 600, 14  # of hypotheses in one linear program, and hypotheses
    linked, larger = (
        18,
        8,
    )  # hypotheses that are linked by names of either sign, and how much larger their program may be
    layers = 20_000  # products before those of the right grades are picked
    rows, entries = 600, 20_000  # monomials of a program, and its entries
    corners = 48  # choices of bounds that are tried
    terms = 3_000  # of a polynomial
    depths = (1, 2, 3, 5)  # names that are eliminated one after the other, few of them first
    steps = 60  # eliminations for one polynomial
    short, long = 10, 60  # linear programs for one region
    lemmas = 60  # that are tried for each of them
    rounds, multiples = 2, 200  # in which monomials are met, and multiples of equations by these
    few = 6  # terms up to which a corner is as good as a sparse combination
    points = 3  # of a region, at which a sign has to be right before it is sought
    splits = 5  # signs that are told apart one after the other


class InnerProducts(Effort):
    """`prove.inner_products`."""

    cases = 4  # structures of a claim
    part = 2  # of the steps of `Budget`, for each question to z3: three for each sign of a minimum
    same = 2  # rational parameters at which it has to say what it says of symbols
    squares = 2  # that are completed in numbers of which facts are known


class Coordinates(Effort):
    """`prove.coordinates`."""

    m, d = 3, 3  # most clients and coordinates of what is no sum over coordinates
    m_asked = 2  # the same of clients that have functions and no vectors
    splits = 8  # signs of comparisons that are told apart one after the other
    taken = 2  # of what the class says, by which values of functions are taken away
    cases = 100  # of the comparisons at one coordinate, in each of which a claim has to be a sum over coordinates
    looked = 2  # values of all numbers at which what is said of two is compared with what is said of each


class Programs(Effort):
    """`certificates.sdp`."""

    iterations = 100
    trials = 200  # combinations of loose multipliers
    atoms = 7  # parameters and factors of coefficients in a monomial
    degree = 4  # of monomials of which a multiplier may be the sum of two
    few = 2  # inequalities of which a target may be the sum, with nothing left
    minors = 4  # order up to which all principal minors are looked at where the pivots do not decide


class Tightness(Effort):
    """`prove.tightness` and `prove.best_constant`."""

    points = By(2, 2, 4)  # parameters at which the program is solved for a figure,
    fitted = 4  # and for a constant in closed form
    steps = By(6, 8, 12)  # factors that z3 is asked about,
    aside = 100  # each with this part of its steps
    denominator = 64  # of the first of them, and of a constant
