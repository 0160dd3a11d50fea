"""Which SBP signature each op gets on several ranks: the cost model, the solvers, and why."""
