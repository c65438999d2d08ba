"""Values of the caller as NumPy arrays with element types that programs have."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import RangeError, Usage

Array = npt.NDArray[Any]

WIDE = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}

DTYPES = {
    "i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "ui8": "uint8", "ui16": "uint16", "ui32": "uint32",
    "ui64": "uint64", "f16": "float16", "f32": "float32", "f64": "float64", "complex<f32>": "complex64", "complex<f64>": "complex128",
}  # fmt: skip
"""element types by the names that programs give them"""

_NUMBERS = (bool, int, float, complex, np.generic)


def is_array(value: object) -> bool:
    """Whether a value is one array or table, not a pytree of several."""
    return isinstance(value, np.ndarray) or _kind(value) != "" or _is_rows(value)


def to_array(value: Any, name: str) -> Array:
    """The value as an array; name is its path, for errors."""
    convert = _CONVERT.get(_kind(value))
    if convert is not None:
        return convert(value, name)
    if _is_rows(value):
        return _rows(value, name)
    if isinstance(value, np.ma.MaskedArray):
        raise Usage(f"{name} is a masked array", remedy="fill the missing values: x.filled(0)")
    return _plain(np.asarray(value), name)


def narrow(array: Array, wide: bool, name: str, warn: Callable[[str, str], None]) -> Array:
    """The array in an element type that JAX gives it: without x64 (wide) that has 32 bits.

    Floats that 32 bits cannot hold, and integers that would change, are errors. warn is called with
    the old and the new type.
    """
    old = array.dtype.name
    if wide or old not in WIDE:
        return array
    new = np.dtype(WIDE[old])
    out = cast(array, new, name)
    warn(old, new.name)
    return out


def cast(array: Array, new: np.dtype[Any], name: str) -> Array:
    """The array with another element type; an element that it cannot hold is an error."""
    if array.dtype.kind in "fc":
        try:
            with np.errstate(over="raise", under="ignore", invalid="ignore"):
                return array.astype(new, order="C")
        except FloatingPointError:
            with np.errstate(all="ignore"):
                out = array.astype(new, order="C")
        lost = ~np.isfinite(out) & np.isfinite(array)
    else:
        out = array.astype(new, order="C")
        lost = out != array if _overflows(array, new) else None
    if lost is not None and lost.any():
        index = tuple(int(i) for i in np.argwhere(lost)[0])
        at = name + (f"[{', '.join(map(str, index))}]" if index else "")
        raise RangeError(
            f"{at} is {array[index]}, which {new.name} cannot hold",
            argument=at,
            index=index,
            remedy='scale the values, or enable 64 bits: jax.config.update("jax_enable_x64", True)',
        )
    return out


def _overflows(array: Array, new: np.dtype[Any]) -> bool:
    """Whether the largest or smallest integer is out of the new type's range."""
    if array.size == 0:
        return False
    limits = np.iinfo(new)
    return int(array.min()) < limits.min or int(array.max()) > limits.max


def _kind(value: object) -> str:
    """The library and class of arrays and tables, without importing the library."""
    for cls in type(value).__mro__:
        library = (cls.__module__ or "").partition(".")[0]
        if library in _LIBRARIES and (library in sys.modules):
            known = f"{library}.{cls.__name__}"
            if known in _CONVERT:
                return known
    return ""


def _is_rows(value: object) -> bool:
    """Whether a value is a list of numbers, or of such lists: an array, not a pytree."""
    return isinstance(value, list) and len(value) > 0 and all(isinstance(x, _NUMBERS) or _is_rows(x) for x in value)


def _rows(value: list[Any], name: str) -> Array:
    try:
        array = np.array(value)
    except ValueError:
        lengths = sorted({len(row) if isinstance(row, list) else 0 for row in value})
        raise Usage(
            f"{name} is a list whose rows have different lengths: {', '.join(map(str, lengths))}",
            remedy="pad the rows to one length, or pass a tuple of arrays",
        ) from None
    return _plain(array, name)


