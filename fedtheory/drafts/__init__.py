"""Claims in files of a user: how they are read, and what they read."""

from .modules import NoClaim as NoClaim
from .modules import is_draft as is_draft
from .modules import load as load
from .modules import made_by as made_by
from .modules import package_of as package_of
