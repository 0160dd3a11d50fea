"""What ops mean: what they compute, cost, and need, and how ranks may share their operands."""
