"""Mistakes that people make: each is a typed exception of at most three lines that says what to do."""

from __future__ import annotations

import copy
import fractions
import pickle
import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tacet_mpc as tacet

alice, bob = tacet.parties("alice bob")
x = np.ones((2, 3), np.float32)
add = tacet.private(lambda a, b: a + b)
one = tacet.private(lambda a: a * 2)


@tacet.private
def named(a):
    return a * 2


def plain(a):
    return a * 3



MISTAKES: dict[str, tuple[Callable[[], Any], type[BaseException], str, str]] = {}


def mistake(error: type[BaseException], says: str, remedy: str) -> Callable[[Callable[[], Any]], None]:
    """Registers a mistake: its error, what the first line says and what the last advises."""

    def register(f: Callable[[], Any]) -> None:
        MISTAKES[f.__name__] = f, error, says, remedy

    return register


@mistake(tacet.Usage, "no argument of <lambda> has an owner", "alice, bob = tacet.parties")
def nobody_owns_anything():
    one(x)


@mistake(tacet.Usage, "the value belongs to bob already, and is given to alice", "a value has one owner")
def wrong_owner():
    add(alice(bob(x)), bob(x))


@mistake(tacet.Usage, "a['w'] belongs to bob, and lies within a value of alice", "pass two arguments")
def owner_within_an_owner():
    one(alice({"w": bob(x)}))


@mistake(tacet.Usage, "reveal names carol, who is no party", "the parties are alice, bob")
def missing_party():
    one.using(reveal="carol")(alice(x))


@mistake(tacet.Usage, "alice and bob are parties of different groups", "make all parties by one call")
def parties_of_two_calls():
    add(tacet.parties("alice")[0](x), tacet.parties("bob")[0](x))


@mistake(tacet.Usage, "a party is named twice: alice alice", "a name of its own")
def party_named_twice():
    tacet.parties("alice alice")


@mistake(tacet.Usage, "belongs to alice and is computed with inside of a private function only", "@private")
def computing_outside():
    alice(x) + 1


@mistake(tacet.Usage, "reveal=() lets nobody learn the results", 'reveal="alice"')
def nobody_learns():
    one.using(reveal=())(alice(x))


@mistake(tacet.Usage, "a is a list whose rows have different lengths: 1, 2", "pad the rows")
def ragged_list():
    one(alice([[1.0, 2.0], [3.0]]))


@mistake(tacet.Usage, "a has a dict whose keys cannot be sorted", "keys of one type")
def dict_with_mixed_keys():
    one(alice({"w": x, 1: x}))


@mistake(tacet.Usage, "a has element type object and holds a list", "np.asarray(x, dtype=np.float32)")
def dtype_object():
    one(alice(np.array([[1, 2], [3]], dtype=object)))


@mistake(tacet.Usage, "a holds text", "encode it as numbers")
def array_of_text():
    one(alice(np.array(["m", "f"])))


@mistake(tacet.Usage, "a is text: 'relu'", "static='a'")
def text_argument():
    one("relu")


@mistake(tacet.Usage, "a is a function, which is no array", "static='a'")
def function_as_argument():
    one(jnp.tanh)


@mistake(tacet.Usage, "a is an array of records with fields u, v", "stack the fields")
def records():
    one(alice(np.zeros(2, dtype=[("u", "f4"), ("v", "f4")])))


@mistake(tacet.Usage, "a is a masked array", "x.filled(0)")
def masked_array():
    one(alice(np.ma.masked_invalid([1.0, np.nan])))


@mistake(tacet.Usage, "column 'sex' of a holds text", "one-hot")
def text_column():
    pd = pytest.importorskip("pandas")
    one(alice(pd.DataFrame({"age": [1, 2], "sex": ["m", "f"]})))


@mistake(tacet.Usage, "column 'bmi' of a has 1 missing value, the first in row 1", "fillna(0)")
def missing_value():
    pd = pytest.importorskip("pandas")
    one(alice(pd.DataFrame({"age": [1, 2], "bmi": [1.5, None]})))


@mistake(tacet.Usage, "a is a generator, which is no array", "np.array(list(x), dtype=np.float32)")
def generator():
    one(alice(v for v in (1.0, 2.0)))


