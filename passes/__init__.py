"""Passes: IR to IR, nothing else.

`PASSES` lists every pass. A pass's module is imported when the pass is first requested.
"""

PASSES = {
    "await": "penstock.passes.placement.await_results:AwaitResults",
    "autodiff": "penstock.passes.flow.autodiff:Autodiff",
    "box": "penstock.passes.placement.box:InsertBoxes",
    "box-devices": "penstock.passes.devices.box:BoxDevices",
    "bucket": "penstock.passes.placement.bucket:Bucket",
    "bufferize": "penstock.passes.buffers.bufferize:Bufferize",
    "canonicalize": "penstock.passes.simplify.canonicalize:Canonicalize",
    "choose": "penstock.passes.sharding.choose:Choose",
    "copy-blobs": "penstock.passes.watch.copy_blobs:CopyBlobs",
    "cse": "penstock.passes.simplify.cse:CSE",
    "dce": "penstock.passes.simplify.dce:DCE",
    "drop-unit-dims": "penstock.passes.linalg.unit_dims:DropUnitDims",
    "fold": "penstock.passes.simplify.fold:FoldConstants",
    "fold-parts": "penstock.passes.linalg.fold_parts:FoldParts",
    "fold-slices": "penstock.passes.linalg.fold_slices:FoldSlices",
    "fuse-elementwise": "penstock.passes.fusion.fuse:FuseElementwise",
    "interchange-sums": "penstock.passes.linalg.interchange_sums:InterchangeSums",
    "keep-device": "penstock.passes.devices.keep:KeepDevice",
    "keep-local": "penstock.passes.sharding.keep_local:KeepLocal",
    "lift-views": "penstock.passes.linalg.lift_views:LiftViews",
    "localize": "penstock.passes.placement.localize:Localize",
    "lower": "penstock.passes.flow.lower_to_linalg:LowerToLinalg",
    "name-locations": "penstock.passes.watch.name_locations:NameLocations",
    "mark-blobs": "penstock.passes.watch.mark_blobs:MarkBlobs",
    "outline-groups": "penstock.passes.fusion.outline:OutlineGroups",
    "overlap": "penstock.passes.placement.overlap:Overlap",
    "place": "penstock.passes.flow.place:Place",
    "recompute": "penstock.passes.flow.recompute:Recompute",
    "schedule": "penstock.passes.gpu.schedule:ScheduleGroups",
    "split-phases": "penstock.passes.linalg.split_phases:SplitPhases",
    "tap-blobs": "penstock.passes.watch.tap_blobs:TapBlobs",
    "time-kernels": "penstock.passes.watch.time_kernels:TimeKernels",
}
