"""Names of OneFlow that penstock does not offer: what to use instead, or why there is none.

Errors for such a name, and docs/status.md, say this sentence. A module stands for all its names.
"""

from __future__ import annotations

_IMAGES = "decode images with another library, in a flow.utils.data.Dataset"
_RECORDED_IMAGES = (
    "decode images with another library, in a flow.utils.data.Dataset; flow.data.read_ofrecords "
    "reads their records"
)
_RECORDS = "read such files in a flow.utils.data.Dataset"
_FEATURES = "flow.data.ofrecord_reader and flow.data.OFRecordRawDecoder read records"
_COMPLEX = "there are no complex numbers"
_QUANTIZED = "there are no quantized networks; flow.quantization has what is here"
_TENSORS = "jobs are always compiled, and outside of them tensors change in place"
_NAMESPACE = "flow.scope.namespace prefixes names"
_SUMMARIES = "flow.summary has scalar, histogram, image and text; tensorboardX writes the others"
_HEADERS = "ops are written in Python: flow.call_op; artifacts have a C header of their own"
_DECOMPOSED = "there are no decompositions of matrices; numpy.linalg has them, of x.numpy()"
_TABLE = (
    "a hash table that grows with the data is no tensor op; number the categories ahead of the "
    "job, as by numpy.unique(x, return_inverse=True)"
)

