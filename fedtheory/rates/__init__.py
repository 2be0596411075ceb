"""Theorems at their tightest: legal settings that are searched for, and what a run measures there under the bound."""

from .record import Played as Played
from .record import Rate as Rate
from .search import Best as Best
from .search import search as search
