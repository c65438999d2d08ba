"""PyTorch modules as private functions: torch.export gives a graph, and torchax its operations in JAX."""

from __future__ import annotations

import contextlib
import functools
import inspect
import logging
import re
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._arrays import Array
from ._errors import Error, Missing, Unsupported, Usage
from ._locations import _short, is_library
from ._owners import Owned, Spec
from ._private import Private, Settings
from ._trace import _line_of
from ._trees import is_traced, jax_module

_INSTALL = "pip install 'tacet-mpc[torch]'"
_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_DEPENDS_ON_DATA = {
    "DataDependentOutputException",
    "DynamicOutputShapeException",
    "GuardOnDataDependentSymNode",
    "PendingUnbackedSymbolNotFound",
    "UserError",
}


class TorchFunction(Private[..., Any]):
    """A PyTorch module as a private function of its weights and its inputs. `from_torch` makes one."""

    def __init__(self, function: Module, weights: dict[str, Array], settings: Settings | None = None) -> None:
        super().__init__(function, settings or Settings())
        self.weights = weights
        """the parameters and buffers that the module computes with, by their names in `state_dict()`"""

    @property
    def function(self) -> Callable[..., Any]:
        """The same as a function of JAX, to use in other functions or with jax.grad; its first argument is the
        dict of weights."""
        return self._fn

    def _with(self, settings: Settings) -> TorchFunction:
        return TorchFunction(self._fn, self.weights, settings)  # type: ignore[arg-type]

    def using(self, **settings: Any) -> TorchFunction:
        """The same function with other settings, as `Private.using` takes them."""
        return super().using(**settings)  # type: ignore[return-value]


def from_torch(module: Any, *example: Any, **keywords: Any) -> TorchFunction:
    """Makes a private function of a PyTorch module.

    example and keywords are what the module is called with: tensors, trees of tensors, and values that are part of
    the program (numbers, booleans, None). The function takes the weights first and then the tensors, and may be
    called with other shapes than the example's: `f(bob(f.weights), alice(x))`. Results are NumPy arrays.

    Weights are the parameters, buffers and other tensors of floats that the module computes with. Numbers of Python,
    and integer tensors outside of its `state_dict()`, are part of the program, which all parties see.
    """
    torch = _import()
    if not isinstance(module, torch.nn.Module):
        name = getattr(module, "__name__", type(module).__name__)
        raise Usage(
            f"from_torch is given {name}, which is no torch.nn.Module",
            remedy="pass a module, such as MLP(), and an example of its inputs",
        )
    function = Module(torch, module, example, keywords)
    return TorchFunction(function, function.weights())


def _import() -> Any:
    """The package torch, if torchax is there as well."""
    try:
        import torch
    except ImportError:
        raise Missing("PyTorch is not installed", remedy=_INSTALL) from None
    jax_module()
    try:
        loaded = "torchax" in sys.modules
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import torchax
            import torchax.device_module
            import torchax.export

            torchax.default_env()  # loads the table of operations
        if not loaded:
            # torchax announces an accelerator "jax", on which torch.optim then fails: "PyTorch is not linked with
            # support for jax devices". Nothing here needs that device.
            torchax.device_module.is_available = lambda: False
            torchax.device_module.device_count = lambda: 0
    except ModuleNotFoundError as err:
        if (err.name or "").partition(".")[0] == "torchax":
            raise Missing("torchax is not installed", remedy=_INSTALL) from None
        raise Missing(f"torchax needs {err.name}, which is not installed", remedy=_INSTALL) from None
    except (ImportError, AttributeError) as err:
        version = getattr(torch, "__version__", "")
        raise Missing(f"torchax does not work with torch {version}: {_first(err)}", remedy=_INSTALL) from None
    return torch


@dataclass
class _Input:
    """One leaf of the example, in the order of the graph's placeholders."""

    parameter: str
    path: Any
    value: Any
    tensor: bool


@dataclass
class _Graph:
    """A module's operations for inputs of some shapes."""

    exported: Any
    sources: list[tuple[str, Any]]
    """what each placeholder is: ("weight", name), ("constant", array) or ("input", None)"""
    states: dict[str, Any]
    """the tensors of the weights, by name"""


