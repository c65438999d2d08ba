"""Tables of parties in one process and at nodes: joins, models, predictions, statistics."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tacet_mpc as tacet
from tacet_mpc._tables import MISSING, write

INSURANCE = Path(__file__).parents[2] / "examples" / "insurance"


def frames() -> tuple[pd.DataFrame, pd.DataFrame]:
    rng = np.random.default_rng(7)
    n = 60
    age, years, region = rng.integers(18, 80, n), rng.integers(0, 15, n), rng.choice(["city", "hills", "sea"], n)
    rate = np.exp(0.5 - 0.01 * (age - 45) + 0.5 * (region == "city") - 0.05 * years)
    people = pd.DataFrame({"id": [f"D{i:03}" for i in range(n)], "age": age, "region": region})
    claims = pd.DataFrame({"id": people["id"], "years": years, "claims": rng.poisson(rate), "any": rng.random(n) < rate / 4})
    return people, claims.sample(frac=1, random_state=1)


def clear(people: pd.DataFrame, claims: pd.DataFrame) -> dict[str, float]:
    """A Poisson regression in clear, by Newton's method."""
    t = people.merge(claims, on="id")
    x = np.column_stack([np.ones(len(t)), t["age"], t["region"] == "hills", t["region"] == "sea", t["years"]]).astype(float)
    y, b = t["claims"].to_numpy(float), np.zeros(5)
    for _ in range(30):
        mu = np.exp(x @ b)
        b += np.linalg.solve(x.T @ (mu[:, None] * x), x.T @ (y - mu))
    names = ["const", "alice.age", "alice.region=hills", "alice.region=sea", "bob.years"]
    errors = np.sqrt(np.diag(np.linalg.inv(x.T @ (np.exp(x @ b)[:, None] * x))))
    return {**dict(zip(names, b, strict=True)), **{f"{n} error": e for n, e in zip(names, errors, strict=True)}}


def test_hidden(alice, bob):
    people, claims = frames()
    some = claims[claims["id"] != "D003"]
    want = clear(people, some)
    t = tacet.join(alice.table(people), bob.table(some), on="id", method="hidden", keeper=alice)
    fit = tacet.glm(t, y="claims", features=["age", "region", "years"], family="poisson")
    for name, value in fit.params.items():
        error = want[f"{name} error"]
        assert abs(value - want[name]) <= 1e-3 * max(abs(want[name]), error) and abs(fit.bse[name] - error) <= 1e-3 * error, name
    assert fit.hidden and fit.nobs == 60 and fit.llf is None and "Df Residuals" in str(fit.summary())
    with pytest.raises(tacet.Usage, match="how many of them match is secret"):
        _ = fit.df_resid
    described = tacet.stats(t, ["age", "claims"])
    assert described.nobs == 59
    with pytest.raises(tacet.Usage, match="predictions of single rows"):
        fit.predict(t)
    left = tacet.join(alice.table(people), bob.table(some), on="id", method="hidden", kind="left", keeper="alice")
    fit = tacet.glm(left, y="age", features=["region", "years"], family="gaussian")
    assert not fit.hidden and fit.nobs == 60 and "bob (joined)" in fit.params


def test_glm_joined(alice, bob, tmp_path):
    people, claims = frames()
    t = tacet.join(alice.table(people), bob.table(claims), on="id")
    fit = tacet.glm(t, y="claims", features=["age", "region", "years"], family="poisson")
    want = clear(people, claims)
    for name, value in fit.params.items():
        error = want[f"{name} error"]
        assert abs(value - want[name]) <= 1e-3 * max(abs(want[name]), error) and abs(fit.bse[name] - error) <= 1e-3 * error, name
        low, high = fit.conf_int()[name]
        assert low < value < high and 0 <= fit.pvalues[name] <= 1
    assert fit.converged and fit.inverted and fit.nobs == 60 and fit.df_resid == 55 and fit.scale == 1 and fit.tvalues["const"] > 0
    assert fit.report is not None and fit.report.rounds > 0 and fit.parties == ("alice", "bob")
    plan = tacet.glm.plan(t, y="claims", features=["age", "region", "years"], family="poisson")
    assert (plan.bytes, plan.rounds) == (fit.report.bytes, fit.report.rounds)

    path = tmp_path / "model.json"
    fit.save(str(path))
    again = tacet.load(str(path))
    assert isinstance(again, tacet.GLM) and again.params == fit.params
    p = again.predict(t, reveal="bob")
    assert list(p.tables) == ["bob"] and len(p) == 60
    scored = p.to_pandas().merge(people, on="id").merge(claims, on="id")
    eta = sum(want[f"alice.region={r}"] * (scored["region"] == r) for r in ("hills", "sea"))
    eta = eta + want["const"] + want["alice.age"] * scored["age"] + want["bob.years"] * scored["years"]
    np.testing.assert_allclose(scored["prediction"], np.exp(eta), rtol=2e-3)
    assert "Predictions(60 rows, learned by bob)" in repr(p) and "<table" in p._repr_html_()
    found = tacet.metrics(fit, t, y="claims")
    errors = scored["claims"] - np.exp(eta)
    assert found.rmse == pytest.approx(np.sqrt((errors**2).mean()), rel=1e-3) and found.auc is None
    np.testing.assert_allclose(found.r2, 1 - (errors**2).sum() / ((scored["claims"] - scored["claims"].mean()) ** 2).sum(), atol=1e-3)


