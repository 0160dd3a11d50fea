"""Passes: IR to IR, nothing else.

`PASSES` is the one place that names them all; each module is imported when its pass is asked for.
"""

PASSES = {
    "autodiff": "penstock.passes.autodiff:Autodiff",
    "canonicalize": "penstock.passes.canonicalize:Canonicalize",
    "cse": "penstock.passes.cse:CSE",
    "dce": "penstock.passes.dce:DCE",
    "fold": "penstock.passes.fold:Fold",
    "lower": "penstock.passes.lower_to_linalg:LowerToLinalg",
    "place": "penstock.passes.place:Place",
}
