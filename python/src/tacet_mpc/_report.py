"""Costs of runs and plans, as typed objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from . import _html
from ._errors import Usage
from ._locations import Locations

By = Literal["op", "line", "layer"]


@dataclass(frozen=True)
class Phase:
    """One phase of a run: its seconds, the bytes that each party sends, and its rounds."""

    seconds: float
    bytes_sent: list[int]
    rounds: int
    messages: list[int] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        """bytes of all parties"""
        return sum(self.bytes_sent)


@dataclass(frozen=True)
class Row:
    """Costs of one operation, line or layer."""

    name: str
    where: str
    bytes: int
    rounds: int
    offline_bytes: int
    seconds: float
    calls: int = 1


def _phase(data: dict[str, Any]) -> Phase:
    sent = data.get("bytes_sent", [])
    senders = [int(n) for n in sent] if isinstance(sent, list) else [int(sent)]
    messages = [int(n) for n in data.get("messages", [])]
    return Phase(float(data.get("seconds", 0)), senders, int(data.get("rounds", 0)), messages)


class Costs:
    """What runs and plans have in common."""

    def __init__(self, data: dict[str, Any], locations: Locations | None = None, title: str = "") -> None:
        self.data = data
        """the report as the program tacet prints it"""
        self._locations = locations
        self.title = title
        """the function's name"""
        self.protocol = str(data.get("protocol", ""))
        self.ring = int(data.get("ring", 0))
        self.fraction = int(data.get("fraction", 0))
        self.parties = tuple(str(p) for p in data.get("parties", []))
        self.network = str(data.get("network", ""))
        self.setup = _phase(data.get("setup", {}))
        self.input = _phase(data.get("input", {}))
        self.online = _phase(data.get("online", {}))
        self.output = _phase(data.get("output", {}))
        self.offline = _phase(data.get("offline", {}))

    @property
    def bytes(self) -> int:
        """bytes of all parties in the online phase"""
        return self.online.bytes

    @property
    def rounds(self) -> int:
        """rounds of the online phase"""
        return self.online.rounds

    @property
    def ops(self) -> list[Row]:
        """costs of each operation, in the order of the program"""
        return [
            Row(
                _name(op),
                self._where(str(op.get("loc", ""))),
                sum(op.get("bytes_sent", [])),
                int(op.get("path_rounds", 0)),
                int(op.get("offline_bytes", 0)),
                float(op.get("seconds", 0)),
                int(op.get("calls", 1)),
            )
            for op in self.data.get("ops", [])
        ]

    def by(self, what: By = "layer") -> list[Row]:
        """Costs by operation, by line of Python, or by layer: the most expensive first.

        A layer is a function that the traced one calls, as JAX names it. Rounds are those of the
        longest chain, so that they add up to the run's.
        """
        if what == "op":
            rows = self.ops
        elif what == "line":
            rows = _group(self.ops, lambda row: row.where or "unknown")
        elif what == "layer":
            names = [_layer(op) for op in self.data.get("ops", [])]
            rows = _group(self.ops, iter(names).__next__, named=True)
        else:
            from ._errors import Usage

            raise Usage(f"by({what!r}): there are no such rows", remedy='write by("op"), by("line") or by("layer")')
        return sorted(rows, key=lambda row: (-row.bytes, -row.offline_bytes, -row.rounds))

    def _where(self, loc: str) -> str:
        parts = loc.split(":")
        if self._locations is None or len(parts) < 2 or not parts[1].isdigit():
            return loc
        return self._locations.line(int(parts[1])) or loc

    def _summary(self) -> str:
        return f"{size(self.bytes)} in {self.rounds} rounds, {size(self.offline.bytes)} dealt"

    def _facts(self) -> list[tuple[str, str]]:
        return [
            ("parties", " ".join(self.parties)),
            ("protocol", f"{self.protocol}, ring {self.ring}, fraction {self.fraction}"),
            ("network", self.network),
        ]

    def _phases(self) -> list[list[str]]:
        rows = []
        for name in ("input", "online", "output", "offline"):
            p: Phase = getattr(self, name)
            rows.append([name, size(p.bytes), str(p.rounds), seconds(p.seconds)])
        return rows

    def _critical(self) -> list[Row]:
        return sorted((r for r in self.by("layer") if r.rounds), key=lambda r: -r.rounds)

    def _repr_html_(self) -> str:
        layers = [[r.name, r.where, size(r.bytes), str(r.rounds), size(r.offline_bytes), seconds(r.seconds)] for r in self.by("layer")[:12]]
        rounds = [(r.name, r.rounds) for r in self._critical()[:8]]
        return _html.page(
            repr(self),
            _html.facts(self._facts()),
            _html.table(["phase", "bytes", "rounds", "time"], self._phases(), self._more()),
            _html.table(["layer", "line", "bytes", "rounds", "dealt", "computing"], layers, "Layers, the most expensive first"),
            _html.bars(rounds, "The longest chain of rounds, by layer"),
        )

    def _more(self) -> str:
        return "Phases"


