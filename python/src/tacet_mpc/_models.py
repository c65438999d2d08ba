"""What tasks on tables answer: models, predictions, statistics."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _html
from ._arrays import Array
from ._errors import Missing, Usage

if TYPE_CHECKING:
    from ._owners import Party
    from ._report import Report
    from ._tables import Joined, Table


class Answer:
    """What a task has revealed."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        """the answer as the program tacet writes it"""
        self.report: Report | None = None
        """what the run has cost; None for an answer of a file"""
        self.parties: tuple[str, ...] = ()
        """names of the parties; empty for an answer of a file"""

    @property
    def nobs(self) -> int:
        """number of rows"""
        return int(self.data["rows"])

    def save(self, path: str) -> None:
        """Writes the answer as JSON, which `load` and the commands of tacet read."""
        Path(path).write_text(json.dumps(self.data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    def _tables(self) -> Iterable[tuple[str, list[str], list[list[str]]]]:
        """Tables that show the answer: caption, head and rows."""
        return ()

    def __str__(self) -> str:
        return "\n\n".join(_text(caption, head, rows) for caption, head, rows in self._tables())

    def _repr_html_(self) -> str:
        return _html.page(repr(self), *(_html.table(head, rows, caption) for caption, head, rows in self._tables()))


class Model(Answer):
    """A revealed model."""

    def columns(self, known: Sequence[str] = ()) -> list[str]:
        """Full names of the columns that predictions need; known are those that tables have."""
        return []

    def predict(
        self,
        data: Table | Joined,
        *,
        reveal: str | Party | Iterable[str | Party] | None = None,
        protocol: str | None = None,
        network: str | None = None,
        timeout: float | None = None,
    ) -> Predictions:
        """Predicts for rows of other tables, as `tacet_mpc.predict` does."""
        from ._tasks import predict

        return predict(self, data, reveal=reveal, protocol=protocol, network=network, timeout=timeout)


class GLM(Model):
    """A fitted generalised linear model, with the names of statsmodels' results."""

    def __init__(self, data: dict[str, Any], y: str = "") -> None:
        super().__init__(data)
        self._y = y

    def _each(self, key: str) -> dict[str, float]:
        return {c["name"]: float(c[key]) for c in self.data["coefficients"] if key in c}

    @property
    def family(self) -> str:
        """family of the target's distribution"""
        return str(self.data["family"])

    @property
    def link(self) -> str:
        """link function"""
        return str(self.data["link"])

    @property
    def params(self) -> dict[str, float]:
        """coefficients by name; the intercept is const"""
        return self._each("value")

    @property
    def bse(self) -> dict[str, float]:
        """standard errors; empty for a model with l1 and one of solver sgd or cg"""
        return self._each("standard_error")

    @property
    def tvalues(self) -> dict[str, float]:
        """z statistics: coefficients by their standard errors"""
        return self._each("z")

    @property
    def pvalues(self) -> dict[str, float]:
        """p-values of the two-sided tests that a coefficient is 0"""
        return self._each("p")

    def conf_int(self) -> dict[str, tuple[float, float]]:
        """95 % confidence intervals"""
        return {c["name"]: (float(c["low"]), float(c["high"])) for c in self.data["coefficients"] if "low" in c}

    @property
    def deviance(self) -> float:
        """deviance of the fitted model; nan for solver sgd"""
        return float(self.data.get("deviance", math.nan))

    @property
    def scale(self) -> float:
        """dispersion; 1 for families that have none, nan for solver sgd"""
        return float(self.data.get("dispersion", math.nan))

    @property
    def hidden(self) -> bool:
        """whether a hidden join matched the rows: nobs counts all rows of one party, and how many of them match is secret"""
        return bool(self.data.get("hidden"))

    def _matching(self) -> int:
        if self.hidden:
            raise Usage("the rows are of a hidden join, and how many of them match is secret", remedy='join with method="psi" to know')
        return self.nobs

    @property
    def df_resid(self) -> int:
        """rows less coefficients"""
        return self._matching() - len(self.data["coefficients"])

    @property
    def converged(self) -> bool:
        """whether the last iteration moved every coefficient by less than 10^-3 standard errors; for solver sgd, whether the last epoch moved
        the coefficients by less than 5 % of their length"""
        return bool(self.data["converged"])

    @property
    def inverted(self) -> bool:
        """whether the inverse of the Hessian, so standard errors, are accurate; False if features are nearly collinear"""
        return bool(self.data.get("inverted", True))

    def _maybe(self, key: str) -> float | None:
        return None if self.data.get(key) is None else float(self.data[key])

    @property
    def llf(self) -> float | None:
        """log-likelihood; None if what is revealed does not determine it: with weights, and for family tweedie"""
        return self._maybe("log_likelihood")

    @property
    def aic(self) -> float | None:
        """Akaike's information criterion; None if llf is, and with a penalty"""
        return self._maybe("aic")

    @property
    def null_deviance(self) -> float | None:
        """deviance of the model without features; None with an offset or weights"""
        return self._maybe("null_deviance")

    def columns(self, known: Sequence[str] = ()) -> list[str]:
        out: list[str] = []
        widths = self.data.get("widths") or {}
        for name in [c["name"] for c in self.data["coefficients"][1:]] + [self.data.get("offset") or ""]:
            column, _, number = name.rpartition(".")
            if column in widths and number.isdigit():
                out.append(column)
                continue
            whole = name in known or "=" not in name
            out += [name if whole else next((k for k in known if name.startswith(k + "=")), name.partition("=")[0])]
        return [c for c in dict.fromkeys(out) if c]

    def summary(self) -> Summary:
        """The fit as statsmodels prints it; a table in notebooks."""
        return Summary(self)

    def _facts(self) -> list[tuple[str, str]]:
        y = self._y or "y"
        return [("Dep. Variable:", y), ("No. Observations:", str(self.nobs)), *self._settings()]

    def _settings(self) -> list[tuple[str, str]]:
        p = len(self.data["coefficients"])
        dispersed = self.family in ("gaussian", "gamma", "tweedie")
        family = "".join(part.capitalize() for part in self.family.split("_"))
        return [
            ("Model:", "GLM"), ("Df Residuals:", "" if self.hidden else str(self.df_resid)),
            ("Model Family:", family), ("Df Model:", str(p - 1)),
            ("Link Function:", self.link.capitalize()), ("Scale:", f"{self.scale:.5g}" if dispersed else f"{self.scale:.4f}"),
            ("Method:", {"sgd": "SGD", "cg": "IRLS (CG)"}.get(self.data.get("solver", ""), "IRLS")), ("Log-Likelihood:", "" if self.llf is None else f"{self.llf:.5g}"),
            ("Parties:", " ".join(self.parties)), ("Deviance:", f"{self.deviance:.5g}"),
            ("Converged:", "yes" if self.converged else "NO"), ("AIC:", "" if self.aic is None else f"{self.aic:.5g}"),
            ("Covariance Type:", "nonrobust"), ("Null Deviance:", "" if self.null_deviance is None else f"{self.null_deviance:.5g}"),
        ]  # fmt: skip

    def _rows(self) -> list[list[str]]:
        return [
            [c["name"], *("" if key not in c else f"{c[key]:.3f}" if key == "p" else _number(c[key], digits) for key, digits in _COLUMNS)]
            for c in self.data["coefficients"]
        ]  # fmt: skip

    def _warnings(self) -> list[str]:
        out: list[str] = []
        if few := self.data.get("few"):
            return [f"No model was fitted, since fewer than {few} rows match, perhaps none: how many is secret."]
        if not self.inverted:
            out.append("The features are too nearly collinear: coefficients and standard errors are wrong.")
        if not self.converged:
            solver = self.data.get("solver", "")
            out.append("The iterations have not converged: allow more epochs or a smaller rate; a linear predictor beyond 24 does not fit." if solver == "sgd"
                       else f"The iterations have not converged: allow more{' of them or steps' if solver == 'cg' else ''}; "
                            "classes that a feature separates have no finite fit.")
        return out

    def __str__(self) -> str:
        return str(self.summary())

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.family}, {self.link}: {self.nobs} rows, {len(self.data['coefficients'])} coefficients, deviance {self.deviance:.6g})"


