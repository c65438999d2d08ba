"""Tasks on tables: models, predictions, statistics. The program tacet builds the program from the task."""

from __future__ import annotations

import csv
import functools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

from ._bar import Bar
from ._child import Child, Event
from ._errors import Error, Names, Usage
from ._models import GBT, GLM, LR, PCA, Answer, Binned, Groups, KeptModel, KMeans, Metrics, Model, Predictions, Stats
from ._network import Job, Network
from ._owners import Party
from ._private import _caution
from ._report import Plan, Report
from ._tables import MISSING, Column, Joined, Table, joined, one_line_rows, write

P = ParamSpec("P")
R = TypeVar("R", bound=Answer)

Data = Table | Joined
Reveal = str | Party | Iterable[str | Party] | None

LINKS = {"gaussian": "identity", "binomial": "logit", "poisson": "log", "gamma": "inverse", "tweedie": "log", "negative_binomial": "log"}
"""the link of a family, if none is named"""

FITS = ("glm", "lr", "gbt", "kmeans", "pca")


@dataclass
class Call(Generic[R]):
    """A task on tables, and what its answer becomes."""

    kind: str
    data: Joined
    task: dict[str, Any]
    answer: Callable[[dict[str, Any]], R]
    columns: tuple[str, ...]
    """full names of the columns that the task uses, keys excluded"""
    reveal: Reveal = None
    protocol: str | None = None
    network: str | None = None
    timeout: float | None = None
    model: Model | None = None
    keep: str = ""
    """name under which nodes keep the coefficients as shares"""

    @property
    def remote(self) -> bool:
        return self.data.tables[0].remote

    @property
    def link(self) -> list[str]:
        return [f"--network={self.network}"] if self.network else []

    def parties(self) -> list[str]:
        return list(self.data.tables[0].owner.group)

    def job(self) -> dict[str, Any]:
        """The job file."""
        parties = self.parties()
        task = {("fit" if self.kind in FITS else "compute"): self.kind, **{k: v for k, v in self.task.items() if v is not None}}
        if self.remote:
            task |= self._declared()
        out: dict[str, Any] = {"task": task, "parties": parties, "inputs": [self._input(t, i) for i, t in enumerate(self.data.tables)]}
        join: dict[str, Any] = {"method": self.data.method}
        if self.data.on:
            join["on"] = {name: list(columns) for name, columns in self.data.on.items()}
        if self.data.normalise:
            join["normalise"] = list(self.data.normalise)
        if self.data.aggregate:
            join["aggregate"] = dict(self.data.aggregate)
        join |= {key: x for key, x in (("kind", self.data.kind), ("keeper", self.data.keeper), ("beside", list(self.data.beside) or None)) if x is not None}
        if self.remote and self.data.method != "aligned":
            join["rows"] = {t.owner.name: t.rows for t in self.data.tables}
        if self.data.stacked and self.data.matches is not None:
            join["matches"] = self.data.matches
        out["join"] = join
        outputs: dict[str, Any] = {"dir": "out"}
        if self.reveal is not None:
            outputs["reveal"] = learners(self.reveal, parties)
        if self.keep:
            outputs = {**outputs, "keep": self.keep, "reveal": outputs.get("reveal", [])}
        out["outputs"] = outputs
        if self.protocol:
            out["protocol"] = self.protocol
        return out

    def _used(self, t: Table) -> list[str]:
        """The columns of a table that the task uses."""
        keys = list(self.data.on.get(t.owner.name, ()))
        own = [c.partition(".")[2] for c in self.columns if c.partition(".")[0] == t.owner.name]
        bare = [c for c in self.columns if c.partition(".")[0] not in self.parties()]
        return list(dict.fromkeys(keys + own + ([] if t.owner.name in self.data.beside else bare)))

    def _input(self, t: Table, number: int) -> dict[str, Any]:
        if t.remote:
            return {"owner": t.owner.name, "name": t.file}
        out: dict[str, Any] = {"owner": t.owner.name}
        used = self._used(t)
        if t.data is not None:
            out["table"] = f"table{number}.csv"
            out["format"] = {"missing": [MISSING]}
        else:
            out["table"] = t.file
            if t.format:
                out["format"] = dict(t.format)
        if t.chosen:
            out["columns"] = list(t.chosen)
        if types := {c: k for c, k in t.types.items() if c in used and (not t.chosen or c in t.chosen)}:
            out["types"] = types
        if prepare := {c: dict(s) for c, s in t.prepare.items() if c in used}:
            if self.kind not in FITS:
                raise Usage(
                    f"{self.kind} takes columns as they are, and {', '.join(prepare)} of {t.owner.name} {'is' if len(prepare) == 1 else 'are'} prepared",
                    remedy="pass a table without prepare",
                )
            out["prepare"] = prepare
        return out

    def _declared(self) -> dict[str, Any]:
        """What all parties know before a table is read: rows, texts, levels and numbers of features."""
        tables = {t.owner.name: t for t in self.data.tables}
        if len(rows := {t.rows for t in tables.values()}) > 1 and self.data.method == "aligned":
            raise Usage(f"the tables have {' and '.join(map(str, sorted(rows)))} rows, and row i of all must belong together", remedy="align them first")
        out: dict[str, Any] = {"rows": min(rows)} if self.data.method == "aligned" else {}
        if self.data.aggregate:
            raise Usage("aggregate changes numbers of rows, which nodes need before they read tables", remedy="submit a job file with join: {rows: …}")
        if self.data.method == "psi":
            if self.data.matches is None:
                raise Usage(
                    "nodes need the number of rows that match before they match them",
                    remedy="tacet.join(…, matches=N); a wrong number ends the job with an error that names the right one",
                )
            out["rows"] = self.data.matches
        if self.data.stacked and self.data.on and self.data.matches is None:
            raise Usage(
                "nodes need the numbers of rows that match before they match them",
                remedy='tacet.join(…, matches={"north": N, "south": N}); wrong numbers end the job with an error that names the right ones',
            )
        kinds = {f"{name}.{c.name}": c for name, t in tables.items() if t.known for c in t.schema.columns}
        beside: dict[str, Column] = {}
        if self.data.stacked:
            beside = {name: c for name, c in kinds.items() if name.partition(".")[0] in self.data.beside}
            kinds = beside | _common(c for name, t in tables.items() if t.known and name not in self.data.beside for c in t.schema.columns)
        used = {c: kinds[c] for c in self.columns if c in kinds}
        if self.kind == "stats" and (texts := [c for c, k in used.items() if k.kind in ("string", "category", "date")]):
            out["texts"] = texts
        levels: dict[str, list[str]] = dict(self.task.get("levels") or {})
        widths: dict[str, int] = {}
        if self.kind in (*FITS, "bin", "group"):
            for name, c in used.items():
                if name in levels or name in (self.task.get("target"), self.task.get("offset"), self.task.get("weights")):
                    continue
                if len(c.features) > 1:
                    widths[name] = len(c.features)
                elif c.levels and not c.features:
                    levels[name] = list(c.levels)
                elif c.kind in ("string", "category") and not c.features and (self.kind != "bin" or self.data.stacked):
                    knows = "its owner" if self.data.stacked and name not in beside else name.partition(".")[0]
                    raise Usage(f"column {name} holds texts, whose values nobody but {knows} knows", remedy=f"say them: levels={{{name!r}: […]}}")
        if widths and self.kind in FITS:
            out["widths"] = widths
        if levels:
            out["levels"] = levels
        return out

    def write(self, folder: Path) -> None:
        """Writes the job file and what it names."""
        (folder / "job.yaml").write_text(json.dumps(self.job(), ensure_ascii=False), encoding="utf-8")
        if self.model is not None and not isinstance(self.model, KeptModel):
            (folder / "model.json").write_text(json.dumps(self.model.data), encoding="utf-8")
        for i, t in enumerate(self.data.tables):
            if t.data is not None:
                write(t.data, [c for c in t.columns if c in self._used(t)] or t.columns[:1], folder / f"table{i}.csv")

    def kept(self) -> KeptModel:
        """The model that the task keeps."""
        task = self.job()["task"]
        data: dict[str, Any] = {"kept": self.keep, **{k: task[k] for k in ("features", "offset", "widths", "levels") if task.get(k)}}
        if self.kind == "gbt":
            return KeptModel({**data, "trees": task.get("trees", 10), "depth": task.get("depth", 5)})
        return KeptModel({**data, "link": task.get("link") or LINKS[task.get("family", "binomial")]})

    def run(self) -> R:
        if self.keep:
            raise Usage(f"keep={self.keep!r}: a call returns what is revealed", remedy=f"submit the fit: job = tacet.{self.kind}.submit(…); then job.kept")
        if self.remote:
            result: R = self.submit().result(self.timeout)
            return result
        bar, warnings = Bar(self.kind), list[str]()

        def show(event: Event) -> None:
            if event["event"] == "notice" and event.get("warning"):
                warnings.append(str(event["message"]))
            bar(event)

        with Child(self._need()) as child:
            folder = child.scratch
            child.start(["run", str(folder.file("job.yaml")), "--report", str(folder.file("report.json")), *self.link])
            self.write(folder.path)
            try:
                child.run(self._names(), show, self.timeout)
                found, report = read(folder.file("out")), json.loads(folder.file("report.json").read_text(encoding="utf-8"))
                child.finish()
            finally:
                bar.close()
        for text in warnings:
            _caution(self._names().translate(text), UserWarning)
        return self._finish(found, Report(report, None, self.kind))

    def _names(self) -> Names:
        """Owners and rows of the tables, for errors."""
        return Names(tables=[(t.owner.name, functools.partial(one_line_rows, t.data)) for t in self.data.tables])

    def _need(self) -> int:
        return sum(24 * len(v) for t in self.data.tables if t.data is not None for v in t.data.values())

    def _finish(self, found: dict[str, Any], report: Report) -> R:
        out = self.answer(found)
        out.report = report
        out.parties = tuple(self.parties())
        return out

    def submit(self) -> Job:
        if not self.remote:
            raise Usage("no table lies at a node", remedy="net = tacet.connect('cluster.yaml'); net['alice'].table('claims')")
        network: Network = self.data.tables[0].owner.network  # type: ignore[attr-defined]
        self.job()  # its errors are raised before a process starts
        printed = network._tacet(["submit", "{}/job.yaml", "--detach", "--json", *self.link], write=self.write)
        return TaskJob(network, str(json.loads(printed)[0]["id"]), self)

    def plan(self) -> Plan:
        with Child(self._need()) as child:
            child.start(["plan", str(child.scratch.file("job.yaml")), "--json", *self.link])
            self.write(child.scratch.path)
            printed = child.run(self._names(), None, self.timeout)
            child.finish()
        return Plan(json.loads(printed), None, self.kind)