INSTEAD = {
    "autograd.graph": "what backward needs is kept as it is; hooks see gradients: register_hook",
    "categorical_ordinal_encode": _TABLE,
    "comm": "ranks exchange tensors as placements and signatures ask: flow.sbp",
    "consistent_user_op_builder": "flow.user_op_builder is of the consistent view",
    "consistent_user_op_module_builder": "flow.user_op_builder calls ops",
    "current_global_function_desc": "job functions have methods: lower, compile, watch",
    "current_machine_id": "flow.env.get_rank() is the number of this process",
    "current_scope": "scopes are entered by `with`, and have no object to ask for",
    "data.BlobConf": _FEATURES,
    "data.BytesListCodec": _FEATURES,
    "data.ImageCodec": _IMAGES,
    "data.ImageDecoderRandomCropResize": _IMAGES,
    "data.ImagePreprocessor": "flow.image prepares images in the job",
    "data.ImageResizePreprocessor": "flow.image.Resize resizes images in the job",
    "data.NormByChannelPreprocessor": "flow.image.normalize normalizes images in the job",
    "data.OFRecordBytesDecoder": "flow.data.OFRecordRawDecoder decodes bytes as flow.uint8",
    "data.OFRecordImageDecoder": _RECORDED_IMAGES,
    "data.OFRecordImageDecoderRandomCrop": _RECORDED_IMAGES,
    "data.OneRecDecoder": _RECORDS,
    "data.RawCodec": _FEATURES,
    "data.coco_reader": _RECORDS,
    "data.decode_ofrecord": _FEATURES,
    "data.decode_random": "flow.random draws numbers",
    "data.image_decoder_random_crop_resize": _IMAGES,
    "data.ofrecord_bytes_decoder": "flow.data.OFRecordRawDecoder decodes bytes as flow.uint8",
    "data.ofrecord_image_classification_reader": _RECORDED_IMAGES,
    "data.ofrecord_image_decoder": _RECORDED_IMAGES,
    "data.ofrecord_image_decoder_random_crop": _RECORDED_IMAGES,
    "data.ofrecord_loader": _FEATURES,
    "data.onerec_decoder": _RECORDS,
    "data.onerec_reader": _RECORDS,
    "deprecated.variable_scope": _NAMESPACE,
    "detection.object_segmentation_polygon_to_mask": (
        "filling polygons needs a scan by lines, which is no tensor op; make masks ahead of the job"
    ),
    "distributed_partial_fc_sample": "classes are not sampled; the loss sees all of them",
    "dtypes": "docs/ops.md lists the element types of each op",
    "eager_nccl_all_reduce": "ranks exchange tensors as placements and signatures ask: flow.sbp",
    "experimental.custom_op_module": _HEADERS,
    "experimental.dynamic_binary_concat": "flow.concat joins blobs",
    "experimental.dynamic_binary_split": "flow.split and flow.slice_v2 take parts of blobs",
    "experimental.eager_assign_121": _TENSORS,
    "experimental.get_interface_blob_value": "flow.get_all_variables() has the variables' values",
    "experimental.name_scope": _NAMESPACE,
    "experimental.set_interface_blob_value": "flow.load_variables sets the variables' values",
    "experimental.ssp_variable_proxy": "stages of a pipeline are not run ahead of each other",
    "fft": _COMPLEX,
    "find_or_create_module": "jobs share variables by name; flow.nn.Module is that of tensors",
    "fx": "a flow.nn.Graph traces modules, and its stages can be edited as text",
    "image.decode": _IMAGES,
    "image.random_crop": _IMAGES,
    "image_decode": _IMAGES,
    "image_random_crop": _IMAGES,
    "inter_job_reuse_mem_strategy": "each job has one arena, planned when it is compiled",
    "is_deprecated": "a name that is deprecated says so once, when it is used",
    "layers.categorical_ordinal_encoder": _TABLE,
    "linalg.eigh": _DECOMPOSED,
    "linalg.qr": _DECOMPOSED,
    "linalg.svd": _DECOMPOSED,
    "linalg.svdvals": _DECOMPOSED,
    "name_scope": _NAMESPACE,
    "nn.COCOReader": _RECORDS,
    "nn.GPTIndexedBinDataReader": _RECORDS,
    "nn.OFRecordBytesDecoder": "flow.nn.OFRecordRawDecoder decodes bytes as flow.uint8",
    "nn.OFRecordImageDecoder": _IMAGES,
    "nn.OFRecordImageDecoderRandomCrop": _IMAGES,
    "nn.RawReader": _RECORDS,
    "nn.image": (
        "images are tensors: flow.flip, flow.nn.functional.interpolate and "
        "flow.nn.CropMirrorNormalize take them"
    ),
    "nn.parallel": "modules are not replicated; jobs are placed on ranks with flow.scope.placement",
    "object_segmentation_polygon_to_mask": (
        "filling polygons needs a scan by lines, which is no tensor op; make masks ahead of the job"
    ),
    "one_embedding": "tables are held in memory: flow.nn.Embedding",
    "onnx": "an artifact runs with the runtime alone, or from C: docs/artifact.md",
    "optim.FTRL": "flow.optim.Adagrad adapts the rate per element; none sets small elements to 0",
    "quantization.fake_quantization": _QUANTIZED,
    "quantization.moving_average_min_maxObserver": _QUANTIZED,
    "scope.current_scope": "scopes are entered by `with`, and have no object to ask for",
    "stft": _COMPLEX,
    "summary.Graph": _SUMMARIES,
    "summary.Hparam": _SUMMARIES,
    "summary.IntegerRange": _SUMMARIES,
    "summary.Metric": _SUMMARIES,
    "summary.Projector": _SUMMARIES,
    "summary.RealRange": _SUMMARIES,
    "summary.ValueSet": _SUMMARIES,
    "summary.hparams": _SUMMARIES,
    "summary.pb": _SUMMARIES,
    "sysconfig": _HEADERS,
    "system": "flow.assign changes variables",
    "tensor_buffer": "flow.tensor_list_to_tensor_buffer makes tensor buffers",
    "tensorrt": "penstock compiles jobs by itself",
    "user_op_module_builder": "flow.user_op_builder calls ops",
    "util": "ops and variables without a name get one that is unique",
}
"""Name without `flow.` -> what to use instead, or why there is no such name."""


def instead_of(name: str) -> str:
    """The sentence for a name, such as `data.coco_reader`, or for its module; else empty.

    >>> instead_of("system.assign")
    'flow.assign changes variables'
    """
    while name and name not in INSTEAD:
        name = name.rpartition(".")[0]
    return INSTEAD.get(name, "")
