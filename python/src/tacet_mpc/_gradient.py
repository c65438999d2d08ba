"""Gradients of private functions: `tacet grad` differentiates their programs, wherever these come from."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Literal, ParamSpec, TypeVar, overload

import numpy as np

from ._arrays import Array, cast, to_array
from ._embed import derivative
from ._errors import Unsupported, Usage
from ._owners import Owned
from ._private import Call, Private, Settings, _parties, _remember, private
from ._trace import Program
from ._trees import Leaf, base_name

P = ParamSpec("P")
R = TypeVar("R")

Wrt = str | int | Sequence[str | int]


class Gradient(Private[..., Any]):
    """The derivative of a private function as a private function. `grad` and `value_and_grad` make one."""

    def __init__(self, of: Private[..., Any], wrt: Wrt, result: int, cotangent: bool, value: bool, settings: Settings | None = None) -> None:
        parameters = list(of._signature.parameters.values())
        if cotangent:
            if "cotangent" in of._signature.parameters:
                raise Usage(f"{of._name} has a parameter cotangent already", remedy="rename it")
            last = inspect.Parameter("cotangent", inspect.Parameter.KEYWORD_ONLY)
            at = next((i for i, p in enumerate(parameters) if p.kind is inspect.Parameter.VAR_KEYWORD), len(parameters))
            parameters.insert(at, last)

        def differentiated(*args: Any, **kwargs: Any) -> Any:
            raise Unsupported(
                f"the derivative of {of._name} is a program, and no function that JAX traces",
                remedy="call it on owned values, or use jax.grad inside of a private function",
            )

        differentiated.__name__ = differentiated.__qualname__ = f"grad_{of._name}"
        differentiated.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        super().__init__(differentiated, settings or of._settings)
        self._of, self._result, self._cotangent, self._value = of, result, cotangent, value
        self._wrt = wrt
        self._names = _parameters(of, wrt)

    def _with(self, settings: Settings) -> Gradient:
        return Gradient(self._of, self._wrt, self._result, self._cotangent, self._value, settings)

    def _prepare(self, args: tuple[Any, ...], kwargs: dict[str, Any], data: bool = True) -> Call:
        self._bind(args, kwargs)
        given = dict(kwargs)
        cotangent = given.pop("cotangent", None) if self._cotangent else None
        call = self._of._prepare(args, given, data)
        leaves, arrays = list(call.leaves), list(call.arrays)
        program = call.program
        if not 0 <= self._result < len(program.shapes):
            raise Usage(f"result={self._result}: {self._of._name} returns {len(program.shapes)} arrays", remedy="count them from 0")
        wrt = [i for name in self._names for i, leaf in enumerate(leaves) if base_name(leaf.name) == name]
        kinds = [_kind(leaf, array) for leaf, array in zip(leaves, arrays, strict=True)]
        for i in wrt:
            if kinds[i][1].kind != "f":
                raise Usage(
                    f"{leaves[i].name} is {kinds[i][1].name}, which has no derivative",
                    remedy="name arguments of floats in wrt=, or make it an array of floats",
                )
        if not wrt:
            raise Usage(f"{', '.join(self._names)} holds no array to differentiate by", remedy="name another parameter in wrt=")
        derived = self._derived(call, wrt, [kinds[i] for i in wrt])
        if self._cotangent:
            leaf = Leaf(cotangent.value, cotangent.owner, "cotangent") if isinstance(cotangent, Owned) else Leaf(cotangent, None, "cotangent")
            leaves.append(leaf)
            arrays.append(_along(leaf, program.shapes[self._result], data))
        parts = [self._of._argument(name, args, given) for name in self._names]
        counts = [sum(base_name(leaf.name) == name for leaf in call.leaves) for name in self._names]
        values = len(program.shapes) if self._value else 0

        def result(outs: list[Array]) -> Any:
            rest, found = iter(outs[values:]), []
            for build, count in zip(parts, counts, strict=True):
                found.append(build([next(rest) for _ in range(count)]))
            derivative = found[0] if isinstance(self._wrt, (str, int)) else tuple(found)
            return (call.result(outs[:values]), derivative) if self._value else derivative

        def clear() -> list[Array]:
            raise Unsupported(
                f"verify compares with a function in Python, and the derivative of {self._of._name} is a program",
                remedy="compare with jax.grad of the function",
            )

        key = (call.key, tuple(wrt), self._result, self._cotangent, self._value)
        parties = _parties(leaves, self._name)
        owners = tuple(leaf.owner.name if leaf.owner else None for leaf in leaves)
        return Call(derived, leaves, arrays, parties, (key, owners, parties), result, clear)

    def _derived(self, call: Call, wrt: list[int], kinds: list[tuple[tuple[int, ...], np.dtype[Any]]]) -> Program:
        """The program of the derivative, remembered by the function's own."""
        key = (call.program.text, tuple(wrt))
        with self._lock:
            if (found := self._programs.get(key)) is not None:
                self._programs.move_to_end(key)
                return found
        text = derivative(call.program.text, wrt, self._result, cotangent=self._cotangent, value=self._value, names=call.program.names())
        arguments = [*call.program.arguments, *(["cotangent"] if self._cotangent else [])]
        results = [*(call.program.results if self._value else []), *(f"derivative by {call.program.arguments[i]}" for i in wrt)]
        shapes = [*(call.program.shapes if self._value else []), *((shape, dtype.name) for shape, dtype in kinds)]
        program = Program(text, arguments, results, shapes, None)
        with self._lock:
            _remember(self._programs, key, program)
        return program


