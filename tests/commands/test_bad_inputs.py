"""Bad words at the command line and bad arguments in Python: one line that says what is wrong, and nothing written."""

import os
from pathlib import Path

import numpy as np
import pytest
from bad_files import DATA, ON, ONE, RUN

from fedtheory import Condition, Control, UsageError, claim, le, verify
from fedtheory.cli import main
from fedtheory.registry import methods
from problems import Convex, Points, Scalars, Smooth, at_least, between, condition, positive
from problems.build import build
from problems.data.datasets import load
from problems.exact.evaluate import evaluate, exact_clients

BROKEN = ("nan", "inf", "-inf", "1e400", "x", "1/0", "")
NONE = ("nan", "inf", "-inf", "x", "1/0", "")  # where numbers are exact, and of any size
COUNTS = ("1e-400", "1.5", "-1")
NUMBERS = {
    ("verify", ONE, "--seed"): ("nan", "inf", "1e400", "1.5", ""),
    ("verify", ONE, "--jobs"): (*BROKEN, "1.5", "-1"),
    (*ON, "diabetes", "--m"): (*BROKEN, "1.5", "-1", "11"),
    ("mutants", "good.json", "--seed"): (*BROKEN, "-1"),
    ("mutants", "good.json", "--jobs"): (*BROKEN, "0", "-1"),
    (*RUN, "--rounds"): ("nan", "inf", "1e400", "1.5", "1e-400", ""),
    (*RUN, "--every"): (*BROKEN, "1.5"),
    (*RUN, "--seed"): ("nan", "inf", "1e400", "1.5", ""),
    (*RUN, "--data-seed"): (*BROKEN, *COUNTS),
    (*RUN, "--m"): (*BROKEN, *COUNTS, "0", "570"),
    (*RUN, "--l2"): (*BROKEN, "-1"),
    (*RUN, "--stop"): (*BROKEN, "0"),
    (*RUN, "--eta"): ("-inf", "x", "1e-400", "", " "),
    (*RUN, "--E"): (*BROKEN, "-1"),
    (*RUN, "--batch"): (*BROKEN, *COUNTS, "190", str(10**13)),
    (*RUN, "--S"): (*BROKEN, *COUNTS, str(10**13)),
    (*RUN, "--participation"): (*BROKEN, "1e-400", "-1", "0"),
    ("constants", "pfedme", "--lam"): (*NONE, "-1", "0"),
    ("constants", "pfedme", "--m"): (*NONE, "1e-400", "-1", "0"),
    ("constants", "fedadmm", "--sigma"): (*NONE, "-1", "0"),
    ("constants", "flame", "--rho"): (*NONE, "-1", "0"),
    ("constants", "flame", "--S"): (*NONE, "2.5", "0"),
    ("constants", "dadpfl", "--eta"): (*NONE, "-1", "0"),
    ("constants", "pfedme", "--accuracy"): (*BROKEN, "1e-400", "-1", "0"),
    ("constants", "flame", "--data", "diabetes", "--m"): ("nan", "0", "x", "443"),
    ("constants", "flame", "--data", "diabetes", "--seed"): ("nan", "-1", "x"),
}
NUMBER_CASES = [
    pytest.param(words, value, id=f"{words[0]} {words[1]} {words[-1]}={value}".replace("/", ":"))
    for words, values in NUMBERS.items()
    for value in values
]


@pytest.mark.parametrize(("words", "value"), NUMBER_CASES)
def test_a_broken_number(words, value, refused):
    """The option, or the argument that it becomes, and the value stand in the line."""
    line = refused([*words[:-1], f"{words[-1]}={value}"], value)
    name = words[-1].lstrip("-")
    assert any(f"{start}{name}" in line for start in ("--", "(", "load(")), line


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("method", methods())
def test_every_hyper_parameter(method, refused):
    """Of every method: no number, or out of its range."""
    for name, option in methods()[method].options.items():
        refused(["run", method, *DATA, "--rounds", "2", "--out", "new", f"--{name}=nan"], f"--{name}", "'nan'")
        if option.kind != "choice":
            refused(["run", method, *DATA, "--rounds", "2", "--out", "new", f"--{name}=-1"], f"--{name}", "-1")


