"""An environment that has what `pip install ".[...]"` brings and nothing else, made of links to the packages that are here."""

import re
import tomllib
import venv
from importlib import metadata
from pathlib import Path

from installed import installed
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def documented():
    """The extras of the README's first install."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.search(r'^pip install "\.\[([\w,]+)\]"', text, re.M)[1].split(",")


def needed(extras):
    """Every distribution that some extras of the project bring, by its canonical name."""
    found = {}
    asked = [r for extra in extras for r in PROJECT["optional-dependencies"][extra]]
    left = [(Requirement(r), "") for r in PROJECT["dependencies"] + asked]
    while left:
        requirement, extra = left.pop()
        name = canonicalize_name(requirement.name)
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        new = [extra for extra in requirement.extras if (name, extra) not in found]
        if (name, "") not in found:
            new.append("")
        for extra in new:
            found[name, extra] = metadata.distribution(name)
            left += [(Requirement(r), extra) for r in found[name, extra].requires or ()]
    return {name: dist for (name, _), dist in found.items()}


def bare(folder, extras):
    """A virtual environment in a folder; its interpreter."""
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    site = next(folder.glob("lib/python*/site-packages"))
    for dist in needed(extras).values():
        tops = {path.parts[0] for path in dist.files or () if path.parts[0] not in ("..", "__pycache__")}
        for top in sorted(tops):
            if not (site / top).exists():
                (site / top).symlink_to(dist.locate_file(top))
    for package in ("fedtheory", "problems", "proofs_checks"):
        (site / package).symlink_to(ROOT / package)
    installed(site, PROJECT)
    return folder / "bin" / "python"
