"""Writes losses, their gradients by JAX, and JAX's own gradient programs, for the tests of package grad.

    python export.py FOLDER [--random N] [--steps] [--fixtures GENERATE.PY [--only NAME,NAME]]

FOLDER/randomI.mlir is a random function of 64-bit floats, a scalar; randomI.npz has its arguments (arg0, ...) and the
gradients that JAX computes (grad0, ...). With --steps there are models in 32-bit floats as well: NAME.mlir is a loss,
NAME.step.mlir what JAX's value_and_grad gives, NAME.npz arguments and gradients; the first argument is data, the second
labels, the others are parameters. With --fixtures, fixture-NAME.mlir is the sum of all float results of a fixture, with
random weights, in 64-bit floats, by all its float arguments, which come last;
networks have initial parameters. The files beside this one were written by

    python export.py . --random 8 --steps --fixtures GENERATE.PY --only gpr,kmeans,logreg-infer,mlp-infer,quantiles,secret-index

Needs jax (versions: ../../../../party/testdata/optax/requirements.txt).
"""

import argparse
import importlib.util
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

UNARY = [
    jnp.sin, jnp.tanh, jnp.exp, jax.nn.relu, jax.nn.sigmoid, jax.nn.softplus, jax.nn.gelu, jax.nn.silu, jnp.abs, jnp.square,
    lambda x: jnp.sqrt(1 + x * x), lambda x: jnp.log1p(jnp.abs(x)), jax.nn.softmax, jax.nn.log_softmax, jnp.cumsum, jnp.sort, jnp.flip,
    lambda x: x[..., ::-1] * 2, lambda x: x - x.mean(-1, keepdims=True), lambda x: x / jnp.sqrt(1 + (x * x).mean(-1, keepdims=True)),
    lambda x: jnp.where(x > 0.1, x, 0.3 * x), lambda x: jnp.clip(x, -0.6, 0.7), jax.scipy.special.erf, jnp.arctan, lambda x: x**3,
    lambda x: jnp.roll(x, 1, axis=-1), lambda x: jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(1, 1)])[..., :-2],
    lambda x: x.max(-1, keepdims=True) * jnp.ones_like(x), lambda x: jax.nn.logsumexp(x, axis=-1, keepdims=True) + x,
    lambda x: jnp.take(x, jnp.array([0, 2, 1, 2, 0]), axis=-1)[..., : x.shape[-1]] + 0 * x[..., :1],
    lambda x: x.at[..., jnp.array([0, 1, 0])].add(x[..., :3]), lambda x: x.at[..., 1].set(x[..., 0] * 2),
    lambda x: jax.lax.fori_loop(0, 3, lambda i, y: jnp.sin(y) + x * 0.5, x),
    lambda x: jax.lax.scan(lambda c, y: (c * 0.9 + jnp.tanh(y), c), jnp.zeros(x.shape[1:]), x)[1],
    lambda x: jax.lax.cond(jnp.sum(x) > 0, lambda y: y * y, jnp.sin, x),
    lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1,) * (x.ndim - 1) + (2,), (1,) * x.ndim, "SAME"),
    lambda x: jax.lax.top_k(x, x.shape[-1])[0], lambda x: jnp.prod(1 + 0.1 * x, axis=-1, keepdims=True) * x,
]
BINARY = [
    jnp.add, jnp.subtract, jnp.multiply, lambda x, y: x / (1.5 + y * y), jnp.maximum, jnp.minimum, lambda x, y: jnp.power(1.1 + x * x, y),
    lambda x, y: jnp.arctan2(x, 2 + y * y), lambda x, y: jnp.where(x > y, x, y * 0.5), lambda x, y: x @ (y.T @ x) * 0.2,
    lambda x, y: jnp.einsum("ij,kj->ik", x, y) @ x * 0.2, lambda x, y: jnp.concatenate([x, y], axis=0)[: x.shape[0]] * 1.5,
    lambda x, y: jax.lax.conv_general_dilated(x[None, None], y[None, None, :2, :2], (1, 1), "SAME")[0, 0],
]


def random_function(rng):
    """A random chain of operations on matrices, summed up with random weights."""
    steps = [(rng.integers(2), rng.integers(len(UNARY)), rng.integers(len(BINARY)), rng.random(2)) for _ in range(6)]
    weights = rng.normal(size=(3, 5))

    def f(a, b):
        values = [a, b]
        for kind, u, v, at in steps:
            x, y = (values[int(p * len(values))] for p in at)
            values.append(UNARY[u](x) if kind else BINARY[v](x, y))
        return jnp.sum(jnp.tanh(values[-1]) * weights) + jnp.sum(jnp.sin(values[-2]))

    return f


def save(folder, name, f, args, wrt):
    lowered = jax.jit(f, keep_unused=True).lower(*args)
    (folder / f"{name}.mlir").write_text(lowered.as_text())
    grads = jax.jit(jax.grad(f, wrt))(*args)
    arrays = {f"arg{i}": np.asarray(a) for i, a in enumerate(args)} | {f"grad{i}": np.asarray(g) for i, g in enumerate(grads)}
    np.savez(folder / f"{name}.npz", **arrays)


def cross_entropy(logits, labels):
    return -jnp.mean(jnp.sum(labels * jax.nn.log_softmax(logits), axis=-1))


def norm(x, scale, bias):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * scale + bias


def mlp(x, y, w1, b1, w2, b2, w3, b3):
    h = jax.nn.relu(jax.nn.relu(x @ w1 + b1) @ w2 + b2)
    return cross_entropy(h @ w3 + b3, y)


