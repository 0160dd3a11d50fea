"""What jobs of several ranks have in common, in one process or over MPI."""

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any

import numpy as np

from penstock.runtime.description import Argument
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.execution.executable import Executable
from penstock.runtime.execution.runnable import Form
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.parts import Parts
from penstock.runtime.store.variables import VariableStore

__all__ = ["SharedJob"]

Array = np.ndarray[Any, Any]
Part = tuple[slice, ...]


class SharedJob(Executable):
    """A job that ranks share. Its description is that of the job on whole tensors.

    In the mirrored view, ranks have arrays of their own: then a feed, a result or what a handler
    gets is `Parts`.
    """

    unprofiled = "runs on several ranks and cannot be profiled; compile it for one"

    def __init__(
        self,
        first: Executable,
        ranks: int,
        own_results: Container[int] = (),
        own_blobs: Container[str] = (),
        own_feeds: Container[str] = (),
    ) -> None:
        """`first` is a rank of this process. `own_results` are numbers of results, `own_blobs`
        names of watched blobs, of which each rank has its own. `own_feeds` are names of feeds that
        callers give as lists of one array for each rank; `Parts` need no name."""
        super().__init__(first.entry_address, first.description.as_whole(), first.keep_alive)
        self.rank_count = ranks
        self.own_feeds = own_feeds
        fetches = self.description.fetches
        own = [fetch for number, fetch in enumerate(fetches) if number in own_results]
        names = {name for fetch in own for name in (fetch.name, fetch.extent)}
        self.own_results = {i for i, fetch in enumerate(fetches) if fetch.name in names}
        taps = first.description.taps
        self._own_taps = {
            tap.id
            for tap in taps
            if tap.name in own_blobs or tap.name.removesuffix("/grad") in own_blobs
        }
        self.collected = self._own_taps | {tap.id for tap in taps if tap.is_part}
        """The watched blobs of which handlers get what all ranks have, at the end of a step."""

    def call(
        self, store: VariableStore, form: Form, handlers: Handlers | None = None
    ) -> Callable[..., Any] | None:
        """None: every call is one of `run`."""
        return None

    def parted(self, feeds: Sequence[object]) -> Sequence[object]:
        """The feeds, of which lists of an array for each rank are `Parts`.

        Raises TypeError for what is no such list, ValueError for an array of another shape.
        """
        if not self.own_feeds:
            return feeds
        pairs = zip(self.description.feeds, feeds, strict=True)
        return [
            self._parts(feed, value)
            if feed.name in self.own_feeds and not isinstance(value, Parts)
            else value
            for feed, value in pairs
        ]

    def _parts(self, feed: Argument, value: object) -> Parts:
        what = f"job {self.description.job!r}: feed {feed.name!r} takes a list of "
        ranks = self.rank_count
        if not isinstance(value, list | tuple) or len(value) != ranks:
            got = len(value) if isinstance(value, list | tuple) else f"a {type(value).__name__}"
            raise TypeError(f"{what}{ranks} arrays, one for each rank, got {got}")
        for rank, array in enumerate(value):
            if isinstance(array, np.ndarray) and array.shape != feed.shape:
                raise ValueError(
                    f"{what}arrays of shape {feed.shape}, got shape {array.shape} for rank {rank}; "
                    "an artifact has code for one shape on all ranks; run the job from its source, "
                    "which is compiled for the shapes of each call"
                )
        return Parts(value)

    def by_name(self, taps: Iterable[int]) -> list[int]:
        """Watched blobs in the order of their names, which is that of all ranks."""
        return sorted(taps, key=lambda tap: self.description.taps[tap].name)

    def shown(self, tap: int, parts: Sequence[Array], places: Sequence[Part]) -> Any:
        """What handlers get of a blob: of those that are split, the whole, from the parts of the
        ranks and where these are."""
        if tap in self._own_taps:
            return Parts(parts)
        described = self.description.taps[tap]
        whole = np.empty(described.shape, numpy_dtype(described.dtype))
        for part, place in zip(parts, places, strict=True):
            whole[place] = part
        return whole


def of_rank(values: Sequence[Any], rank: int) -> list[Any]:
    """What one rank gets of the values."""
    return [value[rank] if isinstance(value, Parts) else value for value in values]
