"""The claims of the papers, a folder each."""

from .collection import claims as claims
from .collection import papers as papers