def _plain(array: Array, name: str) -> Array:
    """The array in native byte order; text, objects, records and dates are refused."""
    kind = array.dtype.kind
    if array.dtype.names:
        raise Usage(
            f"{name} is an array of records with fields {', '.join(array.dtype.names)}",
            remedy="stack the fields that you need: np.stack([x['a'], x['b']], axis=-1)",
        )
    if kind == "O":
        others = [x for x in array.ravel() if not isinstance(x, _NUMBERS)]
        if not others:
            _integers(array, name)
        what = "numbers of several types" if not others else "missing values" if others[0] is None else f"a {type(others[0]).__name__}"
        raise Usage(
            f"{name} has element type object and holds {what}",
            remedy="make it an array of numbers: np.asarray(x, dtype=np.float32), with rows of one length",
        )
    if kind in "US":
        raise Usage(f"{name} holds text", remedy="encode it as numbers, or name the argument in static=")
    if kind in "mM":
        raise Usage(f"{name} holds dates or times", remedy="turn them into numbers: x.astype('datetime64[D]').astype(np.int32)")
    if kind == "V" and array.dtype.name != "bfloat16":
        raise Usage(f"{name} has element type {array.dtype.name}, which programs lack", remedy="convert it: x.astype('float32'), or 'int8' for integers")
    if array.dtype.name == "longdouble" or array.dtype.itemsize > 16 or array.dtype.name == "float128":
        array = array.astype(np.float64)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _integers(array: Array, name: str) -> None:
    """Refuses integers of Python that no element type holds."""
    for i, x in enumerate(array.ravel().tolist()):
        if isinstance(x, int) and not -(2**63) <= x < 2**64:
            index = tuple(int(n) for n in np.unravel_index(i, array.shape))
            at = name + (f"[{', '.join(map(str, index))}]" if index else "")
            shown = str(x) if abs(x) < 10**30 else f"an integer of {x.bit_length()} bits"
            raise RangeError(f"{at} is {shown}, which 64 bits cannot hold", argument=at, index=index, remedy="scale the values, or make them floats")


def _column(name: str, column: str, array: Array, missing: int, row: int) -> Array:
    """One column of a table, without missing values."""
    title = f"column {column!r} of {name}" if column else name
    if missing:
        raise Usage(
            f"{title} has {missing} missing value{'s' if missing > 1 else ''}, the first in row {row}",
            remedy="fill them or drop the rows: fillna(0), dropna()",
        )
    if array.dtype.kind in "OUS":
        raise Usage(
            f"{title} holds text",
            remedy="encode it as numbers: codes of a category, or one-hot columns (pandas.get_dummies)",
        )
    if array.dtype.kind in "mM":
        raise Usage(f"{title} holds dates or times", remedy="turn them into numbers, such as days since a date")
    return _plain(array, title)


def _join(columns: list[Array], name: str) -> Array:
    if not columns:
        raise Usage(f"{name} is a table without columns", remedy="select the columns that the function takes")
    return np.stack(columns).T  # each column is copied as a whole; save and narrow transpose by blocks


def _gaps(array: Array) -> tuple[int, int]:
    """How many elements of a column are NaN, and the first row with one. The maximum of floats is NaN if one of them is,
    and is found without an array of its own."""
    if array.dtype.kind != "f" or array.size == 0 or not np.isnan(array.max()):
        return 0, 0
    absent = np.isnan(array)
    return int(absent.sum()), int(absent.argmax())


def _pandas_series(value: Any, name: str) -> Array:
    return _pandas_column(value, name, "" if value.name is None else str(value.name))


def _pandas_column(value: Any, name: str, column: str) -> Array:
    if isinstance(value.dtype, np.dtype) and value.dtype.kind in "fiub":
        array: Array = value.to_numpy()
        return _column(name, column, array, *_gaps(array))
    absent = value.isna().to_numpy()
    missing, row = int(absent.sum()), int(absent.argmax()) if len(absent) else 0
    if str(value.dtype) == "category" and not missing:
        raise Usage(
            f"column {column!r} of {name} is a category",
            remedy="encode it as numbers: x.cat.codes, or one-hot columns (pandas.get_dummies)",
        )
    if missing:
        return _column(name, column, np.zeros(0), missing, row)
    if str(value.dtype).startswith(("datetime64", "period")):  # with a time zone, and periods, which NumPy lacks
        return _column(name, column, np.zeros(0, "datetime64[s]"), 0, 0)
    array = value.to_numpy()
    if array.dtype == object:
        inferred = value.infer_objects().convert_dtypes()
        numbers = getattr(inferred.dtype, "numpy_dtype", None)
        if numbers is not None and np.dtype(numbers).kind in "fiub":
            array = inferred.to_numpy(dtype=numbers)
    return _column(name, column, array, 0, 0)


