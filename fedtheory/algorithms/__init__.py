"""One published method a file."""

from .fedadmm import FedADMM as FedADMM
from .flame import FLAME as FLAME
from .pfedme import PFedMe as PFedMe