@mistake(tacet.Usage, "a is a csr_array, which is no array", "x.toarray()")
def sparse_matrix():
    sparse = pytest.importorskip("scipy.sparse")
    one(alice(sparse.csr_array(np.eye(2))))


@mistake(tacet.Usage, "a is a Fraction, which is no array", "float(x)")
def number_of_another_class():
    one(alice(fractions.Fraction(1, 2)))


@mistake(tacet.Usage, "a is a list with missing values, the first at 1", "fill them")
def missing_value_in_a_list():
    one(alice([1.0, None]))


@mistake(tacet.Usage, "a holds no array", "pass an array or a number")
def empty_list():
    one(alice([]))


@mistake(tacet.Usage, "a has element type object and holds numbers of several types", "dtype=np.float32")
def numbers_of_several_types():
    one(alice(np.array([1, 2.5], dtype=object)))


@mistake(tacet.Usage, "a has element type float8_e4m3fn, which programs lack", "x.astype('float32')")
def eight_bits():
    one(alice(jnp.ones(2, jnp.float8_e4m3fn)))


@mistake(tacet.Usage, "column 'when' of a holds dates or times", "days since a date")
def column_of_dates():
    pd = pytest.importorskip("pandas")
    one(alice(pd.DataFrame({"age": [1, 2], "when": pd.to_datetime(["2020-01-01", "2020-01-02"])})))


@mistake(tacet.Usage, "column 'when' of a holds dates or times", "days since a date")
def column_of_dates_with_a_zone():
    pd = pytest.importorskip("pandas")
    one(alice(pd.DataFrame({"when": pd.to_datetime(["2020-01-01"]).tz_localize("UTC")})))


@mistake(tacet.Usage, "the table of alice has two columns 'age'", "rename one")
def column_named_twice():
    pd = pytest.importorskip("pandas")
    alice.table(pd.DataFrame([[1.0, 2.0]], columns=["age", "age"]))


TRACED = "a is a value that JAX traces: a private function is called within"


@mistake(tacet.Usage, TRACED, "make the outermost function private")
def private_within_private():
    tacet.private(lambda a: one(a) + 1)(alice(x))


@mistake(tacet.Usage, TRACED, "make the outermost function private")
def private_within_vmap():
    jax.vmap(one)(x)


@mistake(tacet.Usage, TRACED, "make the outermost function private")
def private_within_jit():
    jax.jit(one)(x)


@mistake(tacet.Usage, TRACED, "tacet.grad differentiates private ones")
def gradient_of_a_private_function():
    jax.grad(tacet.private(lambda a: jnp.sum(a)))(x)


@mistake(tacet.Usage, TRACED, "make the outermost function private")
def owner_within_scan():
    jax.lax.scan(lambda c, v: (c, one(alice(v))), 0.0, x)


@mistake(tacet.Usage, "belongs to alice and is computed with inside of a private function only", "@private")
def jax_outside():
    jnp.sum(alice(x))


@mistake(tacet.Usage, "belongs to alice and is computed with inside of a private function only", "@private")
def comparison_outside():
    alice(x) == 3  # noqa: B015


@mistake(tacet.Usage, "a is a random key of JAX", "jax.random.key_data")
def random_key():
    one(alice(jax.random.key(0)))


@mistake(tacet.Usage, "a is a shape without data", "a call needs an array")
def shape_in_a_call():
    one(alice.spec((2, 3)))


@mistake(tacet.Unsupported, "`if`, `while`, `and`, `or` or `assert` on a value that depends on a secret", "jnp.where")
def branch_on_a_secret():
    tacet.private(lambda a: a if a > 0 else -a)(alice(1.0))


@mistake(tacet.Unsupported, "a function of NumPy, or of another library, is applied to a traced argument", "jax.numpy")
def numpy_inside():
    tacet.private(lambda a: np.sort(a))(alice(x))


@mistake(tacet.Unsupported, "indexing with a boolean mask gives an array whose shape depends on values", "jnp.where(mask, x, 0)")
def boolean_mask():
    tacet.private(lambda a: a[a > 0])(alice(x))


@mistake(tacet.Unsupported, "a shape, an axis, a length or an index of Python depends on a traced argument", "static=")
def shape_from_an_argument():
    tacet.private(lambda a, n: a + jnp.zeros(n))(alice(x), 3)


