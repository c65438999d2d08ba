"""ONNX models as private functions: the program tacet imports them."""

from __future__ import annotations

import contextlib
import glob
import inspect
import json
import keyword
import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._arrays import DTYPES, Array, cast, to_array
from ._child import Child
from ._embed import embed
from ._errors import Unsupported, Usage
from ._owners import Owned, Party
from ._private import Call, Private, Settings, _parties, _remember
from ._trace import Program
from ._trees import Leaf, is_traced, jax_module

Shapes = Mapping[str, Sequence[int]]
Values = Mapping[str, Any]


class OnnxFunction(Private[..., Any]):
    """An ONNX model as a private function of its weights and its inputs. `from_onnx` makes one."""

    def __init__(self, model: Model, settings: Settings | None = None) -> None:
        super().__init__(model, settings or Settings())
        self._model = model
        self.weights: dict[str, Array] = model.weights
        """the weights that the model's owner holds, by their names in the file"""

    @property
    def function(self) -> Callable[..., Any]:
        """The same as a function of JAX, to use in other functions: in losses, with jax.grad and optimizers of optax. Its first
        argument is the dict of weights; derivatives are of reverse mode."""
        return self._model.function

    def _with(self, settings: Settings) -> OnnxFunction:
        return OnnxFunction(self._model, settings)

    def using(self, **settings: Any) -> OnnxFunction:
        """The same function with other settings, as `Private.using` takes them."""
        return super().using(**settings)  # type: ignore[return-value]

    def _prepare(self, args: tuple[Any, ...], kwargs: dict[str, Any], data: bool = True) -> Call:
        given, _ = self._bind(args, kwargs)
        weights = given.pop("weights")
        inputs = [_leaf(name, given[name]) for name in self._model.parameters]
        shapes = {}
        for declared, leaf in zip(self._model.inputs, inputs, strict=True):
            shapes[declared["name"]] = tuple(leaf.value.shape) if leaf.abstract else np.shape(to_array(leaf.value, leaf.name))
        key = tuple(sorted(shapes.items()))
        with self._lock:
            found = self._programs.get(key)
            if found is None:
                found = self._model.program(shapes)
                _remember(self._programs, key, found)
        wanted = found.tree["weights"]
        leaves = inputs + self._weight_leaves(weights, [w["name"] for w in wanted])
        arrays: list[Array | None] = []
        for leaf, declared in zip(leaves, [*found.tree["inputs"], *wanted], strict=True):
            arrays.append(_array(leaf, declared, data))
        parties = _parties(leaves, self._name)
        owners = tuple(leaf.owner.name if leaf.owner else None for leaf in leaves)
        names = [r["name"] for r in found.tree["results"]]

        def result(outs: list[Array]) -> Any:
            return outs[0] if len(outs) == 1 else dict(zip(names, outs, strict=True))

        def clear() -> list[Array]:
            raise Unsupported(
                f"verify compares with a function in Python, and {self._name} is a file",
                remedy="compare with onnxruntime's results",
            )

        return Call(found, leaves, arrays, parties, (key, owners, parties), result, clear)

    def _argument(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[[list[Array]], Any]:
        call = self._prepare(args, kwargs, data=False)
        if name != "weights":
            return lambda arrays: arrays[0]
        names = [w["name"] for w in call.program.tree["weights"]]
        return lambda arrays: dict(zip(names, arrays, strict=True))

    def _weight_leaves(self, weights: Any, names: list[str]) -> list[Leaf]:
        owner: Party | None = None
        if isinstance(weights, Owned):
            weights, owner = weights.value, weights.owner
        if not isinstance(weights, Mapping):
            raise Usage(
                f"the first argument of {self._name} is a {type(weights).__name__}; it takes the weights",
                remedy="pass a dict of arrays by name: f(bob(f.weights), alice(x))",
            )
        missing = [n for n in names if n not in weights]
        if missing:
            raise Usage(f"the weights of {self._name} lack {missing[0]!r}", remedy="pass f.weights, or a dict with the same names")
        leaves = []
        for name in names:
            leaf = _leaf(f"weights[{name!r}]", weights[name])
            leaves.append(Leaf(leaf.value, leaf.owner or owner, leaf.name))
        return leaves


def _leaf(name: str, value: Any) -> Leaf:
    if isinstance(value, Owned):
        return Leaf(value.value, value.owner, name)
    return Leaf(value, None, name)


def _array(leaf: Leaf, declared: Mapping[str, Any], data: bool) -> Array | None:
    """The array of an argument in the model's element type; None if only its shape is known."""
    dtype = np.dtype(DTYPES[declared["dtype"]])
    if leaf.abstract:
        if data or leaf.owner is None:
            raise Usage(f"{leaf.name} is a shape without data", remedy="a call needs an array; plan and compare take shapes of an owner")
        return None
    array = to_array(leaf.value, leaf.name)
    if tuple(array.shape) != tuple(declared["shape"]):
        raise Usage(f"{leaf.name} has shape {tuple(array.shape)}, and the model's is {tuple(declared['shape'])}")
    if array.dtype == dtype:
        return array
    if {array.dtype.kind, dtype.kind} not in ({"f"}, {"i"}, {"u"}, {"i", "u"}):
        raise Usage(f"{leaf.name} is {array.dtype}, and the model's is {dtype}", remedy="convert the values")
    return cast(array, dtype, leaf.name)


class Model:
    """A file, its inputs as it declares them, and its weights."""

    def __init__(self, path: str | os.PathLike[str], shapes: Shapes | None, values: Values | None = None) -> None:
        self.path = str(Path(path).resolve())
        self.values = {name: ",".join(str(x).lower() for x in np.ravel(value).tolist()) for name, value in (values or {}).items()}
        with Child() as child:
            child.start(["import", self.path, "--inputs"])
            declared: list[dict[str, Any]] = json.loads(child.run())
            child.finish()
        self.inputs = [given for given in declared if given["name"] not in self.values]
        name = re.sub(r"\W", "_", Path(path).stem) or "model"
        self.__name__ = self.__qualname__ = name
        self.__doc__ = f"The ONNX model {Path(path).name}; the first argument is its weights."
        self.parameters: list[str] = []
        for given in self.inputs:
            parameter = re.sub(r"\W", "_", given["name"]) or "x"
            if not parameter.isidentifier() or keyword.iskeyword(parameter):
                parameter = "_" + parameter
            while parameter in ("weights", *self.parameters):
                parameter += "_"
            self.parameters.append(parameter)
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature([inspect.Parameter(n, kind) for n in ["weights", *self.parameters]])
        example = {}
        for given in self.inputs:
            if shapes is not None and given["name"] in shapes:
                example[given["name"]] = tuple(int(n) for n in shapes[given["name"]])
            elif given["shape"] is not None:
                example[given["name"]] = tuple(n if isinstance(n, int) else 1 for n in given["shape"])
        for name in shapes or {}:
            if name not in example:
                raise Usage(f"shapes has {name!r}, and the model has no such input", remedy=f"its inputs are {', '.join(x['name'] for x in self.inputs)}")
        self.lock = threading.Lock()
        self.programs: dict[Any, Program] = {}
        self.weights: dict[str, Array] = {}
        self.notes: list[str] = []
        self._import(example, self._read)

    def __call__(self, weights: Any, *inputs: Any) -> Any:
        raise Unsupported(f"{self.__name__} is a file: it has no function in Python", remedy="call what from_onnx returned")

    def function(self, weights: Mapping[str, Any], *inputs: Any, **named: Any) -> Any:
        """The model within a function of JAX."""
        jnp = jax_module().numpy
        try:
            bound = self.__signature__.bind(weights, *inputs, **named)
        except TypeError as err:
            raise Usage(f"{self.__name__}{self.__signature__}: {err}", remedy="pass the weights first, then the model's inputs") from None
        given = [bound.arguments[name] for name in self.parameters]
        if not isinstance(weights, Mapping):
            what = "an array" if is_traced(weights) else f"a {type(weights).__name__}"
            raise Usage(f"the first argument of {self.__name__} is {what}; it takes the weights", remedy="pass a dict of arrays by name")
        shapes = tuple((declared["name"], tuple(jnp.shape(x))) for declared, x in zip(self.inputs, given, strict=True))
        with self.lock:
            found = self.programs.get(shapes)
            if found is None:
                found = self.programs[shapes] = self.program(dict(shapes))
        described = found.tree
        if missing := [w["name"] for w in described["weights"] if w["name"] not in weights]:
            raise Usage(f"the weights of {self.__name__} lack {missing[0]!r}", remedy="pass a dict with the names of f.weights")
        given += [weights[w["name"]] for w in described["weights"]]
        arguments = []
        for name, x, declared in zip(found.arguments, given, [*described["inputs"], *described["weights"]], strict=True):
            dtype = np.dtype(DTYPES[declared["dtype"]])
            have = jnp.result_type(x)
            if have.kind != dtype.kind and {have.kind, dtype.kind} != {"i", "u"}:
                raise Usage(f"{name} is {have}, and the model's is {dtype}", remedy="convert the values")
            if tuple(jnp.shape(x)) != tuple(declared["shape"]):
                raise Usage(f"{name} has shape {tuple(jnp.shape(x))}, and the model's is {tuple(declared['shape'])}")
            arguments.append(jnp.asarray(x, jax_module().dtypes.canonicalize_dtype(dtype)))
        outs = embed(found.text, found.shapes, arguments)
        return outs[0] if len(outs) == 1 else dict(zip((r["name"] for r in described["results"]), outs, strict=True))

    def program(self, shapes: Shapes) -> Program:
        """The model's program for inputs of these shapes."""

        def read(folder: Path, described: dict[str, Any]) -> Program:
            results = described["results"]
            arguments = [*self.parameters, *(f"weights[{w['name']!r}]" for w in described["weights"])]
            kinds = [(tuple(r["shape"]), str(DTYPES.get(r["dtype"]) or r["dtype"])) for r in results]
            text = (folder / "program.mlir").read_text(encoding="utf-8")
            return Program(text, arguments, [r["name"] for r in results], kinds, described)

        return self._import(shapes, read)  # type: ignore[no-any-return]

    def _read(self, folder: Path, described: dict[str, Any]) -> None:
        self.notes = described["notes"]
        if not described["weights"]:
            return
        with np.load(folder / "weights.npz", allow_pickle=False) as z:
            for i, w in enumerate(described["weights"]):
                self.weights[w["name"]] = z[f"arg{len(described['inputs']) + i}"]

    def _import(self, shapes: Shapes, read: Callable[[Path, dict[str, Any]], Any]) -> Any:
        """Imports the model into a folder, from which read takes what it needs."""
        need = 0
        with contextlib.suppress(OSError):
            need = sum(p.stat().st_size for p in Path(self.path).parent.glob(glob.escape(Path(self.path).name) + "*"))
        with Child(2 * need) as child:
            folder = child.scratch.file("model")
            flags = [f"--shape={name}={'x'.join(map(str, shape)) or 'scalar'}" for name, shape in shapes.items()]
            fixed = [f"--value={name}={text}" for name, text in self.values.items()]
            child.start(["import", self.path, "--owner=owner", "--parties=owner,other", f"--out={folder}", "--json", *flags, *fixed])
            found = read(folder, json.loads(child.run()))
            child.finish()
            return found


def from_onnx(model: str | os.PathLike[str], *, shapes: Shapes | None = None, values: Values | None = None) -> OnnxFunction:
    """Makes a private function of an ONNX model in a file.

    The function takes the weights first and then the model's inputs: `f(bob(f.weights), alice(x))`. It may be called
    with inputs of any shapes that the model takes. shapes are those with which the weights are read, where the file
    leaves them open and sizes of 1 do not do. values are inputs that are constants of the program, such as
    {"sr": 16000}: all parties see them, and the function does not take them. One result is returned as an array, several as a dict by name.

    Weights are what `tacet import` writes as its owner's arguments: tensors of floats with several elements, and the
    parameters of trees, linear models and SVMs. Everything else in the file is part of the program, which all parties
    see. JAX is not needed.
    """
    return OnnxFunction(Model(model, shapes, values))


