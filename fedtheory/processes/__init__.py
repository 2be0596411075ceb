"""Work in other processes, here or on the workers of a cluster."""

from .pool import TRIES as TRIES
from .pool import Died as Died
from .pool import cores as cores
from .pool import each as each
from .pool import workers_of as workers_of
