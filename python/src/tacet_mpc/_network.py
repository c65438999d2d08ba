"""Real nodes: the same functions as jobs among the parties' own machines, where the data stays."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _html
from ._arrays import DTYPES, Array
from ._child import Child
from ._errors import Denied, Error, Interrupted, Lost, Names, Timeout, Usage
from ._owners import Owned, Party, Spec
from ._report import Report

if TYPE_CHECKING:
    from ._services import Service
    from ._tables import Table

FINAL = ("done", "failed", "denied", "cancelled")


@dataclass(frozen=True)
class Reference(Spec):
    """An array that stays at its node, of which shape and element type are known."""

    file: str
    """the name in the owner's catalogue or data folder, or a path"""
    resident: bool = False
    kept: str = ""
    result: int = 0


@dataclass(frozen=True)
class Node(Party):
    """A party with a node of its own."""

    network: Any = None

    def array(self, name: str, *, shape: int | Iterable[int] | None = None, dtype: Any = None, resident: bool = False) -> Any:
        """A reference to an array that stays at this party's node.

        name is an entry of the node's catalogue, a file of its data folders, or a path. Shape and element
        type are those of the file, since programs are made for them: without shape= the node is asked, which
        answers where its policy has `describe: true`. With shape= nobody is asked, and dtype is float32 unless
        it is given. resident says that a service shares the array once, for all requests.
        """
        file = os.path.abspath(name) if os.path.exists(name) else name
        if shape is None:
            found, known = self._described(name, file)
            shape, dtype = found, known if dtype is None else dtype
        spec: Spec = self.spec(shape, "float32" if dtype is None else dtype).value
        return Owned(Reference(spec.shape, spec.dtype, file, resident), self)

    def table(
        self,
        source: object,
        *,
        columns: Sequence[str] | None = None,
        types: Mapping[str, str | Sequence[str]] | None = None,
        format: Mapping[str, Any] | None = None,
        prepare: Mapping[str, Mapping[str, Any]] | None = None,
        rows: int | None = None,
    ) -> Table:
        """A reference to a table of this party's node: an entry of its catalogue, which says how its owner prepares it.

        Nothing but its schema leaves the node: rows, names and kinds of columns, where the policy has `describe: true`. With
        rows and columns nobody is asked; types then say which columns hold texts (`{"region": "string"}`).
        """
        from ._tables import Column, Schema, Table

        if format is not None or prepare is not None:
            raise Usage(f"format and prepare of a table are declared in the catalogue of {self.name}", remedy="leave them out")
        if not isinstance(source, str):
            raise Usage(f"{self.name} has a node, which reads its own tables", remedy=f'name an entry of its catalogue: {self.name}.table("claims")')
        out = Table(self, source, None, tuple(columns or ()))
        if rows is not None:
            if not columns:
                raise Usage(f"{source} has rows and no columns", remedy="say both: rows=1000, columns=[…]; or neither, and the node is asked")
            kinds = types or {}
            known = [(name, kinds.get(name, "float")) for name in columns]
            made = [Column(n, k) if isinstance(k, str) else Column(n, "category", tuple(map(str, k))) for n, k in known]
            out.known.append(Schema(int(rows), tuple(made)))
        elif types is not None:
            raise Usage(f"types of {source} are said with rows and columns", remedy="leave types out: the node is asked")
        return out

    def _described(self, name: str, file: str) -> tuple[tuple[int, ...], str]:
        """Shape and element type of an input, from its node."""
        try:
            arrays = json.loads(self.network._tacet(["inputs", file, f"--node={self.name}", "--json"]))["arrays"]
        except Error as err:
            if not isinstance(err, Denied):
                raise
            raise Denied(
                f"{self.name} does not tell the shape of {name}",
                party=self.name,
                remedy=f"say it: {self.name}.array({name!r}, shape=(1000, 3)); or ask {self.name} for a rule with describe: true",
            ) from None
        if len(arrays) != 1 or arrays[0].get("name"):
            raise Usage(
                f"{name} of {self.name} holds arrays by name, and a reference is to one array",
                remedy="save the array as an .npy file",
            )
        if (dtype := DTYPES.get(arrays[0]["dtype"])) is None:
            raise Usage(f"{name} of {self.name} has the element type {arrays[0]['dtype']}, which NumPy lacks", remedy="save it as float32")
        return tuple(arrays[0]["shape"] or ()), dtype

    def __call__(self, value: object) -> Any:
        raise Usage(
            f"{self.name} has a node, which reads its own data: values of this process cannot be given to it",
            remedy=f'refer to the data: {self.name}.array("a.npy")',
        )

    def __repr__(self) -> str:
        return self.name