# statsmodels 0.15.0 prints these lines for a Poisson regression of examples/insurance.
PRINTED = """\
                 coef    std err          z      P>|z|      [0.025      0.975]
age           -0.0163      0.004     -3.677      0.000      -0.025      -0.008
km          4.446e-05   1.59e-05      2.800      0.005    1.33e-05    7.56e-05
night          1.2333      0.700      1.761      0.078      -0.139       2.606
years         -0.1004      0.019     -5.388      0.000      -0.137      -0.064
Dep. Variable:                 claims   No. Observations:                  500
Model:                            GLM   Df Residuals:                      493
Model Family:                 Poisson   Df Model:                            6
Link Function:                    Log   Scale:                          1.0000
Deviance:                       367.31
Log-Likelihood:                -317.43"""


def test_summary(alice, bob):
    """The summary has the lines of statsmodels', with full names of columns."""
    t = tacet.join(alice.table(INSURANCE / "telematics.csv"), bob.table(INSURANCE / "policies.csv"), on="id")
    fit = tacet.glm(t, y="claims", features=["age", "km", "night", "region", "years"], family="poisson")
    got = [" ".join(line.split()) for line in str(fit.summary()).splitlines()]
    for line in PRINTED.splitlines():
        want = " ".join(line.split())
        assert any(want in g.replace("alice.", "").replace("bob.", "") for g in got), line
    width = {len(line) for line in str(fit.summary()).splitlines()[1:]}
    assert len(width) == 1, "all lines are of one width"
    html = fit._repr_html_()
    assert html.count("<table") == 2 and "alice.region=suburb" in html and repr(fit.summary()) == str(fit)
    with pytest.raises(tacet.Usage, match='column "nothing" is in 0 tables'):
        tacet.glm(t, y="nothing", family="poisson", features=["age"])


def test_families(alice, bob):
    """Families with parameters, weights and penalties; an intercept-only prediction is the weighted mean."""
    people, claims = frames()
    t = tacet.join(alice.table(people), bob.table(claims), on="id")
    nb = tacet.glm(t, y="claims", features="age", family="negative_binomial", alpha=0.5)
    assert nb.converged and nb.aic == pytest.approx(4 - 2 * (nb.llf or 0)) and (nb.null_deviance or 0) >= nb.deviance
    assert "NegativeBinomial" in str(nb) and "AIC:" in str(nb)
    tweedie = tacet.glm(t, y="claims", features="age", family="tweedie", power=1.3, weights="years")
    assert tweedie.converged and tweedie.scale > 0 and tweedie.aic is None and tweedie.null_deviance is None and "bob.years" not in tweedie.params
    small = tacet.glm(t, y="claims", features="age", family="poisson", l2=100)
    assert abs(small.params["alice.age"]) < 1e-3 and small.params["const"] == pytest.approx(np.log(claims["claims"].mean()), abs=0.02)
    none = tacet.glm(t, y="claims", features=["age", "years"], family="poisson", l1=10, iterations=3)
    assert none.params["alice.age"] == 0 == none.params["bob.years"] and none.bse == {} and none.inverted and none.aic is None
    assert "alice.age" in str(none) and "<table" in none._repr_html_()
    with pytest.raises(tacet.Usage, match="alpha is for family negative_binomial, not poisson"):
        tacet.glm(t, y="claims", features="age", family="poisson", alpha=1)


def test_sgd(alice, bob):
    """Stochastic gradient descent of a full batch is gradient descent whose gradients lack the last move."""
    rng = np.random.default_rng(4)
    x, z = rng.standard_normal(60), rng.standard_normal(60)
    y = (rng.random(60) < 1 / (1 + np.exp(-x + z))).astype(int)
    t = tacet.join(alice.table({"x": x}), bob.table({"y": y, "z": z}))
    fit = tacet.lr(t, y="y", solver="sgd", epochs=20, batch=60, rate=1.0, l2=0.1)
    a, w = np.column_stack([np.ones(60), (x - x.mean()) / x.std(), (z - z.mean()) / z.std()]), np.zeros(3)
    move = np.zeros(3)
    for _ in range(20):
        w, move = w + move, -(a.T @ (1 / (1 + np.exp(-a @ w)) - y) / 60 + 0.1 * w * [0, 1, 1])
    assert fit.converged and fit.bse == {} and np.isnan(fit.deviance) and "SGD" in str(fit)
    assert [fit.params["alice.x"] * x.std(), fit.params["bob.z"] * z.std()] == pytest.approx(w[1:], abs=0.02)
    with pytest.raises(tacet.Usage, match="belong to solver sgd"):
        tacet.lr(t, y="y", epochs=3)