WORDS = {
    "no command": ([], "the following arguments are required"),
    "an empty command": ([""], "invalid choice: ''"),
    "an empty id": (["verify", ""], "no claim is called ''"),
    "a paper as an id": (["verify", "pfedme"], "no claim is called 'pfedme'; --paper pfedme takes all of it"),
    "a bracket": (["verify", "["], "no claim is called '['"),
    "an id with a line break": (
        ["verify", "pfedme/lemma1a\n"],
        "no claim is called 'pfedme/lemma1a\\n'; did you mean pfedme/lemma1a",
    ),
    "a folder that is none": (["verify", "pfedme/"], "pfedme/: no such folder"),
    "a suffix alone": (["verify", ".py"], ".py: no such file"),
    "a folder without claims": (["verify", "folder/"], "folder/: no claim in the files of this folder"),
    "a budget in capitals": (
        ["verify", ONE, "--budget", "QUICK"],
        "--budget must be one of quick, standard, deep, got 'QUICK'",
    ),
    "a budget with a blank": (["verify", ONE, "--budget", "quick "], "got 'quick '; did you mean quick?"),
    "an empty budget": (["verify", ONE, "--budget", ""], "--budget needs a value, got ''"),
    "an empty paper": (["verify", "--paper", ""], "--paper needs a value, got ''"),
    "a paper in capitals": (
        ["verify", "--paper", "pFedMe"],
        "--paper must be one of",
        "got 'pFedMe'; did you mean pfedme",
    ),
    "an empty backend": (["verify", ONE, "--backend", ""], "--backend needs a value, got ''"),
    "an empty verdict": (["verify", ONE, "--fail-on", ""], "--fail-on", "invalid choice: ''"),
    "an empty ledger": (["verify", ONE, "--expect", ""], "--expect needs a value, got ''"),
    "an empty picture": (["verify", ONE, "--plot", ""], "--plot needs a value, got ''"),
    "an empty page": (["verify", "--paper", "flame", "--page", ""], "--page needs a value, got ''"),
    "an empty folder of certificates": (
        ["verify", ONE, "--write-certificates", ""],
        "--write-certificates needs a value",
    ),
    "an option without its value": (["verify", ONE, "--json"], "argument --json: expected one argument"),
    "an option of another command": (["verify", ONE, "--rounds", "3"], "unrecognized arguments: --rounds"),
    "a misspelt option": (["verify", ONE, "--budgt=quick"], "did you mean --budget?"),
    "list: unknown paper": (["list", "--paper", "flam"], "got 'flam'; did you mean flame?"),
    "list: unknown pattern": (["list", "flame/lemma9"], "no claim is called 'flame/lemma9'; did you mean flame/lemma"),
    "list: an empty word": (["list", ""], "no claim is called ''"),
    "list: no file": (["list", "none.py"], "none.py: no such file"),
    "list: symbols of an unknown paper": (["list", "--symbols", "--paper", "x"], "--paper must be one of"),
    "list: symbols of a claim": (["list", "--symbols", ONE], f"--symbols goes with --paper alone, got {ONE}"),
    "list: engines of a claim": (["list", "--engines", ONE], f"--engines goes with nothing else, got {ONE}"),
    "list: symbols with places": (["list", "--symbols", "--where"], "--symbols goes with --paper alone, got --where"),
    "list: an id outside the paper": (["list", ONE, "--paper", "flame"], "--paper flame: no claim of it is called"),
    "explain: nothing": (["explain"], "the following arguments are required: ID|PATTERN|FILE.py"),
    "explain: an empty word": (["explain", ""], "no claim is called ''"),
    "explain: no file": (["explain", "none.py"], "none.py: no such file"),
    "replay: nothing": (["replay"], "the following arguments are required: REPORT.json, ID"),
    "replay: no id": (["replay", "good.json"], "the following arguments are required: ID"),
    "replay: an empty report": (["replay", "", ONE], "REPORT.json needs a value, got ''"),
    "replay: an empty id": (["replay", "good.json", ""], "ID needs a value, got ''"),
    "replay: no such id": (
        ["replay", "good.json", "pfedme/lemma1"],
        "good.json has no claim 'pfedme/lemma1'; did you mean",
    ),
    "replay: proved": (["replay", "good.json", ONE], f"{ONE} is proved in good.json and has no witness to replay"),
    "replay: two ids": (["replay", "good.json", "pfedme/lemma1a", ONE], f"then the files of drafts, got '{ONE}'"),
    "replay: no file": (["replay", "good.json", "pfedme/lemma1a", "none.py"], "none.py: no such file"),
    "replay: no witness": (["replay", "bare.json", "pfedme/lemma1a"], "is refuted in bare.json and has no witness"),
    "mutants: unknown operator": (["mutants", "good.json", "--operators", "bond"], "got 'bond'; did you mean bound?"),
    "mutants: an empty operator": (
        ["mutants", "good.json", "--operators", "sign,,bound"],
        "--operators has an empty entry",
    ),
    "mutants: an operator twice": (
        ["mutants", "good.json", "--operators", "sign,sign"],
        "--operators has an entry twice",
    ),
    "mutants: unknown budget": (
        ["mutants", "good.json", "--budget", "quik"],
        "--budget must be one of",
        "did you mean quick?",
    ),
    "mutants: unknown paper": (["mutants", "good.json", "--paper", "x"], "--paper must be one of"),
    "mutants: a paper without claims": (
        ["mutants", "good.json", "--paper", "flame"],
        "good.json has none of these claims",
    ),
    "mutants: unknown id": (["mutants", "good.json", "pfedme/lema1a"], "did you mean pfedme/lemma1a"),
    "mutants: another id": (["mutants", "good.json", "pfedme/prop1b"], "good.json has none of these claims"),
    "mutants: no file": (["mutants", "good.json", "none.py"], "none.py: no such file"),
    "mutants: an empty report": (["mutants", ""], "REPORT.json needs a value, got ''"),
    "mutants: abbreviated option": (["mutants", "good.json", "--oper", "sign"], "unrecognized arguments: --oper"),
    "data: an empty action": (["data", ""], "ACTION needs a value, got ''"),
    "data: another action": (["data", "get", "mnist"], "data ACTION must be status, got 'get'"),
    "data: one word too many": (["data", "status", "digits"], "data status takes no more words, got 'digits'"),
    "data: an empty root": (["data", "status", "--root", ""], "--root needs a value, got ''"),
    "data: no root": (["data", "status", "--root", "none"], "--root must be a folder, got 'none'"),
    "data: a file as root": (["data", "status", "--root", "file"], "--root must be a folder, got 'file'"),
    "constants: nothing": (["constants"], "the following arguments are required: paper"),
    "constants: unknown paper": (["constants", "pfedm"], "constants PAPER must be one of", "did you mean pfedme"),
    "constants: an empty paper": (["constants", ""], "paper needs a value, got ''"),
    "constants: unknown parameter": (
        ["constants", "pfedme", "--betta", "1"],
        "no parameter '--betta'; did you mean beta",
    ),
    "constants: one dash": (["constants", "pfedme", "-lam", "1"], "no parameter '-lam'; did you mean --lam"),
    "constants: no dash": (["constants", "pfedme", "lam", "1"], "no parameter 'lam'; did you mean --lam"),
    "constants: no value": (["constants", "pfedme", "--lam"], "--lam needs a number such as 0.01 or 1/3, got ''"),
    "constants: two values": (["constants", "pfedme", "--lam", "1", "2"], "constants has no parameter '2'"),
    "constants: a parameter twice": (["constants", "pfedme", "--lam", "1", "--lam", "2"], "--lam is given twice"),
    "constants: a parameter under two names": (
        ["constants", "pfedme", "--lambda", "1", "--lam=2"],
        "--lam is given twice",
    ),
    "constants: an accuracy twice": (
        ["constants", "pfedme", "--accuracy", "1", "--accuracy=2"],
        "--accuracy is given twice",
    ),
    "constants: an accuracy without value": (
        ["constants", "pfedme", "--accuracy"],
        "--accuracy needs a number such as",
    ),
    "constants: more selected than clients": (
        ["constants", "pfedme", "--m=2", "--S", "5"],
        "--S must be at most 2 with 2 clients, got 5",
    ),
    "constants: more neighbours than others": (
        ["constants", "dadpfl", "--m", "2", "--M", "2"],
        "--M must be at most 1 with 2 clients, got 2",
    ),
    "constants: selected of data": (
        ["constants", "flame", "--data", "diabetes", "--m", "3", "--S", "5"],
        "--S must be at most 3 with 3 clients, got 5",
    ),
    "constants: no data": (["constants", "flame", "--data"], "argument --data: expected one argument"),
    "constants: an empty data set": (["constants", "flame", "--data", ""], "--data needs a value, got ''"),
    "constants: unknown data": (
        ["constants", "flame", "--data", "diabets"],
        "the data set must be one of",
        "did you mean diabetes",
    ),
    "constants: a parameter that data have not": (
        ["constants", "flame", "--data", "diabetes", "--beta", "1"],
        "no parameter '--beta'",
    ),
    "run: an empty method": (["run", "", *DATA], "METHOD[,METHOD] needs a value, got ''"),
    "run: one word too many": ([*RUN, "extra"], "unrecognized arguments: extra"),
    "run: unknown model": ([*RUN, "--model", "logistc"], "must be one of", "got 'logistc'; did you mean logistic"),
    "run: an empty model": ([*RUN, "--model", ""], "--model needs a value, got ''"),
    "run: unknown partition": ([*RUN, "--partition", "dirichle"], "got 'dirichle'; did you mean dirichlet?"),
    "run: an empty partition": ([*RUN, "--partition", ""], "--partition needs a value, got ''"),
    "run: unknown device": ([*RUN, "--device", "x", "--backend", "numpy"], "--device goes with --backend torch"),
    "run: no folder": ([*RUN[:-1], ""], "--out needs a value, got ''"),
    "run: unknown data": (
        ["run", "fedavg", "--data", "Digits"],
        "the data set must be one of",
        "got 'Digits'; did you mean digits?",
    ),
    "run: another suffix": (
        ["run", "fedavg", "--data", "t.txt"],
        "or a path that ends with .csv, .csv.gz, .npz, got 't.txt'",
    ),
    "run: images that are not here": (
        ["run", "fedavg", "--data", "mnist", "--root", "folder"],
        "mnist needs the file train-images",
    ),
    "on: unknown data": ([*ON, "diabets"], "the data set must be one of", "did you mean diabetes"),
    "on: another suffix": ([*ON, "t.json"], "got 't.json'"),
    "on: images that are not here": ([*ON, "mnist", "--root", "folder"], "mnist needs the file train-images"),
    "on: unknown partition": ([*ON, "ok.csv", "--partition", "IID"], "must be one of iid, shards", "got 'IID'"),
    "on: more clients than samples": ([*ON, "ok.csv", "--m", "5"], "must be an integer from 1 to 4, got 5"),
    "on: too many features": ([*ON, "wide.csv"], "wide.csv has 79 features; exact arithmetic takes at most 64"),
    "on: a partition of labels": (
        [*ON, "ok.csv", "--partition", "dirichlet"],
        "needs labels of an integer type, got float64 targets",
    ),
}


