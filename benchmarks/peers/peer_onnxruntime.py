"""ONNX Runtime: inference of the MLP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import onnx
import onnxruntime
from onnx import helper, numpy_helper
from shared import workloads
from shared.workloads import Array, Workload

Step = Callable[[], Any]


def arrays(result: Any) -> list[Array]:
    return list(result)


def model(batch: int) -> bytes:
    """The network with its parameters, serialized."""
    wide, _, classes = workloads.MLP
    nodes = [
        helper.make_node("Gemm", ["images", "w1", "b1"], ["before"]),
        helper.make_node("Relu", ["before"], ["hidden"]),
        helper.make_node("Gemm", ["hidden", "w2", "b2"], ["logits"]),
    ]
    ends = [
        helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
        for name, shape in (("images", (batch, wide)), ("logits", (batch, classes)))
    ]
    values = workloads.mlp_parameters().items()
    constants = [numpy_helper.from_array(value, name) for name, value in values]
    graph = helper.make_graph(nodes, "mlp", ends[:1], ends[1:], constants)
    version = helper.make_opsetid("", 17)
    made = helper.make_model(graph, opset_imports=[version], ir_version=8)
    return bytes(made.SerializeToString())


def cases(peer: str, threads: int) -> dict[str, Callable[[Workload], Step]]:
    def infer_mlp(w: Workload) -> Step:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        session = onnxruntime.InferenceSession(
            model(w.p["batch"]), options, providers=["CPUExecutionProvider"]
        )
        images, _ = workloads.mlp_batch(w.p["batch"])
        return lambda: session.run(None, {"images": images})

    return {"infer_mlp": infer_mlp}
