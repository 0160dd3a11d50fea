"""GPUs: modules at stage `gpu` as LLVM text and PTX, and the plan of launches of a job."""
