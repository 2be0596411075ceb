"""A draft gets a number from elsewhere, in many ways: once the number is another one, no kept verdict is used."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fedtheory.cli import main
from fedtheory.drafts.reading import BEFORE
from fedtheory.referee import cache as kept

ROOT = Path(__file__).parents[2]
CLAIM = """
from fedtheory import Control, claim, le
from problems import Scalars, positive
@claim("draft/sign", world=Scalars(a=positive()), control=Control("a is not below 0", lambda x: le(x.a, 0)))
def sign(x):
    return le(0, K*x.a)
"""
LATER = CLAIM.replace("K*x.a", "number()*x.a")


def text(path):
    """Write the number into a file."""
    return lambda place, k: (place / path).write_text(str(k) + "\n")


def module(path, more=""):
    """Write the number into a module."""
    return lambda place, k: (place / path).write_text(f"{more}K = {k}\n")


def binary(place, k):
    np.array([k], dtype=np.int64).tofile(place / "d" / "k.bin")


def npy(place, k):
    np.save(place / "d" / "k.npy", np.array([k]))


def names(place, k):
    """One file where the number is 1, two where it is -1."""
    (place / "d" / "one.dat").write_text("")
    if k < 0:
        (place / "d" / "two.dat").write_text("")


def absent(place, k):
    """A module of the path that is not there at first."""
    if k < 0:
        (place / "ext.py").write_text("K = -1\n")


def gone(place, k):
    """A file that is not there at first."""
    if k < 0:
        (place / "d" / "k.txt").write_text("-1")


def env(place, k):
    os.environ["FEDTHEORY_TEST_K"] = str(k)


def size(place, k):
    (place / "d" / "k.txt").write_text("x" if k > 0 else "xxx")


def package(place, k):
    (place / "pack").mkdir(exist_ok=True)
    (place / "pack" / "__init__.py").write_text("")
    (place / "pack" / "inner.py").write_text(f"K = {k}\n")


def chain(place, k):
    (place / "outer.py").write_text("import fractions; import ext\nK = ext.K\n")
    (place / "ext.py").write_text(f"K = {k}\n")


def reads_env(place, k):
    (place / "ext.py").write_text("from os import environ as e\nK = int(e['FEDTHEORY_TEST_K'])\n")
    env(place, k)


def by_number(place, k):
    (place / "d" / "helper.py").write_text(f"K = {k}\n")


HERE = "from pathlib import Path\nhere = Path(__file__).parent\n"
WAYS = {
    # import forms
    "one line": ("import fractions; import ext\nK = ext.K", module("ext.py")),
    "try": ("try: import ext\nexcept ImportError: raise\nK = ext.K", module("ext.py")),
    "continued": ("import fractions, \\\n  ext\nK = ext.K", module("ext.py")),
    "from as": ("from ext import K as J\nK = J", module("ext.py")),
    "star": ("from ext import *", module("ext.py")),
    "down the line": ("import outer\nK = outer.K", chain),
    "package": ("from pack import inner\nK = inner.K", package),
    "import_module": ("from importlib import import_module as get\nK = get('e' + 'xt').K", module("ext.py")),
    "__import__": ("K = __import__('ext').K", module("ext.py")),
    "exec": ("exec('from ext import K')", module("ext.py")),
    "pkgutil": ("import pkgutil\nK = pkgutil.resolve_name('ext:K')", module("ext.py")),
    "absent": ("try:\n    from ext import K\nexcept ImportError:\n    K = 1", absent),
    "in a function": ("def number():\n    import ext\n    return ext.K", module("ext.py")),
    "neighbour": ("from helper import K", module("d/helper.py")),
    "runpy": (HERE + "import runpy\nK = runpy.run_path(str(here/'helper.py'))['K']", by_number),
    "compiled": (HERE + "exec(compile((here/'helper.py').read_text(), 'x', 'exec'))", by_number),
    "spec": (HERE + "import importlib.util as u\ns = u.spec_from_file_location('h', here/'helper.py')\n"
             "m = u.module_from_spec(s)\ns.loader.exec_module(m)\nK = m.K", by_number),
    # files
    "open": (HERE + "K = int(open(here/'k.txt').read())", text("d/k.txt")),
    "alias of open": (HERE + "from io import open as o\nK = int(o(here/'k.txt').read())", text("d/k.txt")),
    "os.open": (HERE + "import os\nf = os.open(here/'k.txt', os.O_RDONLY)\nK = int(os.read(f, 9))", text("d/k.txt")),
    "Path.open": (HERE + "K = int((here/'k.txt').open().read())", text("d/k.txt")),
    "fileinput": (HERE + "import fileinput\nK = int(next(fileinput.FileInput(here/'k.txt')))", text("d/k.txt")),
    "linecache": (HERE + "import linecache\nK = int(linecache.getline(str(here/'k.txt'), 1))", text("d/k.txt")),
    "configparser": (HERE + "import configparser\nc = configparser.ConfigParser()\nc.read(here/'k.ini')\nK = int(c['a']['k'])",
                     lambda place, k: (place / "d" / "k.ini").write_text(f"[a]\nk = {k}\n")),
    "json": (HERE + "import json\nK = json.load((here/'k.txt').open())", text("d/k.txt")),
    "tomllib": (HERE + "import tomllib\nK = tomllib.loads((here/'k.toml').read_text())['k']",
                lambda place, k: (place / "d" / "k.toml").write_text(f"k = {k}\n")),
    "csv": (HERE + "import csv\nK = int(next(csv.reader((here/'k.txt').open()))[0])", text("d/k.txt")),
    "fromfile": (HERE + "import numpy as np\nK = int(np.fromfile(here/'k.bin', dtype=np.int64)[0])", binary),
    "memmap": (HERE + "import numpy as np\nK = int(np.memmap(here/'k.bin', dtype=np.int64)[0])", binary),
    "np.load": (HERE + "import numpy as np\nget = np.load\nK = int(get(here/'k.npy')[0])", npy),
    "loadtxt": (HERE + "from numpy import loadtxt as get\nK = int(get(here/'k.txt'))", text("d/k.txt")),
    "mmap": (HERE + "import mmap\nf = (here/'k.txt').open()\n"
             "K = int(mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)[:].decode())", text("d/k.txt")),
    "absent file": (HERE + "try:\n    K = int(open(here/'k.txt').read())\nexcept OSError:\n    K = 1", gone),
    "in the body": (HERE + "def number():\n    return int((here/'k.txt').read_text())", text("d/k.txt")),
    "size": (HERE + "import os\nK = 2 - os.path.getsize(here/'k.txt')", size),
    "stat": (HERE + "K = 2 - (here/'k.txt').stat().st_size", size),
    "sqlite": (HERE + "import sqlite3\nK = sqlite3.connect(here/'k.db').execute('select k from a').fetchone()[0]",
               lambda place, k: __import__("sqlite3").connect(place / "d" / "k.db").executescript(
                   f"drop table if exists a; create table a (k); insert into a values ({k})")),
    # environment
    "environ": ("import os\nK = int(os.environ['FEDTHEORY_TEST_K'])", env),
    "alias of environ": ("from os import environ as e\nK = int(e['FEDTHEORY_TEST_K'])", env),
    "getenv": ("from os import getenv as g\nK = int(g('FEDTHEORY_TEST_K'))", env),
    "environb": ("import os\nK = int(os.environb[b'FEDTHEORY_TEST_K'])", env),
    "expandvars": ("from os.path import expandvars\nK = int(expandvars('$FEDTHEORY_TEST_K'))", env),
    "all of it": ("import os\nK = int(dict(os.environ)['FEDTHEORY_TEST_K'])", env),
    "hidden name": ("import os\nK = int(getattr(os, 'env' + 'iron')['FEDTHEORY_TEST_K'])", env),
    "a module that reads it": ("import ext\nK = ext.K", reads_env),
    "a function that reads it": ("import os\ndef number():\n    return int(os.environ['FEDTHEORY_TEST_K'])", env),
    # folders and processes
    "listdir": (HERE + "import os\nK = 3 - 2*sum(n.endswith('.dat') for n in os.listdir(here))", names),
    "glob": (HERE + "import glob\nK = 3 - 2*len(glob.glob(str(here/'*.dat')))", names),
    "Path.glob": (HERE + "K = 3 - 2*len(list(here.glob('*.dat')))", names),
    "walk": (HERE + "import os\nK = 3 - 2*sum(n.endswith('.dat') for n in next(os.walk(here))[2])", names),
    "subprocess": (HERE + "import subprocess\nK = int(subprocess.check_output(['cat', here/'k.txt']))", text("d/k.txt")),
    "popen": (HERE + "import os\nK = int(os.popen(f'cat {here}/k.txt').read())", text("d/k.txt")),
}  # fmt: skip


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder on the path with a folder of drafts; what is imported from it is forgotten, as in a process of its own."""
    (tmp_path / "d").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("FEDTHEORY_TEST_K", "1")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    forget(tmp_path)


