"""Invalid values for every option and argument of every command: words, exit code, part of the
message.

Options without a value have no entry: one test checks that all of them refuse a value.
"""

from __future__ import annotations

Row = tuple[str, int, str]
"""Words, with `_` for the command's other required arguments; the exit code; a part of the
message."""

PASSES = [
    ("_ -p nope", 2, "no pass"),
    ("_ -p cse{", 2, "cse{"),
    ("_ -p cse{a=1}", 2, "no option"),
    ("_ -p cse,,dce", 2, "pass"),
]
TARGET = [
    ("_ --target x86-64-v9", 2, "there is no target 'x86-64-v9': there are"),
    ("_ --target arm", 2, "there are x86-64-v2"),
]
SEED = [
    ("_ --seed x", 2, "at least 0, got 'x'"),
    ("_ --seed -1", 2, "got '-1'"),
    ("_ --seed 1.5", 2, "at least 0"),
]
FEED = [
    ("_ --feed x", 2, "--feed takes NAME=FILE.npy, got 'x'"),
    ("_ --feed =x.npy", 2, ""),
    ("_ --feed x=", 2, "--feed takes NAME=FILE.npy"),
    ("_ --feed y=x.npy", 2, "has no"),
    ("_ --feed x=none.npy", 1, "none.npy: No such file"),
    ("_ --feed x=other-shape.npy", 1, "shape"),
    ("_ --feed x=words.npy", 1, "x"),
    ("_ --feed x=complex.npy", 1, "x"),
]
JOB = [
    ("none.py", 1, "none.py: there is no such file"),
    ("job.py:other_job", 1, "job.py: there is no job 'other_job': did you mean train_job?"),
    ("job.py:", 2, "the name of the job is missing"),
    ("nothing.py", 1, "nothing.py: defines no job"),
    ("bad.py", 1, "SyntaxError"),
    ("folder", 1, "folder: "),
]
MLIR = [
    ("none.mlir", 1, "none.mlir: No such file"),
    ("bad.mlir", 1, "bad.mlir:3:5: error: unknown operation 'retrun'"),
    ("short-job.mlir", 1, "short-job.mlir:"),
]
OUTPUT = [
    ("_ -o folder", 1, "folder: Is a directory"),
    ("_ -o no/such", 1, "no/such: No such file"),
]

