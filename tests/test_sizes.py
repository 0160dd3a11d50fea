"""How long the files are, printed as a table with `pytest -s tests/test_sizes.py`."""

from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("frontend", "ir", "passes", "codegen", "runtime", "tools")
LONGEST = 600

# Path -> why it is longer than that.
REASONS: dict[str, str] = {}


def line_counts() -> dict[str, int]:
    """Lines of each source file in the package folders, by its path from the root."""
    return {
        path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines())
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


def table(counts: dict[str, int]) -> str:
    rows = ["folder      files  lines  median  longest"]
    for folder in FOLDERS:
        sizes = [size for path, size in counts.items() if path.startswith(f"{folder}/")]
        rows.append(
            f"{folder:10} {len(sizes):6} {sum(sizes):6} {median(sizes):7.0f} {max(sizes):8}"
        )
    total = counts.values()
    rows.append(f"{'all':10} {len(total):6} {sum(total):6} {median(total):7.0f} {max(total):8}")
    rows.append("")
    longest = sorted(counts.items(), key=lambda item: -item[1])[:10]
    rows.extend(f"{size:6}  {path}" for path, size in longest)
    return "\n".join(rows)


def test_files_stay_rooms_with_one_purpose() -> None:
    counts = line_counts()
    print(f"\n{table(counts)}")
    too_long = {path: size for path, size in counts.items() if size > LONGEST}
    assert set(too_long) == set(REASONS), f"over {LONGEST} lines: {too_long}"
