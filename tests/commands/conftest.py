"""A folder of damaged files, and a command that must refuse them."""

import json
import os
import zipfile

import numpy as np
import pytest
from bad_files import ARCHIVES, ARRAYS, DRAFTS, ONE, REPORTS, TABLES

from fedtheory.cli import main


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """A folder with every file that the cases name."""
    place = tmp_path_factory.mktemp("bad")
    for name, content in {**REPORTS, **TABLES, **ARCHIVES, **DRAFTS}.items():
        (place / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    for name, arrays in ARRAYS.items():
        np.savez(place / name, **arrays)
    with zipfile.ZipFile(place / "junk.npz", "w") as junk:
        junk.writestr("X.npy", "junk")
        junk.writestr("y.npy", "junk")
    for name in ("dir.json", "dir.csv", "dir.npz", "dir.py", "dir.svg", "folder"):
        (place / name).mkdir()
    for name in ("pipe.csv", "pipe.npz", "pipe.py"):
        os.mkfifo(place / name)
    for suffix in ("json", "csv", "npz", "py"):
        (place / f"dangling.{suffix}").symlink_to("nowhere")
        (place / f"loop.{suffix}").symlink_to(f"loop.{suffix}")
    (place / "file").write_text("x")
    assert main(["verify", "pfedme/lemma1a", ONE, "--json", str(place / "good.json")]) == 0
    assert main(["verify", ONE, "--seed", "1", "--json", str(place / "other.json")]) == 0
    good = json.loads((place / "good.json").read_text())
    (place / "twice.json").write_text(json.dumps({**good, "claims": 2 * good["claims"]}))
    text = (place / "good.json").read_bytes()
    (place / "cut.json").write_bytes(text[: len(text) // 2])
    (place / "trailing.json").write_bytes(text + b"x")
    (place / "schema.json").write_text(json.dumps({**good, "schema": 2}))
    (place / "bare.json").write_text(
        json.dumps({"schema": 1, "claims": [{"id": "pfedme/lemma1a", "verdict": "refuted"}]})
    )
    return place


def listing(place):
    """Every file with its size and the time of its last change."""
    found = {p: p.lstat() for p in sorted(place.rglob("*"))}
    return {str(p): (s.st_mode, s.st_size, s.st_mtime_ns) for p, s in found.items() if p != place}


@pytest.fixture
def refused(files, capsys, monkeypatch):
    """Run a command in the folder; its one line on stderr."""
    monkeypatch.chdir(files)

    def run(words, *said, status=2):
        before = listing(files)
        assert main([str(w) for w in words]) == status
        lines = [
            line
            for line in capsys.readouterr().err.splitlines()
            if not line.startswith("computing ") and "re-checked" not in line
        ]
        assert len(lines) == 1 and "Traceback" not in lines[0]
        assert all(part in lines[0] for part in said), lines[0]
        assert "fedtheory_draft_" not in lines[0]
        assert listing(files) == before
        return lines[0]

    return run
