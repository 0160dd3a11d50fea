"""The state of a simulated device: memories, lanes, registers, barriers, and who knows of what."""