def _common(columns: Iterable[Column]) -> dict[str, Column]:
    """The columns of stacked tables by name; a category has the levels of all tables."""
    out: dict[str, Column] = {}
    for c in columns:
        first = out.setdefault(c.name, c)
        if c.levels and first.levels:
            out[c.name] = replace(first, levels=tuple(dict.fromkeys(first.levels + c.levels)))
    return out


class TaskJob(Job):
    """A task at the parties' nodes."""

    def __init__(self, network: Network, id: str, call: Call[Any]) -> None:
        super().__init__(network, id)
        self._call = call

    def __reduce__(self) -> tuple[Any, ...]:
        raise Usage(f"job {self.id[:8]} of {self._call.kind} cannot be pickled", remedy="keep its id: net.job(id) has its state, and tacet fetch its answer")

    @property
    def kept(self) -> KeptModel:
        """The model that the nodes keep as shares (keep=), for `predict` once the job is done."""
        if not self._call.keep:
            raise Usage(f"job {self.id[:8]} keeps no model", remedy=f'keep one: tacet.{self._call.kind}.submit(…, keep="credit")')
        return self._call.kept()

    def result(self, timeout: float | None = None) -> Any:
        """The answer, from a party that learns it and lets this certificate fetch it; the kept model if no party learns it."""
        self.wait(timeout)
        if self._call.keep and self._call.reveal is None:
            return self.kept
        found: dict[str, Any] = {}

        def read_answer(child: Child) -> None:
            self._report = Report(json.loads(child.scratch.file("report.json").read_text()), None, self._call.kind)
            found.update(read(child.scratch.file("out")))

        args = ["fetch", self.id, "--job", "{}/job.yaml", "--out", "{}/out", "--report", "{}/report.json"]
        self._network._tacet(args, read=read_answer, write=self._call.write)
        assert self._report is not None
        return self._call._finish(found, self._report)


