"""Native code in this process: loading, calling, and required processor features."""
