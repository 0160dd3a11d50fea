"""penstock and its peers: each runs the workloads in its own way."""