def read(folder: Path) -> dict[str, Any]:
    """The answer that the program has written: one JSON file, or a table of predictions for each party that learns them."""
    if found := sorted(folder.glob("*.json")):
        out: dict[str, Any] = json.loads(found[0].read_text(encoding="utf-8"))
        return out
    tables: dict[str, dict[str, list[str]]] = {}
    for path in sorted(folder.glob("*.csv")):
        with open(path, newline="", encoding="utf-8") as f:
            head, *rows = list(csv.reader(f))
        tables[path.stem] = {name: [row[i] for row in rows] for i, name in enumerate(head)}
    if not tables:
        raise Error("no party that lets this certificate fetch results has learned any", remedy="name a party in reveal=, and ask it for fetch in its policy")
    return {"tables": tables}


def learners(reveal: Reveal, parties: list[str]) -> list[str]:
    """The names of the parties that learn results."""
    if isinstance(reveal, str):
        names = reveal.replace(",", " ").split()
    else:
        names = [str(reveal)] if isinstance(reveal, Party) else [str(p) for p in reveal or ()]
    for name in names:
        if name not in parties:
            raise Usage(f"reveal names {name}, who is no party", remedy=f"the parties are {', '.join(parties)}")
    if not names:
        raise Usage("reveal names no party, and somebody must learn the results", remedy='name a party: reveal="alice"')
    return names


class TableFunction(Generic[P, R]):
    """A function on tables. A call runs it: on tables in this process with all parties simulated, on tables at nodes as a job
    for whose end it waits."""

    def __init__(self, build: Callable[P, Call[R]]) -> None:
        self._build = build
        functools.update_wrapper(self, build, updated=())

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._build(*args, **kwargs).run()

    def submit(self, *args: P.args, **kwargs: P.kwargs) -> Job:
        """Submits the task to the nodes at which the tables lie, and returns at once."""
        return self._build(*args, **kwargs).submit()

    def plan(self, *args: P.args, **kwargs: P.kwargs) -> Plan:
        """What a call will cost. Nothing is computed; numbers of rows are read from the tables."""
        return self._build(*args, **kwargs).plan()

    def __repr__(self) -> str:
        return f"<function {self._build.__name__} on tables>"


