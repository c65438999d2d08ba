"""Makes this example: trains a small network, exports it, splits the inputs among their owners.

    pip install jax scikit-learn
    python make.py

Training takes some seconds on a laptop. The program is what jax.jit(f).lower(...).as_text() prints; nothing
in it was written for Tacet. expected.npz holds what the same function gives in the clear, in 64-bit floats.
"""
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from sklearn import datasets

HERE = Path(__file__).resolve().parent
IMAGES = 16  # that alice asks about
STEPS, BATCH, RATE = 1500, 64, 2e-3


def convolve(x, kernel, bias):
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + bias


def pool(x):
    """The largest of every 2 by 2 pixels."""
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def scores(images, kernel1, bias1, kernel2, bias2, weight, bias):
    """Scores of the ten digits for each image of 8 by 8 pixels."""
    x = jnp.maximum(pool(convolve(images, kernel1, bias1)), 0)
    x = jnp.maximum(pool(convolve(x, kernel2, bias2)), 0)
    return x.reshape(len(x), -1) @ weight + bias


def parameters(rng):
    def normal(*shape):
        return (rng.normal(size=shape) * np.sqrt(2 / np.prod(shape[:-1]))).astype(np.float32)

    def zeros(n):
        return np.zeros(n, np.float32)

    return [normal(3, 3, 1, 8), zeros(8), normal(3, 3, 8, 16), zeros(16), normal(64, 10), zeros(10)]


def train(rng, images, labels):
    """Adam on the cross-entropy."""
    def loss(params, x, y):
        return -jnp.take_along_axis(jax.nn.log_softmax(scores(x, *params)), y[:, None], 1).mean()

    @jax.jit
    def step(params, m, v, t, x, y):
        grads = jax.grad(loss)(params, x, y)
        m = [0.9 * a + 0.1 * g for a, g in zip(m, grads)]
        v = [0.999 * a + 0.001 * g * g for a, g in zip(v, grads)]
        params = [p - RATE * (a / (1 - 0.9**t)) / (jnp.sqrt(b / (1 - 0.999**t)) + 1e-8) for p, a, b in zip(params, m, v)]
        return params, m, v

    params = parameters(rng)
    m = v = [np.zeros_like(p) for p in params]
    for t in range(1, STEPS + 1):
        pick = rng.integers(len(images), size=BATCH)
        params, m, v = step(params, m, v, float(t), images[pick], labels[pick])
    return [np.asarray(p) for p in params]


def main():
    rng = np.random.default_rng(0)
    images, labels = datasets.load_digits(return_X_y=True)
    images = (images.reshape(-1, 8, 8, 1) / 16).astype(np.float32)
    order = rng.permutation(len(images))
    images, labels = images[order], labels[order]
    params = train(rng, images[:1400], labels[:1400])
    right = np.argmax(scores(images[1400:], *params), 1) == labels[1400:]
    print(f"{right.mean():.1%} of {len(right)} images that were not trained on are recognised")

    asked = images[-IMAGES:]
    (HERE / "program.mlir").write_text(jax.jit(scores).lower(asked, *params).as_text())
    np.savez_compressed(HERE / "alice.npz", arg0=asked)
    np.savez_compressed(HERE / "bob.npz", **{f"arg{i}": p for i, p in enumerate(params, 1)})
    with jax.enable_x64(True):
        exact = scores(*(np.asarray(a, np.float64) for a in (asked, *params)))
    np.savez_compressed(HERE / "expected.npz", out0=np.asarray(exact, np.float32))
    print("digits asked about:", *labels[-IMAGES:])
    print("digits answered:   ", *np.argmax(exact, 1))


if __name__ == "__main__":
    main()
