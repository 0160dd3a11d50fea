"""Native code in this process: loading it, what calls it, and what the processor must have."""