@dataclass
class _Names:
    """Columns of the task, with full names where they are known."""

    data: Joined
    used: list[str] = field(default_factory=list[str])

    def full(self, name: str, what: str) -> str:
        """The column's full name, or its own if the table is a file that was not read yet."""
        if not isinstance(name, str) or not name:
            raise Usage(f"{what} is {name!r}, which is no column's name", remedy='name a column: "age", or "alice.age"')
        tables = {t.owner.name: t for t in self.data.tables}
        owner, _, column = name.partition(".")
        if self.data.stacked and owner in self.data.beside and column:
            self._check(tables[owner], column, name, what)
            return self._add(name)
        if self.data.stacked:
            if owner in tables and column and not any(name in t.columns for t in tables.values() if t.known or t.data is not None):
                raise Usage(f"{what} {name!r}: columns of stacked tables are those of all parties", remedy=f"write {column!r}")
            for t in tables.values():
                if t.owner.name not in self.data.beside:
                    self._check(t, name, name, what)
            return self._add(name)
        if owner in tables and column:
            self._check(tables[owner], column, name, what)
            return self._add(name)
        if all(t.known or t.chosen or t.remote or t.data is not None for t in tables.values()):
            having = [n for n, t in tables.items() if name in t.columns]
            if len(having) != 1:
                if not having:
                    raise Usage(f"{what} {name!r} is a column of no table", remedy=f"there are {', '.join(self.data.columns)}")
                raise Usage(f"{what} {name!r} is a column of {' and '.join(having)}", remedy=f"write {having[0]}.{name}")
            return self._add(f"{having[0]}.{name}")
        return self._add(name)

    def listed(self, names: str | Sequence[str] | None, what: str, but: Iterable[str | None] = ()) -> list[str]:
        """Full names of several columns; by default of all but the keys and some others."""
        if names is None:
            out = [c for c in self.data.columns if c not in but and c.partition(".")[2] not in but]
            self.used += out
            return out
        return [self.full(n, what) for n in ([names] if isinstance(names, str) else names)]

    def _check(self, t: Table, column: str, name: str, what: str) -> None:
        if (t.known or t.chosen or t.data is not None) and column not in t.columns:
            raise Usage(f"{what} {name!r}: {t!r} has no column {column!r}", remedy=f"it has {', '.join(t.columns)}")

    def _add(self, name: str) -> str:
        self.used.append(name)
        return name


def _numbers(by: Mapping[str, Sequence[float]] | None) -> dict[str, list[float]] | None:
    return None if by is None else {name: [float(x) for x in values] for name, values in by.items()}


def _levels(levels: Mapping[str, Sequence[object]] | None) -> dict[str, list[str]] | None:
    return None if levels is None else {name: [str(x) for x in values] for name, values in levels.items()}


def _optional(names: _Names, column: str | None, what: str) -> str | None:
    return None if column is None else names.full(column, what)


