"""The claims of the papers, their inventories and their bindings."""

from .collection import PAPERS as PAPERS
from .collection import TITLES as TITLES
from .collection import bindings as bindings
from .collection import claims as claims
from .collection import inventory as inventory
from .collection import papers as papers
