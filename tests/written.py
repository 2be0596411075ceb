"""The claims that the pages and the examples of docs show, as files that a user would write."""

import re
from functools import cache
from pathlib import Path

from fedtheory.drafts import load

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "writing_claims.md"
EXAMPLES = sorted((DOCS / "examples").glob("*.py"))

PART = re.compile(r"(?:^`([\w./]+)`:\n\n)?^```(python|csv|console)\n(.*?)^```", re.S | re.M)


def blocks(page, kind="python"):
    """The blocks of code of a page, in their order."""
    return re.findall(rf"^```{kind}\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M)


@cache
def of_page(folder):
    """The claims of docs/writing_claims.md, whose blocks are one file in `folder`."""
    file = Path(folder) / "page.py"
    file.write_text("\n".join(blocks(PAGE)))
    return load([str(file)])


def plain(text):
    """A line without the times and without blanks at its end; columns of times may be wider."""
    return re.sub(r" +\d+\.\d\d(?=s?( |$))s?|(?<= in )\d+\.\d\ds", " T", text).rstrip()


def agrees(shown, said):
    """Whether lines are those that are shown, where ``...`` stands for any."""
    pattern = "".join(".*" if line == "..." else re.escape(plain(line) + "\n") for line in shown.splitlines())
    return re.fullmatch(pattern, "".join(plain(line) + "\n" for line in said.splitlines()), re.S)