@pytest.mark.parametrize("case", WORDS)
def test_a_wrong_word(case, refused):
    """What was meant, where that is near."""
    refused(*WORDS[case])


MORE = {
    "x": "--with needs NAME=VALUE, got 'x'",
    "=3": "got '=3'",
    "x=": "got 'x='",
    "feature=mean": "has no option 'feature'",
    "target=9": "`target=9`: ok.csv has 3 columns",
    "target=zz": "ok.csv has no header",
    "header=maybe": "must be True, False or None, got 'maybe'",
    "task=x": "must be one of auto, labels, targets, got 'x'",
    "drop=7": "`drop=7`: ok.csv has 3 columns",
    "standardise=yes": "`standardise=...` must be True or False, got 'yes'",
    "delimiter=;;": "must be one character",
    "xp=3": "--with xp: this has",
    "m=3": "--with m: this has an option of its own",
    "seed=3": "--with seed: this has",
    "root=x": "--with root: this has",
    "sha256=1": "hexadecimal",
}


@pytest.mark.parametrize("word", MORE)
def test_a_wrong_option_of_the_data(word, refused):
    """Of ``--with``, for a file of one's own."""
    refused([*ON, "ok.csv", "--m", "2", "--with", word], MORE[word])


PARTITIONS = {
    "dirichlet alpha": ("nan", "-1", "0", "inf", "x", "1e400"),
    "power-law steepness": ("nan", "-1", "inf", "x"),
    "shards per_client": ("nan", "0", "1.5", "x"),
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in PARTITIONS.items() for value in values])
def test_a_wrong_option_of_a_partition(name, value, refused):
    """A concentration, an exponent, a count."""
    partition, option = name.split()
    words = (
        "run",
        "fedavg",
        "--data",
        "breast-cancer",
        "--m",
        "2",
        "--partition",
        partition,
        "--with",
        f"{option}={value}",
    )
    refused(words, f"{partition.replace('-', '_')}({option}=...)", "inf" if value == "1e400" else value)


