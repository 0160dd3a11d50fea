"""IREE on the CPU: JAX's functions as StableHLO, compiled ahead of time for this host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import iree.compiler
import iree.runtime
import jax
import numpy as np
from shared import workloads
from shared.workloads import Array, Workload

from peers import peer_jax

Step = Callable[[], Any]


def arrays(result: Any) -> list[Array]:
    results = result if isinstance(result, tuple | list) else [result]
    return [np.asarray(value.to_host(), np.float32) for value in results]


class Iree:
    """Replaces jax.jit in the steps of `peer_jax`."""

    def __init__(self, threads: int) -> None:
        if threads > 1:
            flag = f"--task_topology_max_group_count={threads}"
            iree.runtime.flags.parse_flags(flag)
        self.config = iree.runtime.Config("local-task" if threads > 1 else "local-sync")

    def compiled(self, function: Callable[..., Any], *feeds: Any) -> Any:
        lowered = jax.jit(function, keep_unused=True).lower(*feeds)
        code = iree.compiler.compile_str(
            str(lowered.compiler_ir("stablehlo")),
            input_type="stablehlo",
            target_backends=["llvm-cpu"],
            extra_args=["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"],
        )
        context = iree.runtime.SystemContext(config=self.config)
        module = iree.runtime.VmModule.copy_buffer(context.instance, code)
        context.add_vm_module(module)
        return context.modules[module.name]["main"]

    def on_device(self, array: Any) -> Any:
        return iree.runtime.asdevicearray(self.config.device, np.asarray(array))

    def called(self, function: Callable[..., Any], *feeds: Any) -> Step:
        compiled = self.compiled(function, *feeds)
        held = [self.on_device(leaf) for leaf in jax.tree.leaves(feeds)]
        return lambda: compiled(*held)

    def train_mlp(self, w: Workload) -> Step:
        values = workloads.mlp_parameters()
        batch = workloads.mlp_batch()
        leaves, tree = jax.tree.flatten(values)

        def update(*feeds: Any) -> Any:
            parameters = jax.tree.unflatten(tree, feeds[: len(leaves)])
            loss, new = peer_jax.updated(parameters, *feeds[len(leaves) :])
            return loss, *jax.tree.leaves(new)

        compiled = self.compiled(update, *leaves, *batch)
        held = [self.on_device(array) for array in leaves]
        fixed = [self.on_device(array) for array in batch]

        def step() -> float:
            nonlocal held
            loss, *held = compiled(*held, *fixed)
            return float(loss.to_host())

        return step


def cases(peer: str, threads: int) -> dict[str, Callable[[Workload], Step]]:
    engine = Iree(threads)
    peer_jax.called = engine.called
    kinds = ("gemm", "chain", "softmax", "layernorm_fwd", "linear_gelu", "sum", "infer_mlp")
    ready = peer_jax.cases(peer, threads)
    chosen = {kind: ready[kind] for kind in kinds}
    return chosen | {"add4_own": ready["add4_own"], "train_mlp": engine.train_mlp}
