"""One published method a file."""

from .fedadmm import FedADMM as FedADMM
from .fedavg import FedAvg as FedAvg
from .fedavg import FedAvgStored as FedAvgStored
from .fedprox import FedProx as FedProx
from .fedprox import FedProxStored as FedProxStored
from .flame import FLAME as FLAME
from .gong import Gong as Gong
from .perfedavg import PerFedAvg as PerFedAvg
from .pfedme import PFedMe as PFedMe
from .records import methods as methods
from .scaffold import Scaffold as Scaffold
