"""`flow.nn.Module`: the base of layers and networks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from penstock.autograd.custom import called
from penstock.autograd.traced import Stated, calling
from penstock.basics.checks import check_flag
from penstock.basics.dtypes import DType, bfloat16, check_dtype, float16, float32, float64
from penstock.basics.errors import kind_of, located
from penstock.nn.hooks.calls import (
    AFTER,
    BEFORE,
    checked,
    note_called,
    owner_of,
    run_after,
    run_before,
)
from penstock.nn.hooks.gates import BackwardHooks
from penstock.nn.modules.tree import Tree
from penstock.tensor_functions.calls import as_type
from penstock.tensors.device import Device
from penstock.tensors.device import device as checked_device
from penstock.tensors.graph import Handle, new_handle
from penstock.tensors.inplace import assign, refuse_traced
from penstock.tensors.modes import mode, no_grad
from penstock.tensors.tensor import Tensor, wrap

M = TypeVar("M", bound="Module")


_EXTRA_STATE = "_extra_state"
"""The key of what a module saves beside parameters and buffers, after its prefix."""


class IncompatibleKeys(NamedTuple):
    """The result of `load_state_dict`: keys it did not find, and keys it did not expect."""

    missing_keys: list[str]
    unexpected_keys: list[str]


class Module(Tree):
    """Base of layers and networks: subclass it, and define `forward`.

    Parameters and modules assigned to attributes are registered: `parameters()` lists them, and
    `state_dict()` has their values. Call `super().__init__()` before the first assignment.

    >>> import penstock as flow
    >>> class Scale(flow.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = flow.nn.Parameter(flow.tensor([2.0]))
    ...     def forward(self, x):
    ...         return x * self.factor
    >>> scale = Scale()
    >>> scale(flow.tensor([3.0])).item()
    6.0
    >>> list(scale.state_dict())
    ['factor']
    """

    bprop: Any = None
    """A subclass may define `bprop(self, *inputs, out, dout)`, the gradient of a call.

    It replaces the gradients of the ops of `forward`, and returns one gradient, or None, for each
    input: a tuple, or for a single input the gradient alone. Parameters then get no gradients. In
    compiled code it is traced once, or called in each step if it needs numbers. A wrong number,
    shape or type raises a located error.

    >>> import penstock as flow
    >>> class Product(flow.nn.Module):
    ...     def forward(self, x, y):
    ...         return x * y
    ...     def bprop(self, x, y, out, dout):
    ...         return dout * (x + y), dout * out
    >>> x, y = (flow.tensor([n], requires_grad=True) for n in (1.0, 2.0))
    >>> Product()(x, y).backward()
    >>> x.grad.item(), y.grad.item()
    (3.0, 2.0)
    """

    hooks_inside: ClassVar[bool] = False
    """Whether backward hooks see the gradient of what `forward` returned, before forward hooks
    replace it; a subclass may set it. Otherwise they see that of the result of the call."""

    def __init__(self) -> None:
        super().__init__()
        held: dict[str, Any] = self.__dict__
        for name in ("_before", "_after", "_before_backward", "_after_backward", "_before_state"):
            held[name] = {}
        held["_hooked"] = self.bprop is not None

    # -- calls --------------------------------------------------------------------------------

    def forward(self, *args: Any, **named: Any) -> Any:
        """The computation of a call; subclasses define it."""
        raise located(
            NotImplementedError, f"{type(self).__name__} has no forward(); define what it computes"
        )

    def __call__(self, *args: Any, **named: Any) -> Any:
        if "_hooked" not in self.__dict__:
            self._known("_parameters")
        if mode.traced is not None:
            note_called(self)
        if not self._hooked:
            return self.forward(*args, **named)
        for hook in list(self._before.values()):
            args, named = run_before(self, hook, args, named)
        backward = None
        if self._before_backward or self._after_backward:
            backward = BackwardHooks(
                self, self._before_backward, self._after_backward, owner_of(self)
            )
            args = backward.inputs(args)
        result = self._computed(args, named)
        if backward is not None and self.hooks_inside:
            result, backward = backward.outputs(result), None
        for hook in list(self._after.values()):
            result = run_after(self, hook, args, named, result)
        return result if backward is None else backward.outputs(result)

    def _computed(self, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The result of `forward`, with the gradient of `bprop` if there is one."""
        if self.bprop is None:
            return self.forward(*args, **named)
        name = type(self).__name__
        if named:
            raise located(
                TypeError,
                f"a module with a bprop takes its inputs by position, got {next(iter(named))}= for "
                f"{name}",
            )
        return called(
            Stated(
                f"module {name}", self.forward, calling(self.bprop, f"bprop of {name}"),
                f"forward of {name}", f"bprop of {name}", self.forward, self.bprop,
                f"{owner_of(self)}/bprop", self,
            ),
            args,
        )  # fmt: skip

    def _add_hook(self, hooks: dict[int, Any], hook: Any, first: bool) -> Handle:
        self.__dict__["_hooked"] = True
        others = dict(hooks)
        handle = new_handle(hooks, hook)
        if first and others:
            for key, value in others.items():  # Move the older hooks behind the new one.
                del hooks[key]
                hooks[key] = value
        return handle

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False,
        traced: bool = False,
    ) -> Handle:  # fmt: skip
        """Call `hook(module, args)` before `forward`; a result other than None replaces the args.

        With `with_kwargs` the call is `hook(module, args, kwargs)`, and the result a pair of both.
        The handle's `remove()` removes the hook. In compiled graphs it is called in each step; with
        `traced` it is called with blobs, once, and its ops are compiled.
        """
        made = checked(BEFORE, hook, with_kwargs, traced)
        return self._add_hook(self._before, made, prepend)

    def register_forward_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False,
        traced: bool = False,
    ) -> Handle:  # fmt: skip
        """Call `hook(module, args, output)` after `forward`; a result replaces the output.

        `traced` is as in `register_forward_pre_hook`.

        >>> import penstock as flow
        >>> relu = flow.nn.ReLU()
        >>> handle = relu.register_forward_hook(lambda module, args, output: output + 1)
        >>> relu(flow.tensor([-1.0, 2.0]))
        tensor([1., 3.], dtype=penstock.float32)
        """
        return self._add_hook(self._after, checked(AFTER, hook, with_kwargs, traced), prepend)

    def register_full_backward_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> Handle:
        """Call `hook(module, grad_output)` when the gradients of the outputs are known.

        A result other than None replaces these gradients.
        """
        made = checked("full_backward_pre_hook", hook)
        return self._add_hook(self._before_backward, made.call, prepend)

    def register_full_backward_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> Handle:
        """Call `hook(module, grad_input, grad_output)` when the inputs' gradients are known.

        Both are tuples, with None for a tensor without a gradient. A result other than None
        replaces `grad_input`.
        """
        made = checked("full_backward_hook", hook)
        return self._add_hook(self._after_backward, made.call, prepend)

    register_backward_hook = register_full_backward_hook

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict`."""
        return new_handle(self._before_state, hook)

    # -- modes --------------------------------------------------------------------------------

    def train(self: M, mode: bool = True) -> M:
        """Put the module and its submodules into training or evaluation mode; returns itself."""
        self.training = check_flag(mode, "mode of train")
        for module in self.children():
            module.train(mode)
        return self

    def eval(self: M) -> M:
        """Put the module and its submodules into evaluation mode; returns itself."""
        return self.train(False)

    def requires_grad_(self: M, requires_grad: bool = True) -> M:
        """Let all parameters require gradients, or none; returns itself."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = False) -> None:
        """Make the gradients of all parameters 0, or None."""
        refuse_traced("zero_grad of a module")
        for parameter in self.parameters():
            grad = parameter.grad
            if grad is None:
                continue
            if set_to_none:
                parameter.grad = None
            else:
                parameter.grad = wrap(np.zeros_like(grad.array))

    def apply(self: M, fn: Callable[[Any], Any]) -> M:
        """Call a function on all submodules, then on the module itself; returns itself."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    # -- types --------------------------------------------------------------------------------

    def _apply(self: M, change: Callable[[Tensor], Tensor]) -> M:
        """Replace all parameters, their gradients and all buffers by the results of a function."""
        for module in self.modules():
            with no_grad():
                for parameter in module._parameters.values():
                    if parameter is not None:
                        _replace(parameter, change(parameter.detach()))
                        if parameter._grad is not None:
                            parameter._grad = change(parameter._grad)
                for name, buffer in module._buffers.items():
                    if buffer is not None:
                        module._buffers[name] = change(buffer)
        return self

    def to(self: M, *args: Any, **named: Any) -> M:
        """Convert its floats to a type such as flow.float64, or move it to a device.

        Takes an element type, a device, or a tensor with both. Returns the module itself.
        """
        dtype: DType | None = named.pop("dtype", None)
        where: Any = named.pop("device", None)
        for name in named:
            if name not in ("non_blocking", "copy", "memory_format"):
                raise located(TypeError, f"to takes dtype and device, got {name!r}")
        for one in args:
            if isinstance(one, DType):
                dtype = one
            elif isinstance(one, Tensor):
                dtype, where = one.dtype, one.device
            elif isinstance(one, str | Device):
                where = one
            elif not isinstance(one, bool):
                raise located(
                    TypeError, f"to takes an element type, a device or a tensor, got {kind_of(one)}"
                )
        if where is not None:
            checked_device(where)
        return self if dtype is None else self._with_floats(check_dtype(dtype, "dtype of to"))

    def _with_floats(self: M, dtype: DType) -> M:
        if not dtype.is_float:
            raise located(TypeError, f"the parameters of a module are floats, got {dtype}")
        return self._apply(lambda t: as_type(t, dtype) if t.dtype.is_float else t)

    def type(self: M, dst_type: DType) -> M:
        """Convert all parameters and buffers to this element type; returns itself."""
        wanted = check_dtype(dst_type, "dst_type of type")
        return self._apply(lambda t: as_type(t, wanted))

    def float(self: M) -> M:
        """Make its floats float32; returns itself."""
        return self._with_floats(float32)

    def double(self: M) -> M:
        """Make its floats float64; returns itself."""
        return self._with_floats(float64)

    def half(self: M) -> M:
        """Make its floats float16; returns itself."""
        return self._with_floats(float16)

    def bfloat16(self: M) -> M:
        """Make its floats bfloat16; returns itself."""
        return self._with_floats(bfloat16)

    def cpu(self: M) -> M:
        """The module itself: all tensors are on the CPU."""
        return self

    def cuda(self: M, device: Any = None) -> M:
        """Move it to a GPU. Raises RuntimeError, since there is none."""
        return self.to(checked_device("cuda"))

    def to_global(self: M, placement: Any = None, sbp: Any = None) -> M:
        """Give all parameters and buffers a placement and a signature; returns itself."""
        for tensor in (*self.parameters(), *self.buffers()):
            made = tensor.to_global(placement, sbp)
            if tensor.layout is None and made.placement.ranks.size > 1:
                tensor.array = made.array
            tensor.layout = made.layout
        return self

    # -- state --------------------------------------------------------------------------------

    def _save_to_state_dict(
        self, destination: dict[str, Any], prefix: str, keep_vars: bool
    ) -> None:
        """Put the module's own parameters and buffers into a dict; subclasses may add to it."""
        held = {name: b for name, b in self._buffers.items() if name not in self._passing}
        for name, value in (*self._parameters.items(), *held.items()):
            if value is not None:
                destination[prefix + name] = value if keep_vars else value.detach()
        if type(self).get_extra_state is not Module.get_extra_state:
            destination[prefix + _EXTRA_STATE] = self.get_extra_state()

    def get_extra_state(self) -> Any:
        """What `state_dict` saves beside parameters and buffers, as `<prefix>_extra_state`.

        A subclass that defines it also defines `set_extra_state`. `flow.save` takes tensors,
        numbers, strings, lists and dicts.

        >>> import penstock as flow
        >>> class Counted(flow.nn.Module):
        ...     calls = 0
        ...     def get_extra_state(self):
        ...         return {"calls": self.calls}
        ...     def set_extra_state(self, state):
        ...         self.calls = state["calls"]
        >>> model = Counted()
        >>> model.load_state_dict({"_extra_state": {"calls": 3}})
        IncompatibleKeys(missing_keys=[], unexpected_keys=[])
        >>> model.state_dict()
        {'_extra_state': {'calls': 3}}
        """
        raise self._no_extra_state("get_extra_state")

    def set_extra_state(self, state: Any) -> None:
        """Take over what `get_extra_state` of another module gave; called by `load_state_dict`."""
        raise self._no_extra_state("set_extra_state")

    def _no_extra_state(self, name: str) -> RuntimeError:
        return located(
            RuntimeError,
            f"{type(self).__name__} has no state beside its parameters and buffers; define "
            f"{name}, or do not call it",
        )

    def state_dict(
        self, destination: dict[str, Tensor] | None = None, prefix: str = "",
        keep_vars: bool = False,
    ) -> dict[str, Tensor]:  # fmt: skip
        """All parameters and persistent buffers by their dotted names.

        The tensors share their elements with the module; with `keep_vars` they are the parameters
        themselves. A module that defines `get_extra_state` adds what that returns.

        >>> import penstock as flow
        >>> model = flow.nn.Sequential(flow.nn.Linear(2, 1), flow.nn.BatchNorm1d(1, affine=False))
        >>> list(model.state_dict())
        ['0.weight', '0.bias', '1.running_mean', '1.running_var', '1.num_batches_tracked']
        """
        found: dict[str, Tensor] = {} if destination is None else destination
        for hook in list(self._before_state.values()):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(found, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(found, f"{prefix}{name}.", keep_vars)
        return found

    def _load_from_state_dict(
        self, state_dict: Mapping[str, Any], prefix: str, local_metadata: dict[str, Any],
        strict: bool, missing_keys: list[str], unexpected_keys: list[str], error_msgs: list[str],
    ) -> None:  # fmt: skip
        """Load the module's own parameters and buffers from a dict; subclasses may extend it."""
        held = {name: b for name, b in self._buffers.items() if name not in self._passing}
        for name, target in (*self._parameters.items(), *held.items()):
            key = prefix + name
            if target is None:
                continue
            if key not in state_dict:
                missing_keys.append(key)
                continue
            given = state_dict[key]
            value = given if isinstance(given, Tensor) else wrap(np.asarray(given))
            if value.array.shape != target.array.shape:
                error_msgs.append(
                    f"{key} has shape {tuple(target.shape)} here and {tuple(value.shape)} there"
                )
                continue
            with no_grad():
                assign(target, as_type(value.detach(), target.dtype), "load_state_dict")
        if type(self).set_extra_state is not Module.set_extra_state:
            if (key := prefix + _EXTRA_STATE) in state_dict:
                self.set_extra_state(state_dict[key])
            else:
                missing_keys.append(key)

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> IncompatibleKeys:
        """Copy the values of a state, as returned by `state_dict`, into the module's tensors.

        Returns the missing and the unexpected names; if `strict`, raises a located RuntimeError for
        them instead. Values may be tensors or arrays. With `assign`, the module shares the elements
        of the given tensors.

        >>> import penstock as flow
        >>> layer = flow.nn.Linear(1, 1, bias=False)
        >>> layer.load_state_dict({"weight": flow.tensor([[2.0]])})
        IncompatibleKeys(missing_keys=[], unexpected_keys=[])
        >>> layer.weight.item()
        2.0
        """
        if not isinstance(state_dict, Mapping):
            raise located(
                TypeError, f"load_state_dict takes a dict of tensors, got {kind_of(state_dict)}"
            )
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        if assign:
            self._take(state_dict)
        wanted: dict[str, Tensor] = {}
        for prefix, module in self.named_modules(remove_duplicate=False):
            start = f"{prefix}." if prefix else ""
            module._load_from_state_dict(state_dict, start, {}, strict, missing, unexpected, errors)
            module._save_to_state_dict(wanted, start, True)
        unexpected += [key for key in state_dict if key not in wanted]
        found = IncompatibleKeys(list(dict.fromkeys(missing)), list(dict.fromkeys(unexpected)))
        if strict and found.missing_keys:
            errors.append(f"{', '.join(found.missing_keys)} is missing")
        if strict and found.unexpected_keys:
            errors.append(f"{', '.join(found.unexpected_keys)} is not expected")
        if errors:
            advice = "; pass strict=False to load the rest" if strict else ""
            raise located(
                RuntimeError,
                f"the state does not fit {type(self).__name__}: {'; '.join(errors)}{advice}",
            )
        return found

    def _take(self, state_dict: Mapping[str, Any]) -> None:
        """Let parameters and buffers share the elements of the state's tensors."""
        for name, value in self.state_dict(keep_vars=True).items():
            given = state_dict.get(name)
            if (
                isinstance(value, Tensor)
                and isinstance(given, Tensor)
                and given.array.shape == value.array.shape
            ):
                _replace(value, given.detach())


def _replace(target: Tensor, value: Tensor) -> None:
    """Replace a tensor's elements by those of another; it stays a leaf."""
    target.array = value.array
    target.changes = value.all_changes
