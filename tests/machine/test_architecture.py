"""The house: imports go one way and in no circle, nobody names a paper or a method outside its room, files stay small and silent.

The three packages import each other one way, fedtheory <- problems <- proofs_checks. The composition root, fedtheory/cli.py
with fedtheory/commands, stands above problems as well: it builds the clients that a command, or a property test, asks for.
It does not know proofs_checks; papers and methods are found through entry points.
"""

import ast
import functools
import re
from pathlib import Path

import pytest

from fedtheory import registry, shelf

ROOT = Path(__file__).parents[2]
PACKAGES = ("fedtheory", "problems", "proofs_checks")
FILES = sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py"))
ALLOWED = {
    "fedtheory": {"fedtheory"}, "problems": {"fedtheory", "problems"},
    "proofs_checks": {"fedtheory", "problems", "proofs_checks"}, "composition root": {"fedtheory", "problems"},
}  # fmt: skip
OURS = {*PACKAGES, "tests", "benchmarks"}
COMPOSITION_ROOT = {
    ROOT / "fedtheory" / "cli.py", ROOT / "fedtheory" / "hypothesis_types.py", ROOT / "fedtheory" / "problems.py",
    ROOT / "fedtheory" / "testing" / "clients.py",
    *(ROOT / "fedtheory" / "commands").glob("*.py"),
}  # fmt: skip
pytestmark = pytest.mark.xdist_group("architecture")  # so that every file is parsed once


@functools.cache
def nodes(path):
    """The nodes of a file."""
    return list(ast.walk(tree(path)))


@functools.cache
def tree(path):
    """What a file says."""
    return ast.parse(path.read_text(encoding="utf-8"))


def those(wrong):
    """What is wrong in a file, by the file."""
    return {str(p.relative_to(ROOT)): found for p in FILES if (found := wrong(p))}


def imports(path):
    """Top-level packages that a file imports absolutely, anywhere in it."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (a.name.split(".")[0] for a in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").split(".")[0]


def test_imports_go_one_way():
    """fedtheory <- problems <- proofs_checks; the composition root may know problems."""

    def wrong(path):
        room = "composition root" if path in COMPOSITION_ROOT else path.relative_to(ROOT).parts[0]
        return set(imports(path)) & OURS - ALLOWED[room]

    assert those(wrong) == {}


def module_of(path):
    """The dotted name of a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(p): p for p in FILES}


def statements(body):
    """The statements outside of functions; those for types under TYPE_CHECKING are among them."""
    for node in body:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node
            for part in ("body", "orelse", "finalbody", "handlers"):
                yield from statements(getattr(node, part, []))


def imported(node, name, path):
    """The modules that an import statement of a module names."""
    if isinstance(node, ast.Import):
        return {a.name for a in node.names}
    parts = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    base = parts[: len(parts) - node.level + 1] if node.level else []
    source = ".".join([*base, *([node.module] if node.module else [])])
    return {f"{source}.{a.name}" for a in node.names} & set(MODULES) or {source}


def needs(name):
    """The modules of ours that a module imports at its top, also for types alone, besides the packages above them."""
    path, found = MODULES[name], set()
    for node in statements(tree(path).body):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= imported(node, name, path)
    return found & set(MODULES) - {name}


def test_no_module_imports_itself_in_a_circle():
    """Modules can be put in an order in which each comes after what it imports."""
    left = {name: needs(name) for name in MODULES}
    while ready := [name for name, others in left.items() if not others & set(left)]:
        left = {name: others for name, others in left.items() if name not in ready}
    assert left == {}, "in a circle, or above one"


def room(name):
    """The folder of fedtheory that a module lies in, or its own name on the ground floor; the top-level package of others."""
    parts = name.split(".")
    if parts[0] != "fedtheory" or len(parts) == 1:
        return parts[0]
    if parts[1] in ("cli", "__main__"):
        return "commands"
    return "checker" if parts[1].startswith("fedtheory_check") else parts[1]


def test_rooms_of_the_machine_are_in_no_circle():
    """The rooms of fedtheory can be put in an order in which each comes after those that it imports."""
    left = {}
    for name in MODULES:
        if name.startswith("fedtheory."):
            rooms = {room(other) for other in needs(name) if other.startswith("fedtheory.")}
            left.setdefault(room(name), set()).update(rooms - {room(name)})
    while ready := [one for one, others in left.items() if not others & set(left)]:
        left = {one: others for one, others in left.items() if one not in ready}
    assert left == {}, "in a circle, or above one"


FOR_USERS = {"folder", "shelf", "problems", "hypothesis_types"}  # names that papers, drafts and an entry point import


def test_what_one_room_alone_uses_lies_in_it():
    """Every file on the ground floor of fedtheory is used by two rooms, if it is no name for users."""
    users = {}
    for path in FILES:
        name = module_of(path)
        for node in nodes(path):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for other in imported(node, name, path) & set(MODULES):
                    users.setdefault(room(other), set()).add(room(name))
    ground = {room(name) for name, path in MODULES.items() if path.parent == ROOT / "fedtheory"}
    ground -= {"fedtheory", "commands", *FOR_USERS}
    assert {one: users.get(one, set()) for one in ground if len(users.get(one, set()) - {one}) < 2} == {}


