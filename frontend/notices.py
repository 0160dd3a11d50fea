"""Things a user should know once, through logging: one line each, on the logger `penstock`.

Without any logging set up, Python prints such a line on stderr. To silence them:
`logging.getLogger("penstock").setLevel(logging.ERROR)`.
"""

from __future__ import annotations

import logging

from penstock.errors import user_location
from penstock.ir.location import UNKNOWN

logger = logging.getLogger("penstock")

_told: set[str] = set()


def tell(text: str) -> None:
    """Log one line, with the user's file and line in front."""
    place = user_location()
    logger.warning("%s", text if place is UNKNOWN else f"{place.describe()}: {text}")


def tell_once(subject: str, text: str) -> None:
    """Like `tell`, but only the first time this process speaks of `subject`."""
    if subject not in _told:
        _told.add(subject)
        tell(text)


def forget() -> None:
    """Say everything anew; for tests."""
    _told.clear()
