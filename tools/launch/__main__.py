"""Runs a script as a rank: `mpiexec -n 4 python -m penstock.tools.launch train.py`."""

import sys

from penstock.tools.launch.script import run_script

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("penstock.tools.launch takes a script and its arguments")
    sys.exit(run_script(sys.argv[1], sys.argv[2:]))
