"""fedtheory: referee for federated-optimisation theory."""

from .claim import Claim as Claim
from .claim import Control as Control
from .claim import claim as claim
from .claim import eq as eq
from .claim import le as le
from .claim import lt as lt
from .referee import verify as verify
