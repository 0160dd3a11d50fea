"""The state of a simulated device: memories, lanes, barriers, copies, and the loop that runs it."""