class Job:
    """A job at the parties' nodes."""

    def __init__(self, network: Network, id: str, result: Callable[[list[Array]], Any] | None = None, names: Names | None = None) -> None:
        self.id = id
        self._network = network
        self._result = result or tuple
        self._names = names or Names()
        self._report: Report | None = None

    @property
    def status(self) -> list[dict[str, Any]]:
        """what each node says of the job"""
        found: list[dict[str, Any]] = json.loads(self._network._tacet(["jobs", self.id, "--json"]))
        return found

    @property
    def state(self) -> str:
        """pending, queued, running, done, failed, denied or cancelled"""
        return _state(self.status)

    @property
    def done(self) -> bool:
        """whether the job has ended"""
        return self.state in FINAL

    def wait(self, timeout: float | None = None) -> Job:
        """Waits until the job has ended. Its failure is raised; after the timeout the job continues."""
        end = None if timeout is None else time.monotonic() + timeout
        pause = 0.05
        try:
            while True:
                status = self.status
                if all(s["state"] in FINAL for s in status):
                    _raise(self.id, status, self._names)
                    return self
                if end is not None and time.monotonic() >= end:
                    raise Timeout(f"job {self.id[:8]} is not done within {timeout:g} s: {_what(status)}", remedy="it continues: wait again, or cancel it")
                time.sleep(pause if end is None else max(0.0, min(pause, end - time.monotonic())))
                pause = min(1.0, 1.5 * pause)
        except KeyboardInterrupt:
            raise Interrupted(f"interrupted: job {self.id[:8]} continues at the nodes; job.cancel() ends it") from None

    def result(self, timeout: float | None = None) -> Any:
        """The results, from a party that learns them and lets this certificate fetch them."""
        self.wait(timeout)
        return self._result(self._fetch())

    def __await__(self) -> Generator[Any, None, Any]:
        return asyncio.to_thread(self.result).__await__()

    def cancel(self) -> None:
        """Cancels the job at all nodes."""
        self._network._tacet(["cancel", self.id])

    def approve(self, party: Party | str) -> None:
        """Approves the job at the node of a party; this certificate must be an admin's there."""
        self._network._tacet(["approve", self.id, f"--node={party}"])

    def logs(self) -> str:
        """State, phase, rule and error at each node, one a line."""
        return "\n".join(f"{s['node']}: {_describe(s)}" for s in self.status)

    @property
    def report(self) -> Report:
        """what the job has cost"""
        if self._report is None:
            self._fetch()
        assert self._report is not None
        return self._report

    def _fetch(self) -> list[Array]:
        outs: list[Array] = []

        def read(child: Child) -> None:
            self._report = Report(json.loads(child.scratch.file("report.json").read_text()))
            outs.extend(read_outs(child.scratch.file("out")))

        self._network._tacet(["fetch", self.id, "--out", "{}/out", "--report", "{}/report.json"], read=read, names=self._names)
        return outs

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled job is what `net.job` finds: its results are a tuple."""
        return _job_again, (self._network.file, self.id)

    def __repr__(self) -> str:
        try:
            return f"{type(self).__name__}({self.id[:8]}: {_what(self.status)})"
        except Error as err:
            return f"{type(self).__name__}({self.id[:8]}: {err.message})"

    def _repr_html_(self) -> str:
        rows = [[s["node"], s["state"], str(s.get("phase", "")), str(s.get("rule", "")), str(s.get("error", ""))] for s in self.status]
        return _html.page(f"Job {self.id[:8]}", _html.table(["node", "state", "phase", "rule", "error"], rows, ""))


def _job_again(file: str, id: str) -> Job:
    return Job(connect(file), id)


class Network:
    """The nodes of a cluster file. `connect` makes one."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.parties = tuple(_nodes(Path(file)))

    def __getitem__(self, name: str) -> Node:
        if name not in self.parties:
            raise Usage(f"{self.file} has no node of {name}", remedy=f"it has {', '.join(self.parties)}")
        return Node(name, self.parties, self)

    def __enter__(self) -> Network:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def kept(self, name: str, *, shape: int | Iterable[int], dtype: Any = "float32", result: int = 0) -> Any:
        """A result that an earlier job kept as shares (submit with keep=), as an argument."""
        first = self[self.parties[0]]
        spec: Spec = first.spec(shape, dtype).value
        return Owned(Reference(spec.shape, spec.dtype, "", False, name, result), first)

    def jobs(self) -> list[Job]:
        """The jobs that the nodes show to this certificate, newest first."""
        seen = dict.fromkeys(str(s["id"]) for s in json.loads(self._tacet(["jobs", "--json"])))
        return [Job(self, id) for id in seen]

    def job(self, id: str) -> Job:
        """The job whose id begins so: of another day, or another process."""
        found = json.loads(self._tacet(["jobs", id, "--json"]))
        return Job(self, str(found[0]["id"]))

    def service(self, id: str) -> Service:
        """The service whose id begins so: of another day, another process, or `tacet serve`. Its requests take their inputs by position,
        and their results are tuples."""
        from ._services import Service

        return Service(self, self.job(id).id)

    def __repr__(self) -> str:
        return f"Network({self.file}: {', '.join(self.parties)})"

    def _tacet(
        self,
        args: list[str],
        read: Callable[[Child], None] | None = None,
        write: Callable[[Path], None] | None = None,
        names: Names | None = None,
        timeout: float | None = None,
    ) -> str:
        """Runs a command with the cluster file; {} in its arguments is the private folder."""
        with Child() as child:
            folder = str(child.scratch.path)
            child.start([*(a.replace("{}", folder) for a in args), f"--cluster={self.file}"])
            if write is not None:
                write(child.scratch.path)
            printed = child.run(names, None, timeout)
            if read is not None:
                read(child)
            child.finish()
            return printed.decode()


