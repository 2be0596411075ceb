"""What `fedtheory verify` prints: first what is wrong, then counts; or every row."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from rich.text import Text

from ..formats import Document
from .points import at_sizes, by_lemma, given, sizes_of
from .tables import COLOURS, TRUST, assumption, number, short

Entry = Document
FEW = 10  # claims up to which every row is printed
WRONG = ("refuted", "vacuous", "unknown")
SIZES_SHOWN = 6
LEFT_OUT = (
    "select",
    "d",
)  # sizes of a scope that say nothing to a reader: the number of a draw, the dimensions of a search
OPTIONAL = ("time", "slack", "tightness", "tier", "trust")  # columns that a narrow terminal does without, in this order


def verdict_lines(
    entries: Sequence[Entry], width: int, *, every: bool = False, refuted: bool = False
) -> Iterator[Text]:
    """The lines for a terminal of `width` columns, the summary last; few claims get a row each.

    Parameters
    ----------
    entries : list of dict
        Entries of a report.
    width : int
        Columns; what does not fit is broken, never cut.
    every : bool
        A row for every claim, however many there are.
    refuted : bool
        What is not true as printed, a line each, however few claims there are.
    """
    if every or (len(entries) <= FEW and not refuted):
        yield from rows(entries, width)
    else:
        wrong = sorted((e for e in entries if e["verdict"] in WRONG), key=lambda e: WRONG.index(e["verdict"]))
        for e in wrong:
            yield from complaint(e, width)
        true = len(entries) - len(wrong)
        if true:
            yield from wrapped(f"{true} more, proved, certified or supported: --all prints every row", "", width)
        yield from per_paper(entries, width)
    yield from wrapped(summary(entries), "", width)


def summary(entries: Sequence[Entry]) -> str:
    """Counts of verdicts in one line."""
    return f"{len(entries)} claim{'' if len(entries) == 1 else 's'}: {counts(entries)}"


def counts(entries: Sequence[Entry]) -> str:
    """How many claims have which verdict.

    Examples
    --------
    >>> counts([{"verdict": "refuted"}, {"verdict": "proved"}, {"verdict": "refuted"}])
    '1 proved, 2 refuted'
    """
    found = Counter(e["verdict"] for e in entries)
    resting = Counter(e["verdict"] for e in entries if e.get("assumed"))
    apart = {v: f" ({resting[v]} from what is assumed)" if resting[v] else "" for v in COLOURS}
    return ", ".join(f"{found[v]} {v}{apart[v]}" for v in COLOURS if found[v]) or "none decided"


def per_paper(entries: Sequence[Entry], width: int) -> Iterator[Text]:
    """Counts of each paper, where there are several."""
    papers = list(dict.fromkeys(e["id"].split("/")[0] for e in entries))
    longest = max(map(len, papers), default=0)
    own = {p: [e for e in entries if e["id"].split("/")[0] == p] for p in papers}
    digits = len(str(max(map(len, own.values()), default=0)))
    for p in papers if len(papers) > 1 else ():
        head = f"{p:{longest}}  {len(own[p]):{digits}}: "
        yield from wrapped(head + counts(own[p]), " " * len(head), width)


def complaint(e: Entry, width: int) -> Iterator[Text]:
    """A claim that is not true as printed: verdict, id and witness or reason; then its repair."""
    verdict = "crashed" if e.get("crashed") else e["verdict"]
    indent = " " * (len(verdict) + 2)
    said = detail(e)
    first, *more = wrapped(f"{verdict}  {e['id']}" + (f": {said}" if said else ""), indent, width)
    first.stylize(COLOURS[e["verdict"]], 0, len(verdict))
    yield first
    yield from more
    if e.get("repair"):
        yield from wrapped(f"{indent}repair {e['repair']['id']}: {e['repair']['verdict']}", indent + "  ", width)


def in_a_line(e: Entry) -> str:
    """Verdict, id, and the witness, reason or scope.

    Examples
    --------
    >>> in_a_line({"verdict": "proved", "id": "draft/step", "scope": "all", "domain": ""})
    'proved draft/step: all parameters'
    """
    said = detail(e) or ("all parameters" if e["verdict"] == "proved" else "")
    return f"{e['verdict']} {e['id']}" + (f": {said}" if said else "")


def as_html(e: Entry) -> str:
    """The same for a notebook, with the figures and what every engine said."""
    rows = [
        ("decided by", e["tier"]), ("rests on", TRUST.get(e.get("trust", ""), "")),
        *(("assumed", assumption(one)) for one in e.get("assumed", ())), ("this is", e.get("hollow", "")),
        ("of the row" if e.get("hollow") else "printed", e["latex"]), ("read as", e["note"]),
        ("largest lhs/rhs", e["tightness"] and number(e["tightness"])),
        ("stands on", ", ".join(e["uses"])), ("repair", e["repair"] and f"{e['repair']['id']}: {e['repair']['verdict']}"),
        *((f"{s['engine']} {s['outcome']}", s["reason"]) for s in e["evidence"]),
    ]  # fmt: skip
    cells = "".join(
        f'<tr><th style="text-align:left">{escape(k)}</th><td style="text-align:left">{escape(str(v))}</td></tr>'
        for k, v in rows
        if v
    )
    colour = {"refuted": "#d55e00", "vacuous": "#d55e00", "unknown": "#666666"}.get(e["verdict"], "#0072b2")
    head = f'<b style="color:{colour}">{e["verdict"]}</b> {escape(in_a_line(e).split(" ", 1)[1])}'
    return f"<div>{head}<table>{cells}</table></div>"


def rows(entries: Sequence[Entry], width: int) -> Iterator[Text]:
    """A line a claim in columns; witness, reason or scope at its end, or below it where the line is too long."""
    cells = [
        {
            "id": e["id"], "verdict": e["verdict"], "trust": e.get("trust") or "-", "tier": e["tier"] or "-",
            "tightness": number(e["tightness"]), "slack": number(e["min_slack"], 2), "time": f"{e['seconds']:.2f}s",
        }
        for e in entries
    ]  # fmt: skip
    names = ["id", "verdict", "trust", "tier", "tightness", "slack", "time"]
    size = {n: max(len(n), *(len(c[n]) for c in cells)) if cells else len(n) for n in names}
    for name in OPTIONAL:
        if sum(size[n] + 2 for n in names) - 2 > width:
            names.remove(name)

    def line(cell: Mapping[str, str]) -> str:
        right = ("tightness", "slack", "time")
        return "  ".join(cell[n].rjust(size[n]) if n in right else cell[n].ljust(size[n]) for n in names)

    details = [detail(e) for e in entries]
    full = sum(size[n] + 2 for n in names)
    beside = full + max(map(len, details), default=0) <= width
    title = "  witness or scope" if beside and any(details) else ""
    yield Text((line({n: n for n in names}) + title).rstrip(), "bold")
    for e, cell, said in zip(entries, cells, details, strict=True):
        text = Text(f"{line(cell)}  {said}".rstrip() if beside else line(cell).rstrip())
        start = size["id"] + 2
        text.stylize(COLOURS[e["verdict"]], start, start + len(e["verdict"]))
        yield text
        if said and not beside:
            yield from wrapped("    " + said, "    ", width)


def detail(e: Entry) -> str:
    """The witness of what is refuted, the reason of what is not decided, the scope of what is true at listed values."""
    if e["verdict"] == "refuted" and e.get("witness"):
        return witness_line(e["witness"])
    if e["verdict"] in WRONG:
        return "; ".join(dict.fromkeys(e["reason"].splitlines()[0].split("; "))) if e["reason"] else ""
    assumed = [f"assumed: {one['why']}" for one in e.get("assumed", ())]
    return "; ".join(filter(None, (e.get("hollow", ""), scope_line(e), *assumed, e["domain"])))


def witness_line(w: Document) -> str:
    """Both sides, by how much they differ where that is not seen, and the sizes and scalars at which the relation fails.

    Examples
    --------
    >>> witness_line({"shape": {}, "scalars": {}, "lhs": "1" + 19 * "0" + "1", "op": "<=", "rhs": "1" + 20 * "0"})
    '1e+20 <= 1e+20 fails by 1'
    """
    sizes = [f"{k}={v}" for k, v in sizes_of(w).items()]
    scalars = [f"{k}={_scalar(v)}" for k, v in w["scalars"].items()]
    which = f" ({w['relation']})" if w.get("relation") else ""
    at = f" at {' '.join(sizes + scalars)}" if sizes or scalars else ""
    left, right = short(w["lhs"]), short(w["rhs"])
    exact = isinstance(w["lhs"], str) and isinstance(w["rhs"], str) and w["lhs"] != w["rhs"]
    apart = f" by {short(Fraction(w['lhs']) - Fraction(w['rhs']))}" if exact and left == right else ""
    return f"{left} {w['op']} {right} fails{apart}{which}{at}"


def _scalar(v: object) -> str:
    return "(" + ",".join(short(e) for e in v) + ")" if isinstance(v, list) else short(v)


def scope_line(e: Entry) -> str:
    """Sizes, and the number of points or instances, that a certified or supported claim was looked at.

    Examples
    --------
    >>> points = [{"m": 1, "d": 1, "R": 2, "lam": "4"}, {"m": 2, "d": 1, "R": 2, "lam": "1/8"}]
    >>> scope_line({"verdict": "certified", "scope": points})
    'm <= 2, R = 2, 2 points'
    """
    if e["verdict"] not in ("certified", "supported") or not isinstance(e["scope"], list):
        return ""
    looked_at = f"{e['trials']} instances" if e["verdict"] == "supported" else ""
    parts = {id: _sizes(scope, "" if id else looked_at) for id, scope in by_lemma(e["scope"]).items()}
    return "; ".join(given(id, said) for id, said in parts.items() if said)


def _sizes(scope: Sequence[Any], looked_at: str) -> str:
    """Sizes, and what was looked at there or the number of points."""
    if sizes_only := at_sizes(scope):
        return sizes_only
    points = [p for p in scope if isinstance(p, Mapping)]
    sizes: dict[str, set[int]] = {}
    for p in points:
        for k, v in p.items():
            if isinstance(v, int) and k not in LEFT_OUT:
                sizes.setdefault(k, set()).add(v)
    said = [_range(k, sorted(v)) for k, v in list(sizes.items())[:SIZES_SHOWN]]
    parameters = {str({k: v for k, v in p.items() if not isinstance(v, int)}) for p in points} - {"{}"}
    if looked_at:
        said.append(looked_at)
    elif parameters:
        said.append(f"{len(parameters)} point{'' if len(parameters) == 1 else 's'}")
    return ", ".join(said)


def _range(name: str, values: list[int]) -> str:
    """Whole numbers in words: ``m <= 3`` for 1, 2, 3, and what there is where numbers between are missing."""
    if len(values) == 1:
        return f"{name} = {values[0]}"
    if values == list(range(values[0], values[-1] + 1)):
        return f"{name} <= {values[-1]}" if values[0] <= 1 else f"{values[0]} <= {name} <= {values[-1]}"
    return f"{name} in {{{', '.join(map(str, values))}}}"


def wrapped(text: str, indent: str, width: int) -> Iterator[Text]:
    """Lines of at most `width` columns; words are broken only where they are longer than a line."""
    for line in textwrap.wrap(
        text, width, subsequent_indent=indent, break_on_hyphens=False, replace_whitespace=False, drop_whitespace=True
    ) or [""]:
        yield Text(line)
