"""setup.cfg says everything, except that an editable install has no modules of its own."""

from setuptools import setup
from setuptools.command.editable_wheel import editable_wheel


class WithoutModules(editable_wheel):
    """That of penstock has the modules too: two editable installs cannot share a package."""

    def run(self) -> None:
        self.distribution.packages = []
        super().run()


setup(cmdclass={"editable_wheel": WithoutModules})
