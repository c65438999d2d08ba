"""ONNX models run privately, with onnxruntime's results; mistakes are typed exceptions."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tacet_mpc as tacet

alice, bob = tacet.parties("alice bob")
root = Path(__file__).resolve().parents[2]
example = root / "examples" / "onnx"
models = root / "onnx" / "testdata" / "models"


def test_trees():
    rows = np.load(example / "alice.npz")["arg0"][:8]
    expected = np.load(example / "expected.npz")
    f = tacet.from_onnx(example / "model.onnx").using(reveal="alice")
    assert any(name.endswith(".thresholds.over") for name in f.weights)
    got = f(bob(f.weights), alice(rows))
    assert list(got) == ["label", "probabilities"]
    assert got["label"].dtype == np.int64 and (got["label"] == expected["out0"][:8]).all()
    np.testing.assert_allclose(got["probabilities"], expected["out1"][:8], atol=1e-3)
    assert f.report.online.rounds > 0
    # Other shapes, other types of the same kind, and plans by shapes alone.
    assert f(bob(f.weights), X=alice(rows[:2].astype(np.float64)))["label"].shape == (2,)
    assert f.plan(bob(f.weights), alice.spec((100, 30))).bytes > f.plan(bob(f.weights), alice(rows)).bytes


def test_external_data():
    f = tacet.from_onnx(models / "mlp-dynamo" / "model.onnx")
    assert sorted(w.shape for w in f.weights.values()) == [(3,), (3, 16), (16,), (16, 8)]
    got = f(bob(f.weights), alice(np.zeros((4, 8), np.float32)))
    np.testing.assert_allclose(got.sum(axis=1), 1, atol=1e-3)


def test_values():
    """An input that is a constant of the program."""
    path, rows = models / "mlp-dynamo" / "model.onnx", np.linspace(-2, 2, 32, dtype=np.float32).reshape(4, 8)
    f, g = tacet.from_onnx(path), tacet.from_onnx(path, values={"input": rows})
    np.testing.assert_allclose(g(bob(g.weights)), f(bob(f.weights), alice(rows)), atol=1e-3)
    with pytest.raises(tacet.Usage, match='value of "sr": the model has no such input'):
        tacet.from_onnx(path, values={"sr": 16000})


def mlp(w, rows):
    """What the file mlp-dynamo computes."""
    hidden = jax.nn.relu(rows @ w["0.weight"].T + w["0.bias"])
    return jax.nn.softmax(hidden @ w["2.weight"].T + w["2.bias"])


def test_training():
    """An imported MLP takes part in a loss of JAX: its gradients are JAX's own, and optax trains it privately, at no more
    cost than the same network written in JAX."""
    f = tacet.from_onnx(models / "mlp-dynamo" / "model.onnx")
    rng = np.random.default_rng(0)
    rows, classes = rng.normal(size=(4, 8)).astype(np.float32), np.eye(3, dtype=np.float32)[[0, 2, 1, 2]]

    def loss_of(function):
        return lambda w, x, y: -jnp.mean(jnp.sum(y * jnp.log(function(w, x)), axis=-1))

    got, want = (jax.jit(jax.value_and_grad(loss_of(g)))(f.weights, rows, classes) for g in (f.function, mlp))
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, atol=1e-6), got, want)
    size = [lambda w, g=g: sum(jnp.sum(v**2) for v in jax.grad(loss_of(g))(w, rows, classes).values()) for g in (f.function, mlp)]
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, atol=1e-5), *(jax.jit(jax.grad(s))(f.weights) for s in size))  # second derivatives

    def fit_of(function):
        def fit(w, x, y):
            optimizer = optax_sgd(0.5)

            def step(_, w):
                return optimizer(w, jax.grad(loss_of(function))(w, x, y))

            return jax.lax.fori_loop(0, 5, step, w)

        return fit

    private, ours = (tacet.private(fit_of(g), reveal="bob") for g in (f.function, mlp))
    fitted = private(bob(f.weights), alice(rows), alice(classes))
    want = jax.jit(fit_of(mlp))(f.weights, rows, classes)
    assert sorted(fitted) == sorted(f.weights)
    for name, value in fitted.items():
        np.testing.assert_allclose(value, want[name], atol=1e-3)
    assert loss_of(mlp)(fitted, rows, classes) < 0.9 * loss_of(mlp)(f.weights, rows, classes)
    assert private.report.bytes <= 1.05 * ours.plan(bob(f.weights), alice(rows), alice(classes)).bytes


def optax_sgd(rate):
    """optax.sgd without optax, which tests need not have."""
    return lambda w, by: jax.tree.map(lambda a, b: a - rate * b, w, by)


def test_within_jax():
    """Models with results of 64 bits, and with several results, compute within functions of JAX; mistakes are named."""
    f = tacet.from_onnx(example / "model.onnx")
    rows = np.load(example / "alice.npz")["arg0"][:4]
    expected = np.load(example / "expected.npz")
    out = jax.jit(f.function)(f.weights, rows)
    assert (np.asarray(out["label"]) == expected["out0"][:4]).all() and out["label"].dtype == jnp.int32
    mean = tacet.private(lambda w, x: jnp.mean(f.function(w, X=x)["probabilities"][:, 1]), reveal="alice")
    assert abs(mean(bob(f.weights), alice(rows)) - expected["out1"][:4, 1].mean()) < 1e-3
    g = tacet.from_onnx(models / "mlp-dynamo" / "model.onnx")
    for act, says in (
        (lambda: g.function(g.weights), "missing a required argument: 'input'\n  pass the weights first"),
        (lambda: g.function(rows, rows), "the first argument of model is a ndarray; it takes the weights"),
        (lambda: g.function({}, np.zeros((4, 8), np.float32)), "the weights of model lack '0.weight'"),
        (lambda: g.function(g.weights, np.zeros((4, 8), np.int32)), "input is int32, and the model's is float32"),
        (lambda: g.function({**g.weights, "2.bias": np.zeros(4, np.float32)}, np.zeros((4, 8), np.float32)), "weights['2.bias'] has shape (4,), and the model's is (3,)"),
    ):
        with pytest.raises(tacet.Usage) as caught:
            act()
        assert says in str(caught.value) and len(str(caught.value).splitlines()) <= 3, str(caught.value)


def test_mistakes():
    with pytest.raises(tacet.Usage, match=r"none\.onnx: model cannot be read"):
        tacet.from_onnx("none.onnx")
    with pytest.raises(tacet.Usage, match=r"shapes has 'Y', and the model has no such input"):
        tacet.from_onnx(example / "model.onnx", shapes={"Y": (1, 30)})
    f = tacet.from_onnx(example / "model.onnx")
    rows = np.zeros((2, 30), np.float32)
    with pytest.raises(tacet.Usage, match="it takes the weights"):
        f(alice(rows), alice(rows))
    with pytest.raises(tacet.Usage, match="the weights of model lack"):
        f(bob({}), alice(rows))
    with pytest.raises(tacet.Usage, match="X is int32, and the model's is float32"):
        f(bob(f.weights), alice(rows.astype(np.int32)))
    with pytest.raises(tacet.Usage, match="dimension"):
        f(bob(f.weights), alice(np.zeros((2, 31), np.float32)))
    with pytest.raises(tacet.Unsupported, match="verify"):
        f.verify(bob(f.weights), alice(rows))