def _pandas_frame(value: Any, name: str) -> Array:
    kinds = {str(t) for t in value.dtypes}
    if len(kinds) == 1 and kinds <= {"float32", "int32", "bool"} | set(WIDE):
        array: Array = value.to_numpy()
        if array.dtype.kind != "f" or not np.isnan(array.max(initial=0)):
            return array
    return _join([_pandas_column(value.iloc[:, i], name, str(c)) for i, c in enumerate(value.columns)], name)


def _arrow_column(value: Any, name: str, column: str) -> Array:
    if value.null_count:
        absent = np.asarray(value.is_null(nan_is_null=_arrow_float(value)))
        return _column(name, column, np.zeros(0), int(absent.sum()), int(absent.argmax()))
    if "dictionary" in str(value.type):
        value = value.cast(value.type.value_type)
    plain = value.combine_chunks() if hasattr(value, "combine_chunks") else value
    array: Array = plain.to_numpy(zero_copy_only=False)
    return _column(name, column, array, *_gaps(array))


def _arrow_float(value: Any) -> bool:
    return str(value.type) in ("float", "double", "halffloat")


def _arrow_array(value: Any, name: str) -> Array:
    return _arrow_column(value, name, "")


def _arrow_table(value: Any, name: str) -> Array:
    return _join([_arrow_column(value.column(i), name, str(c)) for i, c in enumerate(value.schema.names)], name)


def _polars_column(value: Any, name: str, column: str) -> Array:
    if value.null_count():
        absent = value.is_null().to_numpy()
        if value.dtype.is_float():
            absent = absent | value.is_nan().fill_null(True).to_numpy()
        return _column(name, column, np.zeros(0), int(absent.sum()), int(absent.argmax()))
    array: Array = value.to_numpy()
    return _column(name, column, array, *_gaps(array))


def _polars_series(value: Any, name: str) -> Array:
    return _polars_column(value, name, str(value.name))


def _polars_frame(value: Any, name: str) -> Array:
    return _join([_polars_column(value[c], name, c) for c in value.columns], name)


def _torch_tensor(value: Any, name: str) -> Array:
    value = value.detach().cpu()
    if value.is_sparse:
        value = value.to_dense()
    if str(value.dtype) == "torch.bfloat16":
        value = value.float()
    return _plain(value.resolve_conj().resolve_neg().numpy(), name)


def _jax_array(value: Any, name: str) -> Array:
    if "key<" in str(value.dtype):
        raise Usage(
            f"{name} is a random key of JAX",
            remedy="pass jax.random.key_data(key), and jax.random.wrap_key_data(x) inside the function",
        )
    if not getattr(value, "is_fully_addressable", True):
        raise Usage(f"{name} lies on several machines", remedy="gather it first: jax.device_get(x)")
    return _plain(np.asarray(value), name)


_CONVERT: dict[str, Callable[[Any, str], Array]] = {
    "pandas.DataFrame": _pandas_frame,
    "pandas.Series": _pandas_series,
    "pyarrow.Table": _arrow_table,
    "pyarrow.RecordBatch": _arrow_table,
    "pyarrow.Array": _arrow_array,
    "pyarrow.ChunkedArray": _arrow_array,
    "polars.DataFrame": _polars_frame,
    "polars.Series": _polars_series,
    "torch.Tensor": _torch_tensor,
    "jax.Array": _jax_array,
    "jaxlib.ArrayImpl": _jax_array,
    "jax.ArrayImpl": _jax_array,
    "jax.PRNGKeyArray": _jax_array,
}

_LIBRARIES = {known.partition(".")[0] for known in _CONVERT}
