"""`nn.Cell`: the base of layers and networks, on the modules of penstock."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from penstock.autograd.custom import called
from penstock.autograd.traced import Stated, calling
from penstock.basics.checks import check_flag, check_takes
from penstock.basics.errors import function_location, kind_of, located
from penstock.mindspore.compiled import Compiled, note_call
from penstock.mindspore.context import is_graph_mode
from penstock.mindspore.parameter import Parameter
from penstock.mindspore.recording import unless_differentiated
from penstock.mindspore.tensor import Tensor, faced, plain
from penstock.nn.hooks.calls import owner_of
from penstock.nn.hooks.gates import replaced
from penstock.nn.modules.module import Module
from penstock.tensors.graph import Handle
from penstock.trace.tracing import active_trace


class _Core(Module):
    """The cell alone, without its forward hooks: its backward hooks see these gradients."""

    def __init__(self, cell: Cell) -> None:
        super().__init__()
        self.__dict__["cell"] = cell
        self.__dict__["_hooked"] = cell.bprop is not None

    def forward(self, *args: Any, **named: Any) -> Any:
        cell: Cell = self.__dict__["cell"]
        return plain(cell.construct(*faced(args), **faced(named)))

    def _computed(self, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        cell: Cell = self.__dict__["cell"]
        if cell.bprop is None:
            return self.forward(*args, **named)
        name = cell.cls_name
        if named:
            raise located(
                TypeError,
                f"a cell with a bprop takes its inputs by position, got {next(iter(named))}= for "
                f"{name}",
            )

        own = calling(cell.bprop, f"bprop of {name}")

        def bprop(*given: Any) -> Any:
            return plain(own(*faced(given)))

        return called(
            Stated(
                f"cell {name}", self.forward, bprop, f"construct of {name}", f"bprop of {name}",
                type(cell).construct, type(cell).bprop, f"{owner_of(cell)}/bprop",
            ),
            args,
        )  # fmt: skip


class Cell(Module):
    """Base of layers and networks: subclass it, and define `construct`.

    Parameters and cells assigned to attributes are registered; with `auto_prefix`, the names of a
    cell's parameters get the attribute's name in front. In PyNative mode a call runs
    `construct`; in graph mode it compiles it for the shapes and types of the arguments. A method
    `bprop(self, *inputs, out, dout)` that returns a gradient for each input replaces the
    derivative.

    >>> import penstock.mindspore as ms
    >>> class Net(ms.nn.Cell):
    ...     def construct(self, x):
    ...         return x * x
    >>> print(Net()(ms.Tensor([3.0])))
    [9.]
    """

    def __init__(self, auto_prefix: bool = True, flags: Any = None) -> None:
        super().__init__()
        held = self.__dict__
        held["_faces"] = {}
        held["_core"] = _Core(self)
        source = type(self).construct
        held["_compiled"] = Compiled(
            type(self)._run_compiled, getattr(source, "__wrapped__", source)
        )
        held["requires_grad"] = False
        held["_auto_prefix"] = auto_prefix
        self.training = False

    @property
    def cls_name(self) -> str:
        """The name of its class."""
        return type(self).__name__

    # -- calls --------------------------------------------------------------------------------

    def construct(self, *args: Any, **named: Any) -> Any:
        """The computation of a call; subclasses define it."""
        raise located(
            NotImplementedError, f"{self.cls_name} has no construct(); define what it computes"
        )

    def __call__(self, *args: Any, **named: Any) -> Any:
        if "_core" not in self.__dict__:
            self._known("_parameters")
        if active_trace() is not None:
            note_call(self)
            return faced(super().__call__(*plain(args), **plain(named)))
        with unless_differentiated():
            if is_graph_mode():
                compiled: Compiled = self.__dict__["_compiled"]
                return faced(compiled(self, *plain(args), **plain(named)))
            return faced(super().__call__(*plain(args), **plain(named)))

    def _run_compiled(self, *args: Any, **named: Any) -> Any:
        note_call(self)
        return super().__call__(*args, **named)

    def _computed(self, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        return self.forward(*args, **named)

    def forward(self, *args: Any, **named: Any) -> Any:
        """Run `construct` on values of penstock."""
        return self.__dict__["_core"](*args, **named)

    def compile_state(self) -> Hashable:
        """The mode on which compiled code depends."""
        return self.training

    # -- hooks --------------------------------------------------------------------------------

    def _cell_id(self) -> str:
        return f"{self.cls_name}({id(self)})"

    def register_forward_pre_hook(
        self, hook_fn: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False,
        traced: bool = False,
    ) -> Handle:  # fmt: skip
        """Call `hook_fn(cell_id, inputs)` before `construct`; what it returns replaces the inputs.

        `inputs` is a tuple. What the hook computes is part of the gradient. The handle's `remove()`
        removes the hook. Compiled code calls it in each call; with `traced` its ops are compiled.
        """
        if with_kwargs:  # A hook of penstock, not of MindSpore.
            return super().register_forward_pre_hook(
                hook_fn, prepend=prepend, with_kwargs=True, traced=traced
            )
        check_takes(hook_fn, ("cell_id", "inputs"), "register_forward_pre_hook")

        def hook(module: Any, args: Any) -> Any:
            made = hook_fn(self._cell_id(), faced(args))
            return None if made is None else plain(made if isinstance(made, tuple) else (made,))

        return super().register_forward_pre_hook(hook, prepend=prepend, traced=traced)

    def register_forward_hook(
        self, hook_fn: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False,
        traced: bool = False,
    ) -> Handle:  # fmt: skip
        """Call `hook_fn(cell_id, inputs, outputs)` after `construct`; what it returns replaces the
        outputs.

        `inputs` is a tuple; `outputs` is what `construct` returned.
        """
        if with_kwargs:
            return super().register_forward_hook(
                hook_fn, prepend=prepend, with_kwargs=True, traced=traced
            )
        check_takes(hook_fn, ("cell_id", "inputs", "outputs"), "register_forward_hook")

        def hook(module: Any, args: Any, output: Any) -> Any:
            return plain(hook_fn(self._cell_id(), faced(args), faced(output)))

        return super().register_forward_hook(hook, prepend=prepend, traced=traced)

    def register_backward_hook(  # type: ignore[override]
        self, hook_fn: Callable[..., Any]
    ) -> Handle:
        """Call `hook_fn(cell_id, grad_input, grad_output)` when the gradients are known.

        `grad_input` is the tuple of gradients that come into the cell, those of its outputs;
        `grad_output` is that of the gradients that leave it, those of its inputs. A tuple that the
        hook returns replaces `grad_output`. Forward hooks are outside of the cell.
        """
        names = ("cell_id", "grad_input", "grad_output")
        check_takes(hook_fn, names, "register_backward_hook")

        def hook(module: Any, of_inputs: Any, of_outputs: Any) -> Any:
            given = faced(of_inputs)
            made = hook_fn(self._cell_id(), faced(of_outputs), given)
            if made is None:
                return None
            what = f"a backward hook of {self.cls_name}"
            if not isinstance(made, tuple):
                raise located(
                    TypeError,
                    f"{what} must return None or a tuple of gradients, got {kind_of(made)}",
                    function_location(hook_fn),
                )
            return plain(replaced(made, given, hook_fn, what, Tensor))

        core: Module = self.__dict__["_core"]
        return core.register_full_backward_hook(hook)

    # -- members ------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        faces = self.__dict__.get("_faces")
        if isinstance(value, Parameter):
            self._known("_faces")
            self.insert_param_to_cell(name, value, False)
            return
        if faces is not None:
            faces.pop(name, None)
        if isinstance(value, Cell) and self.__dict__.get("_auto_prefix", True):
            value.update_parameters_name(f"{name}.")
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        faces = self.__dict__.get("_faces", {})
        if name in faces:
            return faces[name]
        return super().__getattr__(name)

    def __delattr__(self, name: str) -> None:
        self.__dict__["_faces"].pop(name, None)
        super().__delattr__(name)

    def insert_param_to_cell(
        self, param_name: str, param: Parameter, check_name_contain_dot: bool = True
    ) -> None:
        """Register a parameter under that name."""
        if not isinstance(param, Parameter):
            raise located(
                TypeError,
                f"parameter {param_name!r} of {self.cls_name} must be a Parameter, got "
                f"{kind_of(param)}",
            )
        if not param.has_name:
            param.name, param.has_name = param_name, True
        super().__setattr__(param_name, param.inner)
        self.__dict__["_faces"][param_name] = param

    def insert_child_to_cell(self, child_name: str, child_cell: Cell) -> None:
        """Register a cell under that name."""
        if not isinstance(child_cell, Cell):
            raise located(
                TypeError,
                f"cell {child_name!r} of {self.cls_name} must be a Cell, got {kind_of(child_cell)}",
            )
        self.__dict__.pop(child_name, None)
        child_cell.update_parameters_name(f"{child_name}.")
        self._register("_modules", child_name, child_cell)

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Name the parameters after the attributes that hold them, behind a prefix."""
        for name, parameter in self.parameters_and_names(expand=recurse):
            parameter.name = prefix + name

    def cells(self) -> Iterator[Cell]:
        """The direct child cells."""
        return iter(self.children())

    def name_cells(self) -> dict[str, Cell]:
        """The direct child cells by name."""
        return dict(self.named_children())

    def cells_and_names(self, cells: Any = None, name_prefix: str = "") -> Iterator[Any]:
        """The cell itself and all below it, with their names."""
        return self.named_modules(prefix=name_prefix)

    def parameters_and_names(
        self, name_prefix: str = "", expand: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters with their dotted names, each once."""
        seen: set[int] = set()
        cells = self.named_modules(prefix=name_prefix) if expand else [(name_prefix, self)]
        for prefix, cell in cells:
            for name, parameter in getattr(cell, "_faces", {}).items():
                if id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield (f"{prefix}.{name}" if prefix else name), parameter

    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        """The parameters, each once."""
        return (parameter for _, parameter in self.parameters_and_names(expand=expand))

    def parameters_dict(self, recurse: bool = True) -> dict[str, Parameter]:
        """The parameters by their names."""
        return {parameter.name: parameter for parameter in self.get_parameters(recurse)}

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The parameters that are trained."""
        return [one for one in self.get_parameters(recurse) if one.requires_grad]

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The parameters that are not trained."""
        return [one for one in self.get_parameters(recurse) if not one.requires_grad]

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Any, Any]:
        """Nothing, as parameters have their elements from the start; an empty dict."""
        return {}

    # -- modes --------------------------------------------------------------------------------

    def set_train(self, mode: bool = True) -> Cell:
        """Put the cell and those below it into training or evaluation mode; returns itself."""
        self.train(check_flag(mode, "mode of set_train"))
        return self

    def set_grad(self, requires_grad: bool = True) -> Cell:
        """Note whether gradients are wanted; GradOperation finds out by itself. Returns itself."""
        self.__dict__["requires_grad"] = check_flag(requires_grad, "requires_grad of set_grad")
        return self

    def set_inputs(self, *inputs: Any) -> None:
        """Nothing: each form of inputs is compiled when it occurs."""

    def compile(self, *inputs: Any) -> None:
        """Compile the cell for inputs of these shapes and types, by calling it in graph mode."""
        compiled: Compiled = self.__dict__["_compiled"]
        compiled(self, *plain(inputs))

    def extend_repr(self) -> str:
        """The cell's own text in `repr`."""
        return ""

    def extra_repr(self) -> str:
        return self.extend_repr()
