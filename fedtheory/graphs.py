"""Who hears whom: the graphs of methods without a server, drawn anew each round or once.

A graph of m clients is a host mask ``(m, m)``, true at ``[i, j]`` where client i hears client j; nobody hears himself in it. It is
part of the draws of a round, so that one seed gives the same graphs on every backend.
"""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .checks import require_count, require_flag, require_one_of
from .errors import UsageError, did_you_mean
from .random import stream as stream_of

KINDS = ("random", "groups", "ring", "full", "pairs")
NEIGHBOURS = {
    "random": 10,
    "groups": 1,
    "ring": 2,
}  # of a client, where nothing is said; fewer where there are fewer clients
REDRAWN = ("random", "groups")  # each round, where nothing is said
PAIR = re.compile(r"(\d+)\s*(?:[\s,-]|(>))\s*(\d+)")


@dataclass(frozen=True)
class Graph:
    """Neighbourhoods of m clients.

    Parameters
    ----------
    kind : str
        "random": every client hears M others, a uniform subset, and nobody asks whether they hear him; "groups": a random
        division into groups of M + 1 clients (a last one may be smaller) who hear each other, for M = 1 a matching; "ring": a
        client hears the M nearest of a ring, half of them to each side; "full": all others; "pairs": who is in `pairs`.
    M : int, optional
        Neighbours of a client in a random graph (10 where nothing is said), in groups (1) and on a ring (2, an even number).
    redraw : bool, optional
        Whether a new graph is drawn each round: by default a random one and groups are. On a ring that is redrawn, and in
        pairs that are, the clients change places.
    seed : int
        Of a random graph or of groups that are drawn once; it is not that of the run.
    pairs : tuple of (int, int)
        (i, j) where client i sends to client j; both ways for an edge without direction. `edges` makes them.

    Examples
    --------
    >>> Graph("ring").draw(None, 4).astype(int)
    array([[0, 1, 0, 1],
           [1, 0, 1, 0],
           [0, 1, 0, 1],
           [1, 0, 1, 0]])
    >>> Graph("rign")
    Traceback (most recent call last):
    fedtheory.errors.UsageError: Graph(kind=...) must be one of random, groups, ring, full, pairs, got 'rign'; did you mean ring?.
    """

    kind: str
    _: KW_ONLY
    M: int | None = None
    redraw: bool | None = None
    seed: int = 0
    pairs: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        require_one_of("Graph(kind=...)", self.kind, KINDS)
        if self.M is not None:
            if self.kind not in NEIGHBOURS:
                raise UsageError(f"Graph(M=...) goes with {', '.join(NEIGHBOURS)}, got {self.M!r} with {self.kind!r}.")
            require_count("Graph(M=...)", self.M, 1)
            if self.kind == "ring" and self.M % 2:
                raise UsageError(f"Graph(M=...) of a ring must be even, half of them to each side, got {self.M}.")
        if self.redraw is not None:
            require_flag("Graph(redraw=...)", self.redraw)
        require_count("Graph(seed=...)", self.seed, 0)
        if bool(self.pairs) != (self.kind == "pairs"):
            raise UsageError(f"Graph(pairs=...) goes with 'pairs' and with no other, got {self.kind!r}.")
        for pair in self.pairs:
            if len(pair) != 2 or any(not isinstance(v, (int, np.integer)) or v < 0 for v in pair):
                raise UsageError(f"Graph(pairs=...) must hold pairs of clients, counted from 0, got {pair!r}.")
            if pair[0] == pair[1]:
                raise UsageError(f"Graph(pairs=...) must join different clients, got {pair!r}.")

    @property
    def redrawn(self) -> bool:
        """Whether a new graph is drawn each round."""
        return self.kind in REDRAWN if self.redraw is None else self.redraw

    def neighbours(self, m: int) -> int:
        """M among m clients: the number given, else that of the kind, or as many as there are."""
        if self.M is not None:
            return self.M
        most = m - 1 - (m - 1) % 2 if self.kind == "ring" and m > 2 else m - 1
        return min(NEIGHBOURS.get(self.kind, most), most)

    def require(self, call: str, m: int) -> None:
        """Raise UsageError unless m clients can stand in the graph; `call` is the argument as typed, or its option."""
        M = self.M
        if M is not None and m <= M:
            raise UsageError(f"{call} must have M below the number of clients, M <= {m - 1}, got M = {M}.")
        last = max((v for pair in self.pairs for v in pair), default=-1)
        if last >= m:
            raise UsageError(f"{call} must join clients 0 to {m - 1}, got client {last}.")

    def symmetric(self, m: int) -> bool:
        """Whether two of m clients always hear each other or neither does."""
        if self.kind == "random":
            return self.neighbours(m) == m - 1
        sends = set(self.pairs)
        return all((j, i) in sends for i, j in sends)

    def draw(self, stream: np.random.Generator, m: int) -> np.ndarray:
        """The graph of a round, ``(m, m)``; `stream` is asked only where it is redrawn."""
        self.require("Graph(...)", m)
        draws = stream if self.redrawn else stream_of(self.seed, 0, "graph")
        M = self.neighbours(m)
        hears = np.zeros((m, m), dtype=bool)
        if self.kind == "random":
            order = draws.random((m, m))
            np.fill_diagonal(order, 2.0)
            np.put_along_axis(hears, np.argpartition(order, M - 1, axis=1)[:, :M], True, axis=1)
            return hears
        if self.kind == "groups":
            group = np.empty(m, dtype=np.int64)
            group[draws.permutation(m)] = np.arange(m) // (M + 1)
            hears = group[:, None] == group
        elif self.kind == "ring":
            apart = (np.arange(m)[:, None] - np.arange(m)) % m
            hears = np.minimum(apart, m - apart) <= max(1, M // 2)
        elif self.kind == "full":
            hears = ~hears
        else:
            sends, to = np.array(self.pairs).T
            hears[to, sends] = True
        np.fill_diagonal(hears, False)
        if self.redrawn and self.kind != "groups":
            place = draws.permutation(m)
            hears = hears[place][:, place]
        return hears


def edges(graph: Any, *, directed: bool = False) -> Graph:
    """The graph of pairs ``(i, j)`` of clients counted from 0, or of a graph of networkx, which knows its direction.

    With `directed` i sends to j, otherwise both hear each other.

    Examples
    --------
    >>> edges([(0, 1), (1, 2)]).pairs
    ((0, 1), (1, 0), (1, 2), (2, 1))
    """
    if hasattr(graph, "edges") and hasattr(graph, "is_directed"):
        directed, graph = graph.is_directed(), graph.edges()
    try:
        found = [tuple(pair) for pair in graph]
    except TypeError:
        raise UsageError(f"edges(graph) must be pairs of clients or a graph of networkx, got {graph!r}.") from None
    both = found if directed else [p for pair in found for p in (pair, pair[::-1])]
    return Graph("pairs", pairs=tuple(dict.fromkeys(both)))


def named(word: str) -> str:
    """A word of the command line as a value that says all of the graph: its kind, or the name and the pairs of a file.

    A file has a pair a line: ``0 1`` for two clients who hear each other, ``0 > 1`` where client 0 sends to client 1 alone;
    what follows ``#`` is a remark.

    Raises
    ------
    UsageError
        If there is neither such a kind nor such a file, or the file has other lines.
    """
    kinds = [k for k in KINDS if k != "pairs"]
    if word in kinds:
        return word
    path = Path(word)
    if not path.is_file():
        rule = f"--graph must be one of {', '.join(kinds)}, or a file with a pair of clients a line"
        raise UsageError(f"{rule}, got {word!r}{did_you_mean(word, kinds)}")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--graph {word} cannot be read: {error}") from None
    found = []
    for k, line in enumerate(lines, 1):
        if text := line.split("#")[0].strip():
            pair = PAIR.fullmatch(text)
            if pair is None or int(pair[1]) == int(pair[3]):
                raise UsageError(f"--graph {word}, line {k}: must be two clients such as 0 1 or 0 > 1, got {line!r}")
            found.append(f"{int(pair[1])}{pair[2] or '-'}{int(pair[3])}")
    if not found:
        raise UsageError(f"--graph {word} has no pair of clients")
    return f"{path.name.replace(':', '_')}: {' '.join(dict.fromkeys(found))}"


def of_name(name: str, *, M: int | None = None, redraw: bool | None = None, seed: int = 0) -> Graph:
    """The graph of a value of `named`.

    Examples
    --------
    >>> of_name("path.txt: 0-1 1>2").pairs
    ((0, 1), (1, 0), (1, 2))
    """
    if ": " not in name:
        return Graph(name, M=M, redraw=redraw, seed=seed)
    pairs: list[tuple[int, int]] = []
    for word in name.split(": ", 1)[1].split():
        i, j = (int(v) for v in re.split("[->]", word))
        pairs += [(i, j)] if ">" in word else [(i, j), (j, i)]
    return Graph("pairs", M=M, redraw=redraw, seed=seed, pairs=tuple(dict.fromkeys(pairs)))
