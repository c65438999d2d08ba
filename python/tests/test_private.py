"""Calls of private functions: what goes in, what comes out, and what is remembered."""

from __future__ import annotations

import asyncio
import functools
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tacet_mpc as tacet

RNG = np.random.default_rng(7)


def f32(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype(np.float32)


MODEL = {"w1": f32(4, 8), "b1": f32(8), "w2": f32(8, 5)}


def score(x, model, *, k=3):
    h = jax.nn.relu(x @ model["w1"] + model["b1"])
    return {"p": jax.nn.softmax(h @ model["w2"]), "top": jax.lax.top_k(h @ model["w2"], k)[1]}


def test_call_with_pytrees_and_keywords(alice, bob):
    x = f32(10, 4)
    f = tacet.private(reveal="alice", static="k")(score)
    got = f(alice(x), model=bob(MODEL), k=2)
    want = score(x, MODEL, k=2)
    assert list(got) == ["p", "top"]
    assert got["p"].dtype == np.float32 and got["top"].dtype == np.int32
    np.testing.assert_allclose(got["p"], want["p"], atol=1e-3)
    np.testing.assert_array_equal(got["top"], want["top"])
    assert f.report.online.rounds == 19 and f.report.parties == ("alice", "bob")
    assert f.report.online.bytes == f.report.bytes == sum(f.report.online.bytes_sent)


def test_defaults_are_constants(alice):
    f = tacet.private(lambda x, flip=True, n=2: -x * n if flip else x)
    assert f(alice(np.float32(1))) == pytest.approx(-2, abs=1e-4)


def test_static_arguments_are_part_of_the_program(alice, bob):
    traced = []

    @tacet.private(static="n")
    def power(x, n):
        traced.append(n)
        return x**n

    for n in (2, 3, 2, 3):
        assert power(alice(np.float32([2.0])), n)[0] == pytest.approx(2**n, abs=1e-3)
    assert traced == [2, 3]
    by_number = tacet.private(static=1)(lambda x, n: x * n)
    assert by_number(alice(np.float32(1.5)), 2) == pytest.approx(3.0, abs=1e-3)


def test_programs_and_plans_are_remembered_by_shapes(alice, bob):
    traced = []

    @tacet.private
    def f(x, w):
        traced.append(x.shape)
        return x @ w

    for rows in (3, 3, 4, 3):
        f(alice(f32(rows, 4)), bob(f32(4)))
    assert traced == [(3, 4), (4, 4)]
    plan = f.plan(alice.spec((3, 4)), bob.spec(4))
    assert f.plan(alice(f32(3, 4)), bob(f32(4))) is plan
    assert f.plan(alice(f32(3, 4)), bob(f32(4)), network="wan") is not plan
    assert traced == [(3, 4), (4, 4)]
    f.using(ring=128)(alice(f32(3, 4)), bob(f32(4)))
    assert len(traced) == 2


def test_unused_arguments_keep_their_places(alice, bob):
    f = tacet.private(lambda a, unused, b: a - b)
    got = f(alice(f32(2)), bob(f32(5)), bob(np.zeros(2, np.float32)))
    assert got.shape == (2,)


def test_who_owns_what(alice, bob):
    f = tacet.private(lambda d, c: d["a"] * d["b"] + c)
    got = f({"b": bob(np.float32([2, 3])), "a": alice(np.float32([5, 7]))}, 1.0)
    np.testing.assert_allclose(got, [11, 22], atol=1e-3)


def test_public_values_stay_exact(alice):
    f = tacet.private(lambda x, k: x + jnp.cumsum(k)[-1])
    assert f(alice(np.int32([1])), np.arange(4, dtype=np.int32))[0] == 7


def test_order_of_dicts_does_not_matter(alice, bob):
    traced = []

    def f(m):
        traced.append(1)
        return m["a"] - m["b"]

    g = tacet.private(f)
    a, b = np.float32([5]), np.float32([3])
    for m in ({"a": a, "b": b}, {"b": b, "a": a}):
        assert g(alice(m))[0] == pytest.approx(2, abs=1e-4)
    assert traced == [1]


def test_results_of_all_types(alice):
    @tacet.private
    def f(x):
        return x > 0, jnp.int32(x), (x.astype(jnp.bfloat16), None), [x.astype(jnp.float16)]

    small, whole, (brain, nothing), [half] = f(alice(np.float32([-2, 3])))
    assert small.tolist() == [False, True] and whole.tolist() == [-2, 3] and nothing is None
    assert brain.dtype == jnp.bfloat16 and half.dtype == np.float16
    assert brain.astype(np.float32).tolist() == [-2, 3]


def test_64_bits_are_narrowed_with_one_warning(alice, bob):
    f = tacet.private(lambda x, n: x * n)
    with pytest.warns(tacet.Narrowed, match=r"x is narrowed from float64 to float32") as said:
        got = f(alice(np.array([0.5])), bob(np.array([3])))
        f(alice(np.array([0.5])), bob(np.array([4])))
    assert len(said) == 1 and said[0].filename == __file__
    assert got.dtype == np.float32
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f(alice(0.5), bob(3))  # numbers of Python have no type of their own


def test_64_bits_with_x64(alice):
    f = tacet.private(lambda x: x * 2)
    with jax.experimental.enable_x64() if hasattr(jax.experimental, "enable_x64") else jax.enable_x64(True):
        got = f(alice(np.array([2**40 + 1])))
    assert got.dtype == np.int64 and got[0] == 2**41 + 2


def test_closures_and_methods(alice, bob):
    class Layer:
        def __init__(self, scale):
            self.scale = scale

        @tacet.private(reveal="alice")
        def apply(self, x):
            return x * self.scale

        def forward(self, params, x):
            return jnp.tanh(x @ params["w"]) * self.scale

    two, three = Layer(2.0), Layer(3.0)
    assert two.apply(alice(np.float32(1))) == pytest.approx(2, abs=1e-3)
    assert three.apply(alice(np.float32(1))) == pytest.approx(3, abs=1e-3)
    assert two.apply is two.apply
    f = tacet.private(two.forward)
    assert f(bob({"w": f32(3)}), alice(f32(2, 3))).shape == (2,)
    g = tacet.private(functools.partial(score, k=1))
    assert g(alice(f32(2, 4)), bob(MODEL))["top"].shape == (2, 1)


def test_training_step(alice, bob):
    def loss(w, x, y):
        return jnp.mean((x @ w - y) ** 2)

    @tacet.private(reveal="bob")
    def fit(w, x, y):
        return jax.lax.fori_loop(0, 5, lambda _, w: w - 0.1 * jax.grad(loss)(w, x, y), w)

    x, w = f32(16, 3), np.zeros(3, np.float32)
    y = x @ np.float32([1, -2, 0.5])
    got = fit.verify(w, alice(x), bob(y))
    assert got.shape == (3,)


def test_verify_names_the_result(alice, bob):
    f = tacet.private(lambda x, y: {"up": x, "third": x * y / 3})
    with pytest.raises(tacet.Tolerance) as err:
        f.verify(alice(np.float32([0, 1])), bob(np.float32(1)), atol=1e-9, rtol=0)
    assert "result['third'][1]" in str(err.value)


def test_aio_runs_side_by_side(alice, bob):
    f = tacet.private(lambda x: x + 1)

    async def main():
        return await asyncio.gather(*(f.aio(alice(np.float32(i))) for i in range(4)))

    assert [float(x) for x in asyncio.run(main())] == pytest.approx([1, 2, 3, 4], abs=1e-3)


def test_large_arrays_survive(alice):
    x = np.arange(300_000, dtype=np.int32).reshape(3, 100_000)
    f = tacet.private(lambda x: x[:, ::-1])
    np.testing.assert_array_equal(f(alice(np.asfortranarray(x))), x[:, ::-1])


def test_plan(alice, bob):
    f = tacet.private(reveal="alice", static="k")(score)
    args = alice.spec((10, 4)), bob(MODEL)
    plan = f.plan(*args, network="wan")
    f(alice(f32(10, 4)), bob(MODEL))
    assert (plan.bytes, plan.rounds, plan.offline.bytes) == (f.report.bytes, f.report.rounds, f.report.offline.bytes)
    assert plan.network == "wan" and set(plan.networks) == {"wan"} and 0.1 < plan.seconds < 10 and plan.memory > 0
    assert set(f.plan(*args).networks) == {"none", "lan", "wan", "slow"}
    here = f"test_private.py:{score.__code__.co_firstlineno + 1}"
    lines = {row.where: row for row in plan.by("line")}
    assert any(w.endswith(here) for w in lines), lines
    layers = {row.name: row for row in plan.by("layer")}
    assert layers["relu"].where.endswith(here) and layers["softmax"].rounds > 0
    assert sum(r.bytes for r in plan.by("op")) == plan.bytes == sum(r.bytes for r in plan.by("layer"))
    assert sum(r.rounds for r in plan.by("line")) == plan.rounds
    assert repr(plan).startswith(f"Plan({plan.bytes / 1e3:.3g} kB in 19 rounds")
    assert "<table" in plan._repr_html_() and "relu" in plan._repr_html_()


def test_shapes_of_jax_do_for_plans(alice, bob):
    shapes = jax.eval_shape(lambda: MODEL)
    f = tacet.private(lambda x, m: x @ m["w1"])
    assert f.plan(alice.spec((3, 4)), bob(shapes)).bytes > 0


def test_compare(alice, bob):
    f = tacet.private(lambda x, w: jnp.exp(x @ w))
    found = f.compare(alice.spec((3, 4)), bob.spec(4), ring=[64, 128], set={"exp.mode": ["prime", "taylor"]})
    assert [v.settings for v in found][0] == {"ring": "64", "exp.mode": "prime"} and len(found) == 4
    assert found.best(lambda plan: plan.bytes).settings["ring"] == "64"
    assert "ring=128, exp.mode=taylor" in repr(found) and "<table" in found._repr_html_()
    refused = f.compare(alice.spec((3, 4)), bob.spec(4), ring=[64], fraction=[18, 60])
    assert refused.variants[1].plan is None and refused.variants[1].refused


def test_check(alice, bob):
    f = tacet.private(reveal="alice", static="k")(score)
    x = f32(10, 4)
    assert f.check(alice(x), bob(MODEL)).ok
    found = f.check(alice(x * 1e9), bob(MODEL))
    assert not found and found.largest > 1e9
    assert any("do not fit the ring" in f.message and "test_private.py:" in f.where for f in found.findings)
    assert "test_private.py" in repr(found) and "<table" in found._repr_html_()
    bad = {**MODEL, "w1": MODEL["w1"].copy()}
    bad["w1"][0, 7] = np.nan
    [finding] = f.check(alice(x), bob(bad)).findings
    assert finding.argument == "model['w1'][0, 7]" and finding.index == (0, 7)


def test_settings_reach_the_program(alice, bob):
    f = tacet.private(protocol="semi2k", ring=128, fraction=20, set={"exp.mode": "taylor"}, reveal=[alice, bob])(lambda x: jnp.exp(x))
    f(alice(np.float32([0.5])))
    assert (f.report.protocol, f.report.ring, f.report.fraction) == ("semi2k", 128, 20)
    plain = f.using(protocol="plain", ring=64)
    plain(alice(np.float32([0.5])))
    assert plain.report.protocol == "plain" and f.report.protocol == "semi2k"
    assert "<table" in f.report._repr_html_()
    far = tacet.private(lambda x, y: x * y, network="1e9/1ms")
    assert far(alice(2.0), alice(3.0)) == pytest.approx(6, abs=1e-3) and far.report.network == "1e9/1ms"
    assert set(far.plan(alice(2.0), alice(3.0)).networks) == {"1e9/1ms", "lan", "wan", "slow"}


def test_three_parties():
    a, b, c = tacet.parties(["a", "b", "c"])
    f = tacet.private(protocol="aby3")(lambda x, y, z: x * y * z)
    assert f(a(2.0), b(3.0), c(4.0)) == pytest.approx(24, abs=1e-2)
    assert f.report.parties == ("a", "b", "c")