def lenet(x, y, k1, b1, k2, b2, w1, c1, w2, c2):
    def block(x, k, b):
        x = jax.lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + b
        return jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    h = block(block(x, k1, b1), k2, b2).reshape(x.shape[0], -1)
    return cross_entropy(jax.nn.relu(h @ w1 + c1) @ w2 + c2, y)


def transformer(x, y, q, k, v, o, s1, t1, w1, b1, w2, b2, s2, t2, w3):
    h, heads = norm(x, s1, t1), 2
    split = lambda z: z.reshape(*z.shape[:-1], heads, -1)
    scores = jnp.einsum("bqhd,bkhd->bhqk", split(h @ q), split(h @ k)) / np.float32(np.sqrt(x.shape[-1] // heads))
    x = x + jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), split(h @ v)).reshape(x.shape) @ o
    x = x + jax.nn.gelu(norm(x, s2, t2) @ w1 + b1) @ w2 + b2
    return cross_entropy(x.mean(1) @ w3, y)


def lstm(x, y, wx, wh, b, w):
    n = wh.shape[0]

    def cell(state, z):
        h, c = state
        i, f, g, o = jnp.split(z @ wx + h @ wh + b, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), None

    zero = jnp.zeros((x.shape[0], n), x.dtype)
    (h, _), _ = jax.lax.scan(cell, (zero, zero), x.swapaxes(0, 1))
    return cross_entropy(h @ w, y)


MODELS = {
    "mlp": (mlp, (16, 12), 4, [(12, 16), (16,), (16, 8), (8,), (8, 4), (4,)]),
    "lenet": (lenet, (4, 8, 8, 1), 5, [(3, 3, 1, 4), (4,), (3, 3, 4, 8), (8,), (32, 16), (16,), (16, 5), (5,)]),
    "transformer": (transformer, (2, 8, 16), 3, [(16, 16)] * 4 + [(16,), (16,), (16, 32), (32,), (32, 16), (16,), (16,), (16,), (16, 3)]),
    "lstm": (lstm, (4, 6, 5), 3, [(5, 32), (8, 32), (32,), (8, 3)]),
}


def apart(x):
    """Adds up to 0.01 to floats, so that none are equal: which of a max-pool's equal elements has the gradient is not defined."""
    return x + 1e-2 * np.random.default_rng(4).random(x.shape) if x.dtype.kind == "f" else x


def fixtures(folder, generate, only):
    """Writes the gradients of a loss of every fixture that JAX can differentiate, or of those named in only."""
    spec = importlib.util.spec_from_file_location("generate", generate)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.fit = lambda model, x, *_, **__: jax.tree.map(module.f32, dict(model.init(jax.random.key(0), x[:1])))
    for name, options in module.FIXTURES.items():
        if only and name not in only:
            continue
        f, args = options["build"]()
        _, leaves, values = module.owned_leaves(args)
        leaves = [apart(module.wide(x)) for x in leaves]
        tree = jax.tree.structure(values)
        order = sorted(range(len(leaves)), key=lambda i: leaves[i].dtype.kind == "f")
        first = sum(x.dtype.kind != "f" for x in leaves)

        def loss(*given, f=f, tree=tree, order=order):
            back = [given[order.index(i)] for i in range(len(order))]
            rng, total = np.random.default_rng(3), 0.0
            for y in jax.tree.leaves(f(*jax.tree.unflatten(tree, back))):
                if jnp.issubdtype(y.dtype, jnp.floating):
                    total += jnp.sum(y * rng.normal(size=y.shape))
            return total

        given = [leaves[i] for i in order]
        if first == len(given):
            print(f"{name}: no float arguments")
            continue
        wrt = tuple(range(first, len(given)))
        try:
            grads = jax.jit(jax.grad(loss, wrt))(*given)
        except Exception as err:
            print(f"{name}: JAX has no gradient: {str(err).splitlines()[0][:120]}")
            continue
        lowered = jax.jit(loss, keep_unused=True).trace(*given).lower(lowering_platforms=(options.get("platform", "cpu"),))
        (folder / f"fixture-{name}.mlir").write_text(lowered.as_text())
        arrays = {f"arg{i}": np.asarray(a) for i, a in enumerate(given)} | {f"grad{i}": np.asarray(g) for i, g in enumerate(grads)}
        np.savez(folder / f"fixture-{name}.npz", **arrays)
        print(name, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("--fixtures", type=Path)
    parser.add_argument("--only", type=lambda names: names.split(","), help="names of fixtures")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    made, seed = 0, 0
    while made < options.random:
        rng = np.random.default_rng(seed)
        seed += 1
        f, args = random_function(rng), (rng.normal(size=(3, 5)), rng.normal(size=(3, 5)))
        try:
            grads = jax.grad(f, (0, 1))(*args)
        except (TypeError, ValueError):
            continue  # shapes that do not fit
        if all(np.isfinite(g).all() for g in grads):
            save(options.folder, f"random{made}", f, args, (0, 1))
            made += 1
    if options.fixtures:
        fixtures(options.folder, options.fixtures, options.only)
    if options.steps:
        for name, (f, data, classes, shapes) in MODELS.items():
            rng = np.random.default_rng(7)
            labels = np.eye(classes, dtype=np.float32)[rng.integers(classes, size=data[0])]
            args = [rng.normal(size=data).astype(np.float32), labels]
            args += [rng.normal(size=s, scale=0.3).astype(np.float32) for s in shapes]
            wrt = tuple(range(2, len(args)))
            save(options.folder, name, f, args, wrt)
            step = jax.jit(jax.value_and_grad(f, wrt), keep_unused=True).lower(*args).as_text()
            (options.folder / f"{name}.step.mlir").write_text(step)


if __name__ == "__main__":
    main()
