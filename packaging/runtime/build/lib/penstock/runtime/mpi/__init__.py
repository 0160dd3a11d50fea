"""Ranks as processes of MPI: who started them, what they agree on, how a failure ends them all."""
