"""Private predictions of fitted models of scikit-learn, XGBoost and LightGBM: the model belongs to one party, the
rows to another.

>>> import numpy as np, tacet_mpc as tacet
>>> from tacet_mpc.sklearn import private
>>> from sklearn.linear_model import LogisticRegression
>>> rng = np.random.default_rng(0)
>>> x = rng.normal(size=(40, 3))
>>> fitted = LogisticRegression().fit(x, x @ [1, -2, 3] > 0)
>>> alice, bob = tacet.parties("alice bob")
>>> model = private(fitted, owner=bob, reveal="alice")
>>> bool((model.predict(alice(x.astype("float32"))) == fitted.predict(x)).all())
True
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ._arrays import Array
from ._errors import Unsupported, Usage
from ._owners import Owned, Party
from ._private import Private as _Private
from ._private import private as _private
from ._trees import jax_module

Weights = dict[str, Any]
Function = Callable[..., Any]


class PrivateEstimator:
    """A fitted estimator whose parameters belong to a party. `private` makes one."""

    def __init__(self, estimator: Any, owner: Party, settings: Mapping[str, Any]) -> None:
        convert = _converter(estimator)
        self._features: int | None = getattr(estimator, "n_features_in_", None)
        names = [str(n) for n in getattr(estimator, "feature_names_in_", ())]
        self._columns = [] if names == [f"Column_{i}" for i in range(len(names))] else names  # LightGBM's, where there were none
        self.estimator_name = type(estimator).__name__
        self._weights, functions, self._classes = convert(estimator)
        self._owner = owner
        self._functions: dict[str, _Private[..., Any]] = {}
        steps = _steps(estimator)
        last = steps[-1]
        if score := _score(estimator, last, functions, self._classes):
            functions["score"] = score
        if type(last).__name__ == "GaussianNB" and _hardly_varies(last):
            if settings.get("ring", 128) != 128:
                raise Unsupported(
                    f"GaussianNB with a variance of {last.var_.min():.2g} in a ring of {settings['ring']} bits",
                    remedy="leave ring= out, drop features that hardly vary, or fit with a larger var_smoothing, such as 1e-2",
                )
            settings = {**settings, "ring": 128}
        settings = _fine_enough(self.estimator_name, steps, settings)
        for method, f in functions.items():
            f.__name__ = f"{self.estimator_name}_{method}"
            self._functions[method] = _private(f, **settings)

    def _call(self, method: str, rows: Any, *more: Any) -> Array:
        function = self.function(method)
        if not isinstance(rows, Owned):
            raise Usage(
                "rows have no owner: all parties would see them",
                remedy="say whose they are: alice(rows); where all may see them, call model.function()(model.weights, rows)",
            )
        self._fit(rows.value)
        return function(self._owner(self._weights), rows, *more)  # type: ignore[no-any-return]

    def _fit(self, rows: Any) -> None:
        """Refuses rows that are not of the features that the estimator was fitted on: a matrix in another order gives
        wrong predictions, and no error."""
        shape = getattr(rows, "shape", None)
        if isinstance(rows, list):
            shape = (len(rows), len(rows[0])) if rows and isinstance(rows[0], (list, tuple)) else (len(rows),)
        if shape is None or self._features is None:
            return
        if len(shape) != 2:
            raise Usage(f"rows have {len(shape)} dimensions", remedy="pass a matrix with a row for each prediction: alice(x.reshape(1, -1)) for one row")
        if shape[1] != self._features:
            raise Usage(
                f"rows have {shape[1]} features, and {self.estimator_name} was fitted on {self._features}",
                remedy="pass the columns that it was fitted on, in their order",
            )
        columns = [str(c) for c in getattr(rows, "columns", ())]
        for i, (have, want) in enumerate(zip(columns, self._columns, strict=False)):
            if have != want:
                raise Usage(
                    f"column {i} of rows is {have!r}, and {self.estimator_name} was fitted with {want!r} there",
                    remedy="order the columns as the fit had them: rows[list(estimator.feature_names_in_)]",
                )

    def function(self, method: str = "predict") -> _Private[..., Any]:
        """The private function of a method, for plan, compare and check; its arguments are `weights` and rows."""
        if method not in self._functions:
            has = f"it has {', '.join(self._functions)}"
            if method == "score":
                has += "; tacet.metrics compares columns of predictions with a target"
            raise Unsupported(f"{self.estimator_name} has no private {method}", remedy=has)
        return self._functions[method]

    @property
    def weights(self) -> Any:
        """the parameters, with their owner"""
        return self._owner(self._weights)

    def predict(self, rows: Any) -> Array:
        """Predicted classes or values."""
        out = self._call("predict", rows)
        return self._classes[out] if self._classes is not None else out

    def predict_proba(self, rows: Any) -> Array:
        """Probabilities of the classes."""
        return self._call("predict_proba", rows)

    def decision_function(self, rows: Any) -> Array:
        """Scores of the classes."""
        return self._call("decision_function", rows)

    def transform(self, rows: Any) -> Array:
        """Transformed rows."""
        return self._call("transform", rows)

    def score(self, rows: Any, y: Any) -> float:
        """The accuracy of predicted classes, or R² of predicted values, of which nothing else is revealed. y may belong to
        another party than rows.

        >>> import numpy as np, tacet_mpc as tacet
        >>> from tacet_mpc.sklearn import private
        >>> from sklearn.linear_model import LogisticRegression
        >>> x = np.linspace(-1, 1, 8, dtype="float32").reshape(8, 1)
        >>> alice, bob = tacet.parties("alice bob")
        >>> model = private(LogisticRegression().fit(x, x[:, 0] > 0), owner=bob, reveal="bob")
        >>> round(model.score(alice(x), alice([False] * 5 + [True] * 3)), 3)
        0.875
        """
        self.function("score")
        given, owner = (y.value, y.owner) if isinstance(y, Owned) else (y, None)
        if hasattr(given, "shape") and not hasattr(given, "__array__"):
            raise Usage("y is a shape without data", remedy='a call needs an array; model.function("score").plan takes shapes')
        target = np.asarray(given)
        shape = getattr(rows.value if isinstance(rows, Owned) else rows, "shape", None)
        if shape and (target.ndim == 0 or target.shape[0] != shape[0]):
            raise Usage(f"y has shape {target.shape}, and there are {shape[0]} rows", remedy="pass a target for each row")
        if self._classes is not None:
            target = self._numbers(target)
        return float(self._call("score", rows, owner(target) if owner is not None else target))

    def _numbers(self, target: Array) -> Array:
        """The numbers of labels among the classes; -1 for others, which no prediction equals."""
        classes = np.asarray(self._classes)
        if target.ndim != 1:
            raise Usage(f"y has {target.ndim} dimensions", remedy="pass the label of each row")
        number = {label: i for i, label in enumerate(classes.tolist())}
        return np.array([number.get(label, -1) for label in target.tolist()], dtype=np.int32)

    def __repr__(self) -> str:
        return f"private({self.estimator_name}, owner={self._owner.name}: {', '.join(self._functions)})"


def private(estimator: Any, owner: Party | None = None, **settings: Any) -> PrivateEstimator:
    """The fitted estimator with private methods. settings are those of `tacet_mpc.private`, such as reveal.

    What stands in the structure of a model is public: its kind, the numbers of features, classes, layers, trees and
    neighbours, and the depth of trees. Its parameters are the owner's; of trees these are features, thresholds and
    leaves.
    """
    if owner is None:
        raise Usage(
            f"private({type(estimator).__name__}) does not say whose the model is",
            remedy='write private(fitted, owner=bob, reveal="alice"), where alice, bob = tacet.parties("alice bob")',
        )
    if not isinstance(owner, Party):
        raise Usage(f"owner={owner!r} is no party", remedy="write owner=bob, where alice, bob = tacet.parties('alice bob')")
    return PrivateEstimator(estimator, owner, settings)


def _f(x: Any) -> Array:
    return np.asarray(x, dtype=np.float32)


def _argmax(scores: Any) -> Any:
    return jax_module().numpy.argmax(scores, axis=-1)


def _linear(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    w = {"w": _f(e.coef_).T, "b": _f(e.intercept_)}
    return w, {"predict": lambda weights, rows: rows @ weights["w"] + weights["b"]}, None


def _glm(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    w = {"w": _f(e.coef_), "b": _f(e.intercept_)}
    jnp = jax_module().numpy
    identity = "Identity" in type(getattr(e._base_loss, "link", None)).__name__
    link = (lambda x: x) if identity else jnp.exp
    return w, {"predict": lambda weights, rows: link(rows @ weights["w"] + weights["b"])}, None


def _logistic(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    jax = jax_module()
    jnp = jax.numpy
    w = {"w": _f(e.coef_).T, "b": _f(e.intercept_)}
    binary = e.coef_.shape[0] == 1

    def scores(weights: Weights, rows: Any) -> Any:
        s = rows @ weights["w"] + weights["b"]
        return s[:, 0] if binary else s

    def predict(weights: Weights, rows: Any) -> Any:
        s = scores(weights, rows)
        return (s > 0).astype(jnp.int32) if binary else _argmax(s)

    def proba(weights: Weights, rows: Any) -> Any:
        s = scores(weights, rows)
        if binary:
            p = jax.nn.sigmoid(s)
            return jnp.stack([1 - p, p], axis=-1)
        return jax.nn.softmax(s)

    methods: dict[str, Function] = {"predict": predict, "decision_function": scores}
    if hasattr(e, "predict_proba"):
        methods["predict_proba"] = proba
    return w, methods, e.classes_


def _mlp(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    jax = jax_module()
    jnp = jax.numpy
    inner = {"relu": jax.nn.relu, "tanh": jnp.tanh, "logistic": jax.nn.sigmoid, "identity": lambda x: x}[e.activation]
    last = e.out_activation_
    w = {"w": [_f(c) for c in e.coefs_], "b": [_f(b) for b in e.intercepts_]}

    def scores(weights: Weights, rows: Any) -> Any:
        for i, (m, b) in enumerate(zip(weights["w"], weights["b"], strict=True)):
            rows = rows @ m + b
            if i + 1 < len(weights["w"]):
                rows = inner(rows)
        return rows

    if last == "identity":
        one = e.n_outputs_ == 1
        return w, {"predict": lambda weights, rows: scores(weights, rows)[:, 0] if one else scores(weights, rows)}, None

    def predict(weights: Weights, rows: Any) -> Any:
        s = scores(weights, rows)
        return (s[:, 0] > 0).astype(jnp.int32) if last == "logistic" else _argmax(s)

    def proba(weights: Weights, rows: Any) -> Any:
        s = scores(weights, rows)
        if last == "logistic":
            p = jax.nn.sigmoid(s[:, 0])
            return jnp.stack([1 - p, p], axis=-1)
        return jax.nn.softmax(s)

    return w, {"predict": predict, "predict_proba": proba}, e.classes_


def _pca(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    scale = np.sqrt(e.explained_variance_) if e.whiten else np.ones(len(e.components_))
    w = {"w": _f(e.components_.T / scale), "mean": _f(e.mean_)}
    return w, {"transform": lambda weights, rows: (rows - weights["mean"]) @ weights["w"]}, None


def _scaler(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    mean, scale = _moments(e)
    w = {"w": _f(1 / scale), "mean": _f(mean)}
    return w, {"transform": lambda weights, rows: (rows - weights["mean"]) * weights["w"]}, None


def _moments(scaler: Any) -> tuple[Array, Array]:
    """What a StandardScaler subtracts, and what it divides by."""
    mean = np.zeros(scaler.n_features_in_) if not scaler.with_mean else np.asarray(scaler.mean_)
    return mean, np.ones(scaler.n_features_in_) if scaler.scale_ is None else np.asarray(scaler.scale_)


def _steps(estimator: Any) -> list[Any]:
    """The steps of a Pipeline, without those that do nothing; another estimator is the one step."""
    if type(estimator).__name__ != "Pipeline":
        return [estimator]
    return [step for _, step in estimator.steps if step is not None and not isinstance(step, str)]


_SCORE_ERROR = 5e-4
"""how far the rounding of rows and of a scaler's parameters may move a score or a value"""