def connect(file: str | os.PathLike[str] = "") -> Network:
    """The nodes of a cluster file: by default cluster.yaml, or cluster/cluster.yaml, which `tacet up` writes."""
    paths = [os.fspath(file)] if file else ["cluster.yaml", os.path.join("cluster", "cluster.yaml")]
    for path in paths:
        if os.path.isfile(path):
            return Network(os.path.abspath(path))
    raise Usage(f"there is no cluster file {' or '.join(paths)}", remedy="name one: connect('cluster.yaml'); `tacet up` makes a test cluster")


def job_inputs(inputs: list[dict[str, Any]], leaves: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """The inputs of a job file, where references stand for arguments."""
    for given, leaf in zip(inputs, leaves, strict=True):
        value = leaf.value
        if not isinstance(value, Reference):
            yield given
        elif value.kept:
            yield {"kept": value.kept, "result": value.result, "arg": given["arg"]}
        else:
            yield {**given, "file": value.file, **({"resident": True} if value.resident else {})}


def submit(network: Network, command: list[str], job: dict[str, Any], texts: Mapping[str, str], public: dict[int, Array]) -> str:
    """Submits a job and returns what the command prints. texts has the programs by the names of their files."""
    from ._private import save

    def write(folder: Path) -> None:
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "job.yaml").write_text(json.dumps(job), encoding="utf-8")
        for arg, array in public.items():
            save(str(folder / f"arg{arg}.npy"), array)

    return network._tacet([command[0], "{}/job.yaml", *command[1:]], write=write)


