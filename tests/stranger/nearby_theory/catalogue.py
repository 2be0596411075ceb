"""What ``fedtheory constants`` shows."""

from fedtheory.catalogue import Catalogue, Constant

from .conditions import STEP
from .constants import factor, longest_step
from .symbols import symbols

CATALOGUE = Catalogue(
    symbols=symbols,
    names=("eta", "lam", "mu", "excess"),
    constants=(Constant("q", "Lemma 1", factor), Constant("longest step", "Lemma 1", longest_step)),
    conditions=(STEP,),
    derived={},
)
