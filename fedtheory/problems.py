"""Worlds, function classes and clients: all that the package `problems` has at its top, whatever a file of yours is called.

``from fedtheory.problems import Scalars, positive`` works beside a file ``problems.py`` of your own as well.
"""

from .own_packages import ours_first

ours_first()

from problems import *  # noqa: E402, F403