CONFLICTS = {
    "coverage of a claim": (
        ["verify", "--coverage", ONE],
        f"--coverage is of all papers, or of one with --paper, got {ONE}",
    ),
    "coverage with a seed": (["verify", "--coverage", "--seed", "3"], "--seed has no meaning with --coverage"),
    "coverage of every row": (["verify", "--coverage", "--all"], "--all has no meaning with --coverage"),
    "coverage of a paper that is none": (["verify", "--coverage", "--paper", "pfedm"], "--paper must be one of"),
    "coverage on data": (["verify", "--coverage", "--on", "diabetes"], "--on has no meaning with --coverage"),
    "a backend on data": ([*ON, "diabetes", "--backend", "torch"], "--backend has no meaning with --on"),
    "certificates on data": (
        [*ON, "diabetes", "--write-certificates", "new"],
        "--write-certificates has no meaning with --on",
    ),
    "no cache on data": ([*ON, "diabetes", "--no-cache"], "--no-cache has no meaning with --on"),
    "bias without data": (["verify", ONE, "--bias"], "--bias goes with --on DATA"),
    "unit columns without data": (["verify", ONE, "--unit-columns"], "--unit-columns goes with --on DATA"),
    "partition without data": (["verify", ONE, "--partition", "iid"], "--partition goes with --on DATA"),
    "a page of no paper": (["verify", "--page", "new.md"], "--page new.md needs --paper NAME", "got no paper"),
    "a page of a claim": (
        ["verify", "--paper", "pfedme", ONE, "--page", "new.md"],
        f"and all of its claims, got {ONE}",
    ),
    "two outputs": (
        ["verify", ONE, "--json", "-", "--page", "-", "--paper", "pfedme"],
        "only one output can go to stdout",
    ),
    "resume of another seed": (
        ["verify", ONE, "--resume", "--json", "other.json"],
        "--resume: other.json was written with another seed",
    ),
    "two scalings": ([*ON, "ok.csv", "--standardise", "--unit-columns"], "exclude each other"),
    "a scaling twice": (
        [*ON, "ok.csv", "--standardise", "--with", "standardise=true"],
        "--with standardise: this has an option",
    ),
    "a partition of generated data": ([*ON, "synthetic", "--partition", "iid"], "synthetic is generated as clients"),
    "generated data of many features": (
        [*ON, "synthetic", "--with", "d=80"],
        "synthetic has 80 features; exact arithmetic takes at most 64",
    ),
    "runs: share and number": (
        [*RUN, "--S", "2", "--participation", "1/2"],
        "--S and --participation exclude each other",
    ),
    "runs: smoothing": ([*RUN, "--smoothing", "1"], "goes with model='margin'"),
    "runs: an option twice with data": ([*RUN, "--with", "m=3"], "--with m: this has an option of its own"),
    "picture: no suffix": (["verify", ONE, "--plot", "new"], "--plot FILE must end in .svg, .png, .pdf, got 'new'"),
    "picture: a suffix alone": (["verify", ONE, "--plot", ".svg"], "got '.svg'"),
    "picture: on stdout": (["verify", ONE, "--plot", "-"], "got '-'"),
    "picture: a folder": (["verify", ONE, "--plot", "dir.svg"], "--plot dir.svg is a folder"),
    "picture: in no folder": (["verify", ONE, "--plot", "none/new.svg"], "--plot none/new.svg cannot be written"),
    "picture: in a file": (["verify", ONE, "--plot", "file/new.svg"], "--plot file/new.svg cannot be written"),
    "report: in a file": (["verify", ONE, "--json", "file/new.json"], "--json file/new.json cannot be written"),
    "report: a folder": (["verify", ONE, "--json", "dir.json"], "--json dir.json is a folder"),
    "report on data: a folder": ([*ON, "ok.csv", "--json", "dir.json"], "--json dir.json is a folder"),
    "report on data: in no folder": (
        [*ON, "ok.csv", "--json", "none/new.json"],
        "--json none/new.json cannot be written",
    ),
    "mutants: in no folder": (
        ["mutants", "good.json", "--json", "none/new.json"],
        "--json none/new.json cannot be written",
    ),
    "mutants: a folder": (["mutants", "good.json", "--json", "folder"], "--json folder is a folder"),
    "page: a folder": (["verify", "--paper", "flame", "--page", "folder"], "--page folder is a folder"),
    "page: in no folder": (
        ["verify", "--paper", "flame", "--page", "none/new.md"],
        "--page none/new.md cannot be written",
    ),
    "certificates: a file": (["verify", ONE, "--write-certificates", "file"], "--write-certificates file is a file"),
    "certificates: below a file": (
        ["verify", ONE, "--write-certificates", "file/new"],
        "--write-certificates file/new cannot be written",
    ),
    "runs: a file": ([*RUN[:-1], "file"], "--out file cannot be written", "is a file"),
    "runs: below a file": ([*RUN[:-1], "file/new"], "--out file/new cannot be written"),
    "runs: a device": ([*RUN[:-1], "/dev/null"], "--out /dev/null cannot be written"),
    "runs: picture in a file": ([*RUN, "--plot", "file/new.svg"], "--plot file/new.svg cannot be written"),
    "runs: picture a folder": ([*RUN, "--plot", "dir.svg"], "--plot dir.svg is a folder"),
}