@TableFunction
def glm(
    data: Data,
    y: str,
    features: str | Sequence[str] | None = None,
    *,
    family: str = "gaussian",
    link: str | None = None,
    offset: str | None = None,
    weights: str | None = None,
    power: float | None = None,
    alpha: float | None = None,
    l2: float | None = None,
    l1: float | None = None,
    iterations: int | None = None,
    hessians: int | None = None,
    condition: float | None = None,
    solver: str | None = None,
    steps: int | None = None,
    epochs: int | None = None,
    batch: int | None = None,
    rate: float | None = None,
    bits: int | None = None,
    levels: Mapping[str, Sequence[object]] | None = None,
    keep: str = "",
    reveal: Reveal = None,
    protocol: str | None = None,
    network: str | None = None,
    timeout: float | None = None,
) -> Call[GLM]:
    """Fits a generalised linear model with an intercept on the columns of several parties.

    y and features are columns, `alice.age`, or `age` if one table alone has it; by default all columns but y, the keys, the
    offset and the weights are features. Columns of texts get a feature for each level but the first; levels says them, the one
    without a feature first. reveal names the parties that learn the fit (default: all).

    family and link, its default first: gaussian (identity, log, inverse), binomial (logit), poisson (log, identity), gamma
    (inverse, log, identity), tweedie with power (log), negative_binomial with alpha (log). weights are statsmodels'
    var_weights, and numbers of trials where the target of a binomial model is a proportion. l2 penalises the squared
    coefficients of standardised features, l1 their magnitudes, so that some are 0; a model with l1 has no standard errors.
    hessians is the number of iterations that compute the Hessian, the first ones and the last; all by default.

    solver="cg" computes the same coefficients without a Hessian, by steps (16) steps of conjugate gradients in each iteration, for a
    hundred columns and more. Such a fit has no standard errors. solver="auto" is that or the default, whichever takes less time by plan.

    solver="sgd" fits gaussian and binomial models of hundreds of columns and more by minibatch stochastic gradient descent: epochs
    (10) passes over all rows in batches of batch (1024) rows with the learning rate rate (0.1). Features have 16 bits, or
    bits=12, and are sent once. Such a fit reveals coefficients and whether they have converged; it has no standard errors and deviance.

    keep names the model for nodes, which keep the coefficients as shares: with `glm.submit(…, keep="credit")` no party learns
    them unless reveal says so, and `job.kept` predicts.

    Revealed are coefficients, standard errors, deviance, dispersion, whether the iterations converged and the inverse is
    accurate, and of the target alone the deviance of the model without features and its part of the log-likelihood.

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> people = alice.table({"id": [1, 2, 3, 4, 5, 6], "age": [20, 30, 40, 50, 60, 70]})
    >>> claims = bob.table({"id": [1, 2, 3, 4, 5, 6], "claims": [0, 1, 1, 2, 4, 6]})
    >>> fit = tacet.glm(tacet.join(people, claims, on="id"), y="claims", family="poisson")
    >>> {name: round(value, 3) for name, value in fit.params.items()}
    {'const': -2.245, 'alice.age': 0.059}
    """
    tables = joined(data)
    names = _Names(tables)
    target, offset, weights = names.full(y, "y"), _optional(names, offset, "offset"), _optional(names, weights, "weights")
    task: dict[str, Any] = {
        "family": family, "link": link, "target": target, "features": names.listed(features, "feature", (target, y, offset, weights)),
        "offset": offset, "weights": weights, "power": power, "alpha": alpha, "l2": l2, "l1": l1,
        "iterations": iterations, "hessians": hessians, "condition": condition, "levels": _levels(levels),
        "solver": solver, "steps": steps, "epochs": epochs, "batch": batch, "rate": rate, "bits": bits,
    }  # fmt: skip
    return Call("glm", tables, task, lambda found: GLM(found, y), tuple(names.used), reveal, protocol, network, timeout, None, keep)


@TableFunction
def lr(
    data: Data,
    y: str,
    features: str | Sequence[str] | None = None,
    *,
    offset: str | None = None,
    weights: str | None = None,
    l2: float | None = None,
    l1: float | None = None,
    iterations: int | None = None,
    hessians: int | None = None,
    condition: float | None = None,
    solver: str | None = None,
    steps: int | None = None,
    epochs: int | None = None,
    batch: int | None = None,
    rate: float | None = None,
    bits: int | None = None,
    levels: Mapping[str, Sequence[object]] | None = None,
    keep: str = "",
    reveal: Reveal = None,
    protocol: str | None = None,
    network: str | None = None,
    timeout: float | None = None,
) -> Call[LR]:
    """Fits a logistic regression for a column of 0 and 1: `glm` with family binomial, and odds ratios.

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> people = alice.table({"age": [20, 30, 40, 50, 60, 70]})
    >>> fit = tacet.lr(tacet.join(people, bob.table({"sick": [0, 0, 1, 0, 1, 1]})), y="sick")
    >>> round(fit.odds_ratios["alice.age"], 2)
    1.13
    """
    tables = joined(data)
    names = _Names(tables)
    target, offset, weights = names.full(y, "y"), _optional(names, offset, "offset"), _optional(names, weights, "weights")
    task: dict[str, Any] = {
        "target": target, "features": names.listed(features, "feature", (target, y, offset, weights)), "offset": offset,
        "weights": weights, "l2": l2, "l1": l1, "iterations": iterations, "hessians": hessians, "condition": condition, "levels": _levels(levels),
        "solver": solver, "steps": steps, "epochs": epochs, "batch": batch, "rate": rate, "bits": bits,
    }  # fmt: skip
    return Call("lr", tables, task, lambda found: LR(found, y), tuple(names.used), reveal, protocol, network, timeout, None, keep)


