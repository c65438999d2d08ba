"""Writes trees of XGBoost, LightGBM and scikit-learn as jobs, with the leaves that the libraries choose on their training data.

    python export.py FOLDER [MODEL...]

MODEL is xgb-cancer, xgb-digits, lgb-cancer, lgb-diabetes, lgb-wine, forest-iris or forest-cancer (default: all). Each makes two jobs:
in FOLDER/MODEL-secret alice has the rows and bob the trees; in FOLDER/MODEL-public all parties know the trees, and each has some
columns of the rows. small-xgb and small-lgb are the few rows that TestTrees runs: they are in this folder.

Needs jax, numpy and the libraries (versions: requirements.txt).
"""

import json
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from sklearn import datasets

jax.config.update("jax_enable_x64", True)
rng = np.random.default_rng(3)
MISSING = -(2.0**40)  # stands for a missing value: NaN is no input, and other inputs are below 2^44


class Trees:
    """Arrays of shape [trees, nodes]: a row goes left where its feature is below the threshold, or missing and that goes left. A leaf
    is its own child."""

    def __init__(self, nodes, dtype):
        shape = len(nodes), max(len(t) for t in nodes)
        self.feature, self.left, self.right = (np.zeros(shape, np.int32) for _ in range(3))
        self.threshold, self.missing = np.zeros(shape, dtype), np.zeros(shape, bool)
        self.number = np.full(shape, -1, np.int32)  # the library's number of a leaf
        self.depth = 0
        for i, tree in enumerate(nodes):
            self.left[i] = self.right[i] = np.arange(shape[1])
            depth = {0: 0}
            for k in sorted(tree):
                n = tree[k]
                self.number[i, k] = n.get("leaf", -1)
                if "left" in n:
                    self.feature[i, k], self.threshold[i, k], self.missing[i, k] = n["feature"], n["threshold"], n["missing"]
                    self.left[i, k], self.right[i, k] = n["left"], n["right"]
            todo = [(0, 0)]
            while todo:
                k, d = todo.pop()
                self.depth = max(self.depth, d)
                if self.left[i, k] != k:
                    todo += [(self.left[i, k], d + 1), (self.right[i, k], d + 1)]

    def arrays(self):
        return [self.feature, self.threshold, self.missing, self.left, self.right]


def xgboost_trees(model):
    """XGBoost sends x to the left if x < threshold, in 32-bit floats."""
    out = []
    for text in model.get_booster().get_dump(dump_format="json"):
        tree, todo = {}, [json.loads(text)]
        while todo:
            n = todo.pop()
            tree[n["nodeid"]] = {"leaf": n["nodeid"]}
            if "children" in n:
                tree[n["nodeid"]] = {
                    "feature": int(n["split"][1:]), "threshold": np.float32(n["split_condition"]), "missing": n["missing"] == n["yes"],
                    "left": n["yes"], "right": n["no"],
                }
                todo += n["children"]
        out.append(tree)
    return Trees(out, np.float32)


def above(threshold, dtype):
    """The least number of a type that is above a threshold: x <= threshold means x < above, for x of that type."""
    t = dtype(threshold)
    return np.nextafter(t, dtype(np.inf)) if float(t) <= float(threshold) else t


def lightgbm_trees(model, dtype):
    """LightGBM sends x to the left if x <= threshold, in 64-bit floats."""
    out = []
    for t in model.booster_.dump_model()["tree_info"]:
        tree, todo = {}, [(0, t["tree_structure"])]
        while todo:
            k, n = todo.pop()
            if "split_feature" not in n:
                tree[k] = {"leaf": n.get("leaf_index", 0)}
                continue
            assert n["decision_type"] == "<=" and n["missing_type"] in ("None", "NaN"), n
            left = len(tree) + len(todo) + 1
            # Without missing values in training, LightGBM takes a missing value for 0.
            missing = n["default_left"] if n["missing_type"] == "NaN" else 0 <= n["threshold"]
            tree[k] = {"feature": n["split_feature"], "threshold": above(n["threshold"], dtype), "missing": missing, "left": left, "right": left + 1}
            todo += [(left, n["left_child"]), (left + 1, n["right_child"])]
        out.append(tree)
    return Trees(out, dtype)


def forest_trees(model):
    """scikit-learn sends x to the left if x <= threshold: x in 32-bit floats, the threshold in 64-bit floats."""
    out = []
    for t in (e.tree_ for e in model.estimators_):
        tree = {k: {"leaf": k} for k in range(t.node_count)}
        for k in range(t.node_count):
            if t.children_left[k] >= 0:
                tree[k] = {"feature": t.feature[k], "threshold": above(t.threshold[k], np.float32), "missing": bool(t.missing_go_to_left[k]),
                           "left": t.children_left[k], "right": t.children_right[k]}
        out.append(tree)
    return Trees(out, np.float32)


def holes(x, part=0.05):
    return np.where(rng.uniform(size=x.shape) < part, np.nan, x).astype(x.dtype)


def repeated(x):
    """Rows of few different numbers with neighbours one unit of the last place away."""
    x = x.astype(np.float32)
    return np.concatenate([x, np.nextafter(x, np.float32(np.inf))])


