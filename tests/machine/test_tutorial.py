"""docs/tutorial.md: its files are written as they stand, its commands run, and they print what it says."""

import os
import re
import shlex
import subprocess

import numpy as np
from bare import bare, documented
from written import DOCS, PART, agrees

from fedtheory.numbers import Fractions
from problems import SmoothConvex, SmoothStronglyConvex, positive
from proofs_checks.fedadmm.worlds import fedadmm_steps
from proofs_checks.flame.worlds import flame_steps
from proofs_checks.pfedme.worlds.minibatch import minibatch
from proofs_checks.pfedme.worlds.round import pfedme_round

TEXT = (DOCS / "tutorial.md").read_text(encoding="utf-8")


def test_every_command_prints_what_the_page_says(tmp_path):
    """In the order of the page, where the README's install is all there is; the blocks of Python and csv with a name are
    files, the others run."""
    python = bare(tmp_path / "environment", documented())
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}

    def run(words):
        done = environment | {"COLUMNS": "80"}
        return subprocess.run([python, *words], cwd=tmp_path, env=done, capture_output=True, text=True)

    commands = 0
    for name, kind, text in PART.findall(TEXT):
        if kind != "console":
            (tmp_path / (name or "block.py")).write_text(text)
            done = run([name or "block.py"]) if kind == "python" and not name else None
            assert done is None or done.returncode == 0, done.stderr
            continue
        for block in text.split("$ ")[1:]:
            line, _, shown = block.partition("\n")
            program, *words = shlex.split(line)
            done = run(["-m", program, *words])
            assert agrees(shown, done.stdout), f"{line}\n{done.stdout}\n{done.stderr}"
            commands += 1
    assert commands == 9


def built(world):
    """An instance of a world in Fractions."""
    shape = world.shapes(2)[-1]
    free = world.pick(next(iter(world.sample(np.random.default_rng(0), shape, 1, 1))), 0)
    return world.build(free, Fractions())


def test_the_table_of_names_is_what_the_worlds_have():
    """Every x.name in the row of a world is there, and so is every field of its states."""
    rows = dict(re.findall(r"^\| `(proofs_checks[^`]*)` \| (.*) \|$", TEXT, re.M))
    smooth = SmoothStronglyConvex("mu", "L")
    worlds = {
        "fedadmm_steps": fedadmm_steps(), "flame_steps": flame_steps(),
        "pfedme_round": pfedme_round(smooth, optimum_of="F", mu=positive(), L=positive()),
        "minibatch": minibatch(SmoothConvex("L"), L=positive()),
    }  # fmt: skip
    assert len(rows) == len(worlds)
    for call, said in rows.items():
        x = built(worlds[re.search(r"(\w+)\(", call)[1]])
        names = set(re.findall(r"x\.(\w+)", said)) - {"lam"} if "the same with" not in said else set()
        assert names <= set(dir(x)) | {"each_step", "E"}, call
        if fields := re.search(r"a state has `([\w, ]+)`", said):
            assert tuple(fields[1].split(", ")) == x.next._fields