def _parameters(of: Private[..., Any], wrt: Wrt) -> list[str]:
    """The names of parameters, which may be given by their numbers."""
    names = list(of._signature.parameters)
    out: list[str] = []
    for w in [wrt] if isinstance(wrt, (str, int)) else wrt:
        if isinstance(w, int) and -len(names) <= w < len(names):
            w = names[w]
        if w not in names or w in of._static or w in out:
            dynamic = [n for n in names if n not in of._static]
            raise Usage(
                f"wrt={w!r} is {'named twice' if w in out else f'no parameter of {of._name} with a derivative'}",
                remedy=f"its parameters are {', '.join(dynamic)}",
            )
        out.append(str(w))
    if not out:
        raise Usage("wrt=() names no parameter", remedy='name those to differentiate by: wrt="w"')
    return out


def _kind(leaf: Leaf, array: Array | None) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Shape and element type of an argument."""
    if array is not None:
        return array.shape, array.dtype
    shape = tuple(leaf.value.shape)
    return shape, np.dtype({"float64": "float32"}.get(np.dtype(leaf.value.dtype).name, leaf.value.dtype))


def _along(leaf: Leaf, want: tuple[tuple[int, ...], str], data: bool) -> Array | None:
    """The cotangent as an array of the result's shape and element type."""
    shape, dtype = want
    if leaf.abstract and not data and leaf.owner is not None:
        have: tuple[int, ...] = tuple(leaf.value.shape)
        array = None
    else:
        array = cast(to_array(leaf.array(), "cotangent"), np.dtype(dtype), "cotangent")
        have = array.shape
    if have != shape:
        raise Usage(f"cotangent has shape {have}, and the result's is {shape}", remedy="it has a number for each element of the result")
    return array


@overload
def grad(f: Private[P, Any] | Callable[P, Any], /, wrt: Wrt = 0, *, result: int = 0, cotangent: Literal[False] = False) -> Private[P, Any]: ...
@overload
def grad(f: Callable[..., Any], /, wrt: Wrt = 0, *, result: int = 0, cotangent: Literal[True]) -> Private[..., Any]: ...
def grad(f: Callable[..., Any], /, wrt: Wrt = 0, *, result: int = 0, cotangent: bool = False) -> Private[..., Any]:
    """The gradient of a private function, also of an ONNX model or a PyTorch module.

    The function's result (of several: that of the number result) is a scalar, such as a loss. wrt names the parameters
    to differentiate by, or numbers them; the gradient is a tree as the argument is, or a tuple for several. With
    cotangent=True the result need not be a scalar: the gradient takes a further argument cotangent of the result's
    shape, and returns its product with the derivative.

    >>> import jax.numpy as jnp, tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> @tacet.private
    ... def loss(w, x, y):
    ...     return jnp.mean((x @ w - y) ** 2)
    >>> step = tacet.grad(loss, "w")
    >>> step(bob([0.5, 0.0]), alice([[1.0, 2.0], [3.0, 4.0]]), alice([1.0, 1.0])).round(2).tolist()
    [1.0, 1.0]
    """
    return Gradient(_made(f), wrt, result, cotangent, False)


def value_and_grad(f: Callable[P, R], /, wrt: Wrt = 0, *, result: int = 0) -> Private[P, tuple[R, Any]]:
    """The same as grad, with what the function returns before the gradient: a pair.

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> value, by = tacet.value_and_grad(lambda a, b: a * b, (0, 1))(alice(2.0), bob(3.0))
    >>> float(value.round(3)), [float(d.round(3)) for d in by]
    (6.0, [3.0, 2.0])
    """
    return Gradient(_made(f), wrt, result, False, True)  # type: ignore[return-value]


def _made(f: Callable[..., Any]) -> Private[..., Any]:
    return f if isinstance(f, Private) else private(f)
