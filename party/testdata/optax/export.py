"""Writes trainings by optax as jobs, with what JAX computes for them in 32-bit floats.

    python export.py FOLDER MODEL/OPTIMISER...

MODEL is lstm, lenet, bert or linear; OPTIMISER is adam, adamw, rmsprop, adagrad, adamax or nadam. The program of FOLDER/MODEL-OPTIMISER
takes the data of alice and the parameters of bob, makes 50 steps (bert: 20) and returns the parameters and the loss.
float.npz has what the test TestOptax needs besides: for each parameter the magnitude of its smallest gradient (least0,
least1, ...), the largest update of a single step (update), and how far 32-bit floats themselves get from their own result if
all inputs are rounded to 18 fraction bits first, at random up or down, 12 times: the worst error of a parameter whose gradients
are 2^-16 or more, as a multiple of update (worst), and the number of such parameters beyond 0.01 (beyond).

Needs jax, flax, optax and scikit-learn (versions: requirements.txt).
"""

import sys
from pathlib import Path

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

OPTIMISERS = {
    "adam": (optax.adam, 1e-3),
    "adamw": (optax.adamw, 1e-3),
    "rmsprop": (optax.rmsprop, 1e-3),
    "adagrad": (optax.adagrad, 1e-2),
    "adamax": (optax.adamax, 1e-3),
    "nadam": (optax.nadam, 1e-3),
}


