"""Random programs: jobs built of all ops there are, compiled in several ways, and compared.

| room | what it does |
|---|---|
| `calls` | an op, attributes and operand types that go together, from the registry |
| `operands` | makes of values at hand the operands that a call wants |
| `program` | a job of such calls, which predicts or learns |
| `rounding` | what a job computes, and how far rounding may carry a compiled one from it |
| `ways` | the ways to compile a job: orders of passes, texts, processors, threads |
| `trial` | a program in all its ways; what is wrong with it |
| `failure` | a failure made small, and kept as files that reproduce it |
| `workers` | trials in processes of their own, for machine code that is wrong may end them |
| `command` | `penstock fuzz` |
"""
