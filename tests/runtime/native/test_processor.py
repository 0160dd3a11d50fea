from collections.abc import Iterator

import pytest

from penstock.codegen import host
from penstock.runtime.native import processor

# From machines of each level, abridged.
OLD = "processor\t: 0\nflags\t\t: fpu sse sse2 pni cx16\nbugs\t\t:\n"
NEHALEM = "flags\t\t: pni ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm\n"
HASWELL = NEHALEM[:-1] + " avx f16c fma movbe bmi1 avx2 bmi2 abm\n"
SKYLAKE_X = HASWELL[:-1] + " avx512f avx512dq avx512cd avx512bw avx512vl\n"
ZEN_4 = "vendor_id\t: AuthenticAMD\n" + SKYLAKE_X[:-1] + " avx512_bf16\n"
COOPER_LAKE = ZEN_4.replace("AuthenticAMD", "GenuineIntel")


@pytest.fixture(autouse=True)
def afresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("PENSTOCK_TARGET", raising=False)
    processor._flags.cache_clear()
    processor._maker.cache_clear()
    yield
    processor._flags.cache_clear()
    processor._maker.cache_clear()


def on(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(processor, "_cpuinfo", lambda: text)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        (NEHALEM, "x86-64-v2"),
        (HASWELL, "x86-64-v3"),
        (SKYLAKE_X, "x86-64-v4"),
        (ZEN_4, "x86-64-v4-bf16"),
    ],
)
def test_levels(monkeypatch: pytest.MonkeyPatch, text: str, level: str) -> None:
    on(monkeypatch, text)
    assert processor.level() == level
    names = list(processor.LEVELS)
    assert [name for name in names if processor.supports(name)] == names[: names.index(level) + 1]


def test_the_bf16_level_is_chosen_only_where_it_is_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intel's processors multiply pairs more slowly than floats; the level can be forced."""
    old, floats, pairs = "x86-64-v2", "x86-64-v4", "x86-64-v4-bf16"
    on(monkeypatch, COOPER_LAKE)
    assert processor.supports(pairs)
    assert processor.level() == processor.best() == floats
    assert processor.best([old, pairs]) == processor.best([pairs]) == pairs
    monkeypatch.setenv("PENSTOCK_TARGET", pairs)
    assert processor.level() == pairs
    assert processor.best() == floats


def test_the_first_of_unequal_processors_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    on(monkeypatch, HASWELL + SKYLAKE_X)
    assert processor.level() == "x86-64-v3"


def test_the_level_agrees_with_the_compiler() -> None:
    assert processor.level() == host.host_level()
    assert list(processor.LEVELS) == list(host.LEVELS)
    assert [name for name in processor.LEVELS if processor.supports(name)] == host.host_levels()
    assert processor._MAKERS == host.MAKERS


def test_a_lower_level_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    on(monkeypatch, SKYLAKE_X)
    monkeypatch.setenv("PENSTOCK_TARGET", "x86-64-v2")
    assert processor.level() == "x86-64-v2"


@pytest.mark.parametrize(
    ("text", "target", "message"),
    [
        (OLD, "", "code for x86-64-v2 does not run on this machine, which lacks lahf_lm, popcnt"),
        (HASWELL, "x86-64-v4", "x86-64-v4 does not run on this machine, which lacks avx512bw"),
        (
            HASWELL,
            "x86-64",
            "PENSTOCK_TARGET must be one of x86-64-v2, x86-64-v3, .*, got 'x86-64'",
        ),
        (SKYLAKE_X, "x86-64-v4-bf16", "does not run on this machine, which lacks avx512_bf16;"),
        ("", "", "x86-64-v2 does not run on this machine, which lacks cx16"),
    ],
)
def test_refusals(monkeypatch: pytest.MonkeyPatch, text: str, target: str, message: str) -> None:
    on(monkeypatch, text)
    monkeypatch.setenv("PENSTOCK_TARGET", target)
    with pytest.raises(ValueError, match=message):
        processor.level()


def test_unknown_level() -> None:
    with pytest.raises(ValueError, match="must be one of x86-64-v2, .*, got 'x86-64-v5'"):
        processor.supports("x86-64-v5")