@TableFunction
def gbt(
    data: Data,
    y: str,
    features: str | Sequence[str] | None = None,
    *,
    trees: int | None = None,
    depth: int | None = None,
    bins: int | None = None,
    rate: float | None = None,
    reg_lambda: float | None = None,
    min_weight: float | None = None,
    subsample: float | None = None,
    seed: int | None = None,
    holdout: int | None = None,
    splits: str | None = None,
    levels: Mapping[str, Sequence[object]] | None = None,
    edges: Mapping[str, Sequence[float]] | None = None,
    ranges: Mapping[str, Sequence[float]] | None = None,
    keep: str = "",
    reveal: Reveal = None,
    protocol: str | None = None,
    network: str | None = None,
    timeout: float | None = None,
) -> Call[GBT]:
    """Trains gradient-boosted trees for a column of 0 and 1, with XGBoost's gains and leaves.

    holdout=5 stops early: every fifth row is held out, and the model ends with the tree after which their logistic loss is
    least; the number of trees and that loss are revealed too. keep names the model for nodes, which keep it as shares, as `glm` says.

    splits="owner" trains faster, and reveals more: each owner of features learns feature and bin of the splits on them, of all
    trees that are trained, whether it learns the model or not. Default: "hidden".

    Revealed is the model: feature, bin and threshold of each node, and the leaves' values. A threshold is a value of some
    row of its column. Of stacked tables it is one of edges, the bounds of a column's bins but for the last one: {"age": [30, 45]};
    or of the bounds at quantiles of all rows in ranges, a column's least and largest number: {"age": [0, 120]}. These bounds are
    revealed, before the first tree to each party with rows, and with the model (model.bounds).

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> people = alice.table({"age": list(range(20, 60))})
    >>> claims = bob.table({"fraud": [int(i % 7 == 0 or i > 25) for i in range(40)]})
    >>> model = tacet.gbt(tacet.join(people, claims), y="fraud", trees=1, depth=1)
    >>> model.trees[0]["nodes"]
    [{'feature': 'alice.age', 'bin': 20, 'threshold': 45}]
    """
    tables = joined(data)
    names = _Names(tables)
    target = names.full(y, "y")
    task: dict[str, Any] = {
        "target": target, "features": names.listed(features, "feature", (target, y)), "trees": trees, "depth": depth, "bins": bins,
        "rate": rate, "lambda": reg_lambda, "min_weight": min_weight, "subsample": subsample, "seed": seed, "holdout": holdout, "splits": splits,
        "levels": _levels(levels), "edges": _numbers(edges), "ranges": _numbers(ranges),
    }  # fmt: skip
    return Call("gbt", tables, task, GBT, tuple(names.used), reveal, protocol, network, timeout, None, keep)


@TableFunction
def kmeans(
    data: Data,
    features: str | Sequence[str] | None = None,
    *,
    clusters: int | None = None,
    iterations: int | None = None,
    seed: int | None = None,
    min_group: int | None = None,
    assign: bool = False,
    levels: Mapping[str, Sequence[object]] | None = None,
    reveal: Reveal = None,
    protocol: str | None = None,
    network: str | None = None,
    timeout: float | None = None,
) -> Call[KMeans]:
    """Finds clusters of rows by k-means on standardised columns. assign reveals the cluster of each row too.

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> people = alice.table({"age": [20, 21, 22, 23, 24, 70, 71, 72, 73, 74]})
    >>> claims = bob.table({"cost": [1, 2, 1, 2, 1, 9, 8, 9, 8, 9]})
    >>> found = tacet.kmeans(tacet.join(people, claims), clusters=2)
    >>> sorted((c["rows"], round(c["centre"][0])) for c in found.clusters)
    [(5, 22), (5, 72)]
    """
    tables = joined(data)
    names = _Names(tables)
    task: dict[str, Any] = {
        "features": names.listed(features, "feature"), "clusters": clusters, "iterations": iterations, "seed": seed,
        "min_group": min_group, "assign": assign or None, "levels": _levels(levels),
    }  # fmt: skip
    return Call("kmeans", tables, task, KMeans, tuple(names.used), reveal, protocol, network, timeout)


@TableFunction
def pca(
    data: Data,
    features: str | Sequence[str] | None = None,
    *,
    components: int | None = None,
    levels: Mapping[str, Sequence[object]] | None = None,
    reveal: Reveal = None,
    protocol: str | None = None,
    network: str | None = None,
    timeout: float | None = None,
) -> Call[PCA]:
    """Finds the principal components of standardised columns of several parties.

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> people = alice.table({"age": [20, 35, 50, 65, 80]})
    >>> claims = bob.table({"cost": [1.0, 2.5, 4.0, 5.5, 7.0]})
    >>> [round(c["share"], 3) for c in tacet.pca(tacet.join(people, claims), components=1).components]
    [1.0]
    """
    tables = joined(data)
    names = _Names(tables)
    task: dict[str, Any] = {"features": names.listed(features, "feature"), "components": components, "levels": _levels(levels)}
    return Call("pca", tables, task, PCA, tuple(names.used), reveal, protocol, network, timeout)


@TableFunction
def stats(
    data: Data,
    columns: str | Sequence[str] | None = None,
    *,
    quantiles: Sequence[float] | None = None,
    correlation: bool = True,
    fill: str | None = None,
    reveal: Reveal = None,
    protocol: str | None = None,
    network: str | None = None,
    timeout: float | None = None,
) -> Call[Stats]:
    """Describes columns: count, missing values, mean, variance, skewness, kurtosis, quantiles, correlations, also across parties.

    fill is mean or median, which replaces missing values for correlations; without it they are an error.

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> people = alice.table({"age": [20, 35, 50, 65, 80]})
    >>> claims = bob.table({"cost": [1.0, 2.5, 4.0, 5.5, 7.0]})
    >>> found = tacet.stats(tacet.join(people, claims))
    >>> found.columns["alice.age"]["mean"], round(found.corr("age", "cost"), 4)
    (50, 1.0)
    """
    tables = joined(data)
    names = _Names(tables)
    task: dict[str, Any] = {
        "columns": names.listed(columns, "column"), "quantiles": None if quantiles is None else [float(q) for q in quantiles],
        "correlation": correlation, "fill": fill,
    }  # fmt: skip
    return Call("stats", tables, task, Stats, tuple(names.used), reveal, protocol, network, timeout)


