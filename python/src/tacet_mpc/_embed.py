"""Programs within functions of JAX: an imported model takes part in losses and training loops.

A primitive stands for a program while JAX traces; its lowering puts the program's text into the module that JAX writes.
Its derivative is the program that `tacet grad` makes of it, by the same primitive.
"""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._child import Child
from ._errors import Missing, Names
from ._trees import jax_module

Kind = tuple[tuple[int, ...], str]
"""shape and element type"""

_REMEMBERED = 64
_derived: OrderedDict[Any, str] = OrderedDict()
_lock = threading.Lock()


def derivative(text: str, wrt: Sequence[int], result: int = 0, *, cotangent: bool = False, value: bool = False, names: Names | None = None) -> str:
    """The program of a derivative, as `tacet grad` writes it. The last ones are remembered."""
    key = (text, tuple(wrt), result, cotangent, value)
    with _lock:
        if (found := _derived.get(key)) is not None:
            _derived.move_to_end(key)
            return found
    with Child(4 * len(text)) as child:
        source = child.scratch.file("program.mlir")
        flags = [f"--wrt={','.join(map(str, wrt))}", f"--result={result}"]
        flags += ["--cotangent"] if cotangent else []
        flags += [] if value else ["--only"]
        child.start(["grad", str(source), *flags])
        source.write_text(text, encoding="utf-8")
        out = child.run(names).decode()
        child.finish()
    with _lock:
        _derived[key] = out
        while len(_derived) > _REMEMBERED:
            _derived.popitem(last=False)
    return out


def embed(text: str, results: Sequence[Kind], arguments: Sequence[Any]) -> list[Any]:
    """What the program computes of arguments, as a part of the function that JAX traces, with a derivative in reverse mode."""
    jax = jax_module()
    jnp = jax.numpy
    kinds = tuple((tuple(shape), dtype) for shape, dtype in results)
    floats = [i for i, a in enumerate(arguments) if jnp.issubdtype(jnp.result_type(a), jnp.floating)]

    @jax.custom_vjp  # type: ignore[untyped-decorator,unused-ignore]
    def run(*given: Any) -> list[Any]:
        return list(_primitive().bind(*given, text=text, results=kinds))

    def forward(*given: Any) -> tuple[list[Any], tuple[Any, ...]]:
        return run(*given), given

    def backward(given: tuple[Any, ...], cotangents: list[Any]) -> tuple[Any, ...]:
        total: list[Any] = [None] * len(given)
        for i in set(range(len(given))) - set(floats):
            total[i] = np.zeros(jnp.shape(given[i]), jax.dtypes.float0)
        for r, (_, dtype) in enumerate(kinds):
            if not dtype.startswith(("float", "bfloat")):
                continue
            derived = derivative(text, floats, r, cotangent=True)
            like = [(tuple(given[i].shape), str(given[i].dtype)) for i in floats]
            for i, part in zip(floats, embed(derived, like, [*given, cotangents[r]]), strict=True):
                total[i] = part if total[i] is None else total[i] + part
        return tuple(jnp.zeros_like(given[i]) if t is None else t for i, t in enumerate(total))

    run.defvjp(forward, backward)
    return list(run(*arguments))


@functools.cache
def _primitive() -> Any:
    """The primitive tacet_program of JAX."""
    jax = jax_module()
    try:
        from jax.extend.core import Primitive
        from jax.interpreters import mlir
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import func, stablehlo
    except ImportError as err:
        raise Missing(f"models within functions of JAX do not work with JAX {jax.__version__}: {err}", remedy="pip install 'jax>=0.4.36'") from None
    out: Any = Primitive("tacet_program")
    out.multiple_results = True

    def types(*_: Any, results: Sequence[Kind], **__: Any) -> list[Any]:
        return [jax.core.ShapedArray(shape, jax.dtypes.canonicalize_dtype(dtype)) for shape, dtype in results]

    def lower(ctx: Any, *given: Any, text: str, results: Sequence[Kind]) -> list[Any]:
        module = ir.Module.parse(text)
        functions: list[Any] = list(module.body.operations)
        main = next(op for op in functions if op.sym_name.value == "main")
        kind = ir.FunctionType(main.type)
        inputs, outputs = list(kind.inputs), list(kind.results)
        converted = [_converted(stablehlo, x, t) for x, t in zip(given, inputs, strict=True)]
        if len(functions) == 1:  # inline: what a model and its derivative have in common is then computed once
            found = _inlined(ir, main, converted)
        else:
            name = mlir.merge_mlir_modules(ctx.module_context.module, "tacet_program", module)
            found = list(func.CallOp(outputs, ir.FlatSymbolRefAttr.get(name), converted).results)
        narrow = {"float32": ir.F32Type.get(), "int32": ir.IntegerType.get_signless(32), "uint32": ir.IntegerType.get_unsigned(32)}
        outs = []
        for x, aval in zip(found, ctx.avals_out, strict=True):
            element = narrow.get(str(aval.dtype))
            outs.append(x if element is None else _converted(stablehlo, x, ir.RankedTensorType.get(aval.shape, element)))
        return outs

    def evaluate(*given: Any, **parameters: Any) -> Any:
        return jax.jit(lambda *values: out.bind(*values, **parameters))(*given)

    out.def_impl(evaluate)
    out.def_abstract_eval(types)
    mlir.register_lowering(out, lower)
    return out


def _inlined(ir: Any, main: Any, given: list[Any]) -> list[Any]:
    """The results of a function whose operations are moved to where JAX is writing."""
    block = main.regions[0].blocks[0]
    for parameter, value in zip(list(block.arguments), given, strict=True):
        parameter.replace_all_uses_with(value)
    *operations, last = list(block.operations)
    results = list(last.operands)
    last.erase()
    for operation in operations:
        operation.detach_from_parent()
        ir.InsertionPoint.current.insert(operation)
    return results


def _converted(stablehlo: Any, x: Any, wanted: Any) -> Any:
    """A value in the element type of another: JAX has no 64 bits by default, and models do."""
    return x if x.type == wanted else stablehlo.convert(wanted, x)