def _fine_enough(name: str, steps: list[Any], settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings, in the wide ring where features of a scaled model are so large or vary so little that the fraction of
    ring 64 is too coarse: dividing by a deviation of 0.003 magnifies the rounding of rows, and a factor of 1/500 that
    rows are multiplied by has few digits."""
    if settings.get("ring") == 128:
        return settings
    bits = settings.get("fraction") or 18
    error = _rounding(steps, 2.0 ** (-1 - bits))
    if error <= _SCORE_ERROR:
        return settings
    if "ring" not in settings and "fraction" not in settings:
        return {**settings, "ring": 128}
    given = ", ".join(f"{k}={settings[k]}" for k in ("ring", "fraction") if k in settings)
    warnings.warn(f"{name}: with {given} the scaling of features is rounded, and scores are off by about {error:.1g}: leave {given} out", UserWarning, stacklevel=4)
    return settings


def _rounding(steps: list[Any], unit: float) -> float:
    """The deviation of scores that comes of rounding rows and the first step's parameters to within unit; 0 if the first
    step neither scales nor projects, since then nothing is known of rows."""
    first = steps[0]
    if type(first).__name__ == "StandardScaler":
        _, scale = _moments(first)
        error = unit * (1.5 / scale + 3 * scale)
    elif type(first).__name__ == "PCA":
        spread = np.sqrt(np.sum(first.explained_variance_))
        scale = np.sqrt(first.explained_variance_) if first.whiten else np.ones(len(first.components_))
        error = unit * (1.5 / scale + 3 * spread)
    else:
        return 0.0
    for step in steps[1:]:
        maps = None
        if type(step).__name__ == "PCA":
            maps = step.components_ / (np.sqrt(step.explained_variance_)[:, None] if step.whiten else 1)
        elif hasattr(step, "coefs_"):
            maps = step.coefs_[0].T
        elif "coef_" in vars(step):
            maps = np.atleast_2d(step.coef_)
        if maps is None:
            break
        error = np.sqrt(maps**2 @ error**2)
    return float(np.max(error))


def _score(estimator: Any, last: Any, functions: Mapping[str, Function], classes: Any) -> Function | None:
    """The function of the estimator's method score, from its predictions; None if there is none, or if it is something
    else than accuracy or R²: of GLMs it is the part of the deviance that is explained."""
    jnp = jax_module().numpy
    predict = functions.get("predict")
    if predict is None or not hasattr(estimator, "score") or type(last).__name__ in _NO_SCORE:
        return None
    if classes is not None:
        return lambda weights, rows, y: jnp.mean((predict(weights, rows) == y).astype(jnp.float32))

    def r2(weights: Weights, rows: Any, y: Any) -> Any:
        left = jnp.sum((predict(weights, rows).reshape(y.shape) - y) ** 2, axis=0)
        return jnp.mean(1 - left / jnp.sum((y - jnp.mean(y, axis=0)) ** 2, axis=0))

    return r2


def _kmeans(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    centres = np.asarray(e.cluster_centers_)
    w = {"w": _f(2 * centres.T), "b": _f(-(centres**2).sum(axis=1))}  # larger is nearer
    return w, {"predict": lambda weights, rows: _argmax(rows @ weights["w"] + weights["b"])}, None


def _pipeline(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    steps = [(name, step) for name, step in e.steps if step is not None and not isinstance(step, str)]
    if not steps:
        raise Unsupported("a Pipeline without steps", remedy="add an estimator")
    parts = [(name, *_converter(step)(step)) for name, step in steps]
    for (name, _, functions, _), (_, step) in zip(parts[:-1], steps[:-1], strict=True):
        if "transform" not in functions:
            raise Unsupported(f"step {name!r} of a Pipeline: {type(step).__name__} transforms nothing", remedy="steps before the last are StandardScaler and PCA")

    def through(f: Function) -> Function:
        def run(weights: Weights, rows: Any) -> Any:
            for name, _, functions, _ in parts[:-1]:
                rows = functions["transform"](weights[name], rows)
            return f(weights[parts[-1][0]], rows)

        return run

    _, _, functions, classes = parts[-1]
    return {name: w for name, w, _, _ in parts}, {method: through(f) for method, f in functions.items()}, classes


_BAYES_SPREAD = 2.0**16
"""how large the terms of a log-probability may become, which cancel: float32 has 24 bits"""


def _hardly_varies(e: Any) -> bool:
    """Whether a feature's deviation is so small beside the distance of the classes that powers of x cannot be multiplied out."""
    t = np.abs(e.theta_ - np.average(e.theta_, axis=0, weights=e.class_prior_))
    return bool(((t.max(axis=0) + np.sqrt(e.var_.max(axis=0))) ** 2 / e.var_.min(axis=0)).max() > _BAYES_SPREAD)


def _bayes(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    jax = jax_module()
    jnp = jax.numpy
    # log p + sum_j of −(x−θ)²/2σ² − log(2πσ²)/2
    constant = np.log(e.class_prior_) - 0.5 * np.log(2 * np.pi * e.var_).sum(axis=1)
    if _hardly_varies(e):  # x in deviations of each class, which takes the wide ring: (x−θ)²/2σ² may be 10^10
        deviations = np.sqrt(0.5 / e.var_)
        w = {"scale": _f(deviations), "centre": _f(e.theta_ * deviations), "b": _f(constant)}

        def distances(weights: Weights, rows: Any) -> Any:
            z = rows[:, None, :] * weights["scale"] - weights["centre"]
            return weights["b"] - jnp.sum(z * z, axis=-1)

        return (w, _bayes_methods(distances), e.classes_)
    # with powers of x multiplied out around the mean of all classes
    centre = np.average(e.theta_, axis=0, weights=e.class_prior_)
    t = e.theta_ - centre
    w = {
        "centre": _f(centre),
        "square": _f(-0.5 / e.var_.T),
        "linear": _f((t / e.var_).T),
        "b": _f(constant - 0.5 * (t**2 / e.var_).sum(axis=1)),
    }

    def scores(weights: Weights, rows: Any) -> Any:
        x = rows - weights["centre"]
        return (x * x) @ weights["square"] + x @ weights["linear"] + weights["b"]

    return w, _bayes_methods(scores), e.classes_


def _bayes_methods(scores: Function) -> dict[str, Function]:
    jax = jax_module()
    return {
        "predict": lambda weights, rows: _argmax(scores(weights, rows)),
        "predict_proba": lambda weights, rows: jax.nn.softmax(scores(weights, rows)),
    }


def _neighbours(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    jax = jax_module()
    jnp = jax.numpy
    if e.effective_metric_ != "euclidean" or e.weights != "uniform":
        raise Unsupported(
            f"KNeighbors with metric {e.effective_metric_} and weights {e.weights}",
            remedy='fit it with metric="euclidean" and weights="uniform"',
        )
    points, k = np.asarray(e._fit_X, dtype=float), e.n_neighbors
    classes = getattr(e, "classes_", None)
    target = np.eye(len(classes))[e._y] if classes is not None else np.asarray(e._y, dtype=float).reshape(len(points), -1)
    w = {"w": _f(2 * points.T), "b": _f(-(points**2).sum(axis=1)), "y": _f(target)}

    def votes(weights: Weights, rows: Any) -> Any:
        near = jax.lax.top_k(rows @ weights["w"] + weights["b"], k)[1]
        return jnp.mean(jax.nn.one_hot(near, len(points)) @ weights["y"], axis=1)

    if classes is not None:
        return w, {"predict": lambda weights, rows: _argmax(votes(weights, rows)), "predict_proba": votes}, classes
    flat = np.ndim(e._y) == 1
    return w, {"predict": lambda weights, rows: votes(weights, rows)[:, 0] if flat else votes(weights, rows)}, None


def _svc(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    jnp = jax_module().numpy
    if e.kernel not in ("linear", "rbf", "poly"):
        raise Unsupported(f"SVC with kernel {e.kernel!r}", remedy='fit it with kernel="linear", "rbf" or "poly"')
    support, classes = np.asarray(e.support_vectors_, dtype=float), len(e.classes_)
    pairs = [(i, j) for i in range(classes) for j in range(i + 1, classes)]
    # The coefficients of the classifier of each pair of classes, over all support vectors.
    starts = np.cumsum([0, *e.n_support_])
    dual = np.zeros((len(pairs), len(support)))
    for n, (i, j) in enumerate(pairs):
        dual[n, starts[i] : starts[i + 1]] = e._dual_coef_[j - 1, starts[i] : starts[i + 1]]
        dual[n, starts[j] : starts[j + 1]] = e._dual_coef_[i, starts[j] : starts[j + 1]]
    intercept = np.array(e._intercept_)
    gamma, coef0, degree = float(e._gamma), float(e.coef0), int(e.degree)
    w = {"dual": _f(dual.T), "b": _f(intercept)}
    if e.kernel == "linear":
        w = {"w": _f((dual @ support).T), "b": _f(intercept)}
    elif e.kernel == "rbf":
        w |= {"s": _f(2 * gamma * support.T), "n": _f(-gamma * (support**2).sum(axis=1))}
    else:
        w |= {"s": _f(gamma * support.T)}

    def decide(weights: Weights, rows: Any) -> Any:
        if e.kernel == "linear":
            return rows @ weights["w"] + weights["b"]
        if e.kernel == "rbf":
            square = jnp.sum(rows * rows, axis=1, keepdims=True)
            kernel = jnp.exp(rows @ weights["s"] + weights["n"] - gamma * square)
        else:
            kernel = (rows @ weights["s"] + coef0) ** degree
        return kernel @ weights["dual"] + weights["b"]

    # A pair's vote is for its first class if the decision is positive, else for its second.
    wins, lost = np.zeros((len(pairs), classes), np.int32), np.zeros(classes, np.int32)
    for n, (i, j) in enumerate(pairs):
        wins[n, i], wins[n, j] = 1, -1
        lost[j] += 1

    def predict(weights: Weights, rows: Any) -> Any:
        won = decide(weights, rows) > 0
        if classes == 2:
            return 1 - won[:, 0].astype(jnp.int32)
        return _argmax(won.astype(jnp.int32) @ wins + lost)

    return w, {"predict": predict}, e.classes_


def _paths(tree: Any) -> tuple[Array, Array, Array, Array, Array]:
    """Inner nodes' features and thresholds, and for each leaf which way its path takes at each inner node."""
    inner = [i for i in range(tree.node_count) if tree.children_left[i] != -1]
    number = {node: n for n, node in enumerate(inner)}
    leaves, ways = [], []

    def walk(node: int, way: dict[int, int]) -> None:
        if node not in number:
            leaves.append(node)
            ways.append(way)
            return
        walk(tree.children_left[node], {**way, number[node]: -1})
        walk(tree.children_right[node], {**way, number[node]: 1})

    walk(0, {})
    signs = np.zeros((len(inner), len(leaves)))
    for leaf, way in enumerate(ways):
        for n, sign in way.items():
            signs[n, leaf] = sign
    right = (signs > 0).sum(axis=0)
    return tree.feature[inner].astype(np.int32), tree.threshold[inner], signs, right, tree.value[leaves]


def _not_above(thresholds: Array) -> Array:
    """The largest float32 that is not above each threshold, which decides alike: scikit-learn takes rows as float32."""
    f = thresholds.astype(np.float32)
    return np.where(f > thresholds, np.nextafter(f, np.float32(-np.inf)), f)


def _forest(trees: list[Any], values: list[Array]) -> tuple[Weights, Callable[[Weights, Any], Any]]:
    """The sum over trees of the values of the leaves that rows reach."""
    jnp = jax_module().numpy
    parts: list[Weights] = []
    for tree, value in zip(trees, values, strict=True):
        feature, threshold, signs, right, _ = _paths(tree)
        parts.append(
            {"f": feature, "t": _not_above(threshold), "s": signs.astype(np.int32), "r": right.astype(np.int32), "v": _f(value)}
        )

    def total(weights: Weights, rows: Any) -> Any:
        out: Any = 0.0
        for p in weights["trees"]:
            if p["t"].shape[0] == 0:
                out = out + jnp.broadcast_to(p["v"][0], (rows.shape[0], p["v"].shape[1]))
                continue
            goes = (rows[:, p["f"]] > p["t"]).astype(jnp.int32)
            reached = goes @ p["s"] == p["r"]  # a leaf is reached if each step to the right is taken, and no other
            out = out + reached.astype(jnp.float32) @ p["v"]
        return out

    return {"trees": parts}, total


def _leaves(tree: Any) -> Array:
    return _paths(tree)[4]


def _trees(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    models = list(getattr(e, "estimators_", [e]))
    classes = getattr(e, "classes_", None)
    values = []
    for m in models:
        v = _leaves(m.tree_)[:, 0, :] if classes is not None else _leaves(m.tree_)[:, :, 0]
        if classes is not None:
            v = v / v.sum(axis=1, keepdims=True)
        values.append(v / len(models))
    w, total = _forest([m.tree_ for m in models], values)
    if classes is not None:
        return w, {"predict": lambda weights, rows: _argmax(total(weights, rows)), "predict_proba": total}, classes
    flat = e.n_outputs_ == 1
    return w, {"predict": lambda weights, rows: total(weights, rows)[:, 0] if flat else total(weights, rows)}, None


def _boosting(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    outputs = e.estimators_.shape[1]
    trees = [(m.tree_, k, e.learning_rate * _leaves(m.tree_)[:, 0, 0]) for stage in e.estimators_ for k, m in enumerate(stage)]
    start = e._raw_predict_init(np.zeros((1, e.n_features_in_), np.float32))[0]
    classes = getattr(e, "classes_", None)
    return _boosted(trees, start, "identity" if classes is None else "sigmoid" if outputs == 1 else "softmax", classes)


def _histogram(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    trees = []
    for stage in e._predictors:
        for k, predictor in enumerate(stage):
            nodes = predictor.nodes
            if nodes["is_categorical"].any():
                raise Unsupported(f"{type(e).__name__} with categories", remedy="encode them as numbers, such as one-hot columns")
            leaf = nodes["is_leaf"].astype(bool)
            left = np.where(leaf, -1, nodes["left"].astype(np.int64))
            tree = _Tree(left, nodes["right"].astype(np.int64), nodes["feature_idx"], nodes["num_threshold"], nodes["value"])
            trees.append((tree, k, _leaves(tree)))
    classes = getattr(e, "classes_", None)
    loss = type(e._loss).__name__
    link = "sigmoid" if classes is not None and len(classes) == 2 else "softmax" if classes is not None else "identity"
    if link == "identity" and loss in ("HalfPoissonLoss", "HalfGammaLoss"):
        link = "exp"
    return _boosted(trees, np.ravel(e._baseline_prediction), link, classes)


class _Tree:
    """A tree with the attributes of scikit-learn's; children_left is -1 at leaves. Rows go right above a threshold."""

    def __init__(self, left: Any, right: Any, feature: Any, threshold: Any, value: Any) -> None:
        self.children_left, self.children_right = np.asarray(left), np.asarray(right)
        self.feature, self.threshold, self.value = np.asarray(feature), np.asarray(threshold, dtype=float), np.asarray(value, dtype=float)
        self.node_count = len(self.children_left)


def _boosted(trees: list[tuple[Any, int, Array]], start: Array, link: str, classes: Any) -> tuple[Weights, dict[str, Function], Any]:
    """The methods of boosted trees: each with its output and its leaves' values, whose sum a link maps to predictions."""
    jax = jax_module()
    jnp = jax.numpy
    outputs = len(start)
    values = []
    for _, k, leaves in trees:
        v = np.zeros((len(leaves), outputs))
        v[:, k] = leaves
        values.append(v)
    w, total = _forest([tree for tree, _, _ in trees], values)
    w["start"] = _f(start)

    def scores(weights: Weights, rows: Any) -> Any:
        return total(weights, rows) + weights["start"]

    def linked(weights: Weights, rows: Any) -> Any:
        s = scores(weights, rows)
        if link == "softmax":
            return jax.nn.softmax(s)
        s = {"sigmoid": jax.nn.sigmoid, "exp": jnp.exp, "identity": lambda x: x}[link](s)
        return s[:, 0] if outputs == 1 else s

    if classes is None:
        return w, {"predict": linked}, None

    def predict(weights: Weights, rows: Any) -> Any:
        s = scores(weights, rows)
        return (s[:, 0] > 0).astype(jnp.int32) if outputs == 1 else _argmax(s)

    def proba(weights: Weights, rows: Any) -> Any:
        p = linked(weights, rows)
        return jnp.stack([1 - p, p], axis=-1) if outputs == 1 else p

    return w, {"predict": predict, "predict_proba": proba}, np.asarray(classes)


_XGBOOST_LINKS = {
    **dict.fromkeys(("binary:logistic", "reg:logistic"), "sigmoid"),
    **dict.fromkeys(("multi:softprob", "multi:softmax"), "softmax"),
    **dict.fromkeys(("count:poisson", "reg:gamma", "reg:tweedie"), "exp"),
    **dict.fromkeys(
        ("reg:squarederror", "reg:absoluteerror", "reg:pseudohubererror", "reg:squaredlogerror", "binary:logitraw", "rank:ndcg", "rank:pairwise", "rank:map"),
        "identity",
    ),
}


def _xgboost(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    import xgboost

    name = type(e).__name__
    if isinstance(e, xgboost.Booster):
        booster, classes, used = e, None, (0, 0)
    else:
        try:
            booster = e.get_booster()
        except xgboost.core.XGBoostError as err:
            raise _unfitted(name) from err
        except ValueError as err:  # scikit-learn's NotFittedError
            raise _unfitted(name) from err
        classes, used = getattr(e, "classes_", None), e._get_iteration_range(None)
    if used[1]:
        booster = booster[used[0] : used[1]]  # after early stopping, the best iterations
    learner = json.loads(bytes(booster.save_raw("json")))["learner"]
    objective, model = learner["objective"]["name"], learner["gradient_booster"]
    if model["name"] not in ("gbtree", "dart"):
        raise Unsupported(f"XGBoost's booster {model['name']}", remedy='fit it with booster="gbtree"')
    if objective not in _XGBOOST_LINKS:
        raise Unsupported(f"XGBoost's objective {objective}", remedy=f"there are {', '.join(sorted(_XGBOOST_LINKS))}")
    drop = model.get("weight_drop") if model["name"] == "dart" else None
    model = model["gbtree"]["model"] if "gbtree" in model else model["model"]
    trees = []
    for n, (t, k) in enumerate(zip(model["trees"], model["tree_info"], strict=True)):
        if any(t["split_type"]):
            raise Unsupported("XGBoost's splits by category", remedy="encode categories as numbers, such as one-hot columns")
        if int(t["tree_param"]["size_leaf_vector"]) > 1:
            raise Unsupported("XGBoost's trees with several outputs", remedy='fit it with multi_strategy="one_output_per_tree"')
        condition = np.asarray(t["split_conditions"], dtype=np.float32)
        # A row goes right if its feature is not below the threshold, hence above the number before that.
        tree = _Tree(t["left_children"], t["right_children"], t["split_indices"], np.nextafter(condition, np.float32(-np.inf)), condition)
        trees.append((tree, k, _leaves(tree) * (drop[n] if drop else 1)))
    link = _XGBOOST_LINKS[objective]
    width = booster.num_features()
    zero = np.zeros((1, width), np.float32)
    names = booster.feature_names
    margin = booster.predict(xgboost.DMatrix(zero, feature_names=names, feature_types=booster.feature_types), output_margin=True)
    start = np.ravel(margin).astype(float)
    for tree, k, leaves in trees:  # what the library adds to the trees' sum, whichever way it keeps that
        start[k] -= _reached(tree, leaves, zero[0])
    if classes is None and objective == "multi:softmax":
        w, methods, _ = _boosted(trees, start, link, range(len(start)))
        return w, {"predict": methods["predict"]}, None
    return _boosted(trees, start, link, classes)


def _reached(tree: Any, leaves: Array, row: Array) -> float:
    """The value of the leaf that a row reaches."""
    _, _, signs, right, _ = _paths(tree)
    inner = tree.children_left != -1
    goes = row[tree.feature[inner]] > tree.threshold[inner]
    return float(leaves[np.flatnonzero(goes.astype(int) @ signs == right)[0]])


_LIGHTGBM_LINKS = {
    **dict.fromkeys(("binary", "cross_entropy"), "sigmoid"),
    "multiclass": "softmax",
    **dict.fromkeys(("poisson", "gamma", "tweedie"), "exp"),
    **dict.fromkeys(("regression", "regression_l1", "huber", "fair", "quantile", "mape", "lambdarank", "rank_xendcg"), "identity"),
}


def _lightgbm(e: Any) -> tuple[Weights, dict[str, Function], Any]:
    import lightgbm

    name = type(e).__name__
    if isinstance(e, lightgbm.Booster):
        booster, classes = e, None
    else:
        if not e.__sklearn_is_fitted__():
            raise _unfitted(name)
        booster, classes = e.booster_, getattr(e, "classes_", None)
    model = booster.dump_model()  # after early stopping, up to the best iteration
    objective, *options = model.get("objective", "").split()
    if objective not in _LIGHTGBM_LINKS or "sqrt" in options:
        called = " ".join([objective, *options]) or "of its own"
        raise Unsupported(f"LightGBM's objective {called}", remedy=f"there are {', '.join(sorted(_LIGHTGBM_LINKS))}")
    each = model["num_tree_per_iteration"]
    scale = 1 / (len(model["tree_info"]) // each) if model["average_output"] else 1.0
    steep = [float(o.partition(":")[2]) for o in options if o.startswith("sigmoid:")]
    trees = []
    for n, t in enumerate(model["tree_info"]):
        tree = _lightgbm_tree(t["tree_structure"])
        trees.append((tree, n % each, _leaves(tree) * scale * (steep[0] if steep else 1)))
    return _boosted(trees, np.zeros(each), _LIGHTGBM_LINKS[objective], classes)


def _lightgbm_tree(root: Mapping[str, Any]) -> _Tree:
    """The nodes of a tree, parents before their children."""
    left: list[int] = []
    right: list[int] = []
    feature: list[int] = []
    threshold: list[float] = []
    value: list[float] = []
    todo: list[tuple[Mapping[str, Any], list[int] | None, int]] = [(root, None, 0)]
    while todo:
        node, parents, parent = todo.pop()
        if parents is not None:
            parents[parent] = len(left)
        leaf = "split_feature" not in node
        if "leaf_coeff" in node:
            raise Unsupported("LightGBM's linear trees", remedy="fit it with linear_tree=False")
        if not leaf and node["decision_type"] != "<=":
            raise Unsupported("LightGBM's splits by category", remedy="encode categories as numbers, such as one-hot columns")
        if not leaf and node["missing_type"] == "Zero":
            raise Unsupported("LightGBM's zero_as_missing", remedy="fit it with zero_as_missing=False")
        left.append(-1)
        right.append(-1)
        feature.append(0 if leaf else node["split_feature"])
        threshold.append(0.0 if leaf else node["threshold"])
        value.append(node["leaf_value"] if leaf else 0.0)
        if not leaf:
            todo.append((node["right_child"], right, len(left) - 1))
            todo.append((node["left_child"], left, len(left) - 1))
    return _Tree(left, right, feature, threshold, value)


def _unfitted(name: str) -> Usage:
    return Usage(f"{name} is not fitted", remedy="call its fit first")


_CONVERTERS: dict[str, Callable[[Any], tuple[Weights, dict[str, Function], Any]]] = {
    **dict.fromkeys(("LinearRegression", "Ridge", "Lasso", "ElasticNet", "LinearSVR", "SGDRegressor"), _linear),
    **dict.fromkeys(("PoissonRegressor", "GammaRegressor", "TweedieRegressor"), _glm),
    **dict.fromkeys(("LogisticRegression", "LinearSVC", "RidgeClassifier"), _logistic),
    **dict.fromkeys(("MLPClassifier", "MLPRegressor"), _mlp),
    "PCA": _pca,
    "StandardScaler": _scaler,
    **dict.fromkeys(("KMeans", "MiniBatchKMeans"), _kmeans),
    "GaussianNB": _bayes,
    **dict.fromkeys(("KNeighborsClassifier", "KNeighborsRegressor"), _neighbours),
    "SVC": _svc,
    **dict.fromkeys(
        ("DecisionTreeClassifier", "DecisionTreeRegressor", "RandomForestClassifier", "RandomForestRegressor", "ExtraTreesClassifier", "ExtraTreesRegressor"),
        _trees,
    ),
    **dict.fromkeys(("GradientBoostingClassifier", "GradientBoostingRegressor"), _boosting),
    **dict.fromkeys(("HistGradientBoostingClassifier", "HistGradientBoostingRegressor"), _histogram),
}

_NO_SCORE = ("KMeans", "MiniBatchKMeans", "PoissonRegressor", "GammaRegressor", "TweedieRegressor")

# By the module that the class comes from: XGBoost's and LightGBM's boosters, and their estimators.
_LIBRARIES = {"xgboost": _xgboost, "lightgbm": _lightgbm}


def _converter(estimator: Any) -> Callable[[Any], tuple[Weights, dict[str, Function], Any]]:
    name = type(estimator).__name__
    if library := _LIBRARIES.get(type(estimator).__module__.partition(".")[0]):
        return library
    if name == "Pipeline":
        return _pipeline
    if name not in _CONVERTERS:
        raise Unsupported(f"estimator {name}", remedy=f"there are {', '.join(sorted(_CONVERTERS))}; Pipelines of these; models of XGBoost and LightGBM")
    if not any(k.endswith("_") and not k.startswith("__") for k in vars(estimator)):
        raise _unfitted(name)
    return _CONVERTERS[name]