@mistake(tacet.Unsupported, "stablehlo.custom_call", "")
def unknown_operation():
    tacet.private(lambda a, b: jnp.linalg.eigvals(a + b))(alice(np.eye(3, dtype=np.float32)), bob(np.eye(3, dtype=np.float32)))


@mistake(tacet.Unsupported, "condition depends on secret", "while.bound")
def loop_until_a_secret():
    def f(a, b):
        return jax.lax.while_loop(lambda v: v < b, lambda v: v * 2, a)

    tacet.private(f)(alice(1.0), bob(9.0))


@mistake(tacet.RangeError, "model['w1'][0, 2]: NaN cannot be shared", "finite numbers")
def nan_in_an_argument():
    w = x.copy()
    w[0, 2] = np.nan
    tacet.private(lambda model: model["w1"])(alice({"w1": w, "b1": x}))


@mistake(tacet.RangeError, "is too large to be shared", "takes magnitudes below 2^44")
def too_large_for_the_ring():
    one(alice(x * 1e20))


@mistake(tacet.Unsupported, "a callback: Python would run on values that no party may see", "leave out jax.debug.print")
def callback_inside():
    def f(a):
        jax.debug.print("{}", a)
        return a

    tacet.private(f)(alice(x))


@mistake(tacet.Unsupported, "an array is changed in place", "x.at[i].set(y)")
def change_in_place():
    def f(a):
        a[0] = 1
        return a

    tacet.private(f)(alice(x))


@mistake(tacet.RangeError, "a[0] is 1180591620717411303424, which 64 bits cannot hold", "make them floats")
def integer_of_71_bits():
    one(alice([2**70]))


@mistake(tacet.RangeError, "a[1] is 1099511627776, which int32 cannot hold", "jax_enable_x64")
def integer_of_64_bits():
    one(alice(np.array([1, 2**40])))


@mistake(tacet.Usage, "ring=63 is no ring", "32, 64, 128")
def wrong_ring():
    tacet.private(ring=63)


@mistake(tacet.Usage, "timeout=-1 is no time", "timeout=60")
def negative_timeout():
    one.using(timeout=-1)


@mistake(tacet.Usage, "reveal=3 names no party", 'reveal="alice"')
def revealed_to_a_number():
    one.using(reveal=3)


@mistake(tacet.Usage, "'3' is no shape", "alice.spec((1000, 3))")
def shape_as_text():
    alice.spec("3")


@mistake(tacet.Usage, "spdz", "semi2k")
def unknown_protocol():
    one.using(protocol="spdz")(alice(x))


@mistake(tacet.Usage, "exp.moed", "")
def unknown_setting():
    one.using(set={"exp.moed": "taylor"})(alice(x))


@mistake(tacet.Usage, "set='exp.mode=taylor' is no dict", 'set={"optimize": "rounds"}')
def settings_as_text():
    one.using(set="exp.mode=taylor")


@mistake(tacet.Usage, "static='q' is no parameter of <lambda>(a, n)", "its parameters are a, n")
def wrong_static_name():
    tacet.private(static="q")(lambda a, n: a)


@mistake(tacet.Usage, "static argument n is a list, which has no hash", "pass a tuple")
def unhashable_static():
    tacet.private(static="n")(lambda a, n: a)(alice(x), [1])


@mistake(tacet.Usage, "missing a required argument: 'b'", "as the function itself")
def argument_left_out():
    add(alice(x))


@mistake(tacet.Usage, "has not been called yet", ".plan(…)")
def report_before_a_call():
    tacet.private(lambda a: a).report


@mistake(tacet.Usage, "private is given 3, which is no function", "@private")
def private_of_a_number():
    tacet.private(3)


@mistake(tacet.Usage, "private is given LinearRegression, which is no function", "from tacet_mpc.sklearn import private")
def private_of_an_estimator():
    linear_model = pytest.importorskip("sklearn.linear_model")
    tacet.private(linear_model.LinearRegression())


@mistake(tacet.Usage, "private is given alice(ndarray), which is no function", "private(f)(alice(x))")
def private_of_a_value():
    tacet.private(alice(x))


@mistake(tacet.Usage, "returns no array", "return what a party is to learn")
def nothing_returned():
    tacet.private(lambda a: None)(alice(x))


