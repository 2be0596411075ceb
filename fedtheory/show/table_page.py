"""A published table or figure as a page: its picture, printed and measured figures, what is decided and what was learned."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

LEARNED, VERDICTS, CONDITIONS = "What we learned", "Verdicts on rows of the inventory", "Conditions that settings break"
WRITTEN = re.compile(r"^Written by `fedtheory table (\S+/\S+) (?!.*--quick)", re.M)


def page(
    title: str,
    command: str,
    picture: str,
    ran: str,
    figures: str,
    notes: Sequence[str],
    parts: Mapping[str, Sequence[str]],
    learned: Sequence[str],
) -> str:
    """Markdown of one table or figure.

    Parameters
    ----------
    title, command, picture, ran, figures : str
        The head line, the command that writes the page, the file of the picture beside it, what was run, and the `table` of
        printed and measured figures.
    notes : sequence of str
        What stands in for what, and what is not printed.
    parts : mapping of str to sequence of str
        Head lines and what stands below them; one without lines is left out.
    learned : sequence of str
        What the figures mean, with the experiments that show it.
    """
    said = [
        f"# {title[:1].upper()}{title[1:]}",
        f"Written by `{command}`; {ran}.",
        f"![{title}]({picture})",
        *([f"## {LEARNED}", _list(learned)] if learned else []),
        "## Printed and measured",
        figures,
        *([_list(notes)] if notes else []),
    ]
    for head, lines in parts.items():
        if lines:
            said += [f"## {head}", _list(lines)]
    return "\n\n".join(said) + "\n"


def table_of(text: str) -> str:
    """Which table a page in full is of; empty for a page that is of none, or of a quick setting.

    Examples
    --------
    >>> table_of("# T\\n\\nWritten by `fedtheory table a/b --page FILE.md`; 3 runs.")
    'a/b'
    >>> table_of("# T\\n\\nWritten by `fedtheory table a/b --quick --page FILE.md`; 3 runs.")
    ''
    """
    found = WRITTEN.search(text)
    return found[1] if found else ""


def renewed(text: str, parts: Mapping[str, Sequence[str]]) -> str:
    """A page with other lines below some of its head lines; heads that it does not have are left out.

    Examples
    --------
    >>> renewed("# T\\n\\n## A\\n\\n- old\\n\\n## B\\n\\n- b\\n", {"A": ["new"], "C": ["c"]})
    '# T\\n\\n## A\\n\\n- new\\n\\n## B\\n\\n- b\\n'
    """
    head, *sections = text.rstrip("\n").split("\n\n## ")
    names = [section.partition("\n")[0] for section in sections]
    below = [f"{n}\n\n{_list(parts[n])}" if n in parts else section for n, section in zip(names, sections, strict=True)]
    return "\n\n## ".join([head, *below]) + "\n"


def verdicts(lines: Sequence[Mapping[str, str]], counts: Sequence[str], command: str) -> str:
    """Markdown of the verdicts on all empirical rows, `lines` with row, verdict and from."""
    cells = [list(line.values()) for line in lines]
    return "\n\n".join([
        "# Verdicts on the empirical rows", f"Written by `{command}`.", _list(counts), table(list(lines[0]), cells),
    ]) + "\n"  # fmt: skip


def rows(lines: Sequence[Mapping[str, str]]) -> list[str]:
    """Verdicts on rows as entries of a list."""
    return [f"`{line['row']}`: **{line['verdict']}**: {line['from']}" for line in lines]


def table(names: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    """A table; signs that Markdown reads otherwise are escaped.

    Examples
    --------
    >>> print(table(["a", "b"], [["1", "2|3"]]))
    | a | b |
    |---|---|
    | 1 | 2\\|3 |
    """
    lines = [names, ["---"] * len(names), *([c.replace("|", "\\|") for c in row] for row in cells)]
    return "\n".join("|" + "|".join(row) + "|" if k == 1 else f"| {' | '.join(row)} |" for k, row in enumerate(lines))


def _list(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