def test_cg(alice, bob):
    """Conjugate gradients give the coefficients of the Hessian, without standard errors, and too few steps have not converged."""
    rng = np.random.default_rng(5)
    x, z, u = rng.standard_normal((3, 60))
    y = rng.poisson(np.exp(0.3 * x - 0.2 * z + 0.1 * u))
    t = tacet.join(alice.table({"x": x, "u": u + x}), bob.table({"y": y, "z": z}))
    want = tacet.glm(t, y="y", family="poisson")
    fit = tacet.glm(t, y="y", family="poisson", solver="cg", steps=4)
    assert fit.params == pytest.approx(want.params, abs=1e-6) and fit.deviance == pytest.approx(want.deviance)
    assert fit.converged and fit.bse == {} == fit.pvalues and fit.aic == pytest.approx(want.aic) and "IRLS (CG)" in str(fit)
    with pytest.warns(UserWarning, match="more steps"):
        few = tacet.glm(t, y="y", family="poisson", solver="cg", steps=1, iterations=3)
    assert not few.converged and "allow more of them or steps" in str(few)
    assert tacet.glm(t, y="y", family="poisson", solver="auto", steps=4).params == pytest.approx(want.params, abs=1e-6)
    with pytest.raises(tacet.Usage, match="belong to solver cg"):
        tacet.lr(t, y="y", steps=3)


def test_not_converged(alice, bob):
    t = tacet.join(alice.table({"x": [1, 2, 3, 4, 5, 6, 7, 8]}), bob.table({"y": [0, 0, 0, 0, 1, 1, 1, 1]}))
    with pytest.warns(UserWarning, match="not converged"):
        fit = tacet.lr(t, y="y", reveal=alice)
    assert not fit.converged and "Warnings:\nThe iterations have not converged" in str(fit)
    assert fit.odds_ratios["alice.x"] > 1 and 0 < fit.log_loss < 0.1 and fit.aic is not None and fit.aic > 4


def test_sources(alice, bob):
    """The same column as pandas, polars, pyarrow and a dict, with each kind of values."""
    frame = pd.DataFrame({
        "whole": pd.array([1, None, 3, 4], dtype="Int64"), "part": [0.5, np.nan, 1e-300, -2.5], "yes": [True, False, True, True],
        "day": [datetime.date(2024, 1, d) for d in (1, 2, 3, 4)], "text": ["a,b", '"', "007", "NA\nx"],
        "kind": pd.Categorical(["b", "a", "b", None], categories=["b", "a"]),
    })  # fmt: skip
    as_dict = {c: [None if pd.isna(x) else x for x in frame[c].tolist()] for c in frame}
    arrow = pa.table({k: v for k, v in as_dict.items()})
    tables = [alice.table(s) for s in (frame, pl.DataFrame(as_dict), arrow, as_dict)]
    kinds = ["integer", "float", "boolean", "date", "string"]
    for t in tables:
        assert [c.kind for c in t.schema.columns][:5] == kinds and t.rows == 4
        found = tacet.stats(tacet.join(t, bob.table({"z": [1.5, 2, 3, 5]})), fill="mean")
        assert {n: (c["count"], c["missing"]) for n, c in found.columns.items()}["alice.whole"] == (3, 1)
        assert found.columns["alice.part"]["missing"] == 1 and found.columns["alice.text"]["count"] == 4
        assert found.columns["alice.kind"]["missing"] == 1 and found.columns["alice.yes"]["mean"] == 0.75
    assert tables[0].schema.columns[5].levels == ("b", "a"), "a category keeps the order of its levels"
    assert "Table(alice: 4 × 6)" in repr(tables[0]) and "<table" in tables[0]._repr_html_()


def test_written_tables(tmp_path):
    """What the package writes is read back as it was, also texts with quotes, line ends and spaces."""
    path = tmp_path / "t.csv"
    texts = ["", " a", "a,b", 'say "x"', "two\nlines", "NA"]
    write({"t": [*texts, None], "n": [1, 2.5, -3, 1e300, 0.1, 7, None]}, ["t", "n"], path)
    lines = path.read_text()
    assert lines.endswith(f"{MISSING},{MISSING}\n") and '"say ""x""",1e+300' in lines
    alice, bob = tacet.parties("alice bob")
    t = tacet.join(alice.table({"k": texts, "x": range(6)}), bob.table({"k": texts[::-1], "y": range(6)}), on="k")
    assert tacet.stats(t).nobs == 6, "texts that look like missing values are keys too"


