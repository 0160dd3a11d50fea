"""Time from process start to the loss of the first training step; run.py starts this.

Prints the seconds of the imports, and those from the definition of the step to its first result,
which include compilation.
"""

from __future__ import annotations

import argparse
import importlib
import json
from time import perf_counter


def main() -> None:
    started = perf_counter()
    import child

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", required=True, choices=child.PEERS)
    parser.add_argument("--cpus", required=True)
    given = parser.parse_args()
    threads = child.pin(given.cpus)
    from shared import workloads

    module = importlib.import_module(child.PEERS[given.peer])
    workloads.mlp_parameters(), workloads.mlp_batch()  # drawn here, so that no peer's time has it
    imported = perf_counter()
    workload = next(w for w in workloads.WORKLOADS if w.kind == "train_mlp")
    loss = module.cases(given.peer, threads)["train_mlp"](workload)()
    first = perf_counter()
    print(json.dumps({"import": imported - started, "first": first - imported, "loss": loss}))


if __name__ == "__main__":
    main()
