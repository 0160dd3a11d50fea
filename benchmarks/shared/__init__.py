"""What the benchmarks share: workloads, timing, loops of compiled code, and tables of results."""