def classes(path):
    """The classes of a file that take steps."""
    for node in nodes(path):
        if isinstance(node, ast.ClassDef) and any(getattr(f, "name", "") == "step" for f in node.body):
            yield node.name


@functools.cache
def names():
    """Ids of our papers and names of our methods, from the registry and from the folders, and of their classes."""
    papers = {p.parent.name for p in (ROOT / "proofs_checks").glob("*/paper.toml")}
    papers |= {p.id for p in registry.papers().values() if p.package.startswith(PACKAGES)}
    classes_ = {c for p in FILES if p.parent == ROOT / "fedtheory" / "algorithms" for c in classes(p)}
    methods = {m.name for m in registry.methods().values() if m.make.__module__.startswith(PACKAGES)}
    return {plain(name) for name in (papers - {shelf.PAPER}) | classes_ | methods}  # the shelf is a part of the product


def plain(word):
    """Small letters and digits only."""
    return "".join(c for c in word.lower() if c.isalnum())


ROOMS = [
    "fedtheory/algorithms",
    *(f"{room}/{id}" for id in registry.papers() for room in ("fedtheory/theory", "proofs_checks")),
]


DATA = {
    "synthetic-flame"
}  # data sets are called as runs on disk know them; this one after the paper that prints its sizes


def named(word):
    """The paper or method that a word names; a short name must be a word of its own."""
    if word in DATA:
        return []
    parts = {plain(part) for part in re.split(r"[\W_]+", word)}
    return [name for name in names() if name in parts or (len(name) > 4 and name in re.sub("[-_]", "", word.lower()))]


def words(path):
    """Every identifier, attribute, keyword, imported name and text of a file, docstrings left out, with its line."""
    docstrings = {
        id(node.body[0].value)
        for node in nodes(path)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value
        for part in ("id", "attr", "arg", "name", "module", "asname"):
            if isinstance(word := getattr(node, part, None), str):
                yield getattr(node, "lineno", 0), word


def test_nobody_names_a_paper_or_a_method_outside_its_room():
    """Rooms: fedtheory/algorithms, fedtheory/theory/<paper>, proofs_checks/<paper>, besides tests and docs."""
    rooms = [ROOT / room for room in ROOMS]

    def wrong(path):
        inside = any(path.is_relative_to(room) for room in rooms)
        return [] if inside else sorted({(line, word) for line, word in words(path) if named(word)})

    assert those(wrong) == {}


def test_files_stay_small_and_silent():
    """No file above 500 lines, and no print outside the composition root."""

    def wrong(path):
        long = len(path.read_text(encoding="utf-8").splitlines()) > 500
        calls = {n.func.id for n in nodes(path) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        return ["too long"] * long + ["prints"] * (path not in COMPOSITION_ROOT and "print" in calls)

    assert those(wrong) == {}


def test_nobody_guesses_what_a_world_has():
    """`World.parts()` says it: no ``getattr(world, "name", ...)``, outside of which a misspelt name would be an empty one."""

    def wrong(path):
        return [
            n.lineno
            for n in nodes(path)
            if isinstance(n, ast.Call)
            and getattr(n.func, "id", "") == "getattr"
            and isinstance(n.args[1], ast.Constant)
            if "world" in (getattr(n.args[0], "id", ""), getattr(n.args[0], "attr", ""))
        ]

    assert those(wrong) == {}


MOST_ANY = 1239  # in fedtheory; it may fall, and where it has, this number falls with it


def test_any_does_not_grow():
    """What is known of a value is said: the names `Any` in the code of fedtheory, imports left out, become no more."""
    names = [
        n
        for p in FILES
        if p.is_relative_to(ROOT / "fedtheory")
        for n in nodes(p)
        if isinstance(n, ast.Name) and n.id == "Any"
    ]
    assert len(names) <= MOST_ANY


def test_engines_stand_on_those_above():
    """docs/architecture.md lists files and rooms of engines from the ground; none imports one of its line or of a lower one."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    lines = re.search(r"## The engines\n.*?```\n(.*?)```", page, re.S)[1].splitlines()
    floor = {room: k for k, line in enumerate(lines) for room in line.split()}
    rooms = {name: name.split(".")[2] for name in MODULES if name.startswith("fedtheory.engines.")}
    assert set(floor) == set(rooms.values())
    for name, room in rooms.items():
        below = {rooms[other] for other in needs(name) if other in rooms} - {room}
        assert all(floor[other] < floor[room] for other in below), name


def test_engines_import_nothing_of_the_referee():
    """Nor of what shows or composes: they are below all of these."""
    above = ("referee", "show", "commands", "runs", "regions", "rates", "mutants", "testing")
    for name in MODULES:
        if name.startswith("fedtheory.engines"):
            assert not [
                other for other in needs(name) if other.startswith(tuple(f"fedtheory.{room}" for room in above))
            ]


@pytest.mark.parametrize(
    "page", ["CONTRIBUTING.md", "RELEASING.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]
)
def test_links_of_a_page_exist(page):
    """Relative ones, without the section."""
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text):
        assert ((ROOT / page).parent / target).exists(), target
