"""The stages of a job, from its trace to machine code that is loaded."""
