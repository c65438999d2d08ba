"""Parties, and values that belong to them."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from ._errors import Usage

if TYPE_CHECKING:
    from ._tables import Table

T = TypeVar("T")

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._@-]*\Z")


@dataclass(frozen=True)
class Spec:
    """The shape and element type of an array that is not there: plans need no more."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]


@dataclass(frozen=True, eq=False)
class Owned(Generic[T]):
    """A value that belongs to a party. Only that party sees it."""

    value: T
    owner: Party

    def __repr__(self) -> str:
        return f"{self.owner.name}({type(self.value).__name__})"

    def _refuse(self, *_: Any) -> Any:
        raise Usage(
            f"{self!r} belongs to {self.owner.name} and is computed with inside of a private function only",
            remedy="pass it to a function that is decorated with @private",
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __matmul__ = __rmatmul__ = _refuse
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _refuse
    __neg__ = __pos__ = __abs__ = __invert__ = __round__ = __and__ = __or__ = __xor__ = _refuse
    __getitem__ = __setitem__ = __contains__ = __array__ = __float__ = __int__ = __index__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __iter__ = __len__ = _refuse
    __jax_array__ = property(_refuse)  # JAX asks whether there is one before it complains on several lines

    def __eq__(self, other: object) -> bool:
        return self is other or bool(self._refuse())

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        return bool(self._refuse())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("value", "owner"):
            raise AttributeError(name)
        raise _NoAttribute(
            f"{self!r} has no attribute {name}: it belongs to {self.owner.name}",
            remedy=f"ask the plain value before {self.owner.name} owns it, or inside of a private function",
        )


class _NoAttribute(Usage, AttributeError):
    """An attribute of a value that belongs to a party."""


@dataclass(frozen=True)
class Party:
    """A participant. Calling it says that a value is its own.

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> alice([1.0, 2.0])
    alice(list)
    """

    name: str
    group: tuple[str, ...] = ()
    """the names of all parties, in rank order"""

    def __call__(self, value: object) -> Any:
        """The value, as one that belongs to this party.

        A value is an array (NumPy, JAX, PyTorch), a table (pandas, polars, pyarrow), a number, a list
        of numbers, or a pytree of these, such as a dict of a model's weights.
        """
        if isinstance(value, Owned):
            raise Usage(
                f"the value belongs to {value.owner.name} already, and is given to {self.name}",
                remedy="a value has one owner: pass the plain value",
            )
        return Owned(value, self)

    def table(
        self,
        source: object,
        *,
        columns: Sequence[str] | None = None,
        types: Mapping[str, str | Sequence[str]] | None = None,
        format: Mapping[str, Any] | None = None,
        prepare: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Table:
        """A table of this party, for `join`, `glm` and other tasks.

        source is the path of a CSV or Parquet file, a table of pandas, polars or pyarrow, or a dict of columns. types
        are kinds of columns (integer, float, boolean, category, date, string), or a list of a category's levels; format and prepare
        are those of job files. columns are those that are read; by default all.

        >>> import tacet_mpc as tacet
        >>> alice, bob = tacet.parties("alice bob")
        >>> alice.table({"age": [31, 52], "region": ["north", "south"]}, prepare={"region": {"one_hot": ["north", "south"], "drop": "north"}})
        Table(alice: 2 × 2)
        """
        from ._tables import make

        return make(self, source, columns, types, format, prepare)

    def spec(self, shape: int | Iterable[int], dtype: Any = "float32") -> Any:
        """An array of this party of which only shape and element type are known, for plans.

        >>> import tacet_mpc as tacet
        >>> alice, bob = tacet.parties("alice bob")
        >>> alice.spec((1000, 3), "f4").value
        Spec(shape=(1000, 3), dtype=dtype('float32'))
        """
        try:
            dims = (operator.index(shape),) if not isinstance(shape, Iterable) else tuple(operator.index(n) for n in shape)
        except TypeError:
            raise Usage(f"{shape!r} is no shape", remedy="write whole numbers: alice.spec((1000, 3))") from None
        if any(n < 0 for n in dims):
            raise Usage(f"shape {dims} has a negative dimension")
        try:
            return Owned(Spec(dims, np.dtype(dtype)), self)
        except TypeError:
            raise Usage(f"{dtype!r} is no element type", remedy='write "float32", "int32" or "bool"') from None

    def __repr__(self) -> str:
        return self.name


def parties(names: str | Iterable[str]) -> tuple[Party, ...]:
    """Parties by their names, in rank order. In calls all of them are simulated in a child process.

    >>> import tacet_mpc as tacet
    >>> tacet.parties("alice bob carol")
    (alice, bob, carol)
    """
    if not isinstance(names, Iterable):
        raise Usage(f"parties is given {names!r}", remedy='write their names: parties("alice bob")')
    listed = re.split(r"[,\s]+", names.strip()) if isinstance(names, str) else list(names)
    for name in listed:
        if not isinstance(name, str) or not _NAME.match(name):
            raise Usage(f"{name!r} is no name of a party", remedy='write letters and digits: parties("alice bob")')
    if len(set(listed)) != len(listed):
        raise Usage(f"a party is named twice: {' '.join(listed)}", remedy="give each party a name of its own")
    group = tuple(listed)
    return tuple(Party(name, group) for name in group)
