"""Clients with known constants, and the worlds in which claims are claimed."""

from fedtheory.world import at_least as at_least
from fedtheory.world import between as between
from fedtheory.world import positive as positive
from fedtheory.world import weights as weights

from .classes import Convex as Convex
from .classes import Smooth as Smooth
from .classes import SmoothConvex as SmoothConvex
from .classes import SmoothStronglyConvex as SmoothStronglyConvex
from .classes import StronglyConvex as StronglyConvex
from .classes import WeaklyConvex as WeaklyConvex
from .envelope import Envelope as Envelope
from .heterogeneity import gamma_f_sq as gamma_f_sq
from .heterogeneity import sigma_F1_sq as sigma_F1_sq
from .heterogeneity import sigma_F2_sq as sigma_F2_sq
from .heterogeneity import sigma_f_sq as sigma_f_sq
from .linear_clients import LeastSquaresClients as LeastSquaresClients
from .logistic_clients import LogisticClients as LogisticClients
from .logistic_clients import NonconvexLogisticClients as NonconvexLogisticClients
from .margin_clients import MarginClients as MarginClients
from .points import Points as Points
from .quadratic_clients import QuadraticClients as QuadraticClients
from .scalar_clients import HuberClients as HuberClients
from .scalar_clients import TanhClients as TanhClients
from .scalars import Scalars as Scalars
from .scalars import condition as condition
from .softmax_clients import SoftmaxClients as SoftmaxClients
