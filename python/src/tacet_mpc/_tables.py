"""Tables of parties, and the joins of their rows."""

from __future__ import annotations

import csv
import datetime
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._child import Child
from ._errors import Denied, Error, Usage
from ._html import page, table

if TYPE_CHECKING:
    from ._owners import Party

EXTENSIONS = (".csv", ".tsv", ".parquet")

MISSING = "␀"
"""how a missing value is spelled in files that this package writes"""


@dataclass(frozen=True)
class Column:
    """Name and kind of a column: integer, float, boolean, category, date or string."""

    name: str
    kind: str
    levels: tuple[str, ...] = ()
    """values of a category that its owner has declared"""
    features: tuple[str, ...] = ()
    """names of the features that the owner's preparation makes of the column, if its node tells them"""


@dataclass(frozen=True)
class Schema:
    """What is known of a table without its values."""

    rows: int
    columns: tuple[Column, ...]

    def __repr__(self) -> str:
        return f"Schema({self.rows} rows: {', '.join(f'{c.name} {c.kind}' for c in self.columns)})"

    def _repr_html_(self) -> str:
        rows = [[c.name, c.kind, ", ".join(c.levels or c.features)] for c in self.columns]
        return page(f"{self.rows} rows", table(["column", "kind", "values"], rows, ""))


@dataclass(frozen=True, eq=False)
class Table:
    """A party's table. `Party.table` makes one of a file, or of a table in memory, `Node.table` one of a catalogue's entry.

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> alice.table({"id": ["a", "b", "c"], "age": [31, 52, 47]})
    Table(alice: 3 × 2)
    """

    owner: Party
    file: str = ""
    """path of a file, or the name of an entry of the node's catalogue; empty for a table in memory"""
    data: Mapping[str, list[Any]] | None = None
    chosen: tuple[str, ...] = ()
    """the columns that belong to the table; empty for all"""
    types: Mapping[str, str | list[str]] = field(default_factory=dict[str, "str | list[str]"])
    format: Mapping[str, Any] = field(default_factory=dict[str, Any])
    prepare: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, "Mapping[str, Any]"])
    known: list[Schema] = field(default_factory=list["Schema"])

    @property
    def remote(self) -> bool:
        """whether the table lies at a node"""
        return getattr(self.owner, "network", None) is not None

    @property
    def schema(self) -> Schema:
        """Rows, names and kinds of the columns. A node is asked, which answers where its policy has `describe: true`."""
        if not self.known:
            self.known.append(self._describe())
        return self.known[0]

    @property
    def columns(self) -> tuple[str, ...]:
        """names of the columns"""
        return self.chosen or tuple(c.name for c in self.schema.columns)

    @property
    def rows(self) -> int:
        """number of rows"""
        return self.schema.rows

    def __getitem__(self, columns: str | Sequence[str]) -> Table:
        """The table with some of its columns: `people[["id", "age"]]`."""
        names = (columns,) if isinstance(columns, str) else tuple(columns)
        for name in names:
            if name not in self.columns:
                raise Usage(f"{self!r} has no column {name!r}", remedy=f"it has {', '.join(self.columns)}")
        return replace(self, chosen=names)

    def _describe(self) -> Schema:
        if self.data is not None:
            length = len(next(iter(self.data.values())))
            kinds = ((name, self.types[name]) for name in self.data)
            return Schema(length, tuple(Column(n, k) if isinstance(k, str) else Column(n, "category", tuple(k)) for n, k in kinds))
        if self.remote:
            return schema(self._told())
        with Child() as child:
            child.start(["inputs", self.file, *(f"--columns={_flag(c)}" for c in self.chosen), "--json"])
            return schema(json.loads(child.run())["table"])

    def _told(self) -> dict[str, Any]:
        try:
            found = json.loads(self.owner.network._tacet(["inputs", self.file, f"--node={self.owner.name}", "--json"]))  # type: ignore[attr-defined]
        except Error as err:
            if not isinstance(err, Denied):
                raise
            raise Denied(
                f"{self.owner.name} does not tell the columns of {self.file}",
                party=self.owner.name,
                remedy=f"say them: {self.owner.name}.table({self.file!r}, rows=1000, columns=[…]); or ask {self.owner.name} for a rule with describe: true",
            ) from None
        if not found.get("table"):
            raise Usage(f"{self.file} of {self.owner.name} is no table", remedy=f"refer to an array: {self.owner.name}.array({self.file!r})")
        told: dict[str, Any] = found["table"]
        return told

    def __repr__(self) -> str:
        name = f"{Path(self.file).name} at " if self.file else ""
        size = f": {self.known[0].rows} × {len(self.columns)}" if self.known else ""
        return f"Table({name}{self.owner.name}{size})"

    def _repr_html_(self) -> str:
        return page(repr(self), self.schema._repr_html_() if self.known else "")