@pytest.mark.parametrize("case", CONFLICTS)
def test_what_does_not_go_together(case, refused):
    """Nothing begins, and nothing is written."""
    refused(*CONFLICTS[case])


NOWHERE = {
    "report in a read-only place": (
        ["verify", ONE, "--json", "folder/r.json"],
        "--json folder/r.json cannot be written",
    ),
    "report on data in a read-only place": (
        [*ON, "ok.csv", "--json", "folder/r.json"],
        "--json folder/r.json cannot be written",
    ),
    "mutants in a read-only place": (
        ["mutants", "good.json", "--json", "folder/r.json"],
        "--json folder/r.json cannot be written",
    ),
    "picture in a read-only place": (
        ["verify", ONE, "--plot", "folder/p.svg"],
        "--plot folder/p.svg cannot be written",
    ),
    "page in a read-only place": (
        ["verify", "--paper", "flame", "--page", "folder/p.md"],
        "--page folder/p.md cannot be written",
    ),
    "certificates in a read-only place": (
        ["verify", ONE, "--write-certificates", "folder/new"],
        "--write-certificates folder/new cannot be written",
    ),
    "runs in a read-only place": ([*RUN[:-1], "folder/new"], "--out folder/new cannot be written", "is read-only"),
    "picture of runs in a read-only place": ([*RUN, "--plot", "folder/p.svg"], "--plot folder/p.svg cannot be written"),
}


