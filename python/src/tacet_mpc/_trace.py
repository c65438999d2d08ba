"""Traces a Python function with JAX into the text of a program."""

from __future__ import annotations

import inspect
import os
import re
import sysconfig
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ._errors import Error, Names, Unsupported, Usage
from ._locations import Locations, _short
from ._trees import jax_module


@dataclass
class Program:
    """A program: what a function is for arguments of some shapes and static values."""

    text: str
    arguments: list[str]
    """the paths of the arguments"""
    results: list[str]
    """the paths of the results"""
    shapes: list[tuple[tuple[int, ...], str]]
    """shapes and element types of the results"""
    tree: Any
    """the tree of the results; None for a tuple"""
    locations: Locations = field(init=False)

    def __post_init__(self) -> None:
        self.locations = Locations(self.text)

    def names(self) -> Names:
        return Names(self.arguments, self.results, self.locations.line)


def trace(
    fn: Callable[..., Any],
    signature: inspect.Signature,
    names: list[str],
    structure: Any,
    leaves: list[tuple[str, Any]],
    static: dict[str, Any],
) -> Program:
    """The program of fn for leaves, each a path and what JAX traces for it."""
    jax = jax_module()
    tree = jax.tree_util
    out: dict[str, Any] = {}

    def flat(*values: Any) -> Any:
        given = dict(zip(names, tree.tree_unflatten(structure, values), strict=True))
        given.update(static)
        bound = inspect.BoundArguments(signature, {k: given[k] for k in signature.parameters if k in given})
        result = fn(*bound.args, **bound.kwargs)
        paths, out["tree"] = tree.tree_flatten_with_path(result)
        out["names"] = ["result" + tree.keystr(path) for path, _ in paths]
        return [x for _, x in paths]

    flat.__name__ = flat.__qualname__ = getattr(fn, "__name__", "function")
    try:
        lowered = jax.jit(flat, keep_unused=True).lower(*(x for _, x in leaves))
    except Exception as err:
        translated = _translate(jax, err, fn)
        if translated is None:
            raise
        raise translated from None
    try:
        text = lowered.as_text(debug_info=True)
    except TypeError:  # JAX 0.4.30
        text = lowered.compiler_ir("stablehlo").operation.get_asm(enable_debug_info=True, large_elements_limit=None)
    if (line := text.find("xla_ffi_python_")) >= 0 or (line := text.find("xla_python_")) >= 0:
        raise Unsupported(
            "a callback: Python would run on values that no party may see",
            where=Locations(text).line(text.count("\n", 0, line) + 1),
            op="stablehlo.custom_call",
            remedy="leave out jax.debug.print, jax.debug.callback, pure_callback and io_callback; or return the value",
        )
    shapes = [(tuple(x.shape), str(x.dtype)) for x in lowered.out_info]
    if not shapes:
        raise Usage(f"{flat.__name__} returns no array", remedy="return what a party is to learn")
    return Program(text, [name for name, _ in leaves], out["names"], shapes, out["tree"])


def _translate(jax: Any, err: Exception, fn: Callable[..., Any]) -> Error | None:
    """What an error of JAX means here; None if it is the caller's own."""
    errors = jax.errors
    where = _line_of(err)
    branch = getattr(errors, "TracerBoolConversionError", ())
    index = getattr(errors, "NonConcreteBooleanIndexError", ())
    array = errors.TracerArrayConversionError
    integer = errors.TracerIntegerConversionError
    leaked = errors.UnexpectedTracerError
    if isinstance(err, branch):
        return Unsupported(
            "`if`, `while`, `and`, `or` or `assert` on a value that depends on a secret or traced argument",
            where=where,
            remedy="use jnp.where, jax.lax.cond or jax.lax.while_loop, or name the argument in static=",
        )
    if isinstance(err, index):
        return Unsupported(
            "indexing with a boolean mask gives an array whose shape depends on values",
            where=where,
            remedy="use jnp.where(mask, x, 0), which keeps the shape",
        )
    if isinstance(err, array):
        return Unsupported(
            "a function of NumPy, or of another library, is applied to a traced argument",
            where=where,
            remedy="use the function of jax.numpy instead, or name the argument in static=",
        )
    if isinstance(err, (integer, errors.ConcretizationTypeError)) or isinstance(err, TypeError) and "concrete values" in str(err):
        return Unsupported(
            "`float` or `int` of a value, or a shape, an axis, a length or an index of Python depends on a traced argument",
            where=where,
            remedy="name that argument in static=, or index with jnp.take or jax.lax.dynamic_slice",
        )
    if isinstance(err, leaked):
        return Unsupported(
            "the function keeps a traced value outside of itself, for instance in a global or an attribute",
            where=where,
            remedy="return the value instead",
        )
    if isinstance(err, TypeError) and "Tracer" in str(err) and "Tensor" in str(err):
        return Unsupported(
            "a function of PyTorch is applied to a traced argument",
            where=where,
            remedy="use the function of jax.numpy or jax.nn, or pass a module through tacet.from_torch(module, example)",
        )
    if isinstance(err, TypeError) and "immutable" in str(err):
        return Unsupported("an array is changed in place", where=where, remedy="use x = x.at[i].set(y)")
    if isinstance(err, TypeError) and "valid JAX type" in str(err):
        return Usage(
            f"the function computes with or returns what is no array: {_first(err)}",
            where=where,
            remedy="return arrays, numbers, or pytrees of them",
        )
    return None


def _first(err: Exception) -> str:
    """What JAX says is no array, without the name of the function that is traced."""
    text = (str(err).splitlines() or [""])[0]
    found = re.search(r"<class '([\w.]+)'>", text)
    return f"a {found[1]}" if found else text[:120]


def _line_of(err: BaseException) -> str:
    """The caller's line that raised an error: the innermost one outside of libraries."""
    here = os.path.dirname(os.path.abspath(__file__))
    libraries = {sysconfig.get_path(k) for k in ("purelib", "platlib", "stdlib")} | {here}
    last = ""
    for frame in traceback.extract_tb(err.__traceback__):
        if not any(frame.filename.startswith(path + os.sep) for path in libraries) and not frame.filename.startswith("<frozen"):
            last = f"{_short(frame.filename)}:{frame.lineno}"
    return last