class Module:
    """A module as a function of JAX: weights first, then the tensors of its inputs.

    The module is exported once for each set of input shapes.
    """

    def __init__(self, torch: Any, module: Any, example: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        self._torch = torch
        self._module = module
        self.__name__ = self.__qualname__ = type(module).__name__
        self.__doc__ = f"The PyTorch module {self.__name__}; the first argument is its weights."
        self._args, self._kwargs, self._inputs, self.__signature__ = self._bind(example, keywords)
        self._first = next(iter(self.__signature__.parameters))
        self._lock = threading.RLock()
        self._graphs: dict[Any, _Graph] = {}
        shapes = tuple(tuple(x.value.shape) for x in self._inputs if x.tensor)
        self._example = self._graphs[shapes] = self._export([x.value for x in self._inputs])

    def weights(self) -> dict[str, Array]:
        """Copies of the weights, by name."""
        out = {}
        for name, value in self._example.states.items():
            if str(value.dtype) in ("torch.bfloat16", "torch.float16"):
                raise Usage(f"{self.__name__} has weights of {value.dtype}: {name}", remedy="convert the module first: module.float()")
            if value.is_meta:
                raise Usage(
                    f"{name} of {self.__name__} is on the device meta, without data",
                    remedy="load the weights first: module.to_empty, load_state_dict",
                )
            out[name] = np.array(value.detach().cpu().numpy())
        return out

    def __call__(self, weights: Any, /, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(weights, Mapping):
            raise Usage(
                f"the first argument of {self.__name__} is {'an array' if is_traced(weights) else f'a {type(weights).__name__}'}; it takes the weights",
                remedy="pass a dict of arrays by name: f(bob(f.weights), alice(x))",
            )
        jnp = jax_module().numpy
        try:
            bound = self.__signature__.bind(weights, *args, **kwargs)
        except TypeError as err:
            raise Usage(f"{self.__name__}{self.__signature__}: {err}", remedy="call it as the module, with the weights first") from None
        given = []
        for x in self._inputs:
            if not x.tensor:
                given.append(x.value)
                continue
            where = x.parameter + self._torch.utils._pytree.keystr(x.path)
            if x.parameter not in bound.arguments:
                raise Usage(
                    f"{self.__name__} lacks {x.parameter}",
                    remedy="the example has it: pass it, or make a function of an example without it",
                )
            try:
                value = jnp.asarray(functools.reduce(lambda v, key: key.get(v), x.path, bound.arguments[x.parameter]))
            except (KeyError, IndexError, TypeError, AttributeError):
                raise Usage(f"{self.__name__} lacks {where}", remedy="give the argument the structure of the example") from None
            if _kind(str(x.value.dtype)) != _kind(str(value.dtype)):
                raise Usage(
                    f"{where} is {value.dtype}, and the example's {str(x.value.dtype).removeprefix('torch.')}",
                    remedy="convert the values, or make a function of an example with their type",
                )
            given.append(value)
        graph = self._graph(given)
        states = []
        for kind, source in graph.sources:
            if kind == "constant":
                states.append(jnp.asarray(source))
            elif kind == "weight":
                states.append(self._weight(weights, source, graph.states[source], jnp))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Explicitly requested dtype")
            outs = _interpreter()(graph.exported.graph_module).run(*states, *given, enable_io_processing=False)
        tree = self._torch.utils._pytree.tree_unflatten(list(outs), graph.exported.call_spec.out_spec)
        return _plain_tree(tree)

    def _weight(self, weights: Mapping[str, Any], name: str, state: Any, jnp: Any) -> Any:
        if name not in weights:
            listed = ", ".join(map(repr, list(weights)[:3])) or "nothing"
            raise Usage(
                f"{self._first} of {self.__name__} lacks {name!r}; it has {listed}, …",
                remedy="pass f.weights, or the module's state_dict()",
            )
        value = jnp.asarray(weights[name])
        if tuple(value.shape) != tuple(state.shape):
            raise Usage(
                f"{self._first}[{name!r}] has shape {tuple(value.shape)}, and the module's {tuple(state.shape)}",
                remedy="pass weights of the same module",
            )
        return value

    def _graph(self, given: list[Any]) -> _Graph:
        """The graph for inputs of these shapes."""
        torch = self._torch
        shapes = tuple(tuple(v.shape) for x, v in zip(self._inputs, given, strict=True) if x.tensor)
        with self._lock:
            if shapes not in self._graphs:
                values = [
                    torch.zeros(v.shape, dtype=x.value.dtype, device=x.value.device) if x.tensor else x.value
                    for x, v in zip(self._inputs, given, strict=True)
                ]
                graph = self._export(values)
                for name in graph.states:
                    if name not in self._example.states:
                        raise Usage(
                            f"{self.__name__} computes with {name!r} for inputs of these shapes, and not for the example",
                            remedy="make a function of an example with these shapes",
                        )
                self._graphs[shapes] = graph
            return self._graphs[shapes]

    def _bind(
        self, example: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any], list[_Input], inspect.Signature]:
        """The example by parameters, and the signature of the function."""
        tree = self._torch.utils._pytree
        called = "from_torch(module, *example) takes what module(*example) takes, such as torch.zeros(1, 20)"
        forward = inspect.signature(self._module.forward)
        try:
            bound = forward.bind(*example, **keywords)
        except TypeError as err:
            raise Usage(f"the example does not fit {self.__name__}{forward}: {err}", remedy=called) from None
        named: list[tuple[str, Any, Any]] = []
        for name, value in bound.arguments.items():
            kind = forward.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                named += [(f"{name}{i}", inspect.Parameter.POSITIONAL_OR_KEYWORD, v) for i, v in enumerate(value)]
            elif kind is inspect.Parameter.VAR_KEYWORD:
                named += [(k, inspect.Parameter.KEYWORD_ONLY, v) for k, v in value.items()]
            else:
                named.append((name, _named(kind), value))
        inputs: list[_Input] = []
        parameters = []
        converted = []
        for name, kind, value in named:
            leaves, spec = tree.tree_flatten_with_path(value)
            mine = [_Input(name, path, *self._leaf(name, x)) for path, x in leaves]
            tensors = [x for x in mine if x.tensor]
            fixed = [x for x in mine if not x.tensor and x.value is not None]
            if tensors and fixed:
                raise Usage(
                    f"{name} of {self.__name__} holds tensors and a {type(fixed[0].value).__name__}",
                    remedy="make the other values tensors, or arguments of their own",
                )
            if tensors:
                parameters.append(inspect.Parameter(name, kind))
            inputs += mine
            converted.append((name, kind, tree.tree_unflatten([x.value for x in mine], spec)))
        if not parameters:
            raise Usage(f"the example for {self.__name__} has no tensor", remedy=called)
        taken = {p.name for p in parameters}
        first = next(n for n in ("weights", "module_weights", "weights_") if n not in taken)
        parameters.insert(0, inspect.Parameter(first, inspect.Parameter.POSITIONAL_OR_KEYWORD))
        args = tuple(v for _, kind, v in converted if kind is not inspect.Parameter.KEYWORD_ONLY)
        kwargs = {n: v for n, kind, v in converted if kind is inspect.Parameter.KEYWORD_ONLY}
        return args, kwargs, inputs, inspect.Signature(parameters)

    def _leaf(self, name: str, value: Any) -> tuple[Any, bool]:
        """A value of the example, and whether it is a tensor."""
        if isinstance(value, (Owned, Spec)):
            raise Usage(f"the example's {name} has an owner", remedy="pass a plain tensor; its values do not matter: torch.zeros(1, 20)")
        if isinstance(value, np.ndarray):
            if value.dtype.kind not in "fiub":
                raise Usage(f"the example's {name} has element type {value.dtype}", remedy="pass a tensor of numbers")
            value = self._torch.as_tensor(value.astype(np.float32) if value.dtype == np.float64 else value)
        if isinstance(value, self._torch.Tensor):
            return value.detach(), True
        return value, False

    def _export(self, values: list[Any]) -> _Graph:
        """The graph of the module for these inputs; what has no meaning as a private function is refused."""
        torch = self._torch
        import torchax.decompositions as decompositions

        tree = torch.utils._pytree
        _, spec = tree.tree_flatten((self._args, self._kwargs))
        # Export leaves tensors as they are: it traces in-place operations on copies.
        args, kwargs = tree.tree_unflatten(values, spec)
        try:
            with _quiet(), torch.no_grad():
                exported = torch.export.export(self._module, args, kwargs)
                exported = exported.run_decompositions()
                exported = exported.run_decompositions(decompositions.DECOMPOSITIONS)
        except Exception as err:
            raise self._refused(err) from None
        self._check(exported)
        sources: list[tuple[str, Any]] = []
        states: dict[str, Any] = {}
        nodes = {n.name: n for n in exported.graph.nodes if n.op == "placeholder"}
        kinds = torch.export.graph_signature.InputKind
        for given in exported.graph_signature.input_specs:
            if given.kind == kinds.USER_INPUT:
                sources.append(("input", None))
                continue
            if given.kind not in (kinds.PARAMETER, kinds.BUFFER, kinds.CONSTANT_TENSOR):
                raise Unsupported(
                    f"{self.__name__} holds {given.target}, which is no tensor",
                    remedy="keep numbers and tensors in the module",
                )
            name = given.target
            kept = name in exported.state_dict
            value = exported.state_dict[name] if kept else exported.constants[name]
            if not nodes[given.arg.name].users:
                sources.append(("constant", np.zeros(0, np.float32)))  # nothing reads it
            elif kept or _may_be_learned(value) and (value.numel() > 1 or _attribute(self._module, name) is not None):
                sources.append(("weight", name))
                states[name] = value
            else:
                sources.append(("constant", value.detach().cpu().numpy()))
        return _Graph(exported, sources, states)

    def _refused(self, err: Exception) -> Error:
        """What an error of torch.export means."""
        where = _line_of(err)
        if _DEPENDS_ON_DATA & {c.__name__ for c in type(err).__mro__}:
            return self._depends_on_data(where)
        return Usage(
            f"{self.__name__} cannot be traced with this example: {_first(err)}",
            where=where,
            remedy="the example is what the module is called with: tensors of the shapes and types that it takes",
        )

    def _depends_on_data(self, where: str) -> Error:
        return Unsupported(
            f"`if`, a shape, an index or a number of Python in {self.__name__} depends on the values of a tensor",
            where=where,
            remedy="use torch.where, which computes both branches; shapes may depend on the inputs' shapes alone",
        )

    def _check(self, exported: Any) -> None:
        """Refuses graphs that change tensors, draw random numbers or have operations that torchax lacks."""
        torch = self._torch
        from torchax.ops import ops_registry

        evaluate = "call module.eval() first" if self._module.training or any(m.training for m in self._module.modules()) else ""
        nodes = {n.name: n for n in exported.graph.nodes}
        kinds = torch.export.graph_signature.OutputKind
        for out in exported.graph_signature.output_specs:
            where = _place(nodes[out.arg.name]) if getattr(out.arg, "name", "") in nodes else ""
            if out.kind == kinds.USER_INPUT_MUTATION:
                raise Unsupported(
                    f"{self.__name__} changes its input {out.target} in place",
                    where=where,
                    remedy="compute a new tensor: x = x + 1 for x += 1, x.clamp(0) for x.clamp_(0)",
                )
            if out.kind == kinds.BUFFER_MUTATION:
                raise Unsupported(
                    f"{self.__name__} changes its buffer {out.target}",
                    where=where,
                    remedy=evaluate or "return the new value instead of keeping it in the module",
                )
        symbolic = (torch.SymInt, torch.SymFloat, torch.SymBool)
        for node in exported.graph.nodes:
            if node.op != "call_function":
                continue
            value = node.meta.get("val")
            if isinstance(value, symbolic) or isinstance(value, torch.Tensor) and any(isinstance(n, symbolic) for n in value.shape):
                raise self._depends_on_data(_place(node))
            target = node.target
            if isinstance(target, torch._ops.HigherOrderOperator):
                raise Unsupported(
                    f"{self.__name__} contains torch.{target.name()}, which torchax cannot convert",
                    op=str(target.name()),
                    where=_place(node),
                    remedy="use torch.where, or a loop of Python of fixed length",
                )
            if not isinstance(target, torch._ops.OpOverload):
                continue
            if torch.Tag.nondeterministic_seeded in target.tags and node.users:
                raise Unsupported(
                    f"{self.__name__} draws random numbers ({target})" + (", as modules do in training mode" if evaluate else ""),
                    op=str(target),
                    where=_place(node),
                    remedy=evaluate or "pass the random numbers as an argument",
                )
            known = ops_registry.all_aten_ops.get(target) or ops_registry.all_aten_ops.get(target.overloadpacket)
            if known is None or not known.is_jax_function:
                raise Unsupported(
                    f"{self.__name__} contains {target}, which torchax cannot convert",
                    op=str(target),
                    where=_place(node),
                    remedy="write it with other operations, or export the module to ONNX",
                )


@contextlib.contextmanager
def _quiet() -> Generator[None, None, None]:
    """Hides the warnings of torch.export, and what it logs before it raises an error."""

    def refuse(_: logging.LogRecord) -> bool:
        return False

    loggers = [logging.getLogger(name) for name in ("torch._subclasses.fake_tensor", "torch.fx.experimental.symbolic_shapes")]
    for logger in loggers:
        logger.addFilter(refuse)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger in loggers:
            logger.removeFilter(refuse)


@functools.lru_cache(maxsize=1)
def _interpreter() -> Any:
    """The class that runs a graph with JAX. Each operation gets the name of its layer, and the line of
    Python that has called it."""
    from torchax.export import JaxInterpreter

    jax = jax_module()

    class Interpreter(JaxInterpreter):  # type: ignore[misc]
        extra_traceback = False

        def run_node(self, n: Any) -> Any:
            if n.op != "call_function":
                return super().run_node(n)
            file, line = _source(n)
            call = functools.partial(super().run_node, n)
            with jax.named_scope(layer) if (layer := _layer(n)) else contextlib.nullcontext():
                return call() if not file else eval(_frame(file, line), {"call": call})

    return Interpreter


@functools.lru_cache(maxsize=1024)
def _frame(file: str, line: int) -> Any:
    """Code that calls `call` and looks as if it stood in a file and line: JAX takes the places of operations from
    the Python stack, on which the module's own lines are not."""
    return compile("call()", file, "eval").replace(co_firstlineno=line)


def _layer(node: Any) -> str:
    """The path of the submodule that an operation belongs to, such as encoder/layers/0."""
    stack = node.meta.get("nn_module_stack") or {}
    path = next((str(v[0]) for v in reversed(list(stack.values())) if isinstance(v, tuple)), "")
    return path.replace(".", "/")


def _source(node: Any) -> tuple[str, int]:
    """The module's own line that made an operation; of torch's modules it is the line that calls them."""
    for _ in range(8):
        frames = [(f, int(n)) for f, n in _FRAME.findall(node.meta.get("stack_trace") or "")]
        if own := [f for f in frames if not is_library(f[0]) and not f[0].startswith("<eval_with_key>")]:
            return own[-1]
        if not node.all_input_nodes:
            break
        node = node.all_input_nodes[-1]  # operations that export adds have no line: that of their last operand
    return "", 0


def _place(node: Any) -> str:
    file, line = _source(node)
    return f"{_short(file)}:{line}" if file else ""


def _may_be_learned(value: Any) -> bool:
    """Whether a tensor outside of the state_dict is kept secret: floats may be learned, for instance a global tensor;
    integers are positions and masks."""
    return bool(value.is_floating_point() or value.is_complex())


def _named(kind: Any) -> Any:
    """The kind of a parameter that may be passed by name."""
    return inspect.Parameter.POSITIONAL_OR_KEYWORD if kind is inspect.Parameter.POSITIONAL_ONLY else kind


def _attribute(module: Any, name: str) -> Any:
    """The attribute of a module with a dotted name; None if there is none."""
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


def _kind(dtype: str) -> str:
    """The kind of an element type of torch or NumPy: float, complex, bool or int."""
    name = dtype.removeprefix("torch.")
    for kind in ("bfloat", "float", "complex", "bool"):
        if name.startswith(kind):
            return kind.removeprefix("b") if kind == "bfloat" else kind
    return "int"


def _plain_tree(value: Any) -> Any:
    """A tree of results in which all mappings are dicts, which JAX knows."""
    if isinstance(value, Mapping):
        return {k: _plain_tree(v) for k, v in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_plain_tree, value))
    if isinstance(value, (list, tuple)):
        return type(value)(map(_plain_tree, value))
    return value


def _first(err: BaseException) -> str:
    """The first line of an error's message that says something."""
    lines = [s.strip() for s in str(err).splitlines() if s.strip()]
    text = lines[0] if lines else type(err).__name__
    return text if len(text) <= 120 else text[:117] + "…"
