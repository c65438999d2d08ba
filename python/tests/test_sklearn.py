"""Private predictions of fitted estimators are the library's."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import tacet_mpc as tacet

sklearn = pytest.importorskip("sklearn")

from sklearn import (  # noqa: E402
    cluster, datasets, decomposition, ensemble, linear_model, naive_bayes, neighbors, neural_network, preprocessing, svm, tree,
)  # fmt: skip

from tacet_mpc.sklearn import private  # noqa: E402

alice, bob = tacet.parties("alice bob")


def data(name: str, raw: bool = False) -> tuple[np.ndarray, np.ndarray]:
    x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    if not raw:
        x = preprocessing.StandardScaler().fit_transform(x) if name != "digits" else x / 16
    return x.astype(np.float32), y


CASES = {
    "logistic iris": (linear_model.LogisticRegression(max_iter=200), "iris"),
    "logistic cancer": (linear_model.LogisticRegression(max_iter=200), "breast_cancer"),
    "linear diabetes": (linear_model.LinearRegression(), "diabetes"),
    "poisson diabetes": (linear_model.PoissonRegressor(), "diabetes"),
    "mlp digits": (neural_network.MLPClassifier(hidden_layer_sizes=(16,), max_iter=60, random_state=0), "digits"),
    "mlp diabetes": (neural_network.MLPRegressor(hidden_layer_sizes=(8,), max_iter=300, random_state=0, activation="tanh"), "diabetes"),
    "svc iris": (svm.SVC(), "iris"),
    "svc cancer": (svm.SVC(kernel="linear"), "breast_cancer"),
    "knn iris": (neighbors.KNeighborsClassifier(3), "iris"),
    "pca digits": (decomposition.PCA(4), "digits"),
    "kmeans iris": (cluster.KMeans(3, random_state=0, n_init=3), "iris"),
    "bayes iris": (naive_bayes.GaussianNB(), "iris"),
    "tree iris": (tree.DecisionTreeClassifier(max_depth=4, random_state=0), "iris"),
    "tree diabetes": (tree.DecisionTreeRegressor(max_depth=4, random_state=0), "diabetes"),
    "forest cancer": (ensemble.RandomForestClassifier(5, max_depth=4, random_state=0), "breast_cancer"),
    "boosting cancer": (ensemble.GradientBoostingClassifier(n_estimators=5, random_state=0), "breast_cancer"),
    "boosting diabetes": (ensemble.GradientBoostingRegressor(n_estimators=5, random_state=0), "diabetes"),
    "boosting iris": (ensemble.GradientBoostingClassifier(n_estimators=3, random_state=0), "iris"),
}


@pytest.mark.parametrize("name", CASES)
def test_predictions(name):
    estimator, source = CASES[name]
    x, y = data(source, raw=name.startswith(("tree", "forest", "boosting")))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = estimator.fit(x[::2], y[::2])
    rows = x[1::8]
    model = private(fitted, owner=bob, reveal="alice")
    if hasattr(fitted, "predict"):
        got, want = model.predict(alice(rows)), fitted.predict(rows)
        if np.issubdtype(np.asarray(want).dtype, np.floating):
            np.testing.assert_allclose(got, want, atol=1e-3, rtol=1e-3)
        else:
            np.testing.assert_array_equal(got, want)
    else:
        np.testing.assert_allclose(model.transform(alice(rows)), fitted.transform(rows), atol=1e-3, rtol=1e-3)
    if hasattr(fitted, "predict_proba") and "predict_proba" in repr(model):
        np.testing.assert_allclose(model.predict_proba(alice(rows)), fitted.predict_proba(rows), atol=1e-3)


def test_rows_next_to_thresholds():
    """Each row has a twin whose features are the next float32 numbers: thresholds lie between the two."""
    rng = np.random.default_rng(5)
    x = np.float32(rng.uniform(0.5, 2, size=(20, 3)) * 10.0 ** rng.integers(-6, 4, size=(20, 3)))
    x = np.concatenate([x, np.nextafter(x, np.float32(np.inf))])
    y = rng.integers(0, 2, 20)
    fitted = ensemble.RandomForestClassifier(3, random_state=0).fit(x, np.concatenate([y, 1 - y]))
    got = private(fitted, owner=bob, reveal="alice").predict_proba(alice(x))
    np.testing.assert_allclose(got, fitted.predict_proba(x), atol=1e-3)


def test_plans_and_refusals():
    x, y = data("iris")
    model = private(linear_model.LogisticRegression().fit(x, y), owner=bob)
    assert model.function().plan(model.weights, alice.spec((10, 4))).rounds > 0
    with pytest.raises(tacet.Unsupported, match="has no private transform\n  it has predict"):
        model.transform(alice(x))
    with pytest.raises(tacet.Unsupported, match="estimator IsolationForest\n  there are"):
        private(ensemble.IsolationForest(), owner=bob)
    with pytest.raises(tacet.Usage, match="LogisticRegression is not fitted\n  call its fit first"):
        private(linear_model.LogisticRegression(), owner=bob)
    with pytest.raises(tacet.Usage, match="owner='bob' is no party"):
        private(linear_model.LogisticRegression().fit(x, y), owner="bob")
