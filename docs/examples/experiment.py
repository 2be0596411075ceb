"""What a notebook does: a verdict, runs of methods, and their figure.

python experiment.py
"""

from fedtheory import Control, claim, experiment, le, verify
from problems import Scalars, positive


@claim(
    "example/am-gm", world=Scalars(a=positive(), b=positive()), expect="proved",
    control=Control("for a = b both sides are equal", lambda x: le(3 * x.a * x.b, x.a**2 + x.b**2)),
)  # fmt: skip
def am_gm(x):
    return le(2 * x.a * x.b, x.a**2 + x.b**2)


if __name__ == "__main__":
    print(verify(am_gm))  # in a notebook the last line of a cell is enough: verify(am_gm)
    done = experiment(
        ["fedavg", "scaffold"], "breast-cancer", m=5, rounds=20, l2=0.01, eta=0.1, data_options={"standardise": True}
    )
    print(done)
    done.figure().savefig("experiment.svg")
