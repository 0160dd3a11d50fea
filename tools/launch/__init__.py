"""Runs a script as several processes of MPI, and watches them."""
