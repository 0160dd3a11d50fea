"""The GPUs that PTX is made for, and what LLVM's text may call there."""

from __future__ import annotations

import re

from penstock.codegen.math.ptx_math import PTX
from penstock.codegen.objects.llvm import Foreign
from penstock.codegen.text.parts.text_target import TextTarget
from penstock.codegen.writer import LLVMText
from penstock.ir.diagnostics import Diagnostic, IRError
from penstock.ir.record import Record

TRIPLE = "nvptx64-nvidia-cuda"
LANES = 8
"""Lanes of a piece of a vector: 16 bytes of bf16, and two such accesses of f32."""
UNROLLED = 16
"""Loops of at most so many iterations are unrolled, so that their values stay in registers."""


class Architecture(Record):
    """An architecture of NVIDIA's GPUs, `sm_80` for Ampere."""

    name: str
    ptx: int
    """The version of PTX to emit, times 10. LLVM ends the process on one that lacks the
    architecture, and drivers reject one newer than they are: 8.0 is that of CUDA 12.0."""
    generation: int
    """The number in the name."""

    @property
    def target(self) -> Foreign:
        """The processor as LLVM names it."""
        return Foreign(TRIPLE, self.name, f"+ptx{self.ptx}")

    @property
    def text_target(self) -> TextTarget:
        """What text is written for."""
        return TextTarget(
            self.name,
            LANES,
            PTX,
            dots=False,
            masks=False,
            constants=0,
            stage="gpu",
            streams=False,
            unrolls=UNROLLED,
        )

    @property
    def is_hopper(self) -> bool:
        """Whether it has what only sm_90a has, such as wgmma."""
        return self.name == "sm_90a"


ARCHITECTURES = {
    name: Architecture(name, ptx, int(re.findall(r"\d+", name)[0]))
    for name, ptx in (
        ("sm_80", 80), ("sm_90", 80), ("sm_90a", 87), ("sm_100", 88), ("sm_100a", 88),
        ("sm_120", 88),
    )
}  # fmt: skip


def architecture_of(name: str) -> Architecture:
    """The architecture of that name; ValueError lists those there are."""
    if name not in ARCHITECTURES:
        raise ValueError(
            f"there is no architecture {name!r} to compile for: expected one of "
            f"{', '.join(ARCHITECTURES)}"
        )
    return ARCHITECTURES[name]


_SCALARS = (
    "ceil", "copysign", "fabs", "floor", "fma", "fmuladd", "maximum", "minimum", "roundeven",
    "smax", "smin", "sqrt", "umax", "umin",
)  # fmt: skip
_TYPE = r"(?:v\d+)?(?:f16|f32|f64|i8|i16|i32|i64)"
ALLOWED = {
    rf"llvm\.(?:{'|'.join(_SCALARS)})\.{_TYPE}": 80,
    r"llvm\.masked\.(?:load|store)\.v\d+(?:f16|f32|f64|i8|i16|i32|i64)\.p0": 80,
    r"llvm\.masked\.gather\.v\d+(?:f16|f32|f64|i8|i16|i32|i64)\.v\d+p0": 80,
    r"llvm\.memcpy\.p0\.p0\.i64": 80,
    r"llvm\.nvvm\.read\.ptx\.sreg\.(?:n?tid|n?ctaid)\.[xyz]": 80,
    r"llvm\.nvvm\.barrier\.cta\.sync\.aligned\.all": 80,
    r"llvm\.nvvm\.bar\.warp\.sync": 80,
    r"llvm\.nvvm\.mma\.m16n8k16\.row\.col\.(?:bf16|f32\.f32)": 80,
    r"llvm\.nvvm\.mma\.m16n8k8\.row\.col\.tf32": 80,
    r"llvm\.nvvm\.f2tf32\.rna": 80,
    r"llvm\.nvvm\.ex2\.approx\.ftz\.f": 80,
    r"llvm\.nvvm\.ldmatrix\.sync\.aligned\.m8n8\.x[124](?:\.trans)?\.b16\.p3": 80,
    r"llvm\.nvvm\.cp\.async\.ca\.shared\.global\.(?:4|8|16)(?:\.s)?": 80,
    r"llvm\.nvvm\.cp\.async\.cg\.shared\.global\.16(?:\.s)?": 80,
    r"llvm\.nvvm\.cp\.async\.(?:commit|wait)\.group": 80,
    r"llvm\.nvvm\.shfl\.sync\.(?:bfly|down|up|idx)\.i32p?": 80,
    r"llvm\.nvvm\.mbarrier\.init\.shared": 90,
    r"llvm\.nvvm\.mbarrier\.arrive(?:\.expect\.tx)?\.scope\.cta\.space\.cta": 90,
    r"llvm\.nvvm\.mbarrier\.try\.wait\.parity\.scope\.cta\.space\.cta": 90,
    r"llvm\.nvvm\.cp\.async\.bulk\.tensor\.g2s\.tile\.[2345]d": 90,
}
"""The functions of LLVM that text may call, as patterns, each with the first generation that has
it. On others LLVM ends the process, or leaves a call that ptxas rejects."""
HOPPER = (
    r"llvm\.nvvm\.setmaxnreg\.(?:inc|dec)\.sync\.aligned\.u32",
    r"llvm\.nvvm\.wgmma\.commit_group\.sync\.aligned",
)
"""Those that sm_90a alone has."""

_CALLED = re.compile(r"@(llvm\.[\w.]+)\(")
_DECLARED = re.compile(r"declare [^@]*@([\w.]+)\(")


def check_called(source: LLVMText, architecture: Architecture) -> None:
    """Raise `IRError`, at the operation, for a call of a function that the GPU does not have."""
    checked: set[str] = set()
    for number, line in enumerate(source.text.split("\n"), 1):
        if "@" not in line:
            continue
        names = _CALLED.findall(line)
        if line.startswith("declare"):
            names = _DECLARED.findall(line)
        for name in names:
            if name in checked:
                continue
            checked.add(name)
            if not _is_allowed(name, architecture):
                op = source.origin(number)
                text = f"there is no {name} on {architecture.name}; lower it to ops that it has"
                if op is None:
                    raise IRError(Diagnostic(text))
                raise IRError(Diagnostic(f"{op.name}: {text}", op.location))


def _is_allowed(name: str, architecture: Architecture) -> bool:
    for pattern, generation in ALLOWED.items():
        if re.fullmatch(pattern, name):
            return architecture.generation >= generation
    return architecture.is_hopper and any(re.fullmatch(pattern, name) for pattern in HOPPER)
