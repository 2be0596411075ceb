"""Nothing is lost: kills at any moment, unchanged runs at once, changed sources decided again, disks that are full."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fedtheory.cli import main
from fedtheory.referee import decide, ledger
from fedtheory.referee.cache import Cache, Sources

ROOT = Path(__file__).parents[2]
DRAFT = """
from fedtheory import Control, claim, le
from problems import Scalars, positive
from helpers import squares
AB = Scalars(a=positive(), b=positive())
"""
HELPERS = "def squares(x, share=1):\n    return x.a**2 + share*x.b**2\n"
BODY = """
@claim("draft/c{k}", world=AB, control=Control("a bound of none", lambda x: le(2*x.a*x.b, 0)))
def c{k}(x):
    return le(2*x.a*x.b, squares(x) + {k}*x.a)
"""
linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the processes of Linux")


@pytest.fixture
def drafts(tmp_path, monkeypatch):
    """A folder of one file with four claims and one with a helper."""
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "helpers.py").write_text(HELPERS)
    (tmp_path / "d" / "four.py").write_text(DRAFT + "".join(BODY.format(k=k) for k in range(4)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verify(capsys, *words):
    """(exit status, stdout, stderr) of a verification."""
    capsys.readouterr()
    status = main(["verify", *map(str, words)])
    return (status, *capsys.readouterr())


def entries(path):
    """The claims of a report by id."""
    return {e["id"]: e for e in json.loads(Path(path).read_text())["claims"]}


def start(*words):
    """The command line in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "fedtheory.cli", *map(str, words)], env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def workers(pid):
    """The worker processes of a process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(words[1]) == pid and words[0] != "Z" and b"spawn_main" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except (OSError, ValueError):
            continue
    return found


def killed(draw, whom, longest, *words):
    """Start a command and kill it or a worker of it at a random moment; its exit status, None for that of the killed."""
    process = start(*words)
    time.sleep(draw.uniform(0.3, longest))
    if whom == "worker":
        for pid in draw.sample(found := workers(process.pid), min(len(found), 1)):
            os.kill(pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate(timeout=120)
    return None if process.returncode == -signal.SIGKILL else process.returncode


# -- kills -------------------------------------------------------------------------------------------------------------


@linux
@pytest.mark.parametrize("kills", [3, pytest.param(10, marks=pytest.mark.slow)])
def test_kills_of_verify(tmp_path, kills):
    """Whatever was decided stays, and the report in the end is the one of an undisturbed run."""
    words = ("verify", "flame/eq*", "--jobs", "2", "--json")
    calm = start(*words, tmp_path / "calm.json", "--no-cache")
    calm.communicate(timeout=200)
    expected = ledger.verdict_part(json.loads((tmp_path / "calm.json").read_text()))
    draw, report = random.Random(7), tmp_path / "r.json"
    cache = Path(os.environ["FEDTHEORY_CACHE"])
    kept = 0
    for k in range(kills):
        status = killed(draw, "worker" if k % 2 else "parent", 3.0, *words, report)
        now = len(list(cache.glob("results/*/*.json")))
        assert now >= kept and status in (0, None)
        kept = now
        if status == 0:
            assert ledger.verdict_part(json.loads(report.read_text())) == expected
            for file in draw.sample(sorted(cache.glob("results/*/*.json")), kept // 2):
                file.unlink()  # so that the next one has something to decide
            kept -= kept // 2
    _, err = start(*words, report).communicate(timeout=200)
    assert ledger.verdict_part(json.loads(report.read_text())) == expected
    assert not kept or f"{kept} verdict" in err


@linux
@pytest.mark.parametrize("kills", [3, pytest.param(5, marks=pytest.mark.slow)])
def test_kills_of_mutants(drafts, capsys, kills):
    """Claims that were judged are not judged again, and the file is the one of an undisturbed run."""
    assert verify(capsys, "d/", "--json", "r.json")[0] == 0
    words = ("mutants", "r.json", "d/", "--jobs", "2", "--json")
    start(*words, "calm.json", "--no-cache").communicate(timeout=200)
    draw = random.Random(8)
    for k in range(kills):
        assert killed(draw, "worker" if k % 2 else "parent", 6.0, *words, "m.json") in (0, None)
    assert start(*words, "m.json").wait(200) == 0
    assert Path("m.json").read_bytes() == Path("calm.json").read_bytes()


@linux
@pytest.mark.parametrize("kills", [3, pytest.param(5, marks=pytest.mark.slow)])
def test_kills_of_run(tmp_path, kills):
    """A run goes on from its last checkpoint, to the same bytes."""
    words = (
        "run",
        "fedavg",
        "--data",
        "breast-cancer",
        "--standardise",
        "--l2",
        "0.1",
        "--m",
        "5",
        "--rounds",
        "150",
        "--out",
    )
    start(*words, tmp_path / "calm").communicate(timeout=200)
    (calm,) = (tmp_path / "calm").glob("*/run.json")
    draw = random.Random(9)
    for _ in range(kills):
        killed(draw, "parent", 5.0, *words, tmp_path / "cut")
    assert start(*words, tmp_path / "cut").wait(200) == 0
    (cut,) = (p for p in (tmp_path / "cut").glob("*/run.json") if not p.parent.name.endswith(".tmp"))
    for name in ("run.json", "trace.npz"):
        assert (cut.parent / name).read_bytes() == (calm.parent / name).read_bytes()


@linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda s: s.name)
def test_an_interrupted_verification_writes_what_it_has(number, tmp_path):
    """complete: false and exit status 130; no worker is left; the same command with --resume goes on."""
    report = tmp_path / "r.json"  # at a seed for which no evidence is shipped, so that it takes a while
    words = ("verify", "flame/*", "--seed", "1", "--jobs", "2", "--json", report)
    process = start(*words)
    cache = Path(os.environ["FEDTHEORY_CACHE"])
    while process.poll() is None and not list(cache.glob("results/*/*.json")):
        time.sleep(0.05)
    process.send_signal(number)
    time.sleep(0.2)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "go on with --resume" in err and "Traceback" not in err
    data = json.loads(report.read_text())
    assert data["complete"] is False and data["claims"] and not workers(process.pid)


@pytest.mark.parametrize("words, said", [((), "kept in the cache"), (("--no-cache",), "interrupted\n")], ids=str)
def test_an_interruption_while_the_answer_is_written(words, said, drafts, capsys, monkeypatch):
    """Exit status 130 and no report; the verdicts are in the cache, and it is said only where they are."""

    def stop(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as m:
        m.setattr(ledger, "report", stop)
        status, out, err = verify(capsys, "d/", "--json", "r.json", *words)
    assert status == 130 and not out and said in err and not Path("r.json").exists()
    again = verify(capsys, "d/", "--json", "r.json", *words)
    assert again[0] == 0 and ("4 verdicts from the cache" in again[2]) == (not words)


# -- the cache ---------------------------------------------------------------------------------------------------------


def test_a_second_run_is_answered_from_the_cache(drafts, capsys):
    """The same bytes, and a line that says so; --no-cache neither reads nor writes."""
    assert verify(capsys, "d/", "--no-cache", "--json", "0.json")[0] == 0
    assert not Path(os.environ["FEDTHEORY_CACHE"]).exists()
    assert "cache" not in verify(capsys, "d/", "--json", "1.json")[2]
    assert "4 verdicts from the cache; --no-cache decides them again" in verify(capsys, "d/", "--json", "2.json")[2]
    parts = [ledger.verdict_part(json.loads(Path(f"{k}.json").read_text())) for k in (0, 1, 2)]
    assert parts[0] == parts[1] == parts[2] and "seconds" not in parts[0]["claims"][0]
    assert ledger.read_report("1.json")["claims"][0]["seconds"] > 0
    assert "cache" not in verify(capsys, "d/", "--no-cache")[2]


@pytest.mark.parametrize("words", [("--seed", "1"), ("--budget", "standard"), ("--no-cache",)], ids=lambda w: w[0])
def test_other_options_are_decided(words, drafts, capsys):
    """What a verdict depends on is in its key."""
    verify(capsys, "d/")
    assert "cache" not in verify(capsys, "d/", *words)[2]


def test_an_edited_helper_is_decided_again(drafts, capsys):
    """Also by --resume, which knows the entries by the same key; what has not changed is taken over."""
    (drafts / "other").mkdir()
    other = (DRAFT.replace("from helpers import squares", "") + BODY.format(k=9)).replace(
        "squares(x)", "x.a**2 + x.b**2"
    )
    (drafts / "other" / "one.py").write_text(other)
    words = ("d/", "other/", "--json", "r.json")
    verify(capsys, *words)
    (drafts / "d" / "helpers.py").write_text(HELPERS.replace("share=1", "share=0"))
    _, _, err = verify(capsys, *words, "--resume", "--no-cache")
    assert "1 verdict from the report" in err and entries("r.json")["draft/c0"]["verdict"] == "refuted"
    (drafts / "d" / "helpers.py").write_text(HELPERS)
    _, _, err = verify(capsys, *words, "--resume")
    assert "4 verdicts from the cache" in err and entries("r.json")["draft/c0"]["verdict"] == "proved"


def test_a_certificate_a_world_and_a_dependency_are_in_the_key(tmp_path, monkeypatch):
    """Each changes the key of the claim and of no other; where the source is not at hand there is none."""
    from fedtheory import claim, le
    from fedtheory.referee import cache
    from problems import Scalars, positive

    @claim("draft/x", world=Scalars(a=positive()))
    def x(x):
        return le(0, x.a)

    (tmp_path / "dependency_of_mine.py").write_text("ONE = 1\n")
    own = tmp_path / "own.py"
    own.write_text("from dependency_of_mine import ONE\n")
    monkeypatch.syspath_prepend(tmp_path)

    def key(stored=(), **options):
        cache.files_of.cache_clear()
        cache.imported.cache_clear()
        return cache.key(x, (own,), cache.Sources(), dict(stored), options)

    first = key()
    assert first == key() and cache.key(x, (), cache.Sources(), {}, {}) is None
    assert len({first, key([("draft/x {}", [{}])]), key(seed=1)}) == 3
    (tmp_path / "dependency_of_mine.py").write_text("ONE = 2\n")
    assert key() != first
    world = tmp_path / "worlds.py"  # as if it were one of ours
    world.write_text("A = 1\n")
    monkeypatch.setattr(cache, "OURS", ("worlds",))
    monkeypatch.setattr(cache, "imported", lambda files: ())
    before = cache.key(x, (own,), cache.Sources(), {}, {})
    world.write_text("A = 2\n")
    assert before not in (None, cache.key(x, (own,), cache.Sources(), {}, {}))


def test_damaged_and_foreign_files_are_ignored_and_written_anew(drafts, capsys):
    """One cut off, one changed, one of another key, one folder."""
    verify(capsys, "d/", "--json", "1.json")
    files = sorted(Path(os.environ["FEDTHEORY_CACHE"]).glob("results/*/*.json"))
    texts = [f.read_bytes() for f in files]
    files[0].write_bytes(texts[0][:50])
    files[1].write_bytes(texts[1].replace(b'"proved"', b'"refuted"'))
    files[2].write_bytes(texts[3])
    files[3].write_bytes(b"[1]")
    assert "cache" not in verify(capsys, "d/", "--json", "2.json")[2]
    assert {i: e["verdict"] for i, e in entries("2.json").items()} == {
        i: e["verdict"] for i, e in entries("1.json").items()
    }
    assert "4 verdicts from the cache" in verify(capsys, "d/")[2]


def test_the_oldest_are_removed(drafts, capsys, monkeypatch):
    """Where the cache is too large."""
    from fedtheory.referee import cache

    verify(capsys, "d/")
    files = sorted((Path(os.environ["FEDTHEORY_CACHE"]) / "results").glob("*/*.json"))
    os.utime(files[0], (1, 1))
    monkeypatch.setattr(cache, "MOST_BYTES", sum(f.stat().st_size for f in files) + 10)
    verify(capsys, "d/four.py", "--seed", "3")
    assert not files[0].exists()


def test_a_result_with_numbers_as_keys_is_found_again(tmp_path):
    """A file has text there, in another order than the numbers."""
    kept = Cache(tmp_path, Sources())
    kept.put("0123456789", {"times": {2: "a", 10: "b"}})
    assert kept.get("0123456789") == {"times": {"2": "a", "10": "b"}} and kept.trouble == ""


def test_a_cache_that_cannot_be_written_is_one_line(drafts, capsys, monkeypatch):
    """And the verdicts are there."""
    (drafts / "file").write_text("")
    monkeypatch.setenv("FEDTHEORY_CACHE", str(drafts / "file"))
    status, out, err = verify(capsys, "d/")
    assert status == 0 and "4 claims: 4 proved" in out and err.count("nothing is kept in the cache") == 1


def test_a_file_that_changes_meanwhile_is_not_kept(drafts, capsys, monkeypatch):
    """What was decided may be of the old file or of the new one."""
    real = decide.verify

    def edited(claim, **options):
        (drafts / "d" / "helpers.py").write_text(HELPERS + "# edited\n")
        return real(claim, **options)

    monkeypatch.setattr(decide, "verify", edited)
    verify(capsys, "d/")
    assert not list(Path(os.environ["FEDTHEORY_CACHE"]).glob("results/*/*.json"))


def test_a_report_is_never_narrowed(drafts, capsys):
    """What is not asked for now stays while it holds; what does not is named."""
    verify(capsys, "flame/eq24", "flame/eq25", "d/", "--json", "r.json")
    _, out, err = verify(capsys, "flame/eq24", "--json", "r.json", "--resume")
    assert set(entries("r.json")) == {"flame/eq24", "flame/eq25"} and "1 claim: 1 proved" in out
    assert "1 verdict of the report" in err and err.count("left out of the report") == 4 and "draft/c0" in err


def test_a_killed_worker_is_a_crash(drafts, capsys):
    """The claim is unknown, the others are decided, exit status 3; nothing of it is kept, nor taken over."""
    text = (drafts / "d" / "four.py").read_text()
    fatal = text.replace(
        "return le(2*x.a*x.b, squares(x) + 2*x.a)", "import os; getattr(os, 'llik'[::-1])(os.getpid(), 9)"
    )
    (drafts / "d" / "four.py").write_text(fatal)
    process = start("verify", "d/", "--jobs", "2", "--json", "r.json")
    _, err = process.communicate(timeout=120)
    assert process.returncode == 3 and "draft/c2: worker died" in err
    found = entries("r.json")
    assert found["draft/c2"]["verdict"] == "unknown" and found["draft/c2"]["key"] is None
    assert [found[f"draft/c{k}"]["verdict"] for k in (0, 1, 3)] == ["proved"] * 3
    assert not list(
        Path(os.environ["FEDTHEORY_CACHE"]).glob("results/*/*.json")
    )  # of a draft with a name that is made late


# -- writing -----------------------------------------------------------------------------------------------------------


def shell(script, tmp_path):
    """(exit status, stdout, stderr) of a script of bash, in which $F is the command line.

    Nothing is compiled (-B): under a limit on files what is left of a module is cut off, and every later import of it fails.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "F": f"{sys.executable} -B -m fedtheory.cli"}
    done = subprocess.run(["bash", "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_links_devices_and_pipes_stay(drafts, capsys):
    """A link's target is written; a device and a pipe get the report, and are there afterwards."""
    (drafts / "target.json").write_text("old")
    (drafts / "link.json").symlink_to("target.json")
    assert verify(capsys, "d/", "--json", "link.json")[0] == 0
    assert (drafts / "link.json").is_symlink() and len(entries("target.json")) == 4
    os.mkfifo("pipe.json")
    status, _, err = shell("$F verify d/ --json pipe.json >/dev/null & cat pipe.json; wait $!", drafts)
    assert status == 0, err
    assert Path("pipe.json").is_fifo()
    assert verify(capsys, "d/", "--json", "/dev/null")[0] == 0 and not Path("/dev/null").is_file()
    assert sorted(p.name for p in drafts.iterdir()) == ["d", "link.json", "pipe.json", "target.json"]


@pytest.mark.parametrize("path", ["-", "/dev/stdout"])
def test_a_report_on_stdout(path, drafts):
    """Then the tables are on stderr."""
    status, out, err = shell(f"$F verify d/ --json {path} | cat; exit ${{PIPESTATUS[0]}}", drafts)
    assert status == 0 and len(json.loads(out)["claims"]) == 4 and "4 claims: 4 proved" in err
    assert not (drafts / "-").exists()


FULL = {
    "report": ("$F verify d/ --json /dev/full", 2, "/dev/full cannot be written: No space left on device"),
    "stdout": ("$F verify d/ --json r.json > /dev/full", 2, "No space left on device"),
    "listing": ("$F list d/ > /dev/full", 2, "No space left on device"),
    "no stdout": ("$F verify d/ >&-", 2, "stdout is closed"),
    "file too large": ("ulimit -f 1; $F verify d/ --json r.json", 2, "r.json cannot be written: File too large"),
    "picture too large": ("ulimit -f 1; $F verify d/ --plot p.svg", 2, "p.svg cannot be written: File too large"),
    "nobody reads": ("$F verify d/ --json r.json | true; exit ${PIPESTATUS[0]}", 0, ""),
    "nobody reads the list": ("$F list | head -1; exit ${PIPESTATUS[0]}", 0, ""),
}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the devices of Linux")
@pytest.mark.parametrize("case", FULL)
def test_nowhere_to_write(case, drafts):
    """One line and exit status 2, after the results; nothing half written; quiet where nobody reads."""
    script, status, said = FULL[case]
    got, out, err = shell(script, drafts)
    lines = [line for line in err.splitlines() if "cache" not in line]
    assert (got, len(lines)) == (status, bool(said)) and said in err
    if case in ("report", "file too large", "picture too large"):
        assert "4 claims: 4 proved" in out
    written = {p.name for p in drafts.iterdir()} - {"d"}
    assert written == ({"r.json"} if case in ("stdout", "nobody reads") else set())
    if written:
        assert len(entries(drafts / "r.json")) == 4


def test_a_run_that_cannot_be_kept_shows_its_results(tmp_path):
    """The folder is one that became read-only, or a disk that is full."""
    words = "run fedavg --data breast-cancer --standardise --l2 0.1 --m 3 --rounds 3"
    status, out, err = shell(f"ulimit -f 0; $F {words} --out runs", tmp_path)
    assert status == 2 and "fedavg" in out and "cannot be written" in err.splitlines()[-1]
    assert list(tmp_path.glob("runs/*")) == []


# -- nothing dropped ---------------------------------------------------------------------------------------------------

REFUSED = {
    "two files, one id": (["d/", "e/four.py"], "two claims are called draft/c0, here and in d/four.py"),
    "a published id": (["taken.py"], "taken.py:5: flame/eq24 is a published claim of the installed paper flame"),
    "an exit": (["exits.py"], "exits.py:1: SystemExit: 0"),
    "an exit in a body": (["body.py"], "the body ends the program: SystemExit: 0"),
    "a pattern of another paper": (["pfedme/prop1a", "--paper", "flame"], "--paper flame: no claim of it is called"),
    "no name of a report": (["d/", "--json", ""], "--json needs a value, got ''"),
    "no name of data": (["d/", "--on", ""], "--on needs a value, got ''"),
    "two on stdout": (["--paper", "flame", "--json", "-", "--page", "-"], "only one output can go to stdout"),
    "certificates nowhere": (["d/", "--write-certificates", "no/where"], "--write-certificates no/where cannot be written"),
    "a picture nowhere": (["d/", "--plot", "no/p.svg"], "--plot no/p.svg cannot be written"),
    "resume of stdout": (["d/", "--json", "-", "--resume"], "--resume needs --json FILE"),
    **{
        f"{option} with --on": (["d/", "--on", "diabetes", option, *value], f"{option} has no meaning with --on")
        for option, *value in (
            ("--plot", "p.svg"), ("--expect", "r.json"), ("--fail-on", "refuted"), ("--page", "p.md"), ("--resume",),
            ("--budget", "quick"), ("--jobs", "2"),
        )
    },
    **{
        f"{option} without --on": (["d/", option, *value], f"{option} goes with --on DATA")
        for option, *value in (("--m", "0"), ("--with", "a=1"), ("--standardise",), ("--root", "x"))
    },
    "json with --coverage": (["--coverage", "--json", "r.json"], "--json has no meaning with --coverage"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_would_be_ignored_is_refused(case, drafts, capsys):
    """In one line, exit status 2, nothing written."""
    (drafts / "e").mkdir()
    for name in ("four.py", "helpers.py"):
        (drafts / "e" / name).write_text((drafts / "d" / name).read_text())
    head = DRAFT.replace("from helpers import squares\n", "")
    claim = '@claim("{id}", world=AB)\ndef one(x):\n    return {body}\n'
    (drafts / "taken.py").write_text(head + claim.format(id="flame/eq24", body="le(x.a, x.b)"))
    (drafts / "exits.py").write_text("raise SystemExit(0)\n")
    (drafts / "body.py").write_text("import sys\n" + head + claim.format(id="draft/x", body="sys.exit(0)"))
    before = sorted(p.name for p in drafts.iterdir())
    words, message = REFUSED[case]
    status, out, err = verify(capsys, *words)
    assert (status, out) == (2, "") and message in err and len(err.splitlines()) == 1
    assert sorted(p.name for p in drafts.iterdir()) == before


def test_a_file_beside_a_pattern(drafts, capsys):
    """Both are decided."""
    verify(capsys, "d/", "flame/eq24", "--json", "r.json")
    assert set(entries("r.json")) == {"flame/eq24", *(f"draft/c{k}" for k in range(4))}


def test_an_empty_folder_of_runs_is_refused(capsys):
    """``--out ''`` is not the current folder."""
    assert main(["run", "fedavg", "--data", "diabetes", "--out", ""]) == 2
    assert "--out needs a value" in capsys.readouterr().err