def schema(told: Mapping[str, Any]) -> Schema:
    """The schema that the program tacet prints."""
    columns = [Column(c["name"], c["kind"], tuple(c.get("levels") or ()), tuple(c.get("features") or ())) for c in told["columns"]]
    return Schema(int(told["rows"]), tuple(columns))


def _flag(column: str) -> str:
    """A column's name as an element of a flag's list."""
    return column.replace("\\", "\\\\").replace(",", "\\,")


@dataclass(frozen=True, eq=False)
class Joined:
    """Tables of several parties whose rows belong together. `join` makes one."""

    tables: tuple[Table, ...]
    method: str = "aligned"
    on: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])
    normalise: tuple[str, ...] = ()
    aggregate: Mapping[str, str] = field(default_factory=dict[str, str])
    kind: str | None = None
    keeper: str | None = None
    matches: int | Mapping[str, int] | None = None
    """number of rows that match, at nodes with method psi; of stacked tables by party how many match the table beside them"""
    beside: tuple[str, ...] = ()
    """parties whose tables have further columns of all rows of stacked ones"""

    @property
    def stacked(self) -> bool:
        """whether the tables have the same columns, and their rows are those of one table"""
        return self.method == "stacked"

    @property
    def columns(self) -> tuple[str, ...]:
        """full names of all columns but the keys, such as alice.age; of stacked tables those of all parties, such as age, and those beside them"""
        if self.stacked:
            first = next(t for t in self.tables if t.owner.name not in self.beside)
            own = (c for c in first.columns if c not in self.on.get(first.owner.name, ()))
            further = ((t.owner.name, c) for t in self.tables if t.owner.name in self.beside for c in t.columns)
            return (*own, *(f"{name}.{c}" for name, c in further if c not in self.on.get(name, ())))
        return tuple(f"{t.owner.name}.{c}" for t in self.tables for c in t.columns if c not in self.on.get(t.owner.name, ()))

    def __repr__(self) -> str:
        how = f" on {', '.join(next(iter(self.on.values())))}" if self.on else ""
        return f"Joined({', '.join(map(repr, self.tables))}{how})"


def join(
    *tables: Table,
    on: str | Sequence[str] | Mapping[str | Party, str | Sequence[str]] | None = None,
    method: str | None = None,
    normalise: str | Sequence[str] = (),
    aggregate: Mapping[str, str] | None = None,
    kind: str | None = None,
    keeper: str | Party | None = None,
    matches: int | Mapping[str | Party, int] | None = None,
    beside: str | Party | Sequence[str | Party] = (),
) -> Joined:
    """The rows of several parties' tables that belong together; nothing is read or sent yet.

    on names key columns, the same of all tables, or by party. Rows with equal keys then belong together, and each party
    learns which of its own rows match. Without keys, row i of all tables belongs together. method is `aligned`, `psi`, by
    default what on says, `stacked`: the tables have the same columns, and their rows are those of one table, or `hidden`: nobody learns which rows match, one party (keeper) keeps its rows, and tasks
    count those that match, or with kind `left` all of them, or, of stats and pca, with kind `outer` those of both parties. normalise is `trim`, `case` or `nfc`, for texts in keys; aggregate says how an owner makes one row of
    rows of one key: `{"bob.cost": "sum", "bob.*": "first"}`. At nodes, psi needs matches, the number of rows that match, which
    both parties learn; a job with another number ends with an error that names the right one. Tables of the parties beside have further
    columns of all rows of the stacked ones (all tasks but predict), which are `insurer.claims`: in the order of these tables, or
    with on, for one such party, those with equal keys. Each party then learns which of its rows match, and that party whose. At nodes,
    matches says how many rows of each stacked table match: `{"north": 90, "south": 75}`, which all parties learn.

    >>> import tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> people = alice.table({"id": ["a", "b", "c"], "age": [31, 52, 47]})
    >>> claims = bob.table({"patient": ["c", "a"], "cost": [120.5, 80.0]})
    >>> tacet.join(people, claims, on={"alice": "id", "bob": "patient"}).columns
    ('alice.age', 'bob.cost')
    """
    if len(tables) < 2:
        raise Usage(f"join is given {len(tables)} table{'' if len(tables) == 1 else 's'}", remedy="name tables of two parties: join(people, claims)")
    _check(tables)
    names = [t.owner.name for t in tables]
    keys: dict[str, tuple[str, ...]] = {}
    if isinstance(on, Mapping):
        by = {str(party): _listed(columns) for party, columns in on.items()}
        if set(by) != set(names):
            raise Usage(f"on has the parties {', '.join(by)}, and the tables are of {', '.join(names)}", remedy='write on={"alice": "id", "bob": "patient"}')
        keys = {name: by[name] for name in names}
    elif on is not None:
        keys = {name: _listed(on) for name in names}
    for t in tables:
        if t.known or t.data is not None or t.chosen:
            for name in keys.get(t.owner.name, ()):
                if name not in t.columns:
                    raise Usage(f"{t!r} has no key column {name!r}", remedy=f"it has {', '.join(t.columns)}")
    if method is None:
        method = "psi" if keys else "aligned"
    others = tuple(str(p) for p in beside) if isinstance(beside, Sequence) and not isinstance(beside, str) else (str(beside),)
    if others and method != "stacked":
        raise Usage("beside is for stacked tables, of whose rows other parties have further columns", remedy='write tacet.join(…, method="stacked", beside=…)')
    if method == "stacked" and (matches is not None and not keys or keys and len(others) != 1):
        raise Usage(
            "stacked tables have other rows, none of which match",
            remedy='write tacet.join(a, b, method="stacked"), without on and matches; on is for one table beside them',
        )
    count: int | dict[str, int] | None = {str(party): n for party, n in matches.items()} if isinstance(matches, Mapping) else matches
    stacked = [name for name in names if name not in others]
    if method == "stacked" and count is not None and (not isinstance(count, dict) or set(count) != set(stacked)):
        raise Usage(
            "matches says of each stacked table how many of its rows match",
            remedy=f"write matches={{{', '.join(f'{name!r}: N' for name in stacked)}}}",
        )
    if method != "stacked" and isinstance(count, dict):
        raise Usage("matches by party is for stacked tables and one beside them", remedy="write matches=N, the number of rows that match")
    unknown = [p for p in others if p not in names]
    if unknown or len(names) - len(others) < 2:
        what = f"beside names {unknown[0]}, which has no table here" if unknown else "beside leaves fewer than two stacked tables"
        raise Usage(what, remedy=f"the tables are of {', '.join(names)}")
    keeps = None if keeper is None else str(keeper)
    return Joined(tables, method, keys, _listed(normalise), dict(aggregate or {}), kind, keeps, count, others)


