"""Settings as data: a table of names with the exact type of each, and its effect here.

OneFlow has about a hundred settings for its many devices. Programs that use them must run, so each
setting has a name and type, keeps its value, and reports once what it does in this build.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any

from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.basics.notices import tell, tell_once
from penstock.ir.record import Record

KEPT = "the value is kept and changes nothing in this build"


class Setting(Record):
    """One setting: `accepts` is its exact type, `here` describes its effect in this build."""

    accepts: type[Any]
    here: str = KEPT
    lowest: int | None = None
    default: Any = None
    """The default value; None if a value must be given."""
    highest: int | None = None
    choices: tuple[str, ...] = ()
    """The values that there are, of a text."""
    works: bool = False
    """Whether it does what its name says, so that no notice is needed."""


def flag(here: str = KEPT) -> Setting:
    """A bool setting that a call without arguments turns on."""
    return Setting(bool, here, default=True)


def count(here: str = KEPT, lowest: int = 0) -> Setting:
    return Setting(int, here, lowest)


def text(here: str = KEPT) -> Setting:
    return Setting(str, here)


class _Lock:
    closed = False


def lock(closed: bool) -> None:
    """Whether the settings belong to the process and are fixed while a session runs."""
    _Lock.closed = closed


def is_locked() -> bool:
    """Whether a session runs."""
    return _Lock.closed


class Settings:
    """The setters of one table, as attributes; `values` has the values that were set.

    A name `qat.symmetric` in the table is reached as `settings.qat.symmetric`.
    """

    def __init__(
        self,
        owner: str,
        table: Mapping[str, Setting],
        lockable: bool = False,
        also: tuple[str, ...] = (),
        values: dict[str, Any] | None = None,
    ) -> None:
        self._owner = owner
        self._table = table
        self._lockable = lockable
        self._also = also
        """Other names that the owner offers, for suggestions."""
        self.values: dict[str, Any] = {} if values is None else values

    def names(self) -> list[str]:
        """The prefixes of the dotted names in the table."""
        return sorted({name.split(".")[0] for name in self._table})

    def find(self, name: str) -> Any:
        """The setter of that name, or the group of setters."""
        setting = self._table.get(name)
        if setting is not None:
            return self._setter(name, setting)
        if any(known.startswith(f"{name}.") for known in self._table):
            return _Group(self, name)
        known = [*self._table, *self._also]
        advice = did_you_mean(name, known) or _by_last_part(name, known)
        raise located(AttributeError, f'{self._owner} has no setting "{name}"{advice}')

    def _setter(self, name: str, setting: Setting) -> Callable[..., Any]:
        subject = f"{self._owner}.{name}"

        def set_value(val: Any = setting.default) -> Any:
            if self._lockable and _Lock.closed:
                tell(f"Nothing happened because the session is running: {subject}({val!r})")
                return False
            _check(subject, setting, val)
            self.values[name] = val
            if not setting.works:
                tell_once(subject, f"{subject}({val!r}): {setting.here}")
            return None

        set_value.__name__ = name.rpartition(".")[2]
        set_value.__doc__ = f"Takes {setting.accepts.__name__}: {setting.here}."
        return set_value


def _by_last_part(name: str, known: list[str]) -> str:
    last = {entry.rpartition(".")[2]: entry for entry in known}
    near = difflib.get_close_matches(name.rpartition(".")[2], list(last), n=1)
    return f'; did you mean "{last[near[0]]}"?' if near else ""


def _check(subject: str, setting: Setting, value: object) -> None:
    # The exact type, as in OneFlow: a bool is not an int here.
    if type(value) is not setting.accepts:
        name = setting.accepts.__name__
        article = "an" if name[0] in "aeiou" else "a"
        raise located(TypeError, f"{subject} takes {article} {name}, got {kind_of(value)}")
    if setting.choices and value not in setting.choices:
        names = ", ".join(map(repr, setting.choices))
        raise located(ValueError, f"{subject} takes one of {names}, got {value!r}")
    if setting.lowest is not None and isinstance(value, int) and value < setting.lowest:
        raise located(ValueError, f"{subject} takes at least {setting.lowest}, got {value}")
    if setting.highest is not None and isinstance(value, int) and value > setting.highest:
        raise located(ValueError, f"{subject} takes at most {setting.highest}, got {value}")


class _Group:
    """The settings below one name, such as `tensorrt.*`."""

    def __init__(self, settings: Settings, name: str) -> None:
        self._settings = settings
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return self._settings.find(f"{self._name}.{name}")