def forget(place):
    """Modules of a folder are gone, with what was noted of them."""
    import linecache
    from importlib import invalidate_caches

    for name, m in list(sys.modules.items()):
        if str(getattr(m, "__file__", None) or "").startswith(str(place)):
            del sys.modules[name]
            BEFORE.pop(name, None)
    linecache.clearcache()
    invalidate_caches()


def verdict(place, capsys):
    """(verdict, whether it comes from the cache) of the draft."""
    forget(place)
    capsys.readouterr()
    assert main(["verify", str(place / "d" / "draft.py"), "--json", str(place / "r.json")]) == 0
    (entry,) = json.loads((place / "r.json").read_text())["claims"]
    return entry["verdict"], "from the cache" in capsys.readouterr().err


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("statement", [True, False])
@pytest.mark.parametrize("way", WAYS)
def test_no_old_verdict(way, statement, place, capsys, monkeypatch):
    """With the hash of what the claim says, and without it, by what is seen while the draft is read."""
    if not statement:
        monkeypatch.setattr(kept, "statement", lambda claim: "")
    head, write = WAYS[way]
    (place / "d" / "draft.py").write_text(head + "\n" + (LATER if "def number" in head else CLAIM))
    write(place, 1)
    assert verdict(place, capsys) == ("proved", False)
    write(place, -1)
    assert verdict(place, capsys) == ("refuted", False)


