"""Times of a function on both sides."""

from penstock.testing.alignment.profiling import Timing as Timing
from penstock.testing.alignment.profiling import profile as profile
from penstock.testing.alignment.profiling import profile_dual_object as profile_dual_object

__all__ = ["Timing", "profile", "profile_dual_object"]