def test_others(alice, bob):
    """Trees, clusters, components, bins, groups and their predictions on joined tables."""
    people, claims = frames()
    t = tacet.join(alice.table(people), bob.table(claims), on={alice: "id", bob: "id"}, normalise="trim")
    model = tacet.gbt(t, y="any", features=["age", "years"], trees=2, depth=2, bins=8)
    owned = tacet.gbt(t, y="any", features=["age", "years"], trees=1, depth=1, bins=8, splits="owner")
    assert owned.trees[0]["nodes"][0]["feature"] == model.trees[0]["nodes"][0]["feature"]
    early = tacet.gbt(t, y="any", features=["age", "years"], trees=4, depth=2, bins=8, holdout=4)
    assert 1 <= len(early.trees) <= 4 == early.data["trained"] and early.data["holdout_loss"] > 0
    assert len(model.trees) == 2 and set(model.splits) <= {"alice.age", "bob.years"} and "splits" in str(model)
    p = model.predict(t)
    assert list(p.tables) == ["alice", "bob"] and ((p.values > 0) & (p.values < 1)).all()
    scores = p.to_pandas(alice).rename(columns={"prediction": "score"})
    t2 = tacet.join(alice.table(scores), bob.table(claims), on="id")
    found = tacet.metrics("score", t2, y="any", metrics=["auc", "ks", "confusion"], thresholds=[0.3, 0.5])
    merged = scores.merge(claims, on="id")
    pos, neg = merged[merged["any"]]["score"].to_numpy(), merged[~merged["any"]]["score"].to_numpy()
    auc = (np.sign(pos[:, None] - neg[None]) / 2 + 0.5).mean()
    assert found.auc == pytest.approx(auc, abs=1e-9) and found.positives == len(pos) and found.ks is not None
    assert found.confusion[1]["true_positives"] == (pos >= 0.5).sum() and "AUC" in repr(found) and "threshold" in str(found)
    found = tacet.metrics("score", t2, y="any", metrics=["lift", "calibration"], fractions=[0.2, 0.5, 1], bins=3)
    assert [x["rows"] for x in found.lift] == [12, 30, 60] and found.lift[2]["lift"] == 1 and found.lift[2]["sum"] == len(pos)
    ordered = merged.sort_values("score")["score"].to_numpy().reshape(3, 20).mean(axis=1)
    assert [c["prediction"] for c in found.calibration] == pytest.approx(list(ordered), abs=1e-4) and "Lift" in str(found)
    clusters = tacet.kmeans(t, ["age", "years"], clusters=2, assign=True, reveal="alice, bob")
    assert sum(c["rows"] for c in clusters.clusters) == 60 == len(clusters.labels) and clusters.features == ["alice.age", "bob.years"]
    parts = tacet.pca(t, ["age", "years"], components=2)
    assert parts.loadings.shape == (2, 2) and sum(c["share"] for c in parts.components) == pytest.approx(1, abs=1e-4)
    binned = tacet.bins(t, y="any", features="age", bins=3)
    assert sum(b["rows"] for b in binned.features["alice.age"]["bins"]) == 60 and "information value" in str(binned)
    grouped = tacet.group(t, by="region", values="claims")
    assert {g["levels"][0]: g["rows"] for g in grouped.groups} == people["region"].value_counts().to_dict()
    for x in (clusters, parts, binned, grouped, model, found):
        assert "<table" in x._repr_html_() and repr(x).startswith(type(x).__name__)


def test_prepared(alice, bob):
    people, claims = frames()
    steps = {"region": {"one_hot": ["sea", "city", "hills"], "drop": "sea"}, "age": {"bins": [30, 50]}}
    t = tacet.join(alice.table(people, prepare=steps, columns=["id", "age", "region"]), bob.table(claims), on="id")
    fit = tacet.glm(t, y="claims", features=["region", "years"], family="poisson", iterations=4)
    assert list(fit.params) == ["const", "alice.region=city", "alice.region=hills", "bob.years"]
    with pytest.raises(tacet.Usage, match="stats takes columns as they are, and age of alice is prepared"):
        tacet.stats(t, ["age"])


