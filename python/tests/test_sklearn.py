"""Private predictions of fitted estimators are the library's."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest

import tacet_mpc as tacet

sklearn = pytest.importorskip("sklearn")
lightgbm = pytest.importorskip("lightgbm")
xgboost = pytest.importorskip("xgboost")

from sklearn import (  # noqa: E402
    cluster, datasets, decomposition, ensemble, impute, linear_model, naive_bayes, neighbors, neural_network, pipeline,
    preprocessing, svm, tree,
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
    "boosting histogram cancer": (ensemble.HistGradientBoostingClassifier(max_iter=4, max_leaf_nodes=5), "breast_cancer"),
    "boosting histogram iris": (ensemble.HistGradientBoostingClassifier(max_iter=2, max_leaf_nodes=4), "iris"),
    "boosting histogram diabetes": (ensemble.HistGradientBoostingRegressor(max_iter=5, max_leaf_nodes=6, loss="poisson"), "diabetes"),
    "boosting xgboost iris": (xgboost.XGBClassifier(n_estimators=3, max_depth=3), "iris"),
    "boosting xgboost cancer": (xgboost.XGBClassifier(n_estimators=5, max_depth=3), "breast_cancer"),
    "boosting xgboost digits": (xgboost.XGBClassifier(n_estimators=1, max_depth=3), "digits"),
    "boosting xgboost diabetes": (xgboost.XGBRegressor(n_estimators=5, max_depth=3), "diabetes"),
    "boosting xgboost dart": (xgboost.XGBRegressor(n_estimators=4, max_depth=2, booster="dart", rate_drop=0.5), "diabetes"),
    "boosting xgboost poisson": (xgboost.XGBRegressor(n_estimators=5, max_depth=2, objective="count:poisson"), "diabetes"),
    "boosting xgboost forest": (xgboost.XGBRFClassifier(n_estimators=4, max_depth=3), "breast_cancer"),
    "boosting lightgbm iris": (lightgbm.LGBMClassifier(n_estimators=3, num_leaves=5, verbose=-1), "iris"),
    "boosting lightgbm cancer": (lightgbm.LGBMClassifier(n_estimators=5, num_leaves=6, verbose=-1), "breast_cancer"),
    "boosting lightgbm digits": (lightgbm.LGBMClassifier(n_estimators=1, num_leaves=5, verbose=-1), "digits"),
    "boosting lightgbm diabetes": (lightgbm.LGBMRegressor(n_estimators=5, num_leaves=6, verbose=-1), "diabetes"),
    "boosting lightgbm forest": (
        lightgbm.LGBMRegressor(n_estimators=3, num_leaves=6, boosting_type="rf", subsample_freq=1, subsample=0.6, verbose=-1), "diabetes",
    ),
}  # fmt: skip


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


CLASSIFIERS = {
    "logistic": lambda: linear_model.LogisticRegression(max_iter=300),
    "mlp": lambda: neural_network.MLPClassifier(hidden_layer_sizes=(16,), max_iter=60, random_state=0),
    "svc": svm.SVC,
    "svc linear": lambda: svm.SVC(kernel="linear"),
    "knn": lambda: neighbors.KNeighborsClassifier(3),
    "bayes": naive_bayes.GaussianNB,  # some pixels of digits never vary
    "tree": lambda: tree.DecisionTreeClassifier(max_depth=4, random_state=0),
    "forest": lambda: ensemble.RandomForestClassifier(4, max_depth=4, random_state=0),
    "boosting": lambda: ensemble.GradientBoostingClassifier(n_estimators=3, max_depth=2, random_state=0),
    "boosting histogram": lambda: ensemble.HistGradientBoostingClassifier(max_iter=2, max_leaf_nodes=4),
    "boosting xgboost": lambda: xgboost.XGBClassifier(n_estimators=2, max_depth=3),
    "boosting lightgbm": lambda: lightgbm.LGBMClassifier(n_estimators=2, num_leaves=5, verbose=-1),
}
REGRESSORS = {
    "linear": linear_model.LinearRegression,
    "poisson": linear_model.PoissonRegressor,
    "gamma": linear_model.GammaRegressor,
    "tweedie": lambda: linear_model.TweedieRegressor(power=1.5),
    "mlp": lambda: neural_network.MLPRegressor(hidden_layer_sizes=(8,), max_iter=300, random_state=0),
    "knn": lambda: neighbors.KNeighborsRegressor(3),
    "tree": lambda: tree.DecisionTreeRegressor(max_depth=4, random_state=0),
    "forest": lambda: ensemble.RandomForestRegressor(4, max_depth=4, random_state=0),
    "boosting": lambda: ensemble.GradientBoostingRegressor(n_estimators=4, random_state=0),
    "boosting histogram": lambda: ensemble.HistGradientBoostingRegressor(max_iter=4, max_leaf_nodes=6),
    "boosting xgboost": lambda: xgboost.XGBRegressor(n_estimators=4, max_depth=3),
    "boosting lightgbm": lambda: lightgbm.LGBMRegressor(n_estimators=4, num_leaves=6, verbose=-1),
}
OTHERS = {"pca": lambda: decomposition.PCA(3), "kmeans": lambda: cluster.KMeans(3, random_state=0, n_init=3)}
GRID = [(kind, name, source) for source in ("digits", "iris", "breast_cancer") for kind in (CLASSIFIERS, OTHERS) for name in kind]
GRID += [(kind, name, "diabetes") for kind in (REGRESSORS, OTHERS) for name in kind]


@pytest.mark.skipif(os.environ.get("TACET_TEST_ESTIMATORS") != "1", reason="TACET_TEST_ESTIMATORS=1 runs it")
@pytest.mark.parametrize(("kind", "name", "source"), GRID, ids=lambda x: x if isinstance(x, str) else "")
def test_every_estimator_on_every_data_set(kind, name, source):
    CASES[f"{name} of the grid"] = (kind[name](), source)
    test_predictions(f"{name} of the grid")


def test_rows_next_to_thresholds():
    """Each row has a twin whose features are the next float32 numbers: thresholds lie between the two."""
    rng = np.random.default_rng(5)
    x = np.float32(rng.uniform(0.5, 2, size=(20, 3)) * 10.0 ** rng.integers(-6, 4, size=(20, 3)))
    x = np.concatenate([x, np.nextafter(x, np.float32(np.inf))])
    y = rng.integers(0, 2, 20)
    fitted = ensemble.RandomForestClassifier(3, random_state=0).fit(x, np.concatenate([y, 1 - y]))
    got = private(fitted, owner=bob, reveal="alice").predict_proba(alice(x))
    np.testing.assert_allclose(got, fitted.predict_proba(x), atol=1e-3)


def test_boosters():
    """Boosters without scikit-learn's interface predict what theirs do: probabilities, or values."""
    x, y = data("breast_cancer", raw=True)
    rows = x[1::8]
    booster = xgboost.train({"objective": "binary:logistic", "max_depth": 2}, xgboost.DMatrix(x, y), 3)
    got = private(booster, owner=bob, reveal="alice").predict(alice(rows))
    np.testing.assert_allclose(got, booster.predict(xgboost.DMatrix(rows)), atol=1e-3)
    light = lightgbm.train({"objective": "binary", "sigmoid": 2.0, "num_leaves": 4, "verbose": -1}, lightgbm.Dataset(x, y), 3)
    np.testing.assert_allclose(private(light, owner=bob, reveal="alice").predict(alice(rows)), light.predict(rows), atol=1e-3)
    x, y = data("iris", raw=True)
    booster = xgboost.train({"objective": "multi:softmax", "num_class": 3, "max_depth": 2}, xgboost.DMatrix(x, y), 2)
    got = private(booster, owner=bob, reveal="alice").predict(alice(x[::5]))
    np.testing.assert_array_equal(got, booster.predict(xgboost.DMatrix(x[::5])))


