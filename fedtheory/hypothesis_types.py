"""What ``hypothesis.strategies.from_type`` gives for classes of ours; hypothesis calls `register` by its entry point.

Nothing is imported for it: hypothesis and `problems` each call `register`, and the one that is imported last does the work.
"""

from __future__ import annotations

import sys
from typing import Any


def register() -> None:
    """Register strategies for `Partition`, and for the search clients `Quadratics` of a smooth strongly convex class."""
    if "hypothesis" not in sys.modules or not hasattr(sys.modules.get("problems"), "Scalars"):
        return
    from hypothesis.strategies import register_type_strategy

    from problems import SmoothStronglyConvex, positive
    from problems.data.holdings import Partition
    from problems.worlds.quadratics import Quadratics

    def partitions(kind: type) -> Any:
        from .testing import partitions

        return partitions()

    def clients(kind: type) -> Any:
        from .testing import clients

        return clients(SmoothStronglyConvex("mu", "L"), mu=positive(), L=positive())

    register_type_strategy(Partition, partitions)
    register_type_strategy(Quadratics, clients)
