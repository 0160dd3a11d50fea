"""Detection of gradients that are not finite, in the backward that produces them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from penstock.basics.errors import located

if TYPE_CHECKING:
    from penstock.tensors.graph import Gradients, Node


def check_finite(node: Node, gradients: Gradients) -> None:
    """Raise a located RuntimeError if a gradient that a node returns has NaN or infinity."""
    for operand, gradient in enumerate(gradients):
        if gradient is None or node.edges[operand] is None:
            continue
        wide = gradient.array.astype(np.float64)
        finite = np.isfinite(wide)
        if finite.all():
            continue
        nans = int(np.isnan(wide).sum())
        first = tuple(int(i) for i in np.argwhere(~finite)[0])
        raise located(
            RuntimeError,
            f"{node.name()} of {node.line.describe()} computes for operand {operand} a gradient "
            f"that is not finite: {nans} NaN and {int((~finite).sum()) - nans} Inf of {wide.size}, "
            f"the first, {wide[first]}, at {list(first)}; look at what that line computes there",
        )
