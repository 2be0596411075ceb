"""Clients whose losses are those of a torch module; importing this package needs torch."""

from .bridge import TorchProblem as TorchProblem
from .models import cnn as cnn
from .models import initialised as initialised
from .models import mlp as mlp