def test_rows_at_thresholds_of_boosters():
    """XGBoost sends a row that equals a threshold to the right, LightGBM to the left."""
    x = np.repeat(np.arange(8, dtype=np.float32), 30)[:, None]
    y = (x[:, 0] > 3).astype(int)
    trees = xgboost.XGBClassifier(n_estimators=1, max_depth=2).fit(x, y)
    cut = np.float32(trees.get_booster().trees_to_dataframe()["Split"].dropna().iloc[0])
    rows = np.array([[np.nextafter(cut, np.float32(-9))], [cut], [np.nextafter(cut, np.float32(9))]], np.float32)
    light = lightgbm.LGBMClassifier(n_estimators=1, verbose=-1).fit(x, y)
    for fitted in (trees, light):
        got = private(fitted, owner=bob, reveal="alice").predict_proba(alice(rows))
        np.testing.assert_allclose(got, fitted.predict_proba(rows), atol=1e-3)
    assert trees.predict_proba(rows)[0, 1] != trees.predict_proba(rows)[1, 1]


def test_pipelines():
    """Scaling and projection are steps of the private function; their parameters are the model's owner's."""
    x, y = datasets.load_breast_cancer(return_X_y=True)
    for last in (linear_model.LogisticRegression(), svm.SVC()):
        fitted = pipeline.make_pipeline(preprocessing.StandardScaler(), decomposition.PCA(5), last).fit(x, y)
        model = private(fitted, owner=bob, reveal="alice")
        rows = x[::40].astype(np.float32)
        assert (model.predict(alice(rows)) == fitted.predict(rows)).all()
        if isinstance(last, linear_model.LogisticRegression):
            np.testing.assert_allclose(model.predict_proba(alice(rows)), fitted.predict_proba(rows), atol=1e-3)
            assert model.function("predict_proba").report.ring == 128, "deviations from 0.003 to 570 need the finer fraction"
            with pytest.warns(UserWarning, match="Pipeline: with ring=64 the scaling of features is rounded, and scores are off by about .*: leave ring=64 out"):
                narrow = private(fitted, owner=bob, reveal="alice", ring=64)
            assert np.abs(narrow.predict_proba(alice(rows)) - fitted.predict_proba(rows)).max() < 0.1
    x, y = datasets.load_iris(return_X_y=True)
    fitted = pipeline.make_pipeline(preprocessing.StandardScaler(), linear_model.LogisticRegression()).fit(x, y)
    model, rows = private(fitted, owner=bob), x[::4].astype(np.float32)
    np.testing.assert_allclose(model.predict_proba(alice(rows)), fitted.predict_proba(rows), atol=1e-3)
    assert model.function("predict_proba").report.ring == 64
    x, y = datasets.load_breast_cancer(return_X_y=True)
    with pytest.raises(tacet.Unsupported, match="estimator SimpleImputer\n  there are"):
        private(pipeline.make_pipeline(impute.SimpleImputer(), linear_model.LinearRegression()).fit(x, y), owner=bob)
    with pytest.raises(tacet.Unsupported, match="LinearRegression transforms nothing\n  steps before"):
        private(pipeline.Pipeline([("a", linear_model.LinearRegression().fit(x, y)), ("b", linear_model.LinearRegression().fit(x, y))]), owner=bob)