def test_mistakes(alice, bob, tmp_path):
    people, claims = frames()
    a, b = alice.table(people), bob.table(claims)
    t = tacet.join(a, b, on="id")
    other = tacet.parties("alice carol")[1]
    for call, says in [
        (lambda: tacet.join(a), "join is given 1 table\n"),
        (lambda: tacet.join(a, alice.table(people)), "alice has two tables in a join"),
        (lambda: tacet.join(a, other.table(claims)), "parties of different groups"),
        (lambda: tacet.join(a, b, on="nr"), "has no key column 'nr'"),
        (lambda: tacet.join(a, b, on={"alice": "id"}), "on has the parties alice, and the tables are of alice, bob"),
        (lambda: tacet.glm(people, y="claims"), "DataFrame is no table of a party"),
        (lambda: tacet.glm(t, y="nothing"), "y 'nothing' is a column of no table\n  there are alice.age"),
        (lambda: tacet.glm(t, y="bob.nothing"), "has no column 'nothing'"),
        (lambda: tacet.glm(t, y="id"), "y 'id' is a column of alice and bob\n  write alice.id"),
        (lambda: tacet.glm(t, y="claims", features=["age"], family="probit"), 'family "probit" is unknown'),
        (lambda: tacet.glm(t, y="claims", features=["age"], reveal="carol"), "reveal names carol, who is no party"),
        (lambda: tacet.glm(t, y="claims", features=["age"], reveal=[]), "reveal names no party"),
        (lambda: tacet.glm.submit(t, y="claims"), "no table lies at a node"),
        (lambda: tacet.lr(t, y="claims", features=["age"]), "values of family binomial are 0 or 1"),
        (lambda: tacet.predict("fit", t), "str is no model"),
        (lambda: tacet.bins(t, features="age"), "bins takes y or sample"),
        (lambda: tacet.load(str(tmp_path / "none.json")), "cannot be read"),
        (lambda: alice.table(tmp_path / "none.csv"), "there is no file"),
        (lambda: alice.table("t.xlsx"), "a table's file name ends with .csv, .tsv, .parquet"),
        (lambda: alice.table(7), "int is no table"),
        (lambda: alice.table({"a": [1, 2], "b": [1]}), "have 1, 2 rows"),
        (lambda: alice.table({"a": [object()]}), "column 'a' of alice holds object"),
        (lambda: alice.table({"a": [1.0, float("inf")]}), "column 'a' of alice, row 1, is infinite"),
        (lambda: alice.table({"a": [datetime.datetime(2024, 1, 1, 5)]}), "holds datetime"),
        (lambda: alice.table(people)["weight"], "has no column 'weight'"),
        (lambda: alice.table(people, types={"weight": "float"}), "types names column 'weight'"),
        (lambda: alice.table(people.set_index("id")), "the table of alice has an index id, which is no column\n  make it one"),
        (lambda: tacet.lr(tacet.join(a, bob.table(claims.assign(id="z" + claims["id"].astype(str))), on="id"), y="any"), "no rows match: the tables have no key"),
    ]:
        with pytest.raises(tacet.Usage, match=says.replace("[", r"\[")):
            call()
    gap, twice = people.copy(), people.copy()
    gap.loc[3, "age"] = np.nan
    twice.loc[7, "id"] = twice.loc[2, "id"]
    for frame, says in [(gap, 'the table of alice, row 3: column "age": the value is missing'), (twice, 'the table of alice, row 7: column "id": the key is that of row 2 too')]:
        with pytest.raises(tacet.RangeError) as caught:
            tacet.lr(tacet.join(alice.table(frame), b, on="id"), y="any")
        assert caught.value.message.startswith(says) and "/" not in str(caught.value) and len(str(caught.value).splitlines()) == 2, str(caught.value)


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    if os.name == "nt":
        pytest.skip("tacet up is for Unix")
    folder = tmp_path_factory.mktemp("tables")
    people, claims = frames()
    claims = claims.sort_values("id")
    subprocess.run([tacet.program(), "up", "--data", str(folder)], cwd=folder, check=True, capture_output=True, timeout=120)
    subprocess.run([tacet.program(), "down", "--limit", "5s"], cwd=folder, check=True, capture_output=True, timeout=120)
    for name, frame, more in [("alice", people, ", types: {region: [city, hills, sea]}"), ("bob", claims.astype({"any": int}), "")]:
        frame.to_csv(folder / f"{name}.csv", index=False)
        people.merge(claims, on="id").iloc[slice(20) if name == "alice" else slice(20, None)].to_csv(folder / f"{name}-rest.csv", index=False)
        config = folder / "cluster" / name / "node.yaml"
        text = config.read_text()
        assert "catalogue:" not in text
        rest = f"rest: {{table: {folder}/{name}-rest.csv, types: {{region: [city, hills, sea]}}}}"
        config.write_text(text + f"catalogue: {{drivers: {{table: {folder}/{name}.csv{more}}}, {rest}}}\n")
    subprocess.run([tacet.program(), "up"], cwd=folder, check=True, capture_output=True, timeout=120)
    try:
        yield tacet.connect(folder / "cluster" / "cluster.yaml")
    finally:
        subprocess.run([tacet.program(), "down", "--limit", "5s"], cwd=folder, check=False, capture_output=True, timeout=120)


