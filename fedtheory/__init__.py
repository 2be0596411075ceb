"""fedtheory: referee for federated-optimisation theory."""

from .claim import Claim as Claim
from .claim import Control as Control
from .claim import claim as claim
from .referee.decide import verify as verify
from .relation import Condition as Condition
from .relation import eq as eq
from .relation import le as le
from .relation import lt as lt