SEEN = {"one line", "down the line", "package", "absent", "runpy", "open", "Path.open", "configparser", "fromfile",
        "mmap", "absent file", "environ", "alias of environ", "expandvars", "a module that reads it", "listdir", "glob",
        "walk"}  # fmt: skip


@pytest.mark.parametrize("way", sorted(SEEN))
def test_what_is_seen_is_kept(way, place, capsys):
    """Where nothing has changed the verdict comes from the cache, and again once the old number is back."""
    head, write = WAYS[way]
    (place / "d" / "draft.py").write_text(head + "\n" + CLAIM)
    write(place, 1)
    assert verdict(place, capsys) == ("proved", False)
    assert verdict(place, capsys) == ("proved", True)
    write(place, -1)
    assert verdict(place, capsys) == ("refuted", False)
    assert verdict(place, capsys) == ("refuted", True)


@pytest.mark.parametrize("way", ["one line", "runpy", "alias of environ", "glob", "in the body"])
def test_in_processes_of_their_own(way, place):
    """As on the command line, where every run imports anew."""
    head, write = WAYS[way]
    (place / "d" / "draft.py").write_text(head + "\n" + (LATER if "def number" in head else CLAIM))
    found = []
    for k in (1, -1):
        write(place, k)
        subprocess.run(
            [sys.executable, "-B", "-m", "fedtheory.cli", "verify", place / "d" / "draft.py", "--json", place / "r.json"],
            env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{place}"}, check=True, capture_output=True,
        )  # fmt: skip
        found += [e["verdict"] for e in json.loads((place / "r.json").read_text())["claims"]]
    assert found == ["proved", "refuted"]


def test_what_is_read_while_it_is_decided_is_not_kept(place, capsys, monkeypatch):
    """Also where no name in the draft tells that a function reads."""
    import fedtheory.drafts.reading as reads

    monkeypatch.setattr(reads, "LATER", set())
    head, write = WAYS["in the body"]
    (place / "d" / "draft.py").write_text(head + "\n" + LATER)
    write(place, 1)
    assert verdict(place, capsys) == verdict(place, capsys) == ("proved", False)


def test_a_folder_that_moves_is_the_same(place, capsys):
    """Paths count from the draft's folder on."""
    head, write = WAYS["open"]
    (place / "d" / "draft.py").write_text(head + "\n" + CLAIM)
    write(place, 1)
    assert verdict(place, capsys) == ("proved", False)
    shutil.move(place / "d", place / "e")
    shutil.copytree(place / "e", place / "d")
    assert verdict(place, capsys) == ("proved", True)


def test_the_environment_stays_as_it_is_set(place, capsys):
    """What a draft sets while it is read stands afterwards, and the table is the old one."""
    table = os.environ._data
    (place / "d" / "draft.py").write_text("import os\nos.environ['FEDTHEORY_TEST_NEW'] = '1'\nK = 1\n" + CLAIM)
    verdict(place, capsys)
    assert os.environ._data is table and os.environ.pop("FEDTHEORY_TEST_NEW") == "1"