class Report(Costs):
    """What a run has cost."""

    @property
    def seconds(self) -> float:
        """seconds of all phases; the offline phase's if no network was simulated"""
        return self.input.seconds + self.online.seconds + self.output.seconds + self.offline.seconds

    @property
    def memory(self) -> int:
        """largest memory of the process, in bytes"""
        return int(self.data.get("peak_memory_bytes", 0))

    def __repr__(self) -> str:
        return f"Report({self._summary()}, {seconds(self.seconds)})"


@dataclass(frozen=True)
class Times:
    """Predicted seconds of the phases on a network."""

    network: str
    input: float
    online: float
    output: float
    offline: float

    @property
    def total(self) -> float:
        """input, online and output; the offline phase can be done before"""
        return self.input + self.online + self.output


class Plan(Costs):
    """What a run will cost: bytes, rounds and dealt bytes exactly, seconds and memory as an estimate."""

    @property
    def networks(self) -> dict[str, Times]:
        """predicted seconds by network"""
        return {
            str(n["network"]): Times(
                str(n["network"]),
                float(n.get("input_seconds", 0)),
                float(n.get("online_seconds", 0)),
                float(n.get("output_seconds", 0)),
                float(n.get("offline_seconds", 0)),
            )
            for n in self.data.get("plan", {}).get("networks", [])
        }

    @property
    def seconds(self) -> float:
        """predicted seconds of input, online and output phase on the declared network"""
        found = self.networks
        return (found.get(self.network) or next(iter(found.values()))).total

    @property
    def memory(self) -> int:
        """predicted memory of all parties in one process, in bytes"""
        return int(self.data.get("peak_memory_bytes", 0))

    def __repr__(self) -> str:
        return f"Plan({self._summary()}, {seconds(self.seconds)})"

    def _facts(self) -> list[tuple[str, str]]:
        times = ", ".join(f"{n}: {seconds(t.total)} + {seconds(t.offline)} offline" for n, t in self.networks.items())
        return [*super()._facts(), ("predicted", times), ("memory", size(self.memory))]

    def _more(self) -> str:
        return "Predicted, without data"


@dataclass(frozen=True)
class Variant:
    """One row of a comparison: its settings, and its plan or why there is none."""

    settings: dict[str, str]
    plan: Plan | None
    refused: str = ""