@TableFunction
def bins(
    data: Data,
    y: str | None = None,
    features: str | Sequence[str] | None = None,
    *,
    sample: str | None = None,
    bins: int | None = None,
    min_group: int | None = None,
    levels: Mapping[str, Sequence[object]] | None = None,
    edges: Mapping[str, Sequence[float]] | None = None,
    ranges: Mapping[str, Sequence[float]] | None = None,
    reveal: Reveal = None,
    protocol: str | None = None,
    network: str | None = None,
    timeout: float | None = None,
) -> Call[Binned]:
    """Weight of evidence and information value of binned columns for a column of 0 and 1, or with sample in place of y the
    population stability index between two samples. Bins of few rows, or of one class, are withheld. Stacked tables have edges in place of bins: the
    bounds of each column's bins but for the last one; or ranges, a column's least and largest number, `{"age": [0, 120]}`: its
    bins have bounds at quantiles of all rows then.

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> people = alice.table({"age": list(range(40))})
    >>> claims = bob.table({"fraud": [int(i % 3 == 0 or i > 25 and i % 2 == 0) for i in range(40)]})
    >>> found = tacet.bins(tacet.join(people, claims), y="fraud", bins=2)
    >>> [b["rows"] for b in found.features["alice.age"]["bins"]]
    [20, 20]
    """
    if (y is None) == (sample is None):
        raise Usage("bins takes y or sample, one of them", remedy='write y="fraud", or sample="this_year"')
    tables = joined(data)
    names = _Names(tables)
    target = names.full(y or sample or "", "y")
    task: dict[str, Any] = {
        ("target" if y is not None else "sample"): target, "features": names.listed(features, "feature", (target, y, sample)),
        "bins": bins, "min_group": min_group, "levels": _levels(levels), "edges": _numbers(edges), "ranges": _numbers(ranges),
    }  # fmt: skip
    return Call("bin", tables, task, Binned, tuple(names.used), reveal, protocol, network, timeout)


@TableFunction
def group(
    data: Data,
    by: str | Sequence[str],
    values: str | Sequence[str] = (),
    *,
    min_group: int | None = None,
    levels: Mapping[str, Sequence[object]] | None = None,
    reveal: Reveal = None,
    protocol: str | None = None,
    network: str | None = None,
    timeout: float | None = None,
) -> Call[Groups]:
    """Rows, sums and means of columns over groups of rows that columns of one party make. Small groups are withheld.

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> people = alice.table({"region": ["north"] * 6 + ["south"] * 5})
    >>> costs = bob.table({"cost": [1.0] * 6 + [3.0] * 5})
    >>> [(g["levels"], g["rows"], g["means"]) for g in tacet.group(tacet.join(people, costs), by="region", values="cost").groups]
    [(['north'], 6, [1]), (['south'], 5, [3])]
    """
    tables = joined(data)
    names = _Names(tables)
    task: dict[str, Any] = {
        "by": names.listed(by, "by"), "values": names.listed(values, "value") or None, "min_group": min_group, "levels": _levels(levels),
    }  # fmt: skip
    return Call("group", tables, task, Groups, tuple(names.used), reveal, protocol, network, timeout)


@TableFunction
def predict(
    model: Model,
    data: Data,
    *,
    reveal: Reveal = None,
    protocol: str | None = None,
    network: str | None = None,
    timeout: float | None = None,
) -> Call[Predictions]:
    """Predicts with a revealed model of `glm`, `lr` or `gbt` for rows whose columns several parties have.

    Each party computes its part of the linear predictor alone; reveal names the parties that learn predictions (default: all).

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> people = alice.table({"age": [20, 30, 40, 50, 60, 70]})
    >>> fit = tacet.lr(tacet.join(people, bob.table({"sick": [0, 0, 1, 0, 1, 1]})), y="sick")
    >>> tacet.predict(fit, alice.table({"age": [25, 65]}), reveal="alice").values.round(1)
    array([0.1, 0.9])
    """
    tables = joined(data)
    _usable(model)
    columns = tuple(model.columns(_known(tables)))
    if isinstance(model, KeptModel):
        if not tables.tables[0].remote:
            raise Usage(f"the model {model.name} is kept by nodes", remedy='predict for tables at nodes: net["alice"].table(…)')
        if len(tables.tables) == 1 and not any("." in c for c in columns):  # of stacked tables
            model = model._of(tables.tables[0].owner.name)
            columns = tuple(model.columns())
        return Call("predict", tables, dict(model.data), Predictions, columns, reveal, protocol, network, timeout)
    return Call("predict", tables, {"model": "model.json"}, Predictions, columns, reveal, protocol, network, timeout, model)


