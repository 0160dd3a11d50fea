"""What is said of a job's modules: costs, memory, and what became of each blob."""
