"""Kinds of numbers, of which a body sees only arithmetic; those that are partial, of a batch, or bounded."""

from .draws import Both as Both
from .draws import Draws as Draws
from .draws import Noisy as Noisy
from .draws import OfMatrices as OfMatrices
from .draws import Repeated as Repeated
from .kinds import AllBalls as AllBalls
from .kinds import Balls as Balls
from .kinds import Count as Count
from .kinds import Floats as Floats
from .kinds import Fractions as Fractions
from .kinds import Numbers as Numbers
from .kinds import Rationals as Rationals
from .kinds import Units as Units
from .kinds import ball as ball
from .kinds import fraction as fraction
from .kinds import long as long
from .kinds import rational as rational
from .kinds import readable as readable