@mistake(tacet.Usage, "computes with or returns what is no array", "return arrays")
def text_returned():
    tacet.private(lambda a: "done")(alice(x))


@mistake(tacet.Usage, "by('column'): there are no such rows", 'by("layer")')
def wrong_rows_of_a_plan():
    one.plan(alice(x)).by("column")  # type: ignore[arg-type]


@mistake(tacet.Usage, "compare needs settings", "compare(…, protocol=")
def comparing_nothing():
    one.compare(alice(x))


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake(name):
    f, error, says, remedy = MISTAKES[name]
    with pytest.raises(error) as caught:
        f()
    assert isinstance(caught.value, tacet.Error) and type(caught.value) is error
    lines = str(caught.value).splitlines()
    assert says in lines[0], str(caught.value)
    assert remedy in lines[-1], str(caught.value)
    assert len(lines) <= 3 and max(map(len, lines)) < 200
    assert (len(lines) >= 2) or not remedy
    assert not re.search(r"arg\d|argument \d|program\.mlir|/tacet-|job\.yaml", str(caught.value)), str(caught.value)
    if error is tacet.Unsupported:
        where = caught.value.where
        first = f.__code__.co_firstlineno
        line = int(where.rpartition(":")[2])
        assert "test_misuse.py" in where and first <= line <= first + 6, where
    assert caught.value.__cause__ is None and (caught.value.__suppress_context__ or caught.value.__context__ is None)


def test_program_that_is_not_there(monkeypatch):
    monkeypatch.setenv("TACET", "/nowhere/tacet")
    with pytest.raises(tacet.Usage, match="is no program\n  let it name the program tacet"):
        one(alice(x))


def test_program_that_crashes(monkeypatch, tmp_path):
    script = tmp_path / "tacet"
    script.write_text("#!/bin/sh\necho 'panic: oops' >&2\nexit 2\n")
    script.chmod(0o755)
    monkeypatch.setenv("TACET", str(script))
    with pytest.raises(tacet.Internal, match="ended with code 2: panic: oops\n  please report it"):
        one(alice(x))
    script.write_text("#!/bin/sh\nkill -9 $$\n")
    with pytest.raises(tacet.Error, match="was killed by SIGKILL\n  it may have run out of memory"):
        one(alice(x))


def test_own_errors_stay_as_they_are():
    with pytest.raises(TypeError, match="dot_general|contracting"):
        tacet.private(lambda a, b: a @ b)(alice(x), bob(x))
    with pytest.raises(ZeroDivisionError):
        tacet.private(lambda a: 1 / 0)(alice(x))


def test_attributes_of_owned_values():
    assert not hasattr(alice(x), "shape") and getattr(alice(x), "shape", None) is None
    with pytest.raises(tacet.Usage, match="alice.ndarray. has no attribute shape: it belongs to alice\n  ask the plain value") as caught:
        alice(x).shape  # noqa: B018
    assert isinstance(caught.value, AttributeError)
    owned = alice(x)
    assert owned == owned and owned in [owned] and len({owned, owned}) == 1
    assert (copy.deepcopy(owned).value == x).all() and pickle.loads(pickle.dumps(owned)).owner == alice


def test_pickling():
    """Functions are pickled by name, or by what they are made of; errors with all that they say."""
    assert pickle.loads(pickle.dumps(named)) is named and copy.deepcopy(one) is one
    made = pickle.loads(pickle.dumps(tacet.private(plain, reveal="bob")))
    assert abs(float(made(alice(0.5))) - 1.5) < 1e-3 and made._settings.reveal == ("bob",)
    assert pickle.loads(pickle.dumps(made.plan(alice(0.5)))).rounds == made.report.rounds
    for error in (tacet.Denied, tacet.Lost, tacet.Missing, tacet.RangeError, tacet.Timeout, tacet.Usage):
        back = pickle.loads(pickle.dumps(error("no", remedy="do", party="bob", argument="a[1]", index=(1,))))
        assert (type(back), str(back), back.party, back.index) == (error, "no\n  do", "bob", (1,))
    with pytest.raises(tacet.Usage, match="cannot be pickled\n  make it in the other process"):
        pickle.dumps(tacet.grad(one))