class LSTM(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.RNN(nn.OptimizedLSTMCell(features=15))(x)
        return nn.Dense(2)(h[:, -1])


class LeNet(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.max_pool(nn.relu(nn.Conv(6, (3, 3))(x)), (2, 2), (2, 2))
        x = nn.max_pool(nn.relu(nn.Conv(12, (3, 3))(x)), (2, 2), (2, 2))
        x = nn.relu(nn.Dense(24)(x.reshape(x.shape[0], -1)))
        return nn.Dense(10)(x)


class Block(nn.Module):
    heads: int

    @nn.compact
    def __call__(self, x):
        d = x.shape[-1]
        split = lambda y: y.reshape(*y.shape[:-1], self.heads, d // self.heads)
        q, k, v = (split(nn.Dense(d, name=n)(x)) for n in ("query", "key", "value"))
        weights = nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(d // self.heads))
        a = jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(x.shape)
        x = nn.LayerNorm(epsilon=1e-12)(x + nn.Dense(d)(a))
        return nn.LayerNorm(epsilon=1e-12)(x + nn.Dense(d)(nn.gelu(nn.Dense(2 * d)(x), approximate=False)))


class BERT(nn.Module):
    @nn.compact
    def __call__(self, words):
        places = self.param("places", nn.initializers.normal(0.02), (words.shape[1], 32))
        x = nn.LayerNorm(epsilon=1e-12)(nn.Dense(32, use_bias=False, kernel_init=nn.initializers.normal(0.02))(words) + places)
        for _ in range(2):
            x = Block(heads=2)(x)
        return nn.Dense(2)(nn.tanh(nn.Dense(32)(x[:, 0])))


class Linear(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(3)(x)


def squared(y, target):
    return jnp.mean((y - target) ** 2)


def entropy(y, target):
    return jnp.mean(optax.softmax_cross_entropy(y, target))


def data(model):
    """Returns the module, the loss, the steps, the inputs and the targets."""
    r = np.random.default_rng(1)
    if model == "lstm":
        at = r.uniform(0, 6, (16, 1)) + np.arange(8) * 0.4
        x = np.stack([np.sin(at), np.cos(2 * at), 0.1 * at], -1)
        return LSTM(), squared, 50, x, np.stack([np.sin(at[:, -1] + 0.4), np.cos(2 * at[:, -1] + 0.8)], -1)
    if model == "lenet":
        from sklearn.datasets import load_digits

        d = load_digits()
        return LeNet(), entropy, 50, d.images[:32, :, :, None] / 16, np.eye(10)[d.target[:32]]
    if model == "bert":
        return BERT(), entropy, 20, np.eye(40)[r.integers(0, 40, (8, 12))], np.eye(2)[r.integers(0, 2, 8)]
    if model == "linear":  # gradients from about 2^-16 on
        x = r.normal(size=(16, 8)) * 2.0 ** -np.arange(8)
        return Linear(), squared, 50, x, x @ r.normal(size=(8, 3)) * 0.1
    sys.exit(f"export.py: model {model!r} is not lstm, lenet, bert or linear")


ROUNDINGS = 12


def spread(train, inputs, ok, update):
    """Returns the worst error and the number of errors beyond 0.01 of trainings from inputs rounded to 18 bits, in updates."""
    flat = lambda out: np.concatenate([np.asarray(v, np.float64).ravel() for v in out[:-1]])
    want = flat(train(*inputs))
    r = np.random.default_rng(7)
    rounded = lambda v: (np.floor(np.asarray(v, np.float64) * 2**18 + r.uniform(0, 1, np.shape(v))) / 2**18).astype(np.float32)
    errors = [np.abs(flat(train(*map(rounded, inputs))) - want)[ok] / update for _ in range(ROUNDINGS)]
    return np.array([e.max() for e in errors]), np.array([(e > 0.01).sum() for e in errors], np.int32)


def export(folder, name):
    model, optimiser = name.split("/")
    module, loss, steps, x, target = data(model)
    x, target = x.astype(np.float32), target.astype(np.float32)
    leaves, tree = jax.tree_util.tree_flatten(module.init(jax.random.PRNGKey(0), x))
    if optimiser not in OPTIMISERS:
        sys.exit(f"export.py: optimiser {optimiser!r} is none of {', '.join(OPTIMISERS)}")
    make, rate = OPTIMISERS[optimiser]
    update = make(rate)

    def step(x, target, params, state):
        value, grads = jax.value_and_grad(lambda p: loss(module.apply(p, x), target))(params)
        change, state = update.update(grads, state, params)
        return value, grads, change, optax.apply_updates(params, change), state

    def train(x, target, *leaves):
        params = jax.tree_util.tree_unflatten(tree, leaves)

        def body(_, carried):
            return step(x, target, *carried)[3:]

        params, _ = jax.lax.fori_loop(0, steps, body, (params, update.init(params)))
        return (*jax.tree_util.tree_leaves(params), loss(module.apply(params, x), target))

    out = folder / f"{model}-{optimiser}"
    out.mkdir(parents=True, exist_ok=True)
    lowered = jax.jit(train, keep_unused=True).lower(x, target, *leaves)
    (out / "program.mlir").write_text(lowered.as_text())
    np.savez(out / "alice.npz", arg0=x, arg1=target)
    np.savez(out / "bob.npz", **{f"arg{i + 2}": v for i, v in enumerate(leaves)})
    compiled = lowered.compile()
    np.savez(out / "expected.npz", **{f"out{i}": v for i, v in enumerate(compiled(x, target, *leaves))})
    (out / "job.yaml").write_text(
        "program: program.mlir\nparties: [alice, bob]\ninputs:\n  - {owner: alice, file: alice.npz}\n  - {owner: bob, file: bob.npz}\n"
        "outputs: {reveal: [alice], dir: out}\nexpect: {file: expected.npz, atol: 1e-3, rtol: 1e-2}\n"
    )

    params = jax.tree_util.tree_unflatten(tree, leaves)
    state, largest, least = update.init(params), 0.0, [np.full(v.shape, np.inf, np.float32) for v in leaves]
    once = jax.jit(step)
    for _ in range(steps):
        _, grads, change, params, state = once(x, target, params, state)
        largest = max(largest, *(float(jnp.abs(c).max()) for c in jax.tree_util.tree_leaves(change)))
        least = [np.minimum(a, np.abs(g)) for a, g in zip(least, jax.tree_util.tree_leaves(grads))]
    ok = np.concatenate([v.ravel() for v in least]) >= 2.0**-16
    worst, beyond = spread(compiled, (x, target, *leaves), ok, largest)
    np.savez(out / "float.npz", update=np.float32(largest), worst=worst, beyond=beyond, **{f"least{i}": v for i, v in enumerate(least)})


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for case in sys.argv[2:]:
        export(Path(sys.argv[1]), case)
