"""Arrays and tables of other libraries."""

from __future__ import annotations

import numpy as np
import pytest

import tacet_mpc as tacet
from tacet_mpc._arrays import to_array


def table() -> dict[str, list[float]]:
    return {"age": [30, 41, 52], "bmi": [21.5, 27.0, 30.25]}


WANT = np.array([[30, 21.5], [41, 27], [52, 30.25]])


def test_pandas():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(table())
    np.testing.assert_array_equal(to_array(frame, "x"), WANT)
    np.testing.assert_array_equal(to_array(frame.astype("float32"), "x"), WANT.astype(np.float32))
    np.testing.assert_array_equal(to_array(frame["age"], "x"), WANT[:, 0])
    assert to_array(frame.astype({"age": "Int64"})[["age"]], "x").dtype == np.int64
    assert to_array(frame["age"] > 35, "x").dtype == bool


def test_pandas_refusals():
    pd = pytest.importorskip("pandas")
    for column, values, want in (
        ("sex", ["m", "f", "m"], "column 'sex' of x holds text"),
        ("bmi", [1.0, None, float("nan")], "column 'bmi' of x has 2 missing values, the first in row 1"),
        ("n", pd.array([1, None, 3], dtype="Int64"), "column 'n' of x has 1 missing value, the first in row 1"),
        ("kind", pd.Categorical(["a", "b", "a"]), "column 'kind' of x is a category"),
        ("day", pd.to_datetime(["2026-01-01"] * 3), "column 'day' of x holds dates or times"),
    ):
        frame = pd.DataFrame({"age": [1, 2, 3], column: values})
        with pytest.raises(tacet.Usage, match=want.replace("(", r"\(")):
            to_array(frame, "x")


def test_arrow():
    pa = pytest.importorskip("pyarrow")
    np.testing.assert_array_equal(to_array(pa.table(table()), "x"), WANT)
    np.testing.assert_array_equal(to_array(pa.array([1, 2]), "x"), [1, 2])
    with pytest.raises(tacet.Usage, match="column 'a' of x has 1 missing value, the first in row 1"):
        to_array(pa.table({"a": [1.0, None]}), "x")
    with pytest.raises(tacet.Usage, match="column 'a' of x holds text"):
        to_array(pa.table({"a": ["u", "v"]}), "x")


def test_polars():
    pl = pytest.importorskip("polars")
    np.testing.assert_array_equal(to_array(pl.DataFrame(table()), "x"), WANT)
    np.testing.assert_array_equal(to_array(pl.Series("a", [1, 2]), "x"), [1, 2])
    with pytest.raises(tacet.Usage, match="column 'a' of x has 1 missing value, the first in row 0"):
        to_array(pl.DataFrame({"a": [None, 1.0]}), "x")
    with pytest.raises(tacet.Usage, match="column 'a' of x holds text"):
        to_array(pl.DataFrame({"a": ["u", "v"]}), "x")


def test_jax():
    import jax.numpy as jnp

    np.testing.assert_array_equal(to_array(jnp.arange(3), "x"), [0, 1, 2])


def test_numpy():
    big = np.array([1.5, 2.5], dtype=">f4")
    assert to_array(big, "x").dtype.isnative and to_array(big, "x").tolist() == [1.5, 2.5]
    assert to_array([[1, 2], [3, 4]], "x").shape == (2, 2)
    assert to_array(np.float32(3), "x").shape == ()


def test_integers_that_do_not_fit(alice):
    f = tacet.private(lambda x: x["n"])
    with pytest.raises(tacet.RangeError, match=r"x\['n'\]\[1\] is 4294967296, which int32 cannot hold") as err:
        f(alice({"n": np.array([1, 2**32])}))
    assert err.value.argument == "x['n'][1]" and err.value.index == (1,)


@pytest.mark.filterwarnings("ignore::tacet_mpc.Narrowed")
def test_floats_that_do_not_fit(alice):
    f = tacet.private(lambda x: x)
    with pytest.raises(tacet.RangeError, match=r"x\[0, 1\] is 1e\+300, which float32 cannot hold"):
        f(alice(np.array([[1, 1e300]])))


def test_tables_as_arguments(alice, bob):
    pd = pytest.importorskip("pandas")
    f = tacet.private(lambda x, w: x @ w)
    frame = pd.DataFrame(table()).astype("float32")
    np.testing.assert_allclose(f(alice(frame), bob([1.0, 2.0])), WANT @ [1, 2], atol=1e-2)