class Comparison:
    """Plans under several settings, side by side."""

    def __init__(self, variants: Iterable[Variant]) -> None:
        self.variants = list(variants)

    def __iter__(self) -> Any:
        return iter(self.variants)

    def __len__(self) -> int:
        return len(self.variants)

    def best(self, key: Callable[[Plan], float] = lambda plan: plan.seconds) -> Variant:
        """The variant whose plan has the least of a cost: by default, of seconds."""
        planned = [v for v in self.variants if v.plan is not None]
        if not planned:
            raise Usage(f"no variant has a plan: {self.variants[0].refused}" if self.variants else "nothing was compared", remedy="compare other settings")
        return min(planned, key=lambda v: key(v.plan))  # type: ignore[arg-type]

    def _rows(self) -> list[list[str]]:
        rows = []
        for v in self.variants:
            name = ", ".join(f"{k}={x}" for k, x in v.settings.items())
            p = v.plan
            if p is None:
                rows.append([name, v.refused, "", "", "", ""])
            else:
                rows.append([name, size(p.bytes), str(p.rounds), size(p.offline.bytes), seconds(p.seconds), size(p.memory)])
        return rows

    _HEAD = ("settings", "bytes", "rounds", "dealt", "time", "memory")

    def __repr__(self) -> str:
        rows = [list(self._HEAD), *self._rows()]
        widths = [max(len(r[i]) for r in rows if i != 1 or r[2]) for i in range(6)]
        return "\n".join("  ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)).rstrip() for r in rows)

    def _repr_html_(self) -> str:
        return _html.page("Comparison of plans", _html.table(list(self._HEAD), self._rows(), ""))


@dataclass(frozen=True)
class Finding:
    """What goes wrong in fixed point: the place, and the argument's element if it is one."""

    message: str
    where: str
    op: str = ""
    argument: str = ""
    index: tuple[int, ...] | None = None

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class Check:
    """Where fixed point ends: values out of range, and operations at which errors begin."""

    def __init__(self, findings: list[Finding], largest: float, ring: int, title: str) -> None:
        self.findings = findings
        self.largest = largest
        """the largest magnitude of a secret float"""
        self.ring = ring
        """the narrowest ring that holds all values; 0 if none does"""
        self._title = title

    @property
    def ok(self) -> bool:
        """whether nothing goes wrong"""
        return not self.findings

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        if self.ok:
            return f"Check(nothing to report; largest magnitude {self.largest:.6g}, ring {self.ring} suffices)"
        return "\n".join(["Check:", *(f"  {f}" for f in self.findings)])

    def _repr_html_(self) -> str:
        rows = [[f.where, f.op, f.message] for f in self.findings]
        head = f"Check of {self._title}: " + ("nothing to report" if self.ok else f"{len(rows)} to look at")
        return _html.page(head, _html.table(["line", "operation", "what"], rows, "") if rows else "")


def _name(op: dict[str, Any]) -> str:
    short = str(op.get("op", "")).removeprefix("stablehlo.")
    return f"{op['pattern']} ({short})" if op.get("pattern") else short


def _layer(op: dict[str, Any]) -> str:
    """The innermost function in JAX's name stack: "jit(score)/jit(relu)/max" is relu's."""
    stack = str(op.get("name", "")).split("/")
    inner = [s for s in stack[1:-1] if s not in ("while", "body", "cond", "closed_call")]
    if inner:
        name = "/".join(s.removeprefix("jit(").removesuffix(")") for s in inner)
    else:
        name = str(op.get("pattern") or stack[-1] or op.get("op", ""))
    return name.removeprefix("stablehlo.")


def _group(rows: list[Row], key: Callable[..., str], named: bool = False) -> list[Row]:
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        name = key() if named else key(row)
        groups.setdefault((name, row.where if named else ""), []).append(row)
    return [
        Row(
            name,
            where if named else members[0].where,
            sum(r.bytes for r in members),
            sum(r.rounds for r in members),
            sum(r.offline_bytes for r in members),
            sum(r.seconds for r in members),
            sum(r.calls for r in members),
        )
        for (name, where), members in groups.items()
    ]


def size(n: float) -> str:
    """A number of bytes for people: "1.5 MB"."""
    for unit in ("B", "kB", "MB", "GB"):
        if abs(n) < 1000:
            return f"{n:.0f} {unit}" if unit == "B" or n >= 100 else f"{n:.3g} {unit}"
        n /= 1000
    return f"{n:.3g} TB"


def seconds(s: float) -> str:
    """A time for people: "12 ms"."""
    if s < 0.001:
        return f"{s * 1e6:.0f} µs"
    if s < 1:
        return f"{s * 1e3:.3g} ms"
    return f"{s:.3g} s" if s < 120 else f"{s / 60:.1f} min"
