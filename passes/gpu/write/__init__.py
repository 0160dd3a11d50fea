"""What kernels for GPUs share: schedules as data, how groups are split, how kernels are written."""