def network_of(leaves: Iterable[Any]) -> None:
    """Refuses leaves whose data is in this process although they have owners."""
    for leaf in leaves:
        if leaf.owner is not None and not isinstance(leaf.value, Reference):
            raise Usage(
                f"{leaf.name} is a value of this process that belongs to {leaf.owner.name}",
                remedy="nodes read their own data: pass net['alice'].array('a.npy')",
            )


_ENTRY = re.compile(r"^\s+([\w.@-]+)\s*:\s*\S+")
_FLOW = re.compile(r"nodes\s*:\s*\{([^}]*)\}")


def _nodes(path: Path) -> list[str]:
    """The names under nodes: of a cluster file, whose other parts the program tacet reads."""
    text = path.read_text(encoding="utf-8")
    if found := _FLOW.search(text):
        names = [entry.partition(":")[0].strip().strip("\"'") for entry in found[1].split(",")]
    else:
        names, inside = [], False
        for line in text.splitlines():
            if re.match(r"nodes\s*:\s*(#.*)?$", line):
                inside = True
            elif inside and (entry := _ENTRY.match(line)):
                names.append(entry[1].strip("\"'"))
            elif line.strip() and not line.startswith((" ", "#")):
                inside = False
    names = [n for n in names if n]
    if not names:
        raise Usage(f"{path} names no nodes", remedy="it needs nodes: {alice: host:7001, …}, as `tacet up` writes it")
    return names


def read_outs(folder: Path) -> list[Array]:
    outs: list[Array] = []
    while (path := folder / f"out{len(outs)}.npy").exists():
        outs.append(np.load(path))
    return outs


def _state(status: list[dict[str, Any]]) -> str:
    """The state of a job by what its nodes say: an end of one is the end of all."""
    states = [str(s["state"]) for s in status]
    for state in ("denied", "cancelled", "failed", "pending", "queued", "running"):
        if state in states:
            return state
    return "done"


def _what(status: list[dict[str, Any]]) -> str:
    state = _state(status)
    at = [s for s in status if s["state"] == state]
    if state == "pending":
        rules = "; ".join(f"rule {s['rule']!r} asks its owner" for s in at if s.get("rule"))
        return f"pending at {', '.join(s['node'] for s in at)}" + (f": {rules}" if rules else "")
    if state == "running" and at and at[0].get("steps"):
        return f"running: {at[0].get('phase', '')} {at[0].get('step', 0)} of {at[0]['steps']}"
    return state + (f": {at[0]['error']}" if at and at[0].get("error") else "")


def _describe(s: dict[str, Any]) -> str:
    parts = [str(s["state"]), str(s.get("phase", "")), f"rule {s['rule']}" if s.get("rule") else "", str(s.get("error", ""))]
    if s.get("newest_checkpoint"):
        parts.append(f"checkpoint {s['newest_checkpoint']}")
    return ", ".join(p for p in parts if p)


def _raise(id: str, status: list[dict[str, Any]], names: Names) -> None:
    """Raises the failure of a job that has ended."""
    state = _state(status)
    if state == "done":
        return
    at = next(s for s in status if s["state"] == state)
    text = names.translate(str(at.get("error", state)))
    what = f"job {id[:8]} is {state} at {at['node']}: {text}"
    if state == "denied":
        raise Denied(what, party=str(at["node"]), rule=str(at.get("rule", "")), remedy=f"ask {at['node']} to allow it in its policy")
    if state == "cancelled":
        raise Error(what, party=str(at["node"]), remedy="submit it again")
    if found := re.search(r"\blost (\w[\w.@-]*)(?: at .*?, round (\d+))?", text):
        raise Lost(what, party=found[1], round=int(found[2] or 0), remedy="submit it again; with checkpoint= it can resume")
    raise Error(what, party=str(at["node"]), remedy="tacet jobs shows what each node says")

