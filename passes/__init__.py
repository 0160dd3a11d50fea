"""Passes: IR to IR, nothing else.

`PASSES` is the one place that names them all; each module is imported when its pass is asked for.
"""

PASSES = {
    "autodiff": "penstock.passes.autodiff:Autodiff",
    "bufferize": "penstock.passes.bufferize:Bufferize",
    "canonicalize": "penstock.passes.canonicalize:Canonicalize",
    "copy-blobs": "penstock.passes.copy_blobs:CopyBlobs",
    "cse": "penstock.passes.cse:CSE",
    "dce": "penstock.passes.dce:DCE",
    "drop-unit-dims": "penstock.passes.unit_dims:DropUnitDims",
    "fold": "penstock.passes.fold:Fold",
    "fold-parts": "penstock.passes.fold_parts:FoldParts",
    "fold-slices": "penstock.passes.fold_slices:FoldSlices",
    "fuse-elementwise": "penstock.passes.fuse:FuseElementwise",
    "interchange-sums": "penstock.passes.interchange_sums:InterchangeSums",
    "lift-views": "penstock.passes.lift_views:LiftViews",
    "lower": "penstock.passes.lower_to_linalg:LowerToLinalg",
    "name-locations": "penstock.passes.name_locations:NameLocations",
    "mark-blobs": "penstock.passes.mark_blobs:MarkBlobs",
    "outline-groups": "penstock.passes.outline:OutlineGroups",
    "place": "penstock.passes.place:Place",
    "split-phases": "penstock.passes.split_phases:SplitPhases",
    "tap-blobs": "penstock.passes.tap_blobs:TapBlobs",
}
