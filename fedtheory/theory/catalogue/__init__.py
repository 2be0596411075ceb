"""`fedtheory.catalogue` by the name that it had; it goes after two releases."""

from ...catalogue import OUT_OF_RANGE as OUT_OF_RANGE
from ...catalogue import Bound as Bound
from ...catalogue import Catalogue as Catalogue
from ...catalogue import Constant as Constant
from ...catalogue import MissingParameter as MissingParameter
from ...catalogue import Parameters as Parameters
from ...catalogue import Promise as Promise
from ...catalogue import Row as Row
from ...catalogue import Theorem as Theorem
from ...catalogue import attempt as attempt
from ...catalogue import evaluate as evaluate
from ...catalogue import least_rounds as least_rounds
from ...catalogue import never as never
from ...catalogue import promise as promise
from ...catalogue import row_of as row_of
