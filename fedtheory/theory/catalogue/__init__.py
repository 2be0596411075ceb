"""`fedtheory.catalogue` by the name that it had; it goes after two releases."""

from ...catalogue import *  # noqa: F403