def test_score():
    """Accuracy of labels and R² of values, as the library has them; y may belong to anybody."""
    x, y = data("iris")
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    fitted = linear_model.LogisticRegression(max_iter=300).fit(x[::2], names[::2])
    model, rows, labels = private(fitted, bob, reveal="alice"), x[1::2], names[1::2].copy()
    labels[:5] = "none of these"
    assert abs(model.score(alice(rows), bob(labels)) - fitted.score(rows, labels)) < 1e-4 and 0.8 < model.score(alice(rows), labels) < 1
    x, y = data("diabetes")
    for estimator in (linear_model.LinearRegression(), pipeline.make_pipeline(preprocessing.StandardScaler(), neural_network.MLPRegressor(hidden_layer_sizes=(4,), random_state=0))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = estimator.fit(x[::2], y[::2])
        got = private(fitted, owner=bob).score(alice(x[1::2]), alice(y[1::2].astype(np.float32)))
        assert abs(got - fitted.score(x[1::2], y[1::2])) < 1e-3
    for act, error, says in [
        (lambda: model.score(alice(rows), alice(labels[:3])), tacet.Usage, "y has shape .3,., and there are 75 rows\n  pass a target"),
        (lambda: model.score(alice(rows), alice(rows)), tacet.Usage, "y has 2 dimensions\n  pass the label"),
        (lambda: model.score(rows, labels), tacet.Usage, "rows have no owner: all parties would see them\n  say whose they are"),
        (lambda: model.predict(rows), tacet.Usage, "rows have no owner"),
        (lambda: private(fitted), tacet.Usage, "private.Pipeline. does not say whose the model is\n  write private.fitted, owner=bob"),
        (lambda: private(linear_model.PoissonRegressor().fit(x, y), bob).score(alice(x), alice(y)), tacet.Unsupported, "has no private score\n  it has predict; tacet.m"),
    ]:
        with pytest.raises(error, match=says):
            act()


def test_rows_of_other_features():
    pd = pytest.importorskip("pandas")
    x, y = datasets.load_iris(return_X_y=True, as_frame=True)
    model = private(linear_model.LogisticRegression(max_iter=1000).fit(x, y), owner=bob)
    rows = x.astype(np.float32)
    for wrong, says in [
        (rows.iloc[:, :3], "rows have 3 features, and LogisticRegression was fitted on 4\n  pass the columns"),
        (rows[rows.columns[::-1]], "column 0 of rows is 'petal width .cm.', and LogisticRegression was fitted with 'sepal length .cm.' there\n  order"),
        (rows.to_numpy()[0], "rows have 1 dimensions\n  pass a matrix"),
        ([1.0, 2.0, 3.0, 4.0], "rows have 1 dimensions"),
    ]:
        with pytest.raises(tacet.Usage, match=says):
            model.predict(alice(wrong))
    assert isinstance(pd.Series(model.predict(alice(rows[:2]))).tolist(), list)


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
    for estimator in (xgboost.XGBRegressor(), lightgbm.LGBMRegressor()):
        with pytest.raises(tacet.Usage, match=f"{type(estimator).__name__} is not fitted\n  call its fit first"):
            private(estimator, owner=bob)
    for estimator, says in [
        (xgboost.XGBRegressor(booster="gblinear", n_estimators=1), "XGBoost's booster gblinear\n  fit it with booster"),
        (xgboost.XGBClassifier(objective="binary:hinge", n_estimators=1), "XGBoost's objective binary:hinge\n  there are"),
        (lightgbm.LGBMRegressor(linear_tree=True, n_estimators=1, verbose=-1), "LightGBM's linear trees\n  fit it"),
        (lightgbm.LGBMRegressor(zero_as_missing=True, n_estimators=1, verbose=-1), "LightGBM's zero_as_missing\n  fit it"),
    ]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = estimator.fit(x, (y > 0).astype(int))
        with pytest.raises(tacet.Unsupported, match=says):
            private(fitted, owner=bob)
    digits, classes = data("digits")
    with pytest.raises(tacet.Unsupported, match="GaussianNB with a variance of .* in a ring of 64 bits\n  leave ring= out"):
        private(naive_bayes.GaussianNB().fit(digits, classes), owner=bob, ring=64)
    with pytest.raises(tacet.Usage, match="owner='bob' is no party"):
        private(linear_model.LogisticRegression().fit(x, y), owner="bob")