class LR(GLM):
    """A fitted logistic regression."""

    @property
    def odds_ratios(self) -> dict[str, float]:
        """exponentials of the coefficients but for the intercept's"""
        return {name: math.exp(value) for name, value in self.params.items() if name != "const"}

    @property
    def log_loss(self) -> float:
        """mean logistic loss of the rows"""
        return self.deviance / 2 / self._matching()


_COLUMNS = (("value", 4), ("standard_error", 3), ("z", 3), ("p", 3), ("low", 3), ("high", 3))
_HEAD = ("coef", "std err", "z", "P>|z|", "[0.025", "0.975]")
_WIDTHS = (10, 11, 11, 11, 12, 12)


class Summary:
    """A fit as statsmodels prints it."""

    title = "Generalized Linear Model Regression Results"

    def __init__(self, fit: GLM) -> None:
        self.fit = fit

    def __str__(self) -> str:
        rows = self.fit._rows()
        first = max(11, *(len(row[0]) + 1 for row in rows))
        width = first + sum(_WIDTHS)
        left, gap = (width - 4) // 2, 3
        right = width - left - gap
        lines = [self.title.center(width), "=" * width]
        facts = self.fit._facts()
        for (a, x), (b, y) in zip(facts[::2], facts[1::2], strict=True):
            lines.append(a + x.rjust(left - len(a)) + " " * gap + b + y.rjust(right - len(b)))
        lines += ["=" * width, " " * first + "".join(h.rjust(w) for h, w in zip(_HEAD, _WIDTHS, strict=True)), "-" * width]
        lines += [row[0].ljust(first) + "".join(x.rjust(w) for x, w in zip(row[1:], _WIDTHS, strict=True)) for row in rows]
        lines.append("=" * width)
        if warnings := self.fit._warnings():
            lines += ["", "Warnings:", *warnings]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        facts = self.fit._facts()
        pairs = [[a, x, b, y] for (a, x), (b, y) in zip(facts[::2], facts[1::2], strict=True)]
        return _html.page(
            self.title,
            _html.table(["", "", "", ""], pairs, ""),
            _html.table(["", *_HEAD], self.fit._rows(), ""),
            _html.facts([("Warning", text) for text in self.fit._warnings()]),
        )


