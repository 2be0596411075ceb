"""Rounds in which clients wait for one another: their schedules, and what these cost in time."""

from .measures import Row as Row
from .measures import fitted as fitted
from .measures import measured as measured
from .rounds import RULES as RULES
from .rounds import Waiting as Waiting
from .rounds import drawn as drawn
from .rounds import given as given
from .rounds import starts as starts
