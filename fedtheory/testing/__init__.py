"""Property tests with hypothesis: instances of a world, clients, states of runs and partitions, exact or in floats.

``@given_world(world)`` makes a test of a function of an instance; ``assert_holds(le(a, b))`` shows both sides where it fails.
The strategies shrink to small rationals.
"""

from importlib.util import find_spec

if find_spec("hypothesis") is None:
    raise ModuleNotFoundError('fedtheory.testing needs hypothesis; install it with pip install "fedtheory[testing]"')

from .clients import Reached as Reached
from .clients import clients as clients
from .clients import partitions as partitions
from .clients import states as states
from .holds import assert_holds as assert_holds
from .holds import given_world as given_world
from .instances import instances as instances
from .instances import rationals as rationals
from .instances import scalars as scalars