@pytest.mark.parametrize("case", NOWHERE)
def test_a_read_only_place(case, refused, monkeypatch):
    """Told before anything begins; who may write everywhere is told that he may not."""
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: "folder" not in str(path) and real(path, mode))
    refused(*NOWHERE[case])


FULL = {
    "a full device": (["verify", ONE, "--json", "/dev/full"], "/dev/full cannot be written: No space left on device"),
    "a full device, on data": (
        [*ON, "ok.csv", "--m", "2", "--json", "/dev/full"],
        "/dev/full cannot be written: No space left",
    ),
    "no place for files": (["verify", ONE, "--json", "/proc/r.json"], "/proc/r.json cannot be written"),
    "no place for pictures": (
        ["verify", ONE, "--plot", "/proc/p.svg"],
        "--plot /proc/p.svg cannot be written",
        "/proc/p.svg cannot be written",
    ),
    "no place for certificates": (["verify", ONE, "--write-certificates", "/proc/c"], "/proc/c cannot be written"),
    "a name that is too long": (["verify", ONE, "--json", 300 * "a"], "cannot be written: File name too long"),
}


@pytest.mark.skipif(not Path("/dev/full").exists() or not Path("/proc").exists(), reason="needs Linux")
@pytest.mark.parametrize("case", FULL)
def test_a_full_place(case, refused):
    """Where it is not known before, the results are shown first."""
    words, *said = FULL[case]
    refused(words, said[-1])


