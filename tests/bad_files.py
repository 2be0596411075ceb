"""Damaged files of every kind: reports, csv and npz files, drafts with what is to be said of each; and commands that take them."""

import gzip

import numpy as np

DATA = ("--data", "breast-cancer", "--with", "features=mean", "--standardise", "--l2", "0.1", "--m", "3")
RUN = ("run", "fedavg", *DATA, "--rounds", "2", "--out", "new")
ONE = "pfedme/prop1a"
ON = ("verify", "flame/eq2*", "--on")

REPORTS = {
    "empty.json": b"",
    "null.json": b"null",
    "number.json": b"3",
    "text.json": b'"x"',
    "list.json": b"[]",
    "nan.json": b"NaN",
    "binary.json": bytes(range(256)),
    "latin.json": b'{"a": "\xff"}',
    "utf16.json": "{}".encode("utf-16"),
    "mark.json": b"\xef\xbb\xbf{}",
    "deep.json": b"[" * 100_000,
    "long.json": b'{"schema": 1' + 10_000 * b"0" + b"}",
    "true.json": b'{"schema": true, "claims": []}',
    "unnamed.json": b'{"claims": []}',
    "claimless.json": b'{"schema": 1}',
    "dict.json": b'{"schema": 1, "claims": {}}',
    "nothing.json": b'{"schema": 1, "claims": [null]}',
    "id.json": b'{"schema": 1, "claims": [{"id": 3, "verdict": "proved"}]}',
    "verdict.json": b'{"schema": 1, "claims": [{"id": "a/b", "verdict": "Proved"}]}',
    "listed.json": b'{"schema": 1, "claims": [{"id": "a/b", "verdict": []}]}',
    "times.json": b'{"schema": 1, "claims": [{"id": "a/b", "verdict": "proved"}], "timing": []}',
}

X, Y = np.arange(12.0).reshape(6, 2), np.arange(6.0) ** 2 + 0.5
TABLES = {
    "ok.csv": "1,2,3\n4,5,6.5\n7,1,9\n2,2,1.5\n",
    "empty.csv": "",
    "blank.csv": "\n\n\n",
    "header.csv": "a,b\n",
    "column.csv": "1\n2\n",
    "ragged.csv": "1,2\n3\n",
    "text.csv": "a,b,c\nx,y,z\n1,2,3\n",
    "nan.csv": "nan,1\n2,3\n",
    "target.csv": "1,nan\n2,3\n",
    "missing.csv": "1,\n2,3\n",
    "inf.csv": "1,2\n1e400,3\n",
    "same.csv": "1,2\n1,2\n",
    "alone.csv": "1,2\n",
    "semicolon.csv": "1;2\n3;4\n",
    "quotes.csv": '1,"2\n3,4\n',
    "commas.csv": ",,\n,,\n",
    "huge.csv": "1e308,1\n1e308,2\n-1e308,3\n",
    "hugey.csv": "1,1.5e300\n2,2e300\n4,5.5\n",
    "field.csv": "1," + 200_000 * "2" + "\n3,4\n",
    "underscore.csv": "1_0,2\n3,4\n",
    "wide.csv": "\n".join(",".join(str((i * j) % 7 + 0.5 * j) for j in range(80)) for i in range(5)),
    "latin.csv": b"1,\xff\n2,3\n",
    "binary.csv": bytes(range(256)),
    "utf16.csv": "1,2\n3,4\n".encode("utf-16"),
    "plain.csv.gz": b"1,2\n",
    "cut.csv.gz": gzip.compress(100 * b"1,2\n3,4\n")[:-9],
}
ARCHIVES = {
    "empty.npz": b"",
    "text.npz": b"hello",
    "binary.npz": bytes(range(256)),
    "start.npz": b"PK\x03\x04" + bytes(60),
}
ARRAYS = {
    "noy.npz": {"X": X},
    "none.npz": {},
    "objects.npz": {"X": np.array([[None]]), "y": Y[:1]},
    "complex.npz": {"X": 1j * X, "y": Y},
    "short.npz": {"X": X, "y": Y[:3]},
    "line.npz": {"X": Y, "y": Y},
    "flat.npz": {"X": X, "y": X},
    "single.npz": {"X": X, "y": np.array(3.0)},
    "nan.npz": {"X": X * np.nan, "y": Y},
    "nany.npz": {"X": X, "y": Y * np.nan},
    "rows.npz": {"X": X[:0], "y": Y[:0]},
    "columns.npz": {"X": X[:, :0], "y": Y},
    "words.npz": {"X": np.array([["a"]]), "y": Y[:1]},
    "dates.npz": {"X": np.array([["2020-01-01"]], dtype="datetime64[D]"), "y": Y[:1]},
    "hugex.npz": {"X": 1e200 * X, "y": Y},
}