def joined(data: Table | Joined) -> Joined:
    """A table, or tables, as what tasks take."""
    if isinstance(data, Table):
        return Joined((data,))
    if not isinstance(data, Joined):
        raise Usage(f"{type(data).__name__} is no table of a party", remedy="write alice.table(…), or tacet.join(alice.table(…), bob.table(…))")
    return data


def _check(tables: Iterable[Table]) -> None:
    seen: dict[str, Table] = {}
    for t in tables:
        if not isinstance(t, Table):
            raise Usage(f"join is given {type(t).__name__}, which is no table of a party", remedy='write alice.table("claims.csv")')
        first = next(iter(seen.values()), t)
        if t.owner.group != first.owner.group or getattr(t.owner, "network", None) is not getattr(first.owner, "network", None):
            raise Usage(
                f"{t.owner.name} and {first.owner.name} are parties of different groups",
                remedy="make all parties by one call: alice, bob = tacet.parties('alice bob')",
            )
        if t.owner.name in seen:
            raise Usage(f"{t.owner.name} has two tables in a join", remedy="join takes one table of each party")
        seen[t.owner.name] = t


def _listed(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def make(
    owner: Party,
    source: object,
    columns: Sequence[str] | None,
    types: Mapping[str, str | Sequence[str]] | None,
    format: Mapping[str, Any] | None,
    prepare: Mapping[str, Mapping[str, Any]] | None,
) -> Table:
    """The table of a simulated party."""
    chosen = tuple(columns or ())
    declared = {name: t if isinstance(t, str) else [str(x) for x in t] for name, t in (types or {}).items()}
    steps = dict(prepare or {})
    if isinstance(source, (str, os.PathLike)):
        path = os.path.abspath(os.fspath(source))
        if not path.endswith(EXTENSIONS):
            raise Usage(f"{source}: a table's file name ends with {', '.join(EXTENSIONS)}", remedy="pass such a file, or a table in memory")
        if not os.path.isfile(path):
            raise Usage(f"there is no file {source}", remedy="name a CSV or Parquet file")
        return Table(owner, path, None, chosen, declared, dict(format or {}), steps)
    if format:
        raise Usage("format belongs to files, and the table is in memory", remedy="leave format out")
    data, kinds = _columns(source, owner.name)
    for name in declared:
        if name not in data:
            raise Usage(f"types names column {name!r}, which the table of {owner.name} lacks", remedy=f"it has {', '.join(data)}")
    out = Table(owner, "", data, (), {**kinds, **declared}, {}, steps)
    out.schema  # noqa: B018: known from the start
    return out[chosen] if chosen else out


def one_line_rows(data: Mapping[str, list[Any]] | None) -> bool:
    """Whether line i of a table in memory, written as a file, is row i−2: no text in it has several lines."""
    return data is not None and not any(isinstance(x, str) and ("\n" in x or "\r" in x) for c, v in data.items() for x in (c, *v))


def _columns(source: Any, name: str) -> tuple[dict[str, list[Any]], dict[str, str | list[str]]]:
    """Values and kinds of a table in memory: pandas, polars, pyarrow, or a dict of columns."""
    library = type(source).__module__.partition(".")[0]
    declared: dict[str, list[str]] = {}
    if library == "pandas" and hasattr(source, "dtypes") and hasattr(source, "columns"):
        if index := [str(n) for n in source.index.names if n is not None]:
            raise Usage(f"the table of {name} has an index {', '.join(index)}, which is no column", remedy="make it one: frame.reset_index(); or drop it: reset_index(drop=True)")
        raw: dict[str, Any] = {}
        for i, column in enumerate(source.columns):
            series = source.iloc[:, i]
            if str(column) in raw:
                raise Usage(f"the table of {name} has two columns {column!r}", remedy="rename one of them")
            absent = series.isna().to_numpy()
            raw[str(column)] = [None if gone else value for value, gone in zip(series.tolist(), absent, strict=True)]
            if str(series.dtype) == "category":
                declared[str(column)] = [str(x) for x in series.cat.categories]
                raw[str(column)] = [None if x is None else str(x) for x in raw[str(column)]]
    elif library == "polars" and hasattr(source, "to_dict"):
        raw = source.to_dict(as_series=False)
        for column in source.columns:
            if type(source[column].dtype).__name__ == "Enum":
                declared[column] = [str(x) for x in source[column].dtype.categories]
    elif library == "pyarrow" and hasattr(source, "to_pydict"):
        raw = source.to_pydict()
    elif isinstance(source, Mapping):
        raw = {str(k): v.tolist() if hasattr(v, "tolist") else list(v) for k, v in source.items()}
    else:
        raise Usage(
            f"{type(source).__name__} is no table",
            remedy="pass a path, a table of pandas, polars or pyarrow, or a dict of columns",
        )
    if not raw:
        raise Usage(f"the table of {name} has no columns", remedy="pass columns by name")
    lengths = {len(v) for v in raw.values()}
    if len(lengths) > 1 or 0 in lengths:
        raise Usage(f"the columns of the table of {name} have {', '.join(map(str, sorted(lengths)))} rows", remedy="pass columns of one length, with rows")
    kinds: dict[str, str | list[str]] = {}
    out: dict[str, list[Any]] = {}
    for column, values in raw.items():
        out[column], kinds[column] = _column(values, column, name)
    return out, {**kinds, **declared}


def _column(values: list[Any], column: str, name: str) -> tuple[list[Any], str]:
    """Values, None where one is missing, and their kind."""
    values = [_plain(x) for x in values]
    seen = {type(x) for x in values if x is not None}
    if not seen:
        return values, "float"
    if seen <= {bool}:
        return values, "boolean"
    if seen <= {int}:
        return values, "integer"
    if seen <= {int, float}:
        for row, x in enumerate(values):
            if x is not None and math.isinf(x):
                raise Usage(f"column {column!r} of {name}, row {row}, is infinite", remedy="replace it, or make it missing")
        return values, "float"
    if seen <= {str}:
        for row, x in enumerate(values):
            if x is not None and x.strip() == MISSING:
                raise Usage(f"column {column!r} of {name}, row {row}, is the text {MISSING!r}, by which missing values are written", remedy="replace it")
        return values, "string"
    if seen <= {datetime.date}:
        return values, "date"
    raise Usage(
        f"column {column!r} of {name} holds {', '.join(sorted(t.__name__ for t in seen))}",
        remedy="a column holds numbers, truth values, texts or days (dates without a time)",
    )


def _plain(x: Any) -> Any:
    """A value as Python's own; None if it is missing."""
    if isinstance(x, np.generic):
        x = x.item()
    if x is None or (isinstance(x, float) and math.isnan(x)):
        return None
    if isinstance(x, datetime.datetime):
        return x.date() if (x.hour, x.minute, x.second, x.microsecond, x.tzinfo) == (0, 0, 0, 0, None) else x
    return x


def write(data: Mapping[str, list[Any]], columns: Iterable[str], path: Path) -> None:
    """Writes columns as CSV."""
    chosen = list(columns)
    with open(path, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
        out.writerow(chosen)
        out.writerows(zip(*([_text(x) for x in data[c]] for c in chosen), strict=True))


def _text(x: Any) -> str:
    if x is None:
        return MISSING
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, float):
        return repr(x)
    return x.isoformat() if isinstance(x, datetime.date) else str(x)
