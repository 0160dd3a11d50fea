"""What a graph prints about itself while it is traced and compiled."""

from __future__ import annotations

from penstock.basics.checks import check_flag, check_integer
from penstock.basics.errors import kind_of, located
from penstock.ir.core import Operation
from penstock.ir.record import Record


class Debug(Record):
    """The debug settings of a graph."""

    level: int = -1
    depth: int = 2
    only_user: bool = True
    with_lines: bool = False

    @staticmethod
    def of(level: object, ranks: object, depth: object, only_user: object, lines: object) -> Debug:
        """The settings of `Graph.debug`, checked."""
        found = check_integer(level, "v_level of debug")
        if not -1 <= found <= 3:
            raise located(ValueError, f"v_level of debug must lie in [-1, 3], got {level}")
        if check_integer(depth, "max_py_stack_depth of debug") < 0:
            raise located(
                ValueError, f"max_py_stack_depth of debug must be at least 0, got {depth}"
            )
        check_flag(only_user, "only_user_py_stack of debug")
        check_flag(lines, "op_repr_with_py_stack of debug")
        chosen = [0] if ranks is None else ranks if isinstance(ranks, list) else [ranks]
        for rank in chosen:
            if type(rank) is not int:
                raise located(
                    TypeError, f"ranks of debug is an int or a list of ints, got {kind_of(ranks)}"
                )
        # There is one rank, 0; -1 stands for all.
        prints = -1 in chosen or 0 in chosen
        return Debug(found if prints else -1, int(str(depth)), bool(only_user), bool(lines))

    def follow(self, what: Operation | str) -> None:
        """Print that an op is made (level 2; 3 with its types) or a module is called (1)."""
        if isinstance(what, str):
            self.tell(1, f"  {what}")
        elif self.level >= 2:
            self.tell(2, f"    {operator(what, self.level >= 3, True)}")

    def tell(self, level: int, text: str) -> None:
        """Print a line at that level or above."""
        if self.level >= level:
            print(text, flush=True)


def operator(op: Operation, with_types: bool, with_line: bool) -> str:
    """An op in one line: its name and operands, its types and the user's line if wanted."""
    given = ", ".join(f"%{v.name}" if v.name else "_" for v in op.operands)
    made = ", ".join(f"%{v.name}" if v.name else "_" for v in op.results)
    text = f"{op.name}({given}) -> ({made})"
    if with_types:
        types = ", ".join(str(v.type) for v in op.operands)
        text += f": ({types}) -> ({', '.join(str(v.type) for v in op.results)})"
    return f"{text}, at {op.location.describe()}" if with_line else text
