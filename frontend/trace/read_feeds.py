"""Feeds that a job fills itself: a decoder makes each array from a reader's batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


class Reader(Protocol):
    """A source of batches, one per call."""

    def take(self) -> Any: ...


class Decoder(Protocol):
    """Makes a feed from a batch of its reader."""

    @property
    def records(self) -> Reader: ...

    def decode(self, batch: Any) -> Array: ...


def next_batch(decoders: Sequence[Decoder]) -> list[Array]:
    """The arrays of these decoders, from the next batch of each reader."""
    batches = {records: records.take() for records in dict.fromkeys(d.records for d in decoders)}
    return [decoder.decode(batches[decoder.records]) for decoder in decoders]
