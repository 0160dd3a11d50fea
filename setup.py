"""setup.cfg says everything but what this file computes: the long description, and that an editable
install has the modules of penstock-runtime too."""

import re
from pathlib import Path

from setuptools import setup
from setuptools.command.editable_wheel import editable_wheel

NOTE = "The pages that are named here, the examples and the tests are in the source archive.\n"


class WithRuntime(editable_wheel):
    """Two editable installs cannot share a package, so this one has both parts."""

    def run(self) -> None:
        self.distribution.packages.append("penstock.runtime")
        super().run()


def description() -> str:
    """README.md with the names of files in place of links to them, which an index would break."""
    text = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"\[([^]]+)\]\((?!https?:)([^)]+)\)", _without_link, text)
    first, rest = text.split("\n## ", 1)
    return f"{first}\n{NOTE}\n## {rest}"


def _without_link(link: re.Match[str]) -> str:
    words, file = link[1], link[2]
    return f"`{file}`" if words in file else f"{words} (`{file}`)"


setup(
    cmdclass={"editable_wheel": WithRuntime},
    long_description=description(),
    long_description_content_type="text/markdown",
)
