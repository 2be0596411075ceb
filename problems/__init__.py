"""Clients with known constants, and the worlds in which claims are claimed."""

from fedtheory.hypothesis_types import register as _register_types
from fedtheory.world import at_least as at_least
from fedtheory.world import between as between
from fedtheory.world import positive as positive
from fedtheory.world import real as real
from fedtheory.world import weights as weights

from .clients.envelope import Envelope as Envelope
from .clients.heterogeneity import gamma_f_sq as gamma_f_sq
from .clients.heterogeneity import sigma_F1_sq as sigma_F1_sq
from .clients.heterogeneity import sigma_F2_sq as sigma_F2_sq
from .clients.heterogeneity import sigma_f_sq as sigma_f_sq
from .clients.least_squares import LeastSquaresClients as LeastSquaresClients
from .clients.logistic import LogisticClients as LogisticClients
from .clients.logistic import NonconvexLogisticClients as NonconvexLogisticClients
from .clients.margin import MarginClients as MarginClients
from .clients.one_variable import HuberClients as HuberClients
from .clients.one_variable import TanhClients as TanhClients
from .clients.quadratic import QuadraticClients as QuadraticClients
from .clients.softmax import SoftmaxClients as SoftmaxClients
from .worlds.axes import Axes as Axes
from .worlds.classes.bounded_below import SmoothBoundedBelow as SmoothBoundedBelow
from .worlds.classes.curvature import Convex as Convex
from .worlds.classes.curvature import Smooth as Smooth
from .worlds.classes.curvature import SmoothConvex as SmoothConvex
from .worlds.classes.curvature import SmoothStronglyConvex as SmoothStronglyConvex
from .worlds.classes.curvature import StronglyConvex as StronglyConvex
from .worlds.classes.curvature import WeaklyConvex as WeaklyConvex
from .worlds.classes.growth import ConvexQG as ConvexQG
from .worlds.classes.growth import RsiEb as RsiEb
from .worlds.classes.indicator import ConvexIndicator as ConvexIndicator
from .worlds.classes.lipschitz import ConvexLipschitz as ConvexLipschitz
from .worlds.classes.lipschitz import SmoothConvexLipschitz as SmoothConvexLipschitz
from .worlds.classes.lojasiewicz import Lojasiewicz as Lojasiewicz
from .worlds.classes.operators import Cocoercive as Cocoercive
from .worlds.classes.operators import CocoerciveStronglyMonotone as CocoerciveStronglyMonotone
from .worlds.classes.operators import LipschitzMap as LipschitzMap
from .worlds.classes.operators import LipschitzMonotone as LipschitzMonotone
from .worlds.classes.operators import LipschitzOperator as LipschitzOperator
from .worlds.classes.operators import LipschitzStronglyMonotone as LipschitzStronglyMonotone
from .worlds.classes.operators import Monotone as Monotone
from .worlds.classes.operators import Nonexpansive as Nonexpansive
from .worlds.classes.operators import StronglyMonotone as StronglyMonotone
from .worlds.classes.support import ConvexSupport as ConvexSupport
from .worlds.matrices import ColumnStochastic as ColumnStochastic
from .worlds.matrices import Directed as Directed
from .worlds.matrices import RowStochastic as RowStochastic
from .worlds.points import Points as Points
from .worlds.region import condition as condition
from .worlds.run import Run as Run
from .worlds.run import last as last
from .worlds.scalars import Scalars as Scalars
from .worlds.sequences import Sequences as Sequences
from .worlds.together import Together as Together

_register_types()
