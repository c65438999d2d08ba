"""Gradients of private functions and of imported models, against JAX and against differences."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tacet_mpc as tacet

alice, bob = tacet.parties("alice bob")
rng = np.random.default_rng(5)
x, y = rng.normal(size=(8, 3)).astype(np.float32), rng.normal(size=(8,)).astype(np.float32)
model = {"w": rng.normal(size=(3, 4)).astype(np.float32), "b": np.zeros(4, np.float32), "out": rng.normal(size=4).astype(np.float32)}


@tacet.private(reveal="bob")
def loss(model, x, y):
    return jnp.mean((jnp.tanh(x @ model["w"] + model["b"]) @ model["out"] - y) ** 2)


def test_tree_and_value():
    value, (by_model, by_x) = tacet.value_and_grad(loss, ("model", 1))(bob(model), alice(x), y=alice(y))
    want, wanted = jax.value_and_grad(lambda *a: loss._fn(*a), (0, 1))(model, x, y)
    np.testing.assert_allclose(value, want, atol=1e-3)
    assert sorted(by_model) == ["b", "out", "w"]
    for got, right in zip(jax.tree.leaves((by_model, by_x)), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(got, right, atol=1e-3)


def test_plans_settings_and_second_derivatives():
    step = tacet.grad(loss)
    spec = {k: np.zeros_like(v) for k, v in model.items()}
    assert step.plan(bob(spec), alice.spec((8, 3)), alice.spec(8)).rounds > loss.plan(bob(spec), alice.spec((8, 3)), alice.spec(8)).rounds
    cube = tacet.grad(tacet.grad(lambda v, w: jnp.sum(w * v**3), "v"), "v", cotangent=True).using(ring=128)
    got = cube(bob(np.float32([1, 2])), alice(np.float32([1, 0.5])), cotangent=np.float32([1, 1]))
    np.testing.assert_allclose(got, [6, 6], atol=1e-3)
    assert cube.report.ring == 128 and repr(cube).startswith("<private grad_grad_<lambda>")


def test_onnx_model():
    """The gradient of a sum of an ONNX model's weighted results agrees with differences."""
    path = Path(__file__).resolve().parents[2] / "onnx" / "testdata" / "models" / "mlp-dynamo" / "model.onnx"
    f = tacet.from_onnx(path)
    rows = rng.normal(size=(4, 8)).astype(np.float32)
    cotangent = rng.normal(size=(4, 3)).astype(np.float32)
    got = tacet.grad(f, "weights", cotangent=True)(bob(f.weights), alice(rows), cotangent=alice(cotangent))
    assert {k: v.shape for k, v in got.items()} == {k: v.shape for k, v in f.weights.items()}
    size = np.sqrt(sum(float(np.sum(v**2)) for v in got.values()))
    direction = {k: v / np.float32(size) for k, v in got.items()}  # along which the sum grows by size
    ends = []
    for step in (0.1, -0.1):
        moved = {k: v + np.float32(step) * direction[k] for k, v in f.weights.items()}
        ends.append(float(np.sum(f(bob(moved), alice(rows)) * cotangent)))
    assert size > 0.1 and abs((ends[0] - ends[1]) / 0.2 - size) < 0.03 * size, (ends, size)


def test_mistakes():
    many = tacet.private(lambda v, n: (v * 2, v.sum()), static="n")
    for act, says in (
        (lambda: tacet.grad(loss, "weights"), "wrt='weights' is no parameter of loss with a derivative\n  its parameters are model, x, y"),
        (lambda: tacet.grad(many, "n"), "wrt='n' is no parameter"),
        (lambda: tacet.grad(loss, ("x", 1)), "wrt='x' is named twice"),
        (lambda: tacet.grad(loss, ()), "names no parameter"),
        (lambda: tacet.grad(many)(alice(y), 3), "scalar"),
        (lambda: tacet.grad(many, result=2)(alice(y), 3), "returns 2 arrays"),
        (lambda: tacet.grad(many, cotangent=True)(alice(y), 3, cotangent=x), r"cotangent has shape (8, 3), and the result's is (8,)"),
        (lambda: tacet.grad(many, cotangent=True)(alice(y), 3), "cotangent"),
        (lambda: tacet.grad(many, result=1)(alice(np.arange(3, dtype=np.int32)), 3), "v is int32, which has no derivative"),
    ):
        with pytest.raises(tacet.Usage) as caught:
            act()
        assert says in str(caught.value) and len(str(caught.value).splitlines()) <= 3, str(caught.value)
    with pytest.raises(tacet.Unsupported) as refused:
        tacet.grad(lambda v: jnp.sum(jnp.nextafter(v, 2 * v)))(alice(y))
    assert "test_gradient.py" in refused.value.where and len(str(refused.value).splitlines()) <= 3, str(refused.value)
    with pytest.raises(tacet.Unsupported, match="verify"):
        tacet.grad(loss).verify(bob(model), alice(x), alice(y))
