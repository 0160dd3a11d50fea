"""Random programs: jobs built from all registered ops, compiled in several ways, and compared.

| module | what it does |
|---|---|
| `calls` | an op with attributes and operand types that it accepts, from the registry |
| `operands` | turns existing values into the operands that a call wants |
| `program` | a job of such calls, to predict or to train |
| `rounding` | what a job computes, and the rounding error to allow a compiled one |
| `schedules` | random schedules of groups for GPUs |
| `sharing` | random ways to share a job among ranks |
| `ways` | the ways to compile a job: orders of passes, texts, processors, threads, ranks |
| `trial` | runs a program in all its ways; what is wrong with it |
| `again` | runs a failure again that was kept |
| `failure` | reduces a failure, and writes the files that reproduce it |
| `workers` | trials in separate processes, since wrong machine code may crash them |
| `command` | `penstock fuzz` |
"""
