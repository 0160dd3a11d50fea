"""Reports on a job's modules: costs, memory, and the fate of each blob."""