FLAGS: dict[tuple[str, str], list[Row]] = {
    ("compile", "jobs"): [
        *JOB,
        ("job.py:a,b", 1, "there is no job 'a'"),
        ("", 2, "give either a file"),
    ],
    ("compile", "--from"): [(f"--from {words}", *rest) for words, *rest in MLIR],
    ("compile", "--output"): OUTPUT,
    ("compile", "--target"): TARGET,
    ("compile", "--emit"): [
        ("_ --emit elf", 2, "there is no 'elf' to emit"),
        ("_ --emit artifact,so", 2, "an artifact cannot be written with"),
        ("_ --emit so, ", 2, ""),
    ],
    ("compile", "--sizes"): [
        ("_ --sizes 1,x", 2, "takes batch sizes such as 1,8,32, got '1,x'"),
        ("_ --sizes 0", 2, "takes batch sizes such as 1,8,32"),
        ("_ --sizes 4,4", 2, "takes each size once"),
    ],
    ("compile", "--ranks"): [
        ("_ --ranks 0", 2, "1 or more, got '0'"),
        ("_ --ranks x", 2, "1 or more, got 'x'"),
    ],
    ("compile", "--cubin"): [
        ("_ --cubin sm_999", 1, "there is no architecture 'sm_999'"),
        ("_ --cubin sm_80,", 1, "there is no architecture ''"),
    ],
    ("compile", "--gpu"): [
        ("_ --gpu sm_999", 1, "there is no architecture 'sm_999'"),
        ("_ --gpu sm_80,", 1, "there is no architecture ''"),
    ],
    ("compile", "--stop-after"): [("_ --stop-after fuse", 2, "did you mean fused?")],
    ("compile", "--load-variables"): [
        ("_ --load-variables none", 1, "none: cannot be read: No such file"),
        ("_ --load-variables junk", 1, "junk: is not a safetensors file"),
        ("_ --load-variables folder", 1, "folder"),
    ],
    ("show", "artifact"): [
        ("none", 1, "none: cannot be read"),
        ("junk", 1, "junk: "),
        ("folder", 1, "folder: "),
    ],
    ("show", "--stage"): [("_ --stage fuse", 2, "did you mean fused")],
    ("show", "--why"): [("_ --why nope", 1, "nope")],
    ("show", "--job"): [("_ --job nope", 1, "there is no job 'nope'")],
    ("show", "--target"): [("_ --stage loops --target x86-64-v9", 1, "x86-64-v9")],
    ("show", "--output"): OUTPUT,
    ("run", "artifact"): [
        ("none", 1, "none: cannot be read"),
        ("junk", 1, "junk: "),
        ("folder", 1, "folder: "),
    ],
    ("run", "--ranks"): [
        ("--ranks 0 train.py", 2, "1 or more, got '0'"),
        ("--ranks x train.py", 2, "1 or more, got 'x'"),
        ("--ranks -1 train.py", 2, "1 or more"),
    ],
    ("run", "--device"): [("_ --device tpu", 2, "invalid choice: 'tpu'")],
    ("run", "--deadline"): [
        ("--ranks 2 --deadline 0 train.py", 2, "positive number of seconds, got '0'"),
        ("--ranks 2 --deadline nan train.py", 2, "positive number of seconds, got 'nan'"),
        ("--ranks 2 --deadline soon train.py", 2, "positive number of seconds, got 'soon'"),
    ],
    ("run", "--rebuild"): [("_ --rebuild nope", 2, "trusted")],
    ("run", "--job"): [("_ --job nope", 1, "there is no job 'nope'")],
    ("run", "--feed"): [
        ("job.pstk --feed y=x.npy", 2, "has no feed 'y'"),
        *[(words.replace("_", "job.pstk"), *rest) for words, *rest in FEED],
    ],
    ("run", "--steps"): [
        ("_ --steps 0", 2, "1 or more"),
        ("_ --steps x", 2, "1 or more"),
        ("_ --steps -1", 2, "1 or more"),
        ("_ --steps 1e3", 2, "1 or more"),
    ],
    ("run", "--out"): [
        ("_ --out nope=a.npy", 2, "takes 0=FILE.npy"),
        ("_ --out 0=", 2, "0=FILE"),
        ("_ --out no/a.npy", 1, "no/a.npy: No such"),
        ("_ --out folder", 1, "fold"),
    ],
    ("run", "--watch"): [("_ --watch nope", 1, "nope"), ("_ --watch [", 1, "[")],
    ("run", "--load-variables"): [
        ("_ --load-variables none", 1, "none: cannot be read"),
        ("_ --load-variables junk", 1, "junk: is not a safetensors file"),
        ("_ --load-variables folder", 1, "folder"),
    ],
    ("run", "--save-variables"): [
        ("_ --save-variables folder", 1, "folder: Is a directory"),
        ("_ --save-variables no/v", 1, "no/v: No such file"),
    ],
    ("run", "--save"): [("_ --save folder", 1, "folder"), ("_ --save no/a.pstk", 1, "no/a.pstk")],
    ("opt", "file"): MLIR,
    ("opt", "--pipeline"): PASSES,
    ("opt", "--output"): OUTPUT,
    ("opt", "--dump-dir"): [("_ -p canonicalize --dump-dir x.npy", 1, "x.npy")],
    ("opt", "--fuel"): [("_ --fuel x", 2, "at least 0"), ("_ --fuel -1", 2, "at least 0")],
    ("dump", "job"): JOB,
    ("dump", "--stage"): [
        ("_ --stage fuse", 2, "did you mean fused?"),
        ("_ --stage x", 2, "there"),
    ],
    ("dump", "--output"): OUTPUT,
    ("diff", "before"): [(f"{words} job.mlir", *rest) for words, *rest in MLIR],
    ("diff", "after"): [(f"job.mlir {words}", *rest) for words, *rest in MLIR]
    + [("- -", 2, "standard input is one module")],
    ("repro", "file"): [
        ("none", 1, "none: No such file"),
        ("job.mlir", 2, "is not a reproducer"),
        ("junk", 1, "not UTF-8"),
        ("folder", 1, "folder: Is a directory"),
    ],
    ("reduce", "job"): [*JOB, *MLIR],
    ("reduce", "--pipeline"): PASSES,
    ("reduce", "--test"): [
        ("_ --test /none/such", 1, "/none/such"),
        ("_ --test true", 1, "nothing"),
        ("_ --test '", 2, "No closing quotation"),
    ],
    ("reduce", "--seed"): SEED,
    ("reduce", "--output"): [
        ("_ --test false -o folder", 1, "folder: Is a directory"),
        ("_ --test false -o no/such", 1, "no/such: No such file"),
    ],
    ("bisect", "job"): [*JOB, *MLIR],
    ("bisect", "--pipeline"): PASSES,
    ("bisect", "--feed"): FEED,
    ("bisect", "--seed"): SEED,
    ("bisect", "--tolerance"): [
        ("_ --tolerance x", 2, "at least 0"),
        ("_ --tolerance -1", 2, "least"),
        ("_ --tolerance nan", 2, "at least 0"),
    ],
    ("bisect", "--out"): [("_ --out junk", 1, "junk: is a file, but --out takes a folder")],
    ("explore", "job"): [*JOB, *MLIR],
    ("explore", "--output"): OUTPUT,
    ("explore", "--ranks"): [
        ("_ --ranks 0", 2, "1 or more, got '0'"),
        ("_ --ranks x", 2, "1 or more, got 'x'"),
    ],
    ("explore", "--stop-after"): [("_ --stop-after fuse", 2, "did you mean fused?")],
    ("fuzz", "--programs"): [("_ --programs x", 2, "at least 0"), ("_ --programs -1", 2, "least")],
    ("fuzz", "--seed"): SEED,
    ("fuzz", "--schedules"): [
        ("_ --schedules x", 2, "at least 0"),
        ("_ --schedules -1", 2, "at least 0"),
    ],
    ("fuzz", "--ranks"): [
        ("_ --ranks x", 2, "at least 0"),
        ("_ --ranks -1", 2, "at least 0"),
    ],
    ("fuzz", "--jobs"): [
        ("_ --jobs x", 2, "at least 0"),
        ("_ --jobs 0", 2, "at least one process"),
    ],
    ("fuzz", "--ops"): [("_ --ops flow.relus", 2, "there is no op flow.relus")],
    ("fuzz", "--out"): [
        ("_ --out junk", 1, "junk: is a file, but --out takes a folder"),
        ("_ --out junk/x", 1, "junk/x: Not a directory"),
        ("_ --out /proc/x", 1, "/proc/x: "),
    ],
    ("fuzz", "--again"): [(f"_ --again {words}", *rest) for words, *rest in MLIR],
    ("explore", "--profile"): [
        ("_ --profile none", 1, "none: "),
        ("_ --profile junk", 1, "junk"),
    ],
    ("profile", "target"): JOB,
    ("profile", "--feed"): [
        ("_ --feed x", 2, "--feed takes NAME=FILE.npy, got 'x'"),
        ("_ --feed nope=x.npy", 2, "has no"),
        ("_ --feed x=none.npy", 1, "none.npy: No such file"),
    ],
    ("profile", "--steps"): [("_ --steps x", 2, ""), ("_ --steps 0", 2, "at least 1")],
    ("profile", "--threads"): [("_ --threads x", 2, ""), ("_ --threads 0", 2, "--threads: ")],
    ("profile", "--top"): [("_ --top x", 2, ""), ("_ --top 0", 2, "at least 1")],
    ("profile", "--trace"): [("_ --trace no/t.json", 1, "no/t.json"), ("_ --trace folder", 1, "f")],
    ("tune", "job"): JOB,
    ("tune", "--seconds"): [
        ("_ --seconds x", 2, "'x'"),
        ("_ --seconds 0", 2, "more than 0"),
        ("_ --seconds nan", 2, "more than 0"),
    ],
    ("tune", "--output"): [
        ("_ -o folder", 1, "folder"),
        ("_ -o junk", 1, "junk is not a record"),
        ("_ -o job.mlir/x", 1, "job.mlir/x"),
    ],
    ("ops", "name"): [("nope", 1, "nope"), ("flow.rel", 1, "did you mean flow.relu?")],
    ("ops", "--output"): OUTPUT,
    ("help", "command"): [("nope", 2, "no command 'nope'"), ("compil", 2, "mean compile?")],
    ("completion", "shell"): [("nope", 2, "invalid choice: 'nope'")],
}
NEEDED = {
    "compile": "job.py",
    "show": "job.pstk",
    "run": "job.pstk --feed x=x.npy",
    "opt": "job.mlir",
    "dump": "job.py",
    "diff": "job.mlir job.mlir",
    "repro": "job.mlir",
    "reduce": "job.mlir",
    "bisect": "job.mlir",
    "explore": "job.mlir",
    "fuzz": "--programs 0",
    "profile": "job.py",
    "tune": "job.py",
    "ops": "",
    "help": "",
    "completion": "bash",
}
"""A command's other required arguments."""