def test_at_nodes(net):
    """Tasks at nodes give what they give in one process, and only schemas leave a node before them."""
    people, claims = frames()
    a, b = net["alice"].table("drivers"), net["bob"].table("drivers")
    assert a.columns == ("id", "age", "region") and a.rows == 60 and a.schema.columns[2].levels == ("city", "hills", "sea")
    t = tacet.join(a, b)
    job = tacet.glm.submit(t, y="claims", features=["age", "region", "years"], family="poisson", reveal="alice")
    fit = job.result(timeout=120)
    want = clear(people, claims)
    for name, value in fit.params.items():
        assert abs(value - want[name]) <= 1e-3 * max(abs(want[name]), want[f"{name} error"]), name
    assert job.state == "done" and job.report.rounds == tacet.glm.plan(t, "claims", ["age", "region", "years"], family="poisson").rounds
    assert fit.predict(t, reveal="bob").values.shape == (60,)
    nb = tacet.glm(t, y="claims", features=["age"], family="negative_binomial", alpha=0.5, weights="years", l2=0.01)
    assert nb.converged and nb.data["weights"] == "bob.years" and nb.data["alpha"] == 0.5
    assert tacet.metrics(fit, t, y="bob.claims").rmse is not None
    found = tacet.stats(t, ["age", "region", "claims"])
    assert found.corr("age", "claims") == pytest.approx(np.corrcoef(people["age"], claims.sort_values("id")["claims"])[0, 1], abs=1e-4)
    told = net["bob"].table("drivers", rows=60, columns=["years", "any"])
    assert tacet.gbt(tacet.join(a[["age"]], told), y="any", trees=1, depth=1).trees[0]["leaves"]
    with pytest.raises(tacet.Usage, match="declared in the catalogue of alice"):
        net["alice"].table("drivers", prepare={})
    with pytest.raises(tacet.Usage, match="has rows and no columns"):
        net["alice"].table("drivers", rows=3)
    with pytest.raises(tacet.Error, match="no input"):
        _ = net["alice"].table("nothing").columns


def test_joins_at_nodes(net):
    """Rows that nodes match by keys, by both methods, give the model of the rows in order."""
    a, b = net["alice"].table("drivers"), net["bob"].table("drivers")
    people, claims = frames()
    want = clear(people, claims)
    call = {"y": "claims", "features": ["age", "region", "years"], "family": "poisson", "reveal": "alice"}
    for t in (tacet.join(a, b, on="id", matches=60), tacet.join(a, b, on="id", method="hidden")):
        fit = tacet.glm(t, **call)
        for name, value in fit.params.items():
            assert abs(value - want[name]) <= 1e-3 * max(abs(want[name]), want[f"{name} error"]), name
    with pytest.raises(tacet.Error, match="60 rows of the tables match, and the task declares 59"):
        tacet.glm(tacet.join(a, b, on="id", matches=59), **call)
    with pytest.raises(tacet.Usage, match="need the number of rows that match"):
        tacet.glm(tacet.join(a, b, on="id"), **call)


def linear(fit: tacet.GLM, t: pd.DataFrame) -> pd.Series:
    """The linear predictor of a model whose columns have no party."""
    p = fit.params
    return p["const"] + p["age"] * t["age"] + p["years"] * t["years"] + p["region=hills"] * (t["region"] == "hills") + p["region=sea"] * (t["region"] == "sea")


