"""Where the conditions of a paper hold: intervals of one parameter with exact ends, empty regions, nearest settings."""

from .forms import Form as Form
from .forms import forms as forms
from .intervals import Interval as Interval
from .intervals import Solution as Solution
from .intervals import solve as solve
