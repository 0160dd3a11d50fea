"""The C header of a library of jobs: one function for each, with types, shapes and lines."""

from __future__ import annotations

import textwrap

from penstock.codegen.clib.c_interface import Array, CJob, Interface
from penstock.codegen.memref_values import ALIGNMENT
from penstock.codegen.native.library import STATUSES

__all__ = ["c_header"]


def c_header(interface: Interface) -> str:
    """The text of the header; C++ can include it as well."""
    guard = f"PENSTOCK_{interface.macro}_H"
    parts = [
        _top(interface),
        f"#ifndef {guard}\n#define {guard}\n\n#include <stddef.h>\n#include <stdint.h>\n",
        '#ifdef __cplusplus\nextern "C" {\n#endif\n',
        _statuses(interface),
        _variables(interface) if interface.variables else "",
        _workspace(interface),
        *(_job(interface, job) for job in interface.jobs),
        _threads(interface),
        f"#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {guard} */\n",
    ]
    return "\n".join(part for part in parts if part)


def _comment(text: str) -> str:
    """A text as a comment, which nothing in it ends."""
    lines = text.replace("*/", "* /").replace("/*", "/ *").strip().split("\n")
    return "/* " + "\n".join([lines[0], *(f" * {line}".rstrip() for line in lines[1:])]) + " */\n"


def _prose(text: str) -> str:
    """Paragraphs as a comment, in lines of their own."""
    paragraphs = text.strip().split("\n\n")
    return _comment("\n\n".join(textwrap.fill(paragraph, 96) for paragraph in paragraphs))


def _top(interface: Interface) -> str:
    names = ", ".join(_printable(job.name) for job in interface.jobs)
    return _prose(f"""\
Compiled jobs: {names}. For x86-64 Linux; levels of processor: {", ".join(interface.levels)}.

Link with {_printable(interface.file)}, which needs the C library and libm alone. Arrays are
row-major. Those of 16 bytes and more begin at a multiple of 16, as what malloc gives does.
Functions may be called from any thread; steps that change variables, from one at a time.""")


def _statuses(interface: Interface) -> str:
    lines = [
        f"    {interface.macro}_{name} = {number}, /* {text} */"
        for number, (name, text) in enumerate(STATUSES)
    ]
    return (
        _comment("What functions return.")
        + f"enum {interface.prefix}_status {{\n"
        + "\n".join(lines)
        + "\n};\n\n"
        + _comment("What a status means, in a sentence that is never to be freed.")
        + f"const char *{interface.prefix}_message(int status);\n"
    )


def _variables(interface: Interface) -> str:
    prefix, macro = interface.prefix, interface.macro
    fields = [f"    {v.type} *{v.identifier}; /* {_described(v)} */" for v in interface.variables]
    return (
        _comment("The variables of the jobs. Their memory is the caller's.")
        + f"struct {prefix}_variables {{\n"
        + "\n".join(fields)
        + f"\n}};\n\n#define {macro}_VARIABLES_BYTES {interface.variable_bytes}\n\n"
        + _prose(f"""\
Place all variables in memory of {macro}_VARIABLES_BYTES, at a multiple of {ALIGNMENT}, and give
them the values that they had when this library was made. Elsewhere, too, each begins at a
multiple of {ALIGNMENT}.""")
        + f"int {prefix}_initialize(struct {prefix}_variables *variables, void *memory);\n"
    )


def _workspace(interface: Interface) -> str:
    macro = interface.macro
    return (
        f"#define {macro}_ALIGNMENT {ALIGNMENT}\n"
        f"#define {macro}_WORKSPACE_BYTES {interface.workspace}\n\n"
        + _prose(f"""\
Every step needs a workspace: {macro}_WORKSPACE_BYTES at a multiple of {macro}_ALIGNMENT, which no
other step uses meanwhile; what is in it does not matter. Where NULL is given, a step takes it from
the heap and gives it back, which costs time.""")
    )


def _job(interface: Interface, job: CJob) -> str:
    arrays = [*job.feeds, *job.fetches]
    width = max((len(array.identifier) for array in arrays), default=0)
    lines = [f"A step of job {_printable(job.name)}.", ""]
    lines += [f"{a.identifier:<{width}}  read:    {_described(a)}" for a in job.feeds]
    lines += [f"{a.identifier:<{width}}  written: {_described(a)}" for a in job.fetches]
    used = [v.identifier for v in interface.variables if v.name in {n for _, n in job.variables}]
    if used:
        verb = "Changes" if job.updates else "Reads"
        lines += ["", textwrap.fill(f"{verb} the variables {', '.join(used)}.", 96)]
    comment = _comment("\n".join(lines))
    return comment + f"int {job.identifier}({_parameters(interface, job)});\n" + _taps(job)


def _parameters(interface: Interface, job: CJob) -> str:
    parameters = [f"const struct {interface.prefix}_variables *variables"] if job.variables else []
    parameters += [f"const {feed.type} *{feed.identifier}" for feed in job.feeds]
    parameters += [f"{fetch.type} *{fetch.identifier}" for fetch in job.fetches]
    parameters.append("void *workspace")
    return "\n    " + ",\n    ".join(parameters)


def _taps(job: CJob) -> str:
    if not job.taps:
        return ""
    constants = [
        f"    {tap.constant} = {number}, /* {_described(tap.array)} */"
        for number, tap in enumerate(job.taps)
    ]
    return (
        "\n"
        + _comment("Blobs of this job that can be watched.")
        + f"enum {job.identifier}_taps {{\n"
        + "\n".join(constants)
        + "\n};\n\n"
        + _prose("""\
Have steps of this job call a function with a blob when they have it, or, for NULL, no more. The
data is the step's: to be read, and only until the function returns. There is one function for all
blobs of a job, the one given last. Not to be called while a step of this job runs.""")
        + f"int {job.identifier}_watch(\n    int32_t tap,\n"
        "    void (*function)(void *user, int32_t tap, const void *data),\n    void *user);\n"
    )


def _threads(interface: Interface) -> str:
    return (
        _prose("""\
How many threads a step runs on, the caller's included: 1 to 1024. At first it is what the
environment's PENSTOCK_NUM_THREADS says, or else one for each CPU that the process may use.
The results are the same bits for any number.""")
        + f"int {interface.prefix}_set_threads(int number);\n"
    )


def _described(array: Array) -> str:
    shape = ", ".join(map(str, array.shape)) or "scalar"
    said = f"{array.dtype} ({shape})" if array.shape else f"{array.dtype} scalar"
    if array.extent:
        said += f" at most: {array.extent}"
    if array.name != array.identifier and not array.identifier.startswith("result"):
        said += f', "{_printable(array.name)}"'
    if array.loc:
        said += f", {_printable(array.loc)}"
    return said.replace("*/", "* /").replace("/*", "/ *")


def _printable(text: str) -> str:
    """In one line of ASCII, without the trigraphs and line ends that C would see in it."""
    return (
        text.encode("ascii", "backslashreplace")
        .decode()
        .translate({number: " " for number in range(32)})
        .replace("\\", "/")
        .replace("??", "? ?")
    )