def test_beside():
    """Rows that are split between two parties, with a third one's columns of all rows, give the fit of all rows."""
    north, south, insurer = tacet.parties("north south insurer")
    people, claims = frames()
    t = people.merge(claims, on="id")
    own = ["id", "age", "region"]
    rows = tacet.join(north.table(t[own][:20]), south.table(t[own][20:]), insurer.table(t[["years", "claims"]]), method="stacked", beside=insurer)
    assert rows.columns == ("id", "age", "region", "insurer.years", "insurer.claims")
    fit = tacet.glm(rows, y="insurer.claims", features=["age", "region", "insurer.years"], family="poisson")
    want = {name.partition(".")[2] or name: value for name, value in clear(people, claims).items()}
    for name, value in fit.params.items():
        assert abs(value - want[name.removeprefix("insurer.")]) <= 1e-3 * max(abs(value), float(fit.bse[name])), name
    both = ["age", "insurer.claims"]
    found = tacet.stats(rows, columns=both, correlation=True)
    assert abs(found.corr(*both) - t["age"].corr(t["claims"])) < 1e-4
    assert abs(found.columns["insurer.claims"]["mean"] - t["claims"].mean()) < 1e-6
    assert abs(tacet.pca(rows, features=both, components=1).components[0]["share"] - (1 + abs(t["age"].corr(t["claims"]))) / 2) < 1e-4
    clusters = tacet.kmeans(rows, features=both, clusters=2, min_group=1).clusters
    assert sum(c["rows"] for c in clusters) == 60 and all(len(c["centre"]) == 2 for c in clusters if c["rows"])
    other = t[["id", "years", "claims"]].rename(columns={"id": "patient"}).sample(frac=1, random_state=3)[:50]
    keys = {"north": "id", "south": "id", "insurer": "patient"}
    matched = tacet.join(north.table(t[own][:20]), south.table(t[own][20:]), insurer.table(other), method="stacked", beside=insurer, on=keys)
    assert matched.columns == ("age", "region", "insurer.years", "insurer.claims")
    found = tacet.stats(matched, columns=both, correlation=True)
    of = t[t["id"].isin(other["patient"])]
    assert found.columns["age"]["count"] == 50 and abs(found.corr(*both) - of["age"].corr(of["claims"])) < 1e-4
    three = north.table(t[own][:20]), south.table(t[own][20:]), insurer.table(other)
    of_each = {"north": int(other["patient"].isin(t["id"][:20]).sum()), "south": int(other["patient"].isin(t["id"][20:]).sum())}
    declared = tacet.join(*three, method="stacked", beside=insurer, on=keys, matches=of_each)
    assert tacet.stats(declared, columns=both).columns["age"]["count"] == 50
    with pytest.raises(tacet.Error, match="run it again with matches: {north: %(north)d, south: %(south)d}" % of_each):
        tacet.stats(tacet.join(*three, method="stacked", beside=insurer, on=keys, matches=of_each | {"south": 1}), columns=both)
    with pytest.raises(tacet.Usage, match="matches says of each stacked table how many of its rows match"):
        tacet.join(*three, method="stacked", beside=insurer, on=keys, matches={"north": 5, "insurer": 5})
    with pytest.raises(tacet.Usage, match="matches by party is for stacked tables"):
        tacet.join(*three[:2], on="id", matches={"north": 5})
    with pytest.raises(tacet.Usage, match="none of which match"):
        tacet.join(north.table(t), south.table(t), method="stacked", on="id")
    with pytest.raises(tacet.Usage, match="beside is for stacked tables"):
        tacet.join(north.table(t), insurer.table(t), beside="insurer")
    with pytest.raises(tacet.Usage, match="fewer than two stacked tables"):
        tacet.join(north.table(t), insurer.table(t), method="stacked", beside="insurer")


def test_stacked(net, alice, bob):
    """Rows that are split between parties, in one process and at nodes, give the model and the statistics of all rows."""
    people, claims = frames()
    t = people.merge(claims, on="id")
    want = {name.partition(".")[2] or name: value for name, value in clear(people, claims).items()}
    local = tacet.join(alice.table(t[:20]), bob.table(t[20:]), method="stacked")
    nodes = tacet.join(net["alice"].table("rest"), net["bob"].table("rest"), method="stacked")
    assert nodes.columns == ("id", "age", "region", "years", "claims", "any")
    for rows in (local, nodes):
        fit = tacet.glm(rows, y="claims", features=["age", "region", "years"], family="poisson")
        assert list(fit.params) == ["const", "age", "region=hills", "region=sea", "years"] and fit.nobs == 60
        for name, value in fit.params.items():
            error = float(fit.bse[name])
            assert abs(value - want[name]) <= 1e-3 * max(abs(want[name]), error), name
        found = tacet.stats(rows, ["age", "region", "years"])
        assert found.columns["age"]["mean"] == pytest.approx(t["age"].mean()) and found.columns["region"]["count"] == 60
        assert tacet.metrics(fit, rows, y="claims").rmse == pytest.approx(np.sqrt(((np.exp(linear(fit, t)) - t["claims"]) ** 2).mean()), rel=1e-4)
        assert found.corr("age", "years") == pytest.approx(np.corrcoef(t["age"], t["years"])[0, 1], abs=1e-5)
    with pytest.raises(tacet.Usage, match="columns of stacked tables are those of all parties\n  write 'age'"):
        tacet.stats(local, ["alice.age"])
    assert tacet.glm(local, y="claims", features=["age"]).predict(alice.table({"age": [30, 40]}), reveal="alice").values.shape == (2,)
    with pytest.raises(tacet.Usage, match="has no column 'weight'"):
        tacet.lr(nodes, y="any", features=["weight"])
    trees = tacet.gbt(local, y="any", features=["age", "region"], edges={"age": [30, 40, 50]}, trees=1, depth=1, min_weight=0.5)
    assert all(n.get("threshold", 30) in (30, 40, 50, 0) for n in trees.trees[0]["nodes"])
    trees = tacet.gbt(local, y="any", features=["age", "region"], ranges={"age": [0, 128]}, bins=4, trees=1, depth=1, min_weight=0.5)
    assert len(trees.bounds["age"]) == 3 and all(n.get("threshold", 0) in [*trees.bounds["age"], 0] for n in trees.trees[0]["nodes"])
    quantiles = tacet.bins(local, y="any", features=["age"], ranges={"age": [0, 128]}, bins=2, min_group=1).features["age"]["bins"]
    assert quantiles[0]["up_to"] == quantiles[1]["above"]
    found = tacet.bins(local, y="any", features=["age"], edges={"age": [1]}).features["age"]["bins"]
    assert [b["rows"] for b in found] == [60] and found[0]["positives"] == t["any"].sum()
    job = tacet.glm.submit(nodes, y="claims", features=["age", "region"], family="poisson", keep="rest")
    assert job.result(timeout=120).features == ["age", "region"]
    kept = job.kept.predict(net["bob"].table("rest"), reveal="bob").values
    fit = tacet.glm(nodes, y="claims", features=["age", "region"], family="poisson")
    assert kept == pytest.approx(fit.predict(bob.table(t[20:]), reveal="bob").values, abs=1e-4)
    with pytest.raises(tacet.Usage, match="without on and matches"):
        tacet.join(alice.table(t), bob.table(t), on="id", method="stacked")