class KeptModel(Model):
    """A model that nodes keep as shares, so that no party knows its coefficients, or its trees. `kept` names one, and so does the job of
    `glm.submit(…, keep="credit")`."""

    @property
    def name(self) -> str:
        """the name under which the nodes keep it"""
        return str(self.data["kept"])

    @property
    def features(self) -> list[str]:
        """full names of the columns of the features, in the order of the fit"""
        return list(self.data["features"])

    @property
    def nobs(self) -> int:
        raise Usage(f"the model {self.name} is kept, and its number of rows is not part of it", remedy="only predictions can be made of it")

    def columns(self, known: Sequence[str] = ()) -> list[str]:
        return [*self.features, *([self.data["offset"]] if self.data.get("offset") else [])]

    def _of(self, party: str) -> KeptModel:
        """The model of stacked tables with columns of a party."""
        data = {**self.data, "features": [f"{party}.{c}" for c in self.features]}
        if self.data.get("offset"):
            data["offset"] = f"{party}.{self.data['offset']}"
        if self.data.get("levels"):
            data["levels"] = {f"{party}.{c}": levels for c, levels in self.data["levels"].items()}
        return KeptModel(data)

    def __str__(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        kind = f"link {self.data['link']}" if self.data.get("link") else f"{self.data['trees']} trees of depth {self.data['depth']}"
        return f"KeptModel({self.name}: {kind}, {', '.join(self.features)})"


class GBT(Model):
    """Gradient-boosted trees."""

    @property
    def trees(self) -> list[dict[str, Any]]:
        """of each tree the nodes, level by level, and the values of the leaves"""
        return list(self.data["trees"])

    @property
    def bounds(self) -> dict[str, list[float]]:
        """of stacked tables, the bounds of bins of columns with ranges, which were revealed"""
        return dict(self.data.get("bounds") or {})

    @property
    def splits(self) -> dict[str, int]:
        """number of nodes that split by each feature, the most frequent first"""
        out: dict[str, int] = {}
        for tree in self.trees:
            for node in tree["nodes"]:
                if name := node.get("feature"):
                    out[name] = out.get(name, 0) + 1
        return dict(sorted(out.items(), key=lambda item: (-item[1], item[0])))

    def columns(self, known: Sequence[str] = ()) -> list[str]:
        return list(dict.fromkeys(next((k for k in known if f == k or f.startswith(k + "=")), f.partition("=")[0]) for f in self.splits))

    def _tables(self) -> Iterable[tuple[str, list[str], list[list[str]]]]:
        yield "Splits by feature", ["feature", "splits"], [[name, str(n)] for name, n in self.splits.items()]

    def __repr__(self) -> str:
        return f"GBT({self.nobs} rows, {len(self.trees)} trees of depth {self.data['depth']})"


class Predictions(Answer):
    """Predictions, one a row."""

    @property
    def tables(self) -> dict[str, dict[str, list[str]]]:
        """by party that learned them, its key columns, or else the number of the row, and the prediction"""
        found: dict[str, dict[str, list[str]]] = self.data["tables"]
        return found

    @property
    def values(self) -> Array:
        """the predictions"""
        first = next(iter(self.tables.values()))
        return np.array([float(x) for x in first["prediction"]])

    @property
    def nobs(self) -> int:
        return len(self.values)

    def to_pandas(self, party: str | Party | None = None) -> Any:
        """The predictions with a party's key columns as a DataFrame: by default of the first party that learned them."""
        try:
            import pandas as pd
        except ImportError:
            raise Missing("pandas is not installed", remedy="pip install pandas, or use .tables") from None
        name = next(iter(self.tables)) if party is None else str(party)
        if name not in self.tables:
            raise Usage(f"{name} has not learned the predictions", remedy=f"they are of {', '.join(self.tables)}")
        out = pd.DataFrame(self.tables[name])
        return out.assign(prediction=self.values)

    def __len__(self) -> int:
        return self.nobs

    def _tables(self) -> Iterable[tuple[str, list[str], list[list[str]]]]:
        for party, table in self.tables.items():
            rows = [list(row) for row in zip(*table.values(), strict=True)]
            yield f"{party}'s" + (f", the first 10 of {len(rows)}" if len(rows) > 10 else ""), list(table), rows[:10]

    def __repr__(self) -> str:
        return f"Predictions({self.nobs} rows, learned by {', '.join(self.tables)})"


class Metrics(Answer):
    """A comparison of predictions with a target."""

    def _value(self, key: str) -> float | None:
        return None if self.data.get(key) is None else float(self.data[key])

    @property
    def auc(self) -> float | None:
        """area under the ROC curve; None if it was not asked for, or all rows are of one class"""
        return self._value("auc")

    @property
    def ks(self) -> float | None:
        """Kolmogorov–Smirnov statistic of the predictions of both classes"""
        return self._value("ks")

    @property
    def rmse(self) -> float | None:
        """root of the mean squared error"""
        return self._value("rmse")

    @property
    def r2(self) -> float | None:
        """1 less squared errors by squared differences from the mean"""
        return self._value("r2")

    @property
    def positives(self) -> int | None:
        """number of rows whose target is 1"""
        return self.data.get("positives")

    @property
    def confusion(self) -> list[dict[str, float]]:
        """of each threshold the numbers of true and false positives and negatives"""
        return list(self.data.get("confusion") or [])

    @property
    def lift(self) -> list[dict[str, float]]:
        """of each fraction of the highest predictions rows, sum and rate of the target, lift, and the captured share of its sum"""
        return list(self.data.get("lift") or [])

    @property
    def calibration(self) -> list[dict[str, float]]:
        """of each bin of predictions, the lowest first, rows, mean prediction and mean of the target"""
        return list(self.data.get("calibration") or [])

    def _tables(self) -> Iterable[tuple[str, list[str], list[list[str]]]]:
        names = {"rows": "rows", "positives": "positives", "auc": "AUC", "ks": "KS", "rmse": "RMSE", "r2": "R²"}
        yield "", ["metric", "value"], [[text, f"{self.data[key]:.6g}"] for key, text in names.items() if self.data.get(key) is not None]
        if self.confusion:
            yield "Confusion", _words(self.confusion[0]), [[f"{x:g}" for x in row.values()] for row in self.confusion]
        for title, rows in (("Lift", self.lift), ("Calibration", self.calibration)):
            if rows:
                yield title, _words(rows[0]), [[f"{x:.4g}" for x in row.values()] for row in rows]

    def __repr__(self) -> str:
        names = {"auc": "AUC", "ks": "KS", "rmse": "RMSE", "r2": "R²"}
        shown = [f"{text} {self.data[key]:.4f}" for key, text in names.items() if self.data.get(key) is not None]
        return f"Metrics({', '.join([f'{self.nobs} rows', *shown])})"


class Stats(Answer):
    """Descriptions of columns."""

    @property
    def columns(self) -> dict[str, dict[str, Any]]:
        """descriptions by column: count, missing, mean, variance, skewness, kurtosis, quantiles"""
        return {c["name"]: c for c in self.data["columns"]}

    @property
    def names(self) -> list[str]:
        """the columns of numbers, in the order of correlation"""
        return list(self.data.get("names") or [])

    @property
    def correlation(self) -> Array:
        """correlations of the columns of numbers; NaN where a column is constant"""
        return np.array(self.data.get("correlation") or [], dtype=np.float64)

    @property
    def vif(self) -> dict[str, float]:
        """variance inflation factors; infinite where a column is nearly a combination of others, empty where they are unknown"""
        return {n: math.inf if v is None else float(v) for n, v in zip(self.names, self.data.get("variance_inflation") or [], strict=False)}

    def corr(self, a: str, b: str) -> float:
        """The correlation of two columns, named in full or as one table alone has them."""
        at: list[int] = []
        for name in (a, b):
            found = [i for i, full in enumerate(self.names) if name in (full, full.partition(".")[2])]
            if len(found) != 1:
                raise Usage(f"{name!r} names {len(found)} columns of numbers", remedy=f"there are {', '.join(self.names)}")
            at += found
        return float(self.correlation[at[0], at[1]])

    def _tables(self) -> Iterable[tuple[str, list[str], list[list[str]]]]:
        quantiles = sorted({q["q"] for c in self.data["columns"] for q in c.get("quantiles") or []})
        head = ["column", "count", "missing", "mean", "variance", *(f"q{q:g}" for q in quantiles), "skewness", "kurtosis"]
        rows: list[list[str]] = []
        for c in self.data["columns"]:
            has = {q["q"]: q["value"] for q in c.get("quantiles") or []}
            numbers = [c.get("mean"), c.get("variance"), *(has.get(q) for q in quantiles), c.get("skewness"), c.get("kurtosis")]
            rows.append([c["name"], str(c["count"]), str(c["missing"]), *("" if x is None else f"{x:.6g}" for x in numbers)])
        yield f"{self.nobs} rows", head, rows
        if self.names:
            cells = [["" if x is None else f"{x:.4f}" for x in row] for row in self.data["correlation"]]
            yield "Correlation", ["", *self.names], [[name, *row] for name, row in zip(self.names, cells, strict=True)]

    def __repr__(self) -> str:
        return f"Stats({self.nobs} rows, {len(self.data['columns'])} columns)"


class KMeans(Answer):
    """Clusters of rows."""

    @property
    def clusters(self) -> list[dict[str, Any]]:
        """of each cluster number, rows and centre, in the units of features; or that it is withheld"""
        return list(self.data["clusters"])

    @property
    def features(self) -> list[str]:
        """names of the features, in the order of centres"""
        return [f["name"] for f in self.data["features"]]

    @property
    def inertia(self) -> float:
        """sum of squared distances of standardised rows from their centres"""
        return float(self.data["inertia"])

    @property
    def labels(self) -> Array:
        """numbers of the rows' clusters, from 1, if the task assigned them"""
        return np.array(self.data.get("assigned") or [], dtype=np.int64)

    def _tables(self) -> Iterable[tuple[str, list[str], list[list[str]]]]:
        rows: list[list[str]] = []
        for c in self.clusters:
            rows.append([str(c["number"]), "withheld" if c.get("withheld") else str(c["rows"]), *(f"{x:.6g}" for x in c.get("centre") or [])])
        yield f"Inertia {self.inertia:.6g}", ["cluster", "rows", *self.features], [row + [""] * (2 + len(self.features) - len(row)) for row in rows]

    def __repr__(self) -> str:
        return f"KMeans({self.nobs} rows, {len(self.clusters)} clusters, inertia {self.inertia:.6g})"


class PCA(Answer):
    """Principal components."""

    @property
    def components(self) -> list[dict[str, Any]]:
        """of each component variance, share of all variance, and loadings of the features"""
        return list(self.data["components"])

    @property
    def features(self) -> list[str]:
        """names of the features, in the order of loadings"""
        return [f["name"] for f in self.data["features"]]

    @property
    def loadings(self) -> Array:
        """loadings, a row for each component"""
        return np.array([c["loadings"] for c in self.components], dtype=np.float64)

    def _tables(self) -> Iterable[tuple[str, list[str], list[list[str]]]]:
        rows = [[str(i + 1), f"{c['variance']:.6g}", f"{c['share']:.4f}", *(f"{x:.4f}" for x in c["loadings"])] for i, c in enumerate(self.components)]
        yield "", ["component", "variance", "share", *self.features], rows

    def __repr__(self) -> str:
        return f"PCA({self.nobs} rows, {len(self.components)} components of {len(self.features)} features)"


class Binned(Answer):
    """Bins of columns compared with a target or a sample."""

    @property
    def features(self) -> dict[str, dict[str, Any]]:
        """by column its information value, and its bins with rows, positives and weight of evidence"""
        return {f["name"]: f for f in self.data["features"]}

    def _tables(self) -> Iterable[tuple[str, list[str], list[list[str]]]]:
        for name, f in self.features.items():
            keys = list(dict.fromkeys(key for b in f["bins"] for key in b))
            value = f.get("information_value")
            caption = name + ("" if value is None else f": information value {value:.6g}")
            yield caption, _words(keys), [[_cell(b.get(key)) for key in keys] for b in f["bins"]]

    def __repr__(self) -> str:
        return f"Binned({self.nobs} rows, {', '.join(self.features)})"


class Groups(Answer):
    """Sums over groups of rows."""

    @property
    def groups(self) -> list[dict[str, Any]]:
        """of each group its levels, rows, sums and means; or that it is withheld. Of a left join, a group of rows without a match is `unmatched`,
        and `matching` is the number of rows that match"""
        return list(self.data["groups"])

    def _tables(self) -> Iterable[tuple[str, list[str], list[list[str]]]]:
        values = list(self.data.get("values") or [])
        rows: list[list[str]] = []
        for g in self.groups:
            means = g.get("means") or [None] * len(values)
            levels = ["no match"] + [""] * (len(self.data["by"]) - 1) if g.get("unmatched") else g["levels"]
            rows.append([*levels, "withheld" if g.get("withheld") else _cell(g.get("rows")), *(_cell(x) for x in means)])
        yield "", [*self.data["by"], "rows", *(f"mean of {v}" for v in values)], rows

    def __repr__(self) -> str:
        return f"Groups({self.nobs} rows, {len(self.groups)} groups by {', '.join(self.data['by'])})"


def _words(keys: Iterable[str] | Mapping[str, Any]) -> list[str]:
    return [key.replace("_", " ") for key in keys]


def _cell(x: Any) -> str:
    if x is None:
        return ""
    return f"{x:.6g}" if isinstance(x, float) else ", ".join(map(str, x)) if isinstance(x, list) else str(x)


def _number(x: float, digits: int) -> str:
    """A number as statsmodels prints it: with fixed digits unless it is large or small."""
    if x != 0 and (abs(x) >= 1e4 or abs(x) < 1e-4):
        return f"{x:.{digits}g}"
    return f"{x:.{digits}f}"


def _text(caption: str, head: list[str], rows: list[list[str]]) -> str:
    """A table as text: names on the left, numbers on the right."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [caption] if caption else []
    for row in [head, *rows]:
        lines.append("  ".join(x.ljust(w) if i == 0 else x.rjust(w) for i, (x, w) in enumerate(zip(row, widths, strict=True))).rstrip())
    return "\n".join(lines)
