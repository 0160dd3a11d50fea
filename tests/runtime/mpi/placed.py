"""A program for ranks: what ops, conversions and train steps give in lock step, they give over MPI.

It takes how many calls of ops, shapes of conversions, and jobs it tries, such as calls=8; 0 is all.
Ranks take turns: one of them compares what all have got with lock step, bit for bit, and with one
rank, while the others go on.
"""

import gc
import sys
from hashlib import sha256
from itertools import islice

import numpy as np
from ranked import Ranked
from test_boxing import SHAPES, STATES, conversions
from test_signatures import OPS, TOGETHER, calls_of, job_of_calls, wrong_calls
from test_whole_jobs import JOBS, Model, in_lock_step, run

from penstock.codegen.jobs.helpers import ranks_library
from penstock.lowering.modules import Modules
from penstock.lowering.user_cache import user_store
from penstock.runtime import VariableStore
from penstock.runtime.mpi.engine import engine
from penstock.runtime.mpi.mpi_job import MpiJob
from penstock.runtime.mpi.world import world
from penstock.stages.native import executable

ranks = world()
size = ranks.ranks
over = engine(ranks, lambda: ranks_library(user_store()))
turns = 0


def is_my_turn():
    global turns
    turns += 1
    return turns % size == ranks.rank


def digest(arrays):
    """Of all bits, but those of NaN."""
    found = sha256()
    for array in arrays:
        nan = np.isnan(array.astype(np.float64))
        found.update(np.where(nan, np.ones_like(array), array).tobytes() + nan.tobytes())
    return found.hexdigest()


def placed(module, feeds):
    """Run a module of stage `placed`; the fetches of every rank and the bytes that each has sent,
    on the rank whose turn it is."""
    code = executable(Modules("placed", module).for_rank(ranks.rank).program(user_store()))
    code.connect(over.exchange(code.description.collectives, code.description.job))
    before = over.sent
    own = code.run([feed[ranks.rank] for feed in feeds], VariableStore())
    message = f"{digest(own)} {over.sent - before}".encode()
    said = ranks.exchange(message, f"all ranks to compare {turns}")
    if not is_my_turn():
        return None
    job = Ranked(module)
    fetched = job(feeds)
    sent = job.engine.sent
    for rank, text in enumerate(said):
        assert text.decode() == f"{digest(parts[rank] for parts in fetched)} {sent[rank]}", rank
    return fetched, sent


def check_calls(most):
    every = [call for cls in OPS.values() for call in calls_of(cls, size)]
    step = max(1, len(every) // most) if most else 1
    every = every[::step]
    for start in range(0, len(every), TOGETHER):
        calls = every[start : start + TOGETHER]
        job = job_of_calls(calls, size)
        found = placed(job.module, job.feeds)
        if found is not None:
            assert not wrong_calls(calls, job.put_together(found[0]))
    return len(every)


def check_conversions(most):
    shapes = [(7, 4, 9), *SHAPES][: most or None]
    for shape in shapes:
        job = conversions(STATES, shape, (size,))
        found = placed(job.module, job.feeds)
        if found is not None:
            job.check(*found)
    return len(shapes) * len(STATES) ** 2


def check_jobs(most):
    checked = 0
    ways = ((name, seed) for seed in range(most or 50) for name in JOBS)
    models, alone = {}, {}
    for name, seed in islice(ways, most or None):
        if name not in models:
            models[name] = Model(name)
        model = models[name]
        mesh = (2, 2) if size == 4 and seed % 2 else (size,)
        modules = model.shared(mesh, seed)
        own = executable(modules.for_rank(ranks.rank).program(user_store()), {})
        got = run(MpiJob(own, over, {"way": f"{name} {seed}"}), model.feeds)
        if is_my_turn():
            expected = in_lock_step(model, modules)
            assert list(got.variables) == list(expected.variables)
            ours, theirs = ([*one.losses, *one.variables.values()] for one in (got, expected))
            assert digest(ours) == digest(theirs), (name, seed)
            if name not in alone:
                alone[name] = run(model.one, model.feeds)
            expected.check(alone[name])
        checked += 1
        gc.collect()  # what compiling leaves, which is not collected while it compiles
    return checked


checks = {"calls": check_calls, "conversions": check_conversions, "jobs": check_jobs}
for word in sys.argv[1:]:
    what, _, most = word.partition("=")
    count = checks[what](int(most))
    if ranks.rank == 0:
        print(f"{size} ranks: {count} {what} right")