def test_kept_model(net):
    """A model that no party learns predicts as the revealed one."""
    t = tacet.join(net["alice"].table("drivers"), net["bob"].table("drivers"))
    features = ["age", "region", "years"]
    job = tacet.glm.submit(t, y="claims", features=features, family="poisson", keep="claims")
    model = job.result(timeout=120)
    assert isinstance(model, tacet.KeptModel) and repr(model) == "KeptModel(claims: link log, alice.age, alice.region, bob.years)"
    assert "no party learns" not in job.logs() and all(not s["reveals"] for s in job.status)
    fit = tacet.glm(t, y="claims", features=features, family="poisson")
    want = fit.predict(t, reveal="bob").values
    np.testing.assert_allclose(model.predict(t, reveal="bob").values, want, rtol=1e-4)
    again = tacet.kept("claims", ["alice.age", "alice.region", "bob.years"], link="log", levels={"alice.region": ["city", "hills", "sea"]})
    np.testing.assert_allclose(again.predict(t, reveal="bob").values, want, rtol=1e-4)
    with pytest.raises(tacet.Error, match="was kept as a model with link log"):
        tacet.kept("claims", ["alice.age", "alice.region", "bob.years"], link="identity", levels=model.data["levels"]).predict(t)
    forest = tacet.gbt.submit(t, y="any", features=["age", "years"], trees=2, depth=2, bins=8, keep="forest", reveal="alice")
    trees = forest.result(timeout=120)
    assert repr(forest.kept) == "KeptModel(forest: 2 trees of depth 2, alice.age, bob.years)"
    people, claims = frames()
    local = tacet.join(*(p.table(x) for p, x in zip(tacet.parties("alice bob"), (people, claims.sort_values("id")), strict=True)))
    np.testing.assert_allclose(forest.kept.predict(t).values, trees.predict(local).values, atol=1e-4)
    with pytest.raises(tacet.Usage, match="has a link, or trees and depth"):
        tacet.kept("forest", ["alice.age"])
    with pytest.raises(tacet.Usage, match="only predictions can be made of it"):
        tacet.metrics(model, t, y="claims")
    with pytest.raises(tacet.Usage, match="a call returns what is revealed"):
        tacet.glm(t, y="claims", features=features, family="poisson", keep="claims")
    with pytest.raises(tacet.Usage, match="is kept by nodes"):
        model.predict(tacet.parties("alice bob")[0].table({"age": [1]}))


def test_another_job_file(net, tmp_path):
    """A job's results are not read as those of another task."""
    t = tacet.join(net["alice"].table("drivers"), net["bob"].table("drivers"))
    job = tacet.pca.submit(t, ["age", "years"], components=1)
    job.wait(timeout=120)
    wrong = tmp_path / "job.yaml"
    call = {"task": {"fit": "pca", "features": ["alice.age", "bob.years"], "components": 2, "rows": 60}, "join": {"method": "aligned"}}
    inputs = [{"owner": name, "name": "drivers"} for name in ("alice", "bob")]
    wrong.write_text(json.dumps({**call, "parties": ["alice", "bob"], "inputs": inputs}))
    args = [tacet.program(), "fetch", job.id, "--job", str(wrong), "--cluster", net.file]
    done = subprocess.run(args, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2 and "ran another program than the task of" in done.stderr
    assert job.result().components[0]["share"] > 0.4