def fitted(name):
    """Returns the rows, the trees and the library's leaves."""
    library, data = name.split("-")
    if library == "small":
        library, rows = data, repeated(rng.uniform(0.5, 2, (12, 3)) * 10.0 ** rng.integers(-6, 4, (12, 3)))
        rows[3, 1] = rows[17, 0] = np.nan
        x, y, size = rows, rng.integers(0, 2, 24), {"n_estimators": 3, "max_depth": 3}
    else:
        load = {"cancer": datasets.load_breast_cancer, "digits": datasets.load_digits, "diabetes": datasets.load_diabetes,
                "wine": datasets.load_wine, "iris": datasets.load_iris}[data]()
        x, y, size = load.data.astype(np.float32), load.target, {"n_estimators": 10, "max_depth": 5}
        if data == "digits":
            x, y = x[:400], y[:400]
            size = {"n_estimators": 2, "max_depth": 4}  # times 10 classes
    if library == "xgb":
        import xgboost

        x = x if data == "xgb" else holes(x)
        small = {"min_child_weight": 0.01} if data == "xgb" else {}
        model = xgboost.XGBClassifier(tree_method="hist" if data == "digits" else "exact", **size, **small).fit(x, y)
        leaves, trees = model.apply(x), xgboost_trees(model)
    elif library == "lgb":
        import lightgbm

        if data == "diabetes":
            x = load.data  # 64-bit floats
        elif data == "cancer":
            x = holes(x)
        kind = lightgbm.LGBMRegressor if data == "diabetes" else lightgbm.LGBMClassifier
        least = {"min_child_samples": 1, "min_data_in_bin": 1} if name.startswith("small") else {"min_child_samples": 5, "min_data_in_bin": 1}
        model = kind(num_leaves=20, verbose=-1, **size, **least).fit(x, y)
        leaves, trees = model.predict(x, pred_leaf=True), lightgbm_trees(model, x.dtype.type)
    else:
        from sklearn.ensemble import RandomForestClassifier

        model = RandomForestClassifier(size["n_estimators"], max_depth=size["max_depth"], random_state=0).fit(x, y)
        leaves, trees = model.apply(x), forest_trees(model)
    return x, trees, np.asarray(leaves, np.int32).reshape(len(x), -1)


def walker(depth):
    def walk(x, feature, threshold, missing, left, right):
        tree = jnp.arange(feature.shape[0], dtype=jnp.int32)[None, :]

        def step(_, node):
            value = jnp.take_along_axis(x, feature[tree, node], axis=1)
            goes = jnp.where(value == MISSING, missing[tree, node], value < threshold[tree, node])
            return jnp.where(goes, left[tree, node], right[tree, node])

        return jax.lax.fori_loop(0, depth, step, jnp.zeros((x.shape[0], feature.shape[0]), jnp.int32))

    return walk


def public(trees):
    """Which way each row goes at each node, then the leaves: nobody learns either."""
    feature, threshold, missing, left, right = trees.arrays()

    def leaves(a, b):
        x = jnp.concatenate([a, b], axis=1)
        value = x[:, feature.reshape(-1)]
        goes = jnp.where(value == MISSING, missing.reshape(-1), value < threshold.reshape(-1)).reshape(-1, *feature.shape)
        out = []
        for i in range(feature.shape[0]):
            at, todo, reached = {0: True}, [0], 0
            while todo:
                k = todo.pop()
                if left[i, k] == k:
                    reached = reached + jnp.where(at[k], k, 0).astype(jnp.int32)
                    continue
                at[left[i, k]], at[right[i, k]] = at[k] & goes[:, i, k], at[k] & ~goes[:, i, k]
                todo += [left[i, k], right[i, k]]
            out.append(reached)
        return jnp.stack(out, axis=1)

    return leaves


def write(out, f, inputs, want):
    """inputs are the arguments of alice and of bob."""
    out.mkdir(parents=True, exist_ok=True)
    args = [*inputs[0], *inputs[1]]
    jitted = jax.jit(f, keep_unused=True)
    got = np.asarray(jitted(*args))
    assert (got == want).all(), f"{out}: JAX's leaves are not the library's in {(got != want).sum()} of {want.size} places"
    (out / "program.mlir").write_text(jitted.lower(*args).as_text())
    for name, values, first in (("alice", inputs[0], 0), ("bob", inputs[1], len(inputs[0]))):
        np.savez(out / f"{name}.npz", **{f"arg{first + i}": v for i, v in enumerate(values)})
    np.savez(out / "expected.npz", out0=want)
    (out / "job.yaml").write_text(
        "program: program.mlir\nparties: [alice, bob]\ninputs:\n  - {owner: alice, file: alice.npz}\n  - {owner: bob, file: bob.npz}\n"
        "outputs: {reveal: [alice]}\nexpect: {file: expected.npz, atol: 0, rtol: 0}\n"
    )


def export(folder, name):
    x, trees, leaves = fitted(name)
    x = np.where(np.isnan(x), x.dtype.type(MISSING), x)
    # The programs return numbers of nodes; the library numbers leaves its own way.
    node = np.zeros_like(leaves)
    for i, numbers in enumerate(trees.number):
        own = {n: k for k, n in enumerate(numbers) if trees.left[i, k] == k and n >= 0}
        node[:, i] = [own[n] for n in leaves[:, i]]
    write(folder / f"{name}-secret", walker(trees.depth), ([x], trees.arrays()), node)
    half = x.shape[1] // 2
    write(folder / f"{name}-public", public(trees), ([x[:, :half]], [x[:, half:]]), node)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for model in sys.argv[2:] or "xgb-cancer xgb-digits lgb-cancer lgb-diabetes lgb-wine forest-iris forest-cancer".split():
        export(Path(sys.argv[1]), model)