@TableFunction
def metrics(
    model: Model | str,
    data: Data,
    y: str,
    *,
    metrics: str | Sequence[str] | None = None,
    thresholds: Sequence[float] | None = None,
    fractions: Sequence[float] | None = None,
    bins: int | None = None,
    reveal: Reveal = None,
    protocol: str | None = None,
    network: str | None = None,
    timeout: float | None = None,
) -> Call[Metrics]:
    """Compares predictions with a column without revealing either: AUC, KS, confusion matrices, lift, calibration, RMSE, R².

    model is a revealed model of `glm` or `lr`, or the name of a column of predictions. metrics are auc, ks, confusion, lift,
    calibration, rmse and r2; by default the first three, or the last two for models with another link than logit. fractions are
    those of the rows whose lift is computed (default: 0.1, 0.2, … 1), bins the number of bins of calibration (default: 10).

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> scores = alice.table({"score": [0.1, 0.3, 0.7, 0.2, 0.9, 0.6]})
    >>> found = tacet.metrics("score", tacet.join(scores, bob.table({"sick": [0, 0, 1, 0, 1, 0]})), y="sick")
    >>> found.auc, found.confusion[0]["true_positives"]
    (1.0, 2)
    """
    tables = joined(data)
    names = _Names(tables)
    task: dict[str, Any] = {
        "target": _whole(names, names.full(y, "y")), "metrics": [metrics] if isinstance(metrics, str) else None if metrics is None else list(metrics),
        "thresholds": None if thresholds is None else [float(t) for t in thresholds],
        "fractions": None if fractions is None else [float(f) for f in fractions], "bins": bins,
    }  # fmt: skip
    if isinstance(model, str):
        task["score"] = _whole(names, names.full(model, "score"))
        return Call("eval", tables, task, Metrics, tuple(names.used), reveal, protocol, network, timeout)
    _usable(model)
    if isinstance(model, KeptModel):
        raise Usage(f"the model {model.name} is kept, and only predictions can be made of it", remedy="reveal predictions to a party, and name that column")
    names.used += model.columns(_known(tables))
    task["model"] = "model.json"
    return Call("eval", tables, task, Metrics, tuple(names.used), reveal, protocol, network, timeout, model)


def _whole(names: _Names, column: str) -> str:
    """The full name of a column: of a file that was not read yet, it is read now."""
    if column.partition(".")[0] in {t.owner.name for t in names.data.tables}:
        return column
    for t in names.data.tables:
        t.schema  # noqa: B018
    return names.full(column, "column")


def _usable(model: Model) -> None:
    if not isinstance(model, Model):
        raise Usage(f"{type(model).__name__} is no model", remedy="pass what glm, lr or gbt has returned, or tacet.load(…)")


def _known(tables: Joined) -> list[str]:
    """Full names of the columns of tables whose columns are known."""
    if tables.stacked:
        known = [t for t in tables.tables if t.known or t.chosen or t.data is not None]
        return [f"{t.owner.name}.{c}" if t.owner.name in tables.beside else c for t in known for c in t.columns]
    return [f"{t.owner.name}.{c}" for t in tables.tables if t.known or t.chosen or t.data is not None for c in t.columns]


def kept(
    name: str,
    features: Sequence[str],
    *,
    link: str | None = None,
    offset: str | None = None,
    trees: int | None = None,
    depth: int | None = None,
    levels: Mapping[str, Sequence[object]] | None = None,
    widths: Mapping[str, int] | None = None,
) -> KeptModel:
    """A model that nodes keep as shares under a name, with the features, link, offset, levels and widths of its fit, or the trees
    and depth of a training. Nodes refuse others than those of the fit.

    >>> import tacet_mpc as tacet
    >>> tacet.kept("credit", ["alice.age", "bob.years"], link="log")
    KeptModel(credit: link log, alice.age, bob.years)
    """
    if (link is None) == (trees is None):
        raise Usage(f"the kept model {name} has a link, or trees and depth", remedy='write link="log", or trees=10, depth=5')
    data: dict[str, Any] = {"kept": name, "link": link, "features": list(features), "offset": offset, "levels": _levels(levels)}
    data |= {"trees": trees, "depth": 5 if trees is not None and depth is None else depth}
    return KeptModel({k: v for k, v in {**data, "widths": dict(widths) if widths else None}.items() if v is not None})


def load(path: str) -> Model:
    """A revealed model of a file: what `save`, or `tacet glm --out`, has written."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as err:
        raise Usage(f"{path} cannot be read: {err}", remedy="name a file that model.save has written") from None
    if isinstance(data, dict) and data.get("kind") == "gbt":
        return GBT(data)
    if isinstance(data, dict) and data.get("coefficients") and data.get("link"):
        return LR(data) if data["family"] == "binomial" and data["link"] == "logit" else GLM(data)
    raise Usage(f"{path} holds no model", remedy="name a file that model.save, or tacet glm, lr or gbt with --out, has written")


