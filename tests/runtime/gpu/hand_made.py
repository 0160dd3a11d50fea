"""A job whose PTX, launch plan and description are written by hand: no compiler is needed.

    products = x * w;  total = sum(products);  w = w - x / 2

`products` is kept and can be watched; `doubled` is computed only if somebody watches it.
"""

from typing import Any

COUNT = 1000

_HEAD = ".version 7.0\n.target sm_80\n.address_size 64\n"

_ELEMENTWISE = """
.visible .entry {name}(
    .param .u64 .ptr .global .align 16 {name}_0,
    .param .u64 .ptr .global .align 16 {name}_1,
    .param .u64 .ptr .global .align 16 {name}_2,
    .param .u32 {name}_3
)
.reqntid 256, 1, 1
{{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .f32 %f<4>;
    .reg .b64 %d<8>;
    ld.param.u64 %d1, [{name}_0];
    ld.param.u64 %d2, [{name}_1];
    ld.param.u64 %d3, [{name}_2];
    ld.param.u32 %r5, [{name}_3];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.s32 %r3, %r1, 256, %r2;
    setp.ge.u32 %p1, %r3, %r5;
    @%p1 bra DONE_{name};
    mul.wide.u32 %d4, %r3, 4;
    add.s64 %d5, %d1, %d4;
    add.s64 %d6, %d2, %d4;
    add.s64 %d7, %d3, %d4;
    ld.global.f32 %f1, [%d5];
    ld.global.f32 %f2, [%d6];
    {compute}
    st.global.f32 [%d7], %f3;
DONE_{name}:
    ret;
}}
"""

_TOTAL = """
.visible .entry total(
    .param .u64 .ptr .global .align 16 total_0,
    .param .u64 .ptr .global .align 16 total_1
)
.reqntid 256, 1, 1
{
    .reg .pred %p<3>;
    .reg .b32 %r<8>;
    .reg .f32 %f<4>;
    .reg .b64 %d<6>;
    .shared .align 4 .b8 partial[1024];
    ld.param.u64 %d1, [total_0];
    ld.param.u64 %d2, [total_1];
    mov.u32 %r1, %tid.x;
    mov.f32 %f1, 0f00000000;
    mov.u32 %r2, %r1;
NEXT:
    setp.ge.u32 %p1, %r2, 1000;
    @%p1 bra STORED;
    mul.wide.u32 %d3, %r2, 4;
    add.s64 %d4, %d1, %d3;
    ld.global.f32 %f2, [%d4];
    add.rn.f32 %f1, %f1, %f2;
    add.s32 %r2, %r2, 256;
    bra NEXT;
STORED:
    mov.u32 %r3, partial;
    shl.b32 %r4, %r1, 2;
    add.s32 %r5, %r3, %r4;
    st.shared.f32 [%r5], %f1;
    mov.u32 %r6, 128;
HALF:
    bar.sync 0;
    setp.ge.u32 %p2, %r1, %r6;
    @%p2 bra SKIP;
    shl.b32 %r7, %r6, 2;
    add.s32 %r7, %r5, %r7;
    ld.shared.f32 %f2, [%r7];
    ld.shared.f32 %f3, [%r5];
    add.rn.f32 %f3, %f3, %f2;
    st.shared.f32 [%r5], %f3;
SKIP:
    shr.u32 %r6, %r6, 1;
    setp.ne.u32 %p1, %r6, 0;
    @%p1 bra HALF;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra END;
    ld.shared.f32 %f1, [partial];
    st.global.f32 [%d2], %f1;
END:
    ret;
}
"""

PTX = "".join([
    _HEAD,
    _ELEMENTWISE.format(name="products", compute="mul.rn.f32 %f3, %f1, %f2;"),
    _ELEMENTWISE.format(name="doubled", compute="add.rn.f32 %f3, %f1, %f2;"),
    _ELEMENTWISE.format(name="update", compute="fma.rn.f32 %f3, %f1, 0fBF000000, %f2;"),
    _TOTAL,
])  # fmt: skip


def description() -> dict[str, Any]:
    """What the runtime knows of the job."""
    vector = {"shape": [COUNT], "dtype": "f32"}
    zero = {"kind": "constant", "value": 1.0}
    return {
        "abi": 3, "job": "train_job", "type": "train", "entry": "train_job",
        "arena": {"bytes": 8192, "align": 64},
        "arguments": [
            {"role": "arena"},
            {"role": "feed", "name": "x", "loc": "model.py:5", **vector},
            {"role": "variable", "name": "w", "initializer": zero, "trainable": True,
             "updated": True, "loc": "model.py:6", **vector},
            {"role": "fetch", "name": "0", "shape": [], "dtype": "f32"},
            {"role": "taps"},
        ],
        "taps": [
            {"id": 0, "name": "products", "loc": "model.py:7", **vector},
            {"id": 1, "name": "doubled", "loc": "model.py:8", "how": "recomputed by doubled",
             **vector},
        ],
    }  # fmt: skip


def plan() -> dict[str, Any]:
    """What a step launches."""
    vector = {"size": 8, "align": 8, "bytes": 4 * COUNT}
    pointers = [{"offset": 8 * i, **vector, "written": i == 2} for i in range(3)]
    four = [*pointers, {"offset": 24, "size": 4, "align": 4}]
    two = [pointers[0], {**pointers[1], "bytes": 4, "written": True}]
    wide = {"block": [256, 1, 1], "grid": [4, 1, 1], "shared": 0, "dynamic": 0}
    count = ["value", COUNT.to_bytes(4, "little")]
    shown = {"bytes": 4 * COUNT, "element": "f32", "shape": [COUNT]}
    x, w, loss = ["argument", 1, 0], ["argument", 2, 0], ["argument", 3, 0]
    return {
        "kernels": {
            "products": {**wide, "parameters": four, "loc": "model.py:7"},
            "doubled": {**wide, "parameters": four, "loc": "model.py:8"},
            "total": {**wide, "grid": [1, 1, 1], "shared": 1024, "parameters": two,
                      "loc": "model.py:9"},
            "update": {**wide, "parameters": four, "loc": "model.py:6"},
        },
        "arena": 8192,
        "constants": b"",
        "steps": [
            {"launch": "products", "arguments": [x, w, ["arena", 0], count]},
            {"tap": 0, "source": ["arena", 0], **shown},
            {"when": [1], "steps": [
                {"launch": "doubled",
                 "arguments": [["arena", 0], ["arena", 0], ["arena", 4096], count]},
                {"tap": 1, "source": ["arena", 4096], **shown},
            ]},
            {"launch": "total", "arguments": [["arena", 0], loss]},
            {"launch": "update", "arguments": [x, w, w, count]},
        ],
    }  # fmt: skip
