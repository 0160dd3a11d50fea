"""Where the time goes from the definition of the MLP train step to a callable job.

    python benchmarks/compile_steps.py [--starts 7]

Each start is a separate process: `cold` ones have an empty cache, `cached` ones the cache of a cold
one, and `artifact` ones load an artifact with the runtime alone. Next to the time is the peak
memory of the process and of its compiler process. `steps` run one after the other on one thread,
without a cache, so their sum exceeds a cold compilation. Each figure is the minimum of all starts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from shared.measure import children_memory, peak_memory

JOBS = Path(__file__).resolve().parent.parent / "tests" / "interop"


def timed(steps: dict[str, float], name: str, run: Callable[[], object]) -> None:
    started = perf_counter()
    run()
    steps[name] = (perf_counter() - started) * 1e3


def whole() -> dict[str, float]:
    """Time from the definition to a callable job, and peak memory of the process and of its
    compiler process."""
    import example_jobs

    steps: dict[str, float] = {}
    timed(steps, "all", lambda: example_jobs.mlp().compile())
    return steps | {"memory": peak_memory(), "compiler": children_memory()}


def loaded() -> dict[str, float]:
    """Time from an artifact of the step to a callable job, with the runtime alone."""
    import penstock.runtime

    steps: dict[str, float] = {}
    timed(steps, "all", lambda: penstock.runtime.load(artifact()))
    return steps | {"memory": peak_memory(), "compiler": children_memory()}


def saved() -> dict[str, float]:
    """Write the artifact for `loaded`."""
    import example_jobs

    import penstock as flow

    flow.save_artifact(artifact(), example_jobs.mlp())
    return {}


def artifact() -> Path:
    return Path(os.environ["PENSTOCK_CACHE_DIR"]).with_name("mlp.pstk")


def each() -> dict[str, float]:
    """The same, step by step."""
    import example_jobs

    steps: dict[str, float] = {}
    job = example_jobs.mlp()
    timed(steps, "trace", job.trace)
    timed(steps, "load LLVM", lambda: __import__("penstock.codegen.objects.llvm"))
    from penstock.lowering.modules import Modules

    modules = Modules("job", job.trace().modules["job"])
    for stage in modules.pipelines:
        timed(steps, f"lower to {stage}", lambda stage=stage: modules[stage])  # type: ignore[misc]
    timed(steps, "load the writers of text", lambda: __import__("penstock.codegen.text.llvm_text"))
    from penstock.codegen.link import shared_object
    from penstock.codegen.objects import llvm, objects, units
    from penstock.codegen.text import llvm_text
    from penstock.runtime.native import shared_code

    source = llvm_text.emit_llvm(modules["loops"], verified=True)
    timed(steps, "write llvm", lambda: llvm_text.emit_llvm(modules["loops"], verified=True))
    timed(steps, "cut into units", lambda: units.split(source.text))
    llvm.target_machine(modules.level)
    for unit in units.split(source.text):
        name = f"compile {unit.name.removeprefix('@') or 'the rest'}"
        text = llvm.LLVMText(unit.text, ())
        timed(steps, name, lambda text=text: llvm.compile_object(text, modules.level))  # type: ignore[misc]
    made = objects.compile_objects(source, modules.level)
    image = shared_object.shared_object(made, ["mlp_job"])
    timed(steps, "link", lambda: shared_object.shared_object(made, ["mlp_job"]))
    timed(steps, "load", lambda: shared_code.load_shared(image, "mlp_job"))
    from penstock.stages import native

    timed(steps, "load the native helpers", native._install_helpers)
    return steps


def started(what: str, cache: str) -> dict[str, float]:
    """The steps of one process, with compiled code cached in this folder; empty for no cache."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPATH": str(JOBS)}
    environment |= {"PENSTOCK_CACHE_DIR": cache} if cache else {"PENSTOCK_CACHE": "off"}
    done = subprocess.run(
        [sys.executable, __file__, "--child", what],
        env=environment, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    found: dict[str, float] = json.loads(done.stdout)
    return found


def least(starts: list[dict[str, float]]) -> dict[str, float]:
    return {name: min(start[name] for start in starts) for name in starts[0]}


CHILDREN = {"whole": whole, "each": each, "saved": saved, "loaded": loaded}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--starts", type=int, default=7, help="processes of each kind (7)")
    parser.add_argument("--child", choices=CHILDREN, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        print(json.dumps(CHILDREN[given.child]()))
        return
    found: dict[str, list[dict[str, float]]] = {"cold": [], "cached": [], "artifact": []}
    for _ in range(given.starts):
        with tempfile.TemporaryDirectory(prefix="penstock-cold-") as folder:
            cache = f"{folder}/cache"
            found["cold"].append(started("whole", cache))
            found["cached"].append(started("whole", cache))
            started("saved", cache)
            found["artifact"].append(started("loaded", cache))
    for kind, starts in found.items():
        figures = least(starts)
        memory = f"{figures['memory']:8.1f} MB, {figures['compiler']:8.1f} MB of its compiler"
        print(f"{kind:38}{figures['all']:8.1f} ms {memory}")
    steps = least([started("each", "") for _ in range(given.starts)])
    for name, milliseconds in steps.items():
        print(f"  {name:36.36}{milliseconds:8.1f} ms")


if __name__ == "__main__":
    main()
