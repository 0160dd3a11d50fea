"""Groups of generics as kernels for GPUs: their schedules, which are data, and their lowering."""