HEAD = """
from fedtheory import Control, claim, eq, le, lt
from problems import Convex, Points, Scalars, SmoothStronglyConvex, at_least, between, condition, positive
AB = Scalars(a=positive(), b=positive())
BAD = Control("a square is not negative", lambda x: le(x.a**2 + x.b**2, 0))
"""


def own(body="le(x.a, x.a + x.b)", world="AB", control="BAD", id="draft/mine", more=""):
    """A user's file with one claim."""
    return f"{HEAD}\n@claim({id!r}, world={world}, control={control}{more})\ndef mine(x):\n    return {body}\n"


def again(id, name="mine"):
    """Another claim of the file."""
    return f"\n@claim({id!r}, world=AB)\ndef {name}(x):\n    return le(x.b, x.a + x.b)\n"


PLAIN = HEAD + "\n@claim('draft/mine', world=AB)\n"
DRAFT_CASES = {
    # what Python says
    "indented": ("def f():\nx", "indented.py:2: SyntaxError: expected an indented block"),
    "tabs": ("if 1:\n\tx=1\n        y=2", "tabs.py:3: SyntaxError: inconsistent use of tabs"),
    "null": ("x = 1\0", "null.py: SyntaxError: source code string cannot contain null bytes"),
    "binary": (bytes(range(256)), "binary.py: SyntaxError"),
    "latin": (b"x = '\xff'\n", "latin.py:1: SyntaxError"),
    "coding": ("# -*- coding: nosuch -*-\nx = 1", "coding.py: SyntaxError: unknown encoding: nosuch"),
    "nested": ("x = " + 300 * "(" + 300 * ")", "nested.py:1: SyntaxError: too many nested parentheses"),
    "awaits": ("await x", "awaits.py:1: SyntaxError: 'await' outside function"),
    "returns": ("return 3", "returns.py:1: SyntaxError"),
    "exits": ("import sys; sys.exit('gone')", "exits.py:1: SystemExit: gone"),
    "silent": ("raise SystemExit", "silent.py:1: SystemExit"),
    "asserts": ("assert False", "asserts.py:1: AssertionError"),
    "lines": ("raise Exception('a\\nb')", "lines.py:1: Exception: a b"),
    "base": ("raise BaseException('gone')", "base.py:1: BaseException: gone"),
    "generator": ("raise GeneratorExit", "generator.py:1: GeneratorExit"),
    "recursion": ("def f(): f()\nf()", "recursion.py:1: RecursionError"),
    "absent": ("import nosuch", "absent.py:1: ModuleNotFoundError: No module named 'nosuch'"),
    "part": ("from fedtheory import nosuch", "part.py:1: ImportError: cannot import name 'nosuch'"),
    "beside": ("from . import nosuch", "beside.py:1: ImportError: cannot import name 'nosuch'"),
    "itself": ("import itself", "itself.py:1: ModuleNotFoundError"),
    "circle": ("import circle2", "circle2.py:2: AttributeError: module 'circle' has no attribute 'x'"),
    "circle2": ("import circle\ncircle.x", "circle2.py:2: AttributeError"),
    # no claim, or one too many
    "blank": ("", "blank.py: no claim in this file"),
    "plain": ("def lemma(x):\n    return x\n", "plain.py: no claim in this file"),
    "published": (own(id="pfedme/lemma1a"), "published.py:7: pfedme/lemma1a is a published claim"),
    "twice": (own() + again("draft/mine", "other"), "two claims are called draft/mine, here and in twice.py"),
    "renamed": (own() + again("draft/mine"), "two claims are called draft/mine, here and in renamed.py"),
    # the arguments of a claim
    "number": (own(id=3), "claim id must look like paper/name", "got 3"),
    "empty": (own(id=""), "claim id must look like", "got ''"),
    "space": (own(id="draft/a b"), "claim id must look like", "got 'draft/a b'"),
    "slashes": (own(id="a/b/c"), "claim id must look like"),
    "line": (own(id="draft/a\n"), "claim id must look like"),
    "capital": (own(id="Draft/a"), "claim id must look like"),
    "bare": (HEAD + "\n@claim\ndef mine(x):\n    return le(x.a, x.b)\n", "bare.py:7: TypeError: claim() missing"),
    "worldless": (
        HEAD + "\n@claim('draft/mine')\ndef mine(x):\n    return 3\n",
        "missing 1 required keyword-only argument: 'world'",
    ),
    "misspelt": (own(more=", lattex='x'"), "misspelt.py:7: TypeError", "unexpected keyword argument 'lattex'"),
    "uses": (own(more=", uses='abc'"), "claim draft/mine: uses=... must be a list of ids, got 'abc'"),
    "uses3": (own(more=", uses=3"), "uses=... must be a list of ids, got 3"),
    "repair3": (own(more=", repair=3"), "repair=... must be the id of a claim, got 3"),
    "repair": (own(more=", repair='nosuch'"), "repair='nosuch': no claim is called 'nosuch'"),
    "latex": (own(more=", latex=3"), "latex=... must be a text, got 3"),
    "step": (own(more=", step='yes'"), "step=... must be True or False, got 'yes'"),
    "control": (own(control="'x'"), "control=... must be Control"),
    "function": (own(control="lambda x: le(1, 0)"), "control=... must be Control"),
    "neither": (own(control="Control('x')"), "Control('x') needs either a body"),
    "because": (own(control="Control(3)"), "needs a text and a function, got 3"),
    "three": (own(control="Control('x', 3)"), "needs a text and a function, got 'x' and 3"),
    "share": (own(control="Control('x', share='1/2')"), "the control changes share=..., which the body does not take"),
    "halves": (own(control="Control('x', lambda x: le(x.a, 0.5))"), "(control): the body holds the float 0.5"),
    "other": (own(control="Control('x', lambda x: le(x.c, 1))"), "(control): this world has no name 'c' (it has a, b;"),
    "returned": (
        own(control="Control('x', lambda x: 3)"),
        "(control): the body must return le(a, b), lt(a, b) or eq(a, b), got int",
    ),
    # the body
    "notbody": (
        HEAD + "\nmine = claim('draft/mine', world=AB)(3)\n",
        "the body must be a function of one instance, got int",
    ),
    "class": (PLAIN + "class mine:\n    pass\n", "the body must be a function of one instance, got the class mine"),
    "noargument": (
        PLAIN + "def mine():\n    return le(1, 2)\n",
        "the body must take one argument, the instance x, got ()",
    ),
    "arguments": (
        PLAIN + "def mine(x, y):\n    return le(1, 2)\n",
        "the body must take one argument, the instance x, got (x, y)",
    ),
    "async": (PLAIN + "async def mine(x):\n    return le(1, 2)\n", "the body must return its relation"),
    "yields": (PLAIN + "def mine(x):\n    yield le(1, 2)\n", "the body must return its relation"),
    "nonebody": (own("None"), "the body must return le(a, b), lt(a, b) or eq(a, b), got NoneType"),
    "returnslist": (own("[le(x.a, x.b)]"), "got list"),
    "compared": (own("x.a <= x.b"), "got ndarray"),
    "string": (own("'x'"), "got str"),
    "tuple": (own("()"), "the body returned no relation"),
    "mixed": (own("(le(x.a, x.a + x.b), 3)"), "got int"),
    "deeper": (own("((le(x.a, x.b),),)"), "got tuple"),
    "comprehension": (own("(le(x.a, x.b) for _ in 'a')"), "got generator"),
    "itsclaim": (own("mine"), "got Claim"),
    "textside": (own("le('a', x.b)"), "a side of the relation is 'a', which is no number"),
    "noneside": (own("le(None, x.b)"), "a side of the relation is None"),
    "listside": (own("le([1], x.b)"), "a side of the relation is [1], which is no number"),
    "oneside": (own("le(x.a)"), "TypeError at line 9: le() missing"),
    "nanside": (own("le(float('nan'), x.b)"), "a side is the float nan, which is no number"),
    "infside": (own("le(x.a, float('inf'))"), "the float inf"),
    "floatside": (own("le(x.a, 0.5)"), "the body holds the float 0.5"),
    "complex": (own("le(1j * x.a, x.b)"), "the body holds the float 1j"),
    "random": (own("le(x.a, __import__('random').random() * x.b)"), "a side holds the float"),
    "clock": (own("le(x.a, __import__('time').time() * x.b)"), "a side holds the float"),
    "bodyexit": (own("exit()"), "the body ends the program: SystemExit"),
    "bodyend": (own("__import__('os')._exit(0)"), "the body ends the program: it calls _exit"),
    "bodyabort": (own("__import__('os').abort()"), "the body ends the program: it calls abort"),
    "power": (own("le(x.a**(10**7), x.b)"), "a power of 10000000 is beyond exact arithmetic"),
    "attribute": (own("le(__import__('os')._x, 1)"), "AttributeError at line 9"),
    "bodyrecursion": (own("mine.body(x)"), "RecursionError at line 9"),
    "numpy": (own("le(__import__('numpy').sqrt(x.a), x.b)"), "write x.sqrt(s)"),
    "misnamed": (own("le(x.aa, x.b)"), "this world has no name 'aa' (it has a, b;", "did you mean a?"),
    # worlds
    "world": (own(world="3"), "world=... must be a world such as Scalars(...) or Points(...), got 3"),
    "scalar": (own(world="Scalars(a=3)"), "Scalars(a=...) must be positive()"),
    "unit": (
        own(world="Scalars(a=positive(3), b=positive())"),
        "a scalar's unit must be a unit such as CURVATURE",
        "got 3",
    ),
    "low": (
        own(world="Scalars(a=between('x', 2), b=positive())"),
        "a scalar's low=... must be a finite number, got 'x'",
    ),
    "given": (
        own(world="Scalars(a=positive(), b=positive(), given=3)"),
        "given=(...) must be a tuple of conditions",
        "got 3",
    ),
    "single": (
        own(world="Scalars(a=positive(), b=positive(), given=lambda x: lt(x.a, x.b))"),
        "given=(...) must be a tuple of conditions",
    ),
    "onecondition": (
        own(world="Scalars(a=positive(), b=positive(), given=condition('c', lambda x: lt(x.a, x.b)))"),
        "given=(...) must be a tuple of conditions",
    ),
    "three3": (
        own(world="Scalars(a=positive(), b=positive(), given=(3,))"),
        "given=(...) must hold conditions",
        "got 3",
    ),
    "unnamed": (
        own(world="Scalars(a=positive(), b=positive(), given=(condition('c', lambda x: lt(x.q, 1)),))"),
        "the condition 'c' uses x.q",
    ),
    "returns3": (own(world="Scalars(a=positive(), b=positive(), given=(lambda x: 3,))"), "got int"),
    "conditionraises": (
        own(world="Scalars(a=positive(), b=positive(),\n  given=(condition('c', lambda x: lt(x.a, {}['c'])),))"),
        "KeyError at line 8: 'c'",
    ),
    "everyraises": (
        own(
            "le(0, x.b)",
            world="__import__('problems').Sequences('T', b=positive(), sequences={'a': positive()}, every=(\n"
            "  condition('c', lambda x, t: lt({}['c'], x.a[t])),))",
        ),
        "KeyError at line 8: 'c'",
    ),
    "sizes": (
        own(world="Points(Convex(), sizes={'m': 3})"),
        "sizes={'m': ...} needs whole numbers of at least 1, got 3",
    ),
    "sizes0": (own(world="Points(Convex(), sizes={'m': (0,)})"), "got (0,)"),
    "sizesnone": (own(world="Points(Convex(), sizes={'m': ()})"), "got ()"),
    "sizestext": (own(world="Points(Convex(), sizes={'m': 'abc'})"), "got 'abc'"),
    "sizes3": (own(world="Points(Convex(), sizes=3)"), "sizes=... must be a dict"),
    "misfit": (
        own("le(1, 2)", world="Points(Convex(), sizes={'S': (5,), 'm': (2,)})", control="None"),
        "no sizes fit together: m = 2, d = 1 or 2 or 3, S = 5",
    ),
    "points": (own(world="Points(3)"), "Points(f=...) must be a function class"),
    "at": (own(world="Points(Convex(), at='wv')"), "Points(at=...) must be a tuple of names"),
    "optimum": (
        own(world="Points(Convex(), optimum_of='g')"),
        "Points(optimum_of=...) must be None, 'f' or 'F', got 'g'",
    ),
    "envelope": (own(world="Points(Convex(), envelope='lam')"), "needs the scalar lam=..."),
    "star": (own(world="Points(Convex(), optimum_of='F')"), "needs envelope=..."),
    "keyword": (own(world="Points(Convex(), optimumof='f')"), "Points(optimumof=...)"),
}
DRAFTS = {f"{name}.py": text for name, (text, *_) in DRAFT_CASES.items()}