AB = Scalars(a=positive(), b=positive())


@claim("draft/true", world=AB)
def true(x):
    """A claim to call things with."""
    return le(x.a, x.a + x.b)


PYTHON = {
    **{
        f"verify({value})": "verify(claim) needs a claim made by @claim(...), got"
        for value in ("3", "None", "true.body", "[true]", "{}", "AB", "verify", "1.5")
    },
    "verify('draft/true')": "no claim is called 'draft/true'",
    **{
        f"verify(true, budget={value})": "budget must be one of quick, standard, deep, got"
        for value in ("3", "None", "''", "'Quick'", "b'quick'", "[]", "{}", "1.5", "True", "float('nan')")
    },
    **{
        f"verify(true, backend={value})": "backend must be one of numpy, torch, cupy, got"
        for value in ("3", "None", "''", "'Numpy'", "[]", "{}", "np")
    },
    **{
        f"verify(true, seed={value})": "verify(seed=...) must be an integer of at least 0, got"
        for value in ("None", "'x'", "'1'", "1.5", "-3", "True", "[]", "float('nan')")
    },
    **{
        f"verify(true, xp={value})": "verify(xp=...) must be an array namespace such as"
        for value in ("3", "'numpy'", "[]", "true")
    },
    **{
        f"verify(true, device={value})": "verify(device=...) must be a device of array_api_compat.numpy, got"
        for value in ("'x'", "3", "[]")
    },
    **{
        f"verify(true, stored={value})": "verify(stored=...) must be a dict of certificates by key, got"
        for value in ("3", "'x'", "[1]")
    },
    **{
        f"claim({value}, world=AB)(true.body)": "claim id must look like paper/name"
        for value in ("3", "None", "''", "'a b'", "'a/b/c'", "'draft/x\\n'", "b'draft/x'", "['draft/x']")
    },
    **{
        f"claim('draft/x', world={value})(true.body)": "world=... must be a world such as"
        for value in ("3", "None", "'x'", "Scalars", "{}", "positive()")
    },
    **{
        f"claim('draft/x', world=AB, control={value})(true.body)": "control=... must be Control"
        for value in ("3", "'x'", "true.body", "true", "[]")
    },
    **{
        f"claim('draft/x', world=AB, uses={value})(true.body)": "uses=... must be a list of ids"
        for value in ("3", "'x'", "[3]", "None")
    },
    **{
        f"claim('draft/x', world=AB, {name}=3)(true.body)": f"{name}=... must be"
        for name in ("repair", "latex", "locator", "kind", "note", "step")
    },
    **{
        f"claim('draft/x', world=AB)({value})": "the body must"
        for value in ("3", "None", "'x'", "true", "int", "lambda: 0", "lambda x, y: 0")
    },
    **{f"Control({value})": "needs" for value in ("3", "'x'", "'x', 3", "'x', true.body, share=1", "None, true.body")},
    **{f"positive({value})": "a scalar's unit must be a unit" for value in ("'x'", "3", "None")},
    **{f"at_least({value})": "a scalar" for value in ("'x'", "None", "-1", "0.5", "float('inf')", "[1]")},
    **{f"between({value})": "a scalar" for value in ("2, 1", "1, 1", "0, float('nan')", "'a', 'b'", "0, 0.3", "1j, 2")},
    "Scalars(a=3)": "Scalars(a=...) must be positive()",
    "Scalars(given=3)": "given=(...) must be a tuple of conditions",
    "Scalars(given='x')": "given=(...)",
    "Scalars(sizes=3)": "sizes=... must be a dict",
    "Scalars(sizes={'m': 3})": "sizes={'m': ...}",
    "Scalars(sizes={3: (1,)})": "a size cannot be called 3",
    "Scalars(sizes={'m': (True,)})": "sizes={'m': ...}",
    "Scalars(dot=positive())": "x.dot belongs to every instance",
    "Scalars(_a=positive())": "belongs to every instance",
    "Scalars(**{'a b': positive()})": "a name is an identifier",
    "Scalars(**{'lambda': positive()})": "a name is an identifier",
    "Points(3)": "Points(f=...) must be a function class",
    "Points(Convex)": "Points(f=...) must be a function class",
    "Points(Convex(), at='w')": "must be a tuple of names",
    "Points(Convex(), at=3)": "must be a tuple of names",
    "Points(Convex(), at=(3,))": "a name is an identifier",
    "Points(Convex(), at=('w', 'w'))": "the name 'w' means two things",
    "Points(Convex(), clients_at='w')": "must be a tuple of names",
    "Points(Convex(), optimum_of=3)": "must be None, 'f' or 'F', got 3",
    "Points(Smooth('L'))": "needs the scalar L=...",
    "Points(Smooth(), L=3)": "Points(L=...) must be positive()",
    "Points(Convex(), diversity=3)": "a name is an identifier",
    "condition('x', 3)": "a condition needs a text and a function",
    "condition(3, len)": "a condition needs a text",
    "Condition('a', 'b', 3)": "a condition needs a text and a function",
    "evaluate(3, 'diabetes')": "evaluate(claim=...) must be a claim",
    "evaluate(true, 3)": "the data set must be a name or a path, got 3",
    "evaluate(true, 'diabets')": "did you mean diabetes",
    "evaluate(true, 'diabetes', m='x')": "must be an integer from 1 to 10, got 'x'",
    "evaluate(true, 'diabetes', instances=True)": "instances=...",
    "exact_clients(None, 3)": "must be a name or a path, got None",
    "exact_clients('diabetes', None)": "got None",
    "exact_clients('diabetes', 3, seed='x')": "seed=...",
    "exact_clients('diabetes', 3, partition=3)": "partition=...",
    "exact_clients('diabetes', 3, standardise='yes')": "must be True or False, got 'yes'",
    "exact_clients('', 3)": "the data set must be one of",
    "build('diabetes', m=0)": "must be an integer from 1 to 442, got 0",
    "build('diabetes', m='x')": "got 'x'",
    "build('diabetes', m=3, model='x')": "build(model=...)",
    "build('diabetes', m=3, l2=-1)": "must be finite and at least 0, got -1",
    "build('diabetes', m=3, l2=float('nan'))": "got nan",
    "build('diabetes', m=3, seed=1.5)": "seed=...",
    "load('digits', bias=3)": "`bias=...` must be True or False, got 3",
    "load('digits', root='folder', nosuch=1)": "has no option 'nosuch'",
}
NAMES = dict(
    Condition=Condition, Control=Control, Convex=Convex, Points=Points, Scalars=Scalars, Smooth=Smooth, AB=AB, at_least=at_least,
    between=between, build=build, claim=claim, condition=condition, evaluate=evaluate, exact_clients=exact_clients, load=load,
    np=np, positive=positive, true=true, verify=verify,
)  # fmt: skip


@pytest.mark.parametrize("call", PYTHON)
def test_a_wrong_argument_in_python(call):
    """A UsageError in one line, with no option of the command line in it."""
    with pytest.raises(UsageError) as told:
        eval(call, dict(NAMES))
    said = str(told.value)
    assert PYTHON[call] in said and "\n" not in said and "--" not in said


@pytest.mark.parametrize("command, what", [("best", "LINE|ID"), ("site", "OUT")])
def test_of_what_is_missing_only_what_is_needed_is_named(command, what, capsys):
    """Files and claims that may be left out are not asked for."""
    assert main([command]) == 2 and f"required: {what} (" in capsys.readouterr().err
