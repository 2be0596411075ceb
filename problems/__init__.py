"""Clients with known constants, and the worlds in which claims are claimed."""

from fedtheory.world import at_least as at_least
from fedtheory.world import between as between
from fedtheory.world import positive as positive
from fedtheory.world import weights as weights

from .classes import Convex as Convex
from .classes import Smooth as Smooth
from .classes import SmoothConvex as SmoothConvex
from .classes import SmoothStronglyConvex as SmoothStronglyConvex
from .classes import StronglyConvex as StronglyConvex
from .classes import WeaklyConvex as WeaklyConvex
from .points import Points as Points
from .scalars import Scalars as Scalars
from .scalars import condition as condition
