"""What one rank of a job has, computes and exchanges."""
