"""Writes the files beside it: a random forest of scikit-learn as programs of JAX, its parameters, its training data and
the leaves that scikit-learn's forest chooses on them. Needs jax, numpy and scikit-learn."""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from sklearn.ensemble import RandomForestClassifier

here = pathlib.Path(__file__).parent
rng = np.random.default_rng(7)

# Every row has a twin whose features are the next float32 numbers and whose class is the other one, so that
# thresholds lie between neighbouring numbers.
rows = np.float32(rng.uniform(0.5, 2, size=(20, 4)) * 10.0 ** rng.integers(-6, 4, size=(20, 4)))
x = np.concatenate([rows, np.nextafter(rows, np.float32(np.inf))])
y = rng.integers(0, 2, 20)
forest = RandomForestClassifier(3, max_depth=5, random_state=0).fit(x, np.concatenate([y, 1 - y]))
trees = [t.tree_ for t in forest.estimators_]
nodes = max(t.node_count for t in trees)


def table(of, dtype):
    return np.stack([np.pad(of(t), (0, nodes - t.node_count)) for t in trees]).astype(dtype)


def child(of):
    return lambda t: np.where(of(t) < 0, np.arange(t.node_count), of(t))  # a leaf's child is the leaf


def threshold(t):
    """scikit-learn compares float32 features with float64 thresholds: the next float32 below decides alike."""
    f = t.threshold.astype(np.float32)
    return np.where(f > t.threshold, np.nextafter(f, np.float32(-np.inf)), f)


model = {
    "arg1": table(lambda t: np.maximum(t.feature, 0), np.int32),
    "arg2": table(threshold, np.float32),
    "arg3": table(child(lambda t: t.children_left), np.int32),
    "arg4": table(child(lambda t: t.children_right), np.int32),
}
depth = max(t.max_depth for t in trees)


def walk(x, feature, threshold, left, right):
    """The leaves that rows reach, one step of all trees at a time; nobody knows the nodes on the way."""
    tree = jnp.arange(feature.shape[0])[None, :]

    def step(_, node):
        value = jnp.take_along_axis(x, feature[tree, node], axis=1)
        return jnp.where(value <= threshold[tree, node], left[tree, node], right[tree, node])

    return jax.lax.fori_loop(0, depth, step, jnp.zeros((x.shape[0], feature.shape[0]), jnp.int32))


def dense(x, feature, threshold, left, right):
    """Where each node sends each row, of all nodes at once."""
    goes = x[:, feature.reshape(-1)] <= threshold.reshape(-1)[None, :]
    return jnp.where(goes, left.reshape(-1)[None, :], right.reshape(-1)[None, :])


leaves = forest.apply(x).astype(np.int32)
for f, want in ((walk, leaves), (dense, None)):
    jitted = jax.jit(f)
    got = np.asarray(jitted(x, *model.values()))
    assert want is None or (got == want).all()
    (here / f"{f.__name__}.mlir").write_text(jitted.lower(x, *model.values()).as_text())
np.savez(here / "leaves.npz", out0=leaves)
np.savez(here / "x.npz", arg0=x)
np.savez(here / "model.npz", **model)
