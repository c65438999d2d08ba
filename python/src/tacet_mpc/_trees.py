"""Arguments as trees: leaves with their paths and owners."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np

from ._arrays import Array, is_array, to_array
from ._errors import Missing, Unsupported, Usage
from ._owners import Owned, Party, Spec


@dataclass
class Leaf:
    """One array of an argument."""

    value: Any
    owner: Party | None
    name: str = ""
    """the path: "model['w1']" """

    @property
    def scalar(self) -> bool:
        """Whether it is a number of Python, whose type JAX adapts to what it meets."""
        return type(self.value) in (bool, int, float, complex)

    @property
    def abstract(self) -> bool:
        """Whether only shape and element type are known."""
        return isinstance(self.value, Spec) or is_abstract(self.value)

    def array(self) -> Array:
        if self.abstract:
            raise Usage(
                f"{self.name} is a shape without data",
                remedy="a call needs an array; plan and compare take shapes",
            )
        return to_array(self.value, self.name)


def is_abstract(x: object) -> bool:
    """Whether x is a jax.ShapeDtypeStruct."""
    return type(x).__name__ == "ShapeDtypeStruct"


def jax_module() -> Any:
    """The package jax."""
    try:
        import jax
    except ImportError:
        raise Missing("JAX is not installed", remedy="pip install 'tacet-mpc[jax]'") from None
    return jax


def flatten(arguments: Mapping[str, Any]) -> tuple[list[Leaf], Any]:
    """The leaves of arguments by name, and the tree that they make: a list with an entry for each
    argument."""
    tree = jax_module().tree_util
    leaves: list[Leaf] = []
    marked = []
    for name, value in arguments.items():
        try:
            marked.append(_mark(tree, name, value, None))
        except (Usage, Unsupported):
            raise
        except (TypeError, ValueError) as err:
            if "ey" not in str(err):
                raise
            raise Usage(
                f"{name} has a dict whose keys cannot be sorted: {_first_line(err)}",
                remedy="use keys of one type, for instance strings",
            ) from None
    found, structure = tree.tree_flatten(marked, is_leaf=lambda x: isinstance(x, Leaf))
    leaves.extend(found)
    return leaves, structure


def _mark(tree: Any, name: str, value: Any, owner: Party | None) -> Any:
    """The value with each array replaced by a Leaf."""

    def leaf(path: Any, x: Any) -> Any:
        here = name + tree.keystr(path)
        if isinstance(x, Owned):
            if owner is not None:
                raise Usage(
                    f"{here} belongs to {x.owner.name}, and lies within a value of {owner.name}",
                    remedy=f"give {owner.name} the other parts only, or pass two arguments",
                )
            return _mark(tree, here, x.value, x.owner)
        _check(here, x)
        return Leaf(x, owner, here)

    return tree.tree_map_with_path(leaf, value, is_leaf=_is_leaf)


def _is_leaf(x: Any) -> bool:
    return isinstance(x, (Owned, Spec)) or is_array(x) or _has_gaps(x)


def _has_gaps(x: Any) -> bool:
    """Whether x is a list of numbers of which some are missing."""
    return isinstance(x, list) and any(v is None for v in x) and any(isinstance(v, (int, float)) for v in x)


def _check(name: str, x: Any) -> None:
    """Refuses what is no array."""
    if isinstance(x, (str, bytes)):
        raise Usage(
            f"{name} is text: {x[:20]!r}",
            remedy=f"arguments are arrays: encode it as numbers, or name it in static={base_name(name)!r}",
        )
    if _has_gaps(x):
        raise Usage(f"{name} is a list with missing values, the first at {x.index(None)}", remedy="fill them, or drop the rows")
    if is_traced(x):
        raise Usage(
            f"{name} is a value that JAX traces: a private function is called within jit, grad, vmap, scan or another private function",
            remedy="make the outermost function private, and call plain functions in it; tacet.grad differentiates private ones",
        )
    if isinstance(x, Spec) or is_array(x) or isinstance(x, (bool, int, float, complex, np.generic)):
        return
    if hasattr(x, "__array__") or is_abstract(x):
        return
    what = "a function" if callable(x) else f"a {type(x).__name__}"
    remedy = f"name it in static={base_name(name)!r} if the program depends on it, or pass arrays"
    if hasattr(x, "state_dict"):
        what, remedy = f"a module {type(x).__name__}", "pass its weights: f = tacet.from_torch(module, example); f(bob(f.weights), alice(x))"
    elif hasattr(x, "toarray"):
        remedy = "pass it as a dense array: x.toarray()"
    elif isinstance(x, Number):
        remedy = "make it a float: float(x)"
    elif isinstance(x, Iterable) and not isinstance(x, Mapping):
        remedy = "make it an array: np.array(list(x), dtype=np.float32)"
    raise Usage(f"{name} is {what}, which is no array", remedy=remedy)


def is_traced(x: object) -> bool:
    """Whether x stands for a value within a function that JAX traces."""
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(x, jax.core.Tracer)


def base_name(name: str) -> str:
    """The parameter of a path: \"model\" of \"model['w1']\"."""
    for i, c in enumerate(name):
        if not (c.isalnum() or c == "_"):
            return name[:i]
    return name


def _first_line(err: Exception) -> str:
    return (str(err).splitlines() or [""])[0]
