"""A paper that nobody wrote: personal models near a common one. Its claims, its inventory, its bindings."""

from fedtheory.folder import in_package
from fedtheory.paper import Paper


def papers() -> list[Paper]:
    """The papers of this package."""
    return [in_package(__name__)]
