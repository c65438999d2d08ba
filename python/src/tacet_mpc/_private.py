"""Private functions: a decorated function runs on values that their owners do not show."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import inspect
import json
import sys
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

import numpy as np

from ._arrays import WIDE, Array, narrow
from ._bar import Bar
from ._child import Cancelled, Child, Event
from ._errors import Names, RangeError, Usage
from ._network import Job, Network, Node, Reference, job_inputs, network_of, submit
from ._owners import Owned, Party
from ._report import Check, Comparison, Finding, Plan, Report, Variant
from ._services import Service, further_program, orders, served, state_arguments, state_names
from ._trace import Program, trace
from ._trees import Leaf, flatten, jax_module

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
S = TypeVar("S")

_REMEMBERED = 64  # programs and plans of one function


class Narrowed(UserWarning):
    """Arguments of 64 bits were narrowed to 32, as JAX does without jax_enable_x64."""


@dataclass(frozen=True)
class Settings:
    """How a function is run. None leaves the choice to the program tacet."""

    reveal: tuple[str, ...] | None = None
    protocol: str | None = None
    ring: int | str | None = None
    fraction: int | None = None
    computing: int | None = None
    network: str | None = None
    set: tuple[tuple[str, str], ...] = ()
    timeout: float | None = None

    def key(self) -> tuple[Any, ...]:
        return (self.reveal, self.protocol, self.ring, self.fraction, self.computing, self.network, self.set)


def _settings(base: Settings, **changes: Any) -> Settings:
    """The settings with changes; wrong ones are refused here, where the caller's line is."""
    known = {k: v for k, v in changes.items() if v is not None}
    if "reveal" in known:
        reveal = known["reveal"]
        if not isinstance(reveal, (str, Party, Iterable)) or isinstance(reveal, Mapping):
            raise Usage(f"reveal={reveal!r} names no party", remedy='write reveal="alice", or reveal=[alice, bob]')
        listed = reveal.replace(",", " ").split() if isinstance(reveal, str) else [reveal] if isinstance(reveal, Party) else list(reveal)
        known["reveal"] = tuple(p.name if isinstance(p, Party) else str(p) for p in listed)
    if "set" in known:
        if not isinstance(known["set"], Mapping):
            raise Usage(f"set={known['set']!r} is no dict", remedy='write set={"optimize": "rounds"}')
        known["set"] = tuple(sorted((str(k), str(v).lower() if isinstance(v, bool) else str(v)) for k, v in known["set"].items()))
    if "ring" in known and known["ring"] not in (32, 64, 128, "auto"):
        raise Usage(f"ring={known['ring']!r} is no ring", remedy='write ring=32, 64, 128 or "auto"')
    if "timeout" in known and (isinstance(known["timeout"], bool) or not isinstance(known["timeout"], (int, float)) or not known["timeout"] > 0):
        raise Usage(f"timeout={known['timeout']!r} is no time", remedy="write seconds: timeout=60")
    return replace(base, **known)


@dataclass
class Call:
    """One call: the program, and a leaf for each of its arguments."""

    program: Program
    leaves: list[Leaf]
    arrays: list[Array | None]
    """None where only shapes are known"""
    parties: tuple[str, ...]
    key: tuple[Any, ...]
    result: Callable[[list[Array]], Any]
    clear: Callable[[], list[Array]] = field(default=lambda: [])


class Private(Generic[P, R]):
    """A function that runs among parties. `private` makes one."""

    def __init__(self, fn: Callable[P, R], settings: Settings, static: tuple[str | int, ...] = ()) -> None:
        self._fn = fn
        self._settings = settings
        self._name = getattr(fn, "__name__", "function")
        functools.update_wrapper(self, fn, updated=())
        try:
            self._signature = inspect.signature(fn)
        except (TypeError, ValueError):
            raise Usage(f"{fn!r} has no signature", remedy="wrap it in a function of your own") from None
        self._static = self._static_names(static)
        self._programs: OrderedDict[Any, Program] = OrderedDict()
        self._plans: OrderedDict[Any, Plan] = OrderedDict()
        self._report: Report | None = None
        self._narrowed = False
        self._lock = threading.RLock()

    # -- what users call

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Runs the function with all parties simulated in a child process, and returns what `reveal`
        learns, as NumPy arrays."""
        return self._execute(args, kwargs)  # type: ignore[no-any-return]

    async def aio(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The same as a call, for asyncio. Cancelling the task ends the run."""
        cancel = threading.Event()
        run = functools.partial(self._execute, args, kwargs, cancel)
        task = asyncio.get_running_loop().run_in_executor(None, run)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            cancel.set()
            with contextlib.suppress(Exception):
                await task
            raise

    @property
    def report(self) -> Report:
        """The report of the last call."""
        if self._report is None:
            raise Usage(f"{self._name} has not been called yet", remedy=f"call it, or predict its costs: {self._name}.plan(…)")
        return self._report

    def plan(self, *args: Any, network: str | Sequence[str] | None = None, **kwargs: Any) -> Plan:
        """What a call will cost, without running it. Values or their shapes (`alice.spec`) do.

        network is none, lan, wan, slow or "100e6/10ms" (bits per second, round trip); of several the
        first is the declared one, on which choices depend.
        """
        call = self._prepare(args, kwargs, data=False)
        listed = [network] if isinstance(network, str) else list(network or ())
        if not listed:
            listed = [self._settings.network or "none", "lan", "wan", "slow"]
        key = (call.key, self._settings.key(), tuple(listed), _public_digest(call))
        with self._lock:
            if (found := self._plans.get(key)) is not None:
                self._plans.move_to_end(key)
                return found
        extra = [f"--network={n}" for n in listed]
        data = json.loads(self._tacet(call, "plan", [*extra, "--json"], data=False))
        plan = Plan(data, call.program.locations, self._name)
        with self._lock:
            _remember(self._plans, key, plan)
        return plan

    def compare(self, *args: Any, **kwargs: Any) -> Comparison:
        """Plans under several settings: compare(x, m, protocol=["semi2k", "aby3"], ring=[64, 128]).

        Keywords that are no parameters of the function are settings: protocol, ring, fraction,
        parties, and set={"exp.mode": ["prime", "taylor"]} for options.
        """
        parameters = self._signature.parameters
        axes = {k: kwargs.pop(k) for k in list(kwargs) if k not in parameters}
        axes.update(axes.pop("set", {}) or {})
        network = axes.pop("network", self._settings.network)
        if not axes:
            raise Usage("compare needs settings", remedy='write compare(…, protocol=["semi2k", "aby3"], ring=[64, 128])')
        texts = []
        for key, values in axes.items():
            listed = [values] if isinstance(values, (str, int)) else list(values)
            texts.append(f"{key}={','.join(map(str, listed))}")
        call = self._prepare(args, kwargs, data=False)
        extra = [f"--network={network}"] if network else []
        out = json.loads(self._tacet(call, "plan", [*extra, "--json", "--compare", *texts], data=False))
        variants = []
        for v in out["variants"]:
            chosen = dict(s.split("=", 1) for s in v["settings"])
            plan = Plan(v["plan"], call.program.locations, self._name) if v.get("plan") else None
            variants.append(Variant(chosen, plan, call.program.names().translate(str(v.get("refused", "")))))
        return Comparison(variants)

    def check(self, *args: P.args, **kwargs: P.kwargs) -> Check:
        """Runs the function in clear and in simulated fixed point, and names what goes wrong, with the
        lines of Python. All data is in one process: for development."""
        names = Names()
        findings: list[Finding] = []
        largest, ring = 0.0, 32

        def listen(event: Event) -> None:
            nonlocal largest, ring
            if event["event"] == "range":
                largest = max(largest, float(event.get("largest", 0)))
                need = int(event.get("ring", 0))
                ring = 0 if need == 0 or ring == 0 else max(ring, need)
            elif event["event"] == "check":
                text = str(event.get("message", ""))
                place = str(event.get("place", ""))
                findings.append(Finding(names.translate(text), names.place(place), str(event.get("operation", ""))))

        try:
            call = self._prepare(args, kwargs)
            names = call.program.names()
            self._tacet(call, "run", ["--check", "--ranges", "--protocol=plain", "--json"], listen=listen)
        except RangeError as err:
            findings.append(Finding(f"{err.message}{f' ({err.remedy})' if err.remedy else ''}", "", "", err.argument, err.index))
        return Check(findings, largest, ring, self._name)

    def verify(self, *args: P.args, atol: float = 1e-3, rtol: float = 1e-3, **kwargs: P.kwargs) -> R:  # type: ignore[valid-type]
        """A call whose results are compared with the function's own in clear.

        A difference above atol + rtol·|x| raises Tolerance. All data is in this process: for tests.
        """
        call = self._prepare(args, kwargs)
        expected = {f"out{i}": np.asarray(x) for i, x in enumerate(call.clear())}
        return call.result(self._run(call, None, expected, (atol, rtol)))  # type: ignore[no-any-return]

    def program(self, *args: Any, **kwargs: Any) -> str:
        """The function as StableHLO text."""
        return self._prepare(args, kwargs, data=False).program.text

    def using(
        self,
        *,
        reveal: str | Party | Iterable[str | Party] | None = None,
        protocol: str | None = None,
        ring: int | str | None = None,
        fraction: int | None = None,
        computing: int | None = None,
        network: str | None = None,
        set: Mapping[str, object] | None = None,
        timeout: float | None = None,
    ) -> Private[P, R]:
        """The same function with other settings.

        >>> import tacet_mpc as tacet
        >>> fast = tacet.private(lambda x: x + 1).using(protocol="aby3")
        """
        changed = _settings(
            self._settings, reveal=reveal, protocol=protocol, ring=ring, fraction=fraction,
            computing=computing, network=network, set=set, timeout=timeout,
        )  # fmt: skip
        out = self._with(changed)
        out._programs = self._programs  # programs do not depend on settings
        return out

    def _with(self, settings: Settings) -> Private[P, R]:
        return Private(self._fn, settings, tuple(self._static))

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Private[P, R]: ...
    @overload
    def __get__(self: Private[Concatenate[S, Q], R], instance: S, owner: type | None = None) -> Private[Q, R]: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """A method is bound to its object; what it reads from the object is public."""
        if instance is None:
            return self
        bound: Private[Any, R] = Private(self._fn.__get__(instance, owner), self._settings, tuple(self._static))
        if isinstance(getattr(instance, "__dict__", None), dict):
            instance.__dict__.setdefault(self._name, bound)
        return bound

    def __repr__(self) -> str:
        return f"<private {self._name}{self._signature}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Private[P, R]:
        return self  # what changes in it are remembered programs and the report of the last call

    def __reduce__(self) -> str | tuple[Any, ...]:
        """By name where a module has it under that name, as functions are pickled; else by the function that it was made of."""
        found: Any = sys.modules.get(self.__module__)
        name = str(getattr(self, "__qualname__", ""))
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is self:
            return name
        if type(self) is not Private:
            raise Usage(f"{self!r} cannot be pickled", remedy="make it in the other process, or name it at the top of a module")
        return Private, (self._fn, self._settings, tuple(self._static))

    # -- among nodes

    def submit(
        self, *args: Any, keep: str = "", checkpoint: int = 0, resume: Job | str = "", **kwargs: Any
    ) -> Job:
        """Submits the function as a job to the parties' nodes. Arguments are references to data that stays there.

        keep has the nodes keep the results as shares under a name (`net.kept`); checkpoint is the number of
        loop iterations between checkpoints, from which `resume` of a failed job continues.
        """
        call, network = self._remote(args, kwargs)
        flags = ["--detach", "--json", *self._link()]
        if checkpoint:
            flags.append(f"--checkpoint={checkpoint}")
        if resume:
            flags.append(f"--resume={resume.id if isinstance(resume, Job) else resume}")
        printed = submit(network, ["submit", *flags], self._remote_job(call, keep), {"program.mlir": call.program.text}, _public(call))
        return Job(network, str(json.loads(printed)[0]["id"]), call.result, call.program.names())

    def serve(
        self,
        *args: Any,
        batch: int = 0,
        restart: str = "never",
        state: str | Sequence[str] = (),
        programs: Mapping[str, Private[..., Any] | tuple[Private[..., Any], Mapping[str, Any]]] | None = None,
        **kwargs: Any,
    ) -> Service:
        """Opens the function as a service at the parties' nodes: arguments with resident=True are shared once, and
        each request brings the others.

        batch is the largest number of requests that are answered side by side. With restart="always" the nodes open
        the service again, as often as their policies allow, when a party or a node is lost; requests that were
        waiting fail.

        state names parameters that each request replaces: state="cache" of a function that returns (token, cache) has
        the next request read the cache that this one returns. It stays as shares, and no party learns it; the argument is the
        first value. States are the last values that the function returns, in the order of state.

        programs are further functions with the same parameters and state, by the names that requests give: {"prompt": prompt}, or
        {"prompt": (prompt, {"ids": alice.array("prompt.npy")})} where inputs of requests have other shapes.
        """
        if restart not in ("never", "always"):
            raise Usage(f"restart={restart!r}", remedy='write restart="always" or restart="never"')
        call, network = self._remote(args, kwargs)
        replaced = state_arguments(call.leaves, state_names(state, list(self._signature.parameters)))
        job = self._remote_job(call, "")
        made = {"": served(self._name, call, replaced)}
        texts = {"program.mlir": call.program.text}
        order = orders(call.leaves, replaced)
        dynamic, static = self._bind(args, kwargs)
        for i, (name, given) in enumerate((programs or {}).items()):
            other = further_program(self, call, dynamic, static, {path for path, _ in order}, name, given)
            made[name] = served(other.name, other.call, replaced)
            texts[f"program{i}.mlir"] = other.call.program.text
            job.setdefault("programs", {})[name] = f"program{i}.mlir"
        if replaced:
            job["state"] = made[""].state
            for given in job["inputs"]:
                if str(given["arg"]) in job["state"] and "owner" in given:
                    given["resident"] = True
        flags = [*self._link(), *([f"--batch={batch}"] if batch else []), *(["--restart=always"] if restart == "always" else [])]
        printed = submit(network, ["serve", *flags], job, texts, _public(call))
        return Service(network, printed.strip(), made, order)

    def _remote(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Call, Network]:
        call = self._prepare(args, kwargs, data=False)
        network_of(call.leaves)
        network = next((x.owner.network for x in call.leaves if isinstance(x.owner, Node)), None)
        if network is None:
            raise Usage("no argument lies at a node", remedy="net = tacet.connect('cluster.yaml'); net['alice'].array('a.npy')")
        return call, network

    def _remote_job(self, call: Call, keep: str) -> dict[str, Any]:
        job = job_file(call, self._settings)
        job["inputs"] = list(job_inputs(job["inputs"], call.leaves))
        if keep:
            job.setdefault("outputs", {})["keep"] = keep
        return job

    # -- from arguments to a program

    def _static_names(self, static: tuple[str | int, ...]) -> dict[str, None]:
        names = list(self._signature.parameters)
        out: dict[str, None] = {}
        for s in static:
            if isinstance(s, int) and -len(names) <= s < len(names):
                out[names[s]] = None
            elif isinstance(s, str) and s in names:
                out[s] = None
            else:
                raise Usage(
                    f"static={s!r} is no parameter of {self._name}{self._signature}",
                    remedy=f"its parameters are {', '.join(names) or 'none'}",
                )
        return out

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The dynamic and the static arguments by name. Defaults that are not overridden are constants of
        the program, as in jax.jit."""
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as err:
            raise Usage(f"{self._name}{self._signature}: {err}", remedy="call it as the function itself") from None
        dynamic, static = {}, {}
        for name, value in bound.arguments.items():
            if name not in self._static:
                dynamic[name] = value
                continue
            try:
                hash(value)
            except TypeError:
                raise Usage(
                    f"static argument {name} is a {type(value).__name__}, which has no hash",
                    remedy="pass a tuple, a string or a number, or take the name out of static=",
                ) from None
            static[name] = value
        return dynamic, static

    def _argument(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[[list[Array]], Any]:
        """A function that makes, of an array for each leaf of an argument, a tree as the argument is."""
        dynamic, _ = self._bind(args, kwargs)
        if name not in dynamic:
            raise Usage(f"{name} is left out, and is a constant of the program", remedy=f"pass {name}")
        _, structure = flatten({name: dynamic[name]})
        return lambda arrays: jax_module().tree_util.tree_unflatten(structure, arrays)[0]

    def _prepare(self, args: tuple[Any, ...], kwargs: dict[str, Any], data: bool = True) -> Call:
        dynamic, static = self._bind(args, kwargs)
        leaves, structure = flatten(dynamic)
        if all(leaf.owner is None for leaf in leaves) and (empty := [k for k, v in dynamic.items() if isinstance(v, Owned)]):
            raise Usage(f"{empty[0]} holds no array", remedy="pass an array or a number, or a pytree of them")
        parties = _parties(leaves, self._name)
        jax = jax_module()
        wide = bool(jax.config.jax_enable_x64)
        arrays: list[Array | None] = []
        abstract: list[Any] = []
        kinds: list[Any] = []
        for leaf in leaves:
            array, shaped, kind = self._leaf(leaf, wide, data, jax)
            arrays.append(array)
            abstract.append(shaped)
            kinds.append(kind)
        key = (structure, tuple(kinds), tuple((k, type(v), v) for k, v in static.items()), wide)
        with self._lock:
            program = self._programs.get(key)
            if program is None:
                named = [(leaf.name, x) for leaf, x in zip(leaves, abstract, strict=True)]
                program = trace(self._fn, self._signature, list(dynamic), structure, named, static)
                _remember(self._programs, key, program)
            else:
                self._programs.move_to_end(key)
        names = [leaf.name for leaf in leaves]
        if names != program.arguments:
            program = replace(program, arguments=names)
        tree = jax.tree_util
        finished = program

        def result(outs: list[Array]) -> Any:
            return tree.tree_unflatten(finished.tree, outs)

        def clear() -> list[Array]:
            given = dict(zip(dynamic, tree.tree_unflatten(structure, [_plain_value(x, a) for x, a in zip(leaves, arrays, strict=True)]), strict=True))
            given.update(static)
            bound = inspect.BoundArguments(self._signature, OrderedDict((k, given[k]) for k in self._signature.parameters if k in given))
            return [np.asarray(x) for x in tree.tree_leaves(self._fn(*bound.args, **bound.kwargs))]

        owners = tuple(leaf.owner.name if leaf.owner else None for leaf in leaves)
        return Call(program, leaves, arrays, parties, (key, owners, parties), result, clear)

    def _leaf(self, leaf: Leaf, wide: bool, data: bool, jax: Any) -> tuple[Array | None, Any, Any]:
        """A leaf's array, what JAX traces for it, and what of it decides the program."""
        if leaf.abstract and not data:
            if leaf.owner is None:
                raise Usage(f"{leaf.name} has no owner and no data", remedy="pass the value, which all parties know, or give it an owner")
            dtype = np.dtype(leaf.value.dtype)
            if isinstance(leaf.value, Reference) and not wide and dtype.name in WIDE and not leaf.value.kept:
                raise Usage(
                    f"{leaf.name} is {dtype.name} at the node of {leaf.owner}, and programs have 32 bits without jax_enable_x64",
                    remedy='save it with 32 bits, or enable 64: jax.config.update("jax_enable_x64", True)',
                )
            array = narrow(np.zeros(1, dtype), wide, leaf.name, lambda *_: None)
            shape = tuple(leaf.value.shape)
            return None, jax.ShapeDtypeStruct(shape, array.dtype), (shape, array.dtype)
        array = leaf.array()
        typeless = leaf.scalar or isinstance(leaf.value, list)
        narrowed = narrow(array, wide, leaf.name, lambda old, new: self._warn(leaf.name, old, new, typeless))
        if leaf.scalar:
            kind: Any = type(leaf.value)
            return narrowed, kind(0), kind
        return narrowed, jax.ShapeDtypeStruct(narrowed.shape, narrowed.dtype), (narrowed.shape, narrowed.dtype)

    def _warn(self, name: str, old: str, new: str, typeless: bool) -> None:
        if self._narrowed or typeless:
            return
        self._narrowed = True
        _caution(f"{self._name}: {name} is narrowed from {old} to {new} (said once; jax_enable_x64 keeps 64 bits)", Narrowed)

    # -- from a program to results

    def _execute(self, args: Any, kwargs: Any, cancel: threading.Event | None = None) -> Any:
        call = self._prepare(args, kwargs)
        return call.result(self._run(call, cancel))

    def _run(
        self,
        call: Call,
        cancel: threading.Event | None = None,
        expected: dict[str, Array] | None = None,
        tolerance: tuple[float, float] = (1e-3, 1e-3),
    ) -> list[Array]:
        if self._settings.reveal == ():
            raise Usage("reveal=() lets nobody learn the results", remedy='name a party: reveal="alice"')
        outs: list[Array] = []

        def read(child: Child) -> None:
            for i, (_, dtype) in enumerate(call.program.shapes):
                out = np.load(child.scratch.file(f"out/out{i}.npy"))
                outs.append(out.view(jax_module().numpy.dtype(dtype)) if out.dtype.kind == "V" else out)

        job: dict[str, Any] = {}
        if expected is not None:
            job["expect"] = {"file": "expected.npz", "atol": tolerance[0], "rtol": tolerance[1]}
        printed = self._tacet(call, "run", ["--json", *self._link()], job=job, expected=expected, read=read, cancel=cancel)
        self._report = Report(json.loads(printed), call.program.locations, self._name)
        return outs

    def _link(self) -> list[str]:
        return [f"--network={self._settings.network}"] if self._settings.network else []

    def _tacet(
        self,
        call: Call,
        command: str,
        flags: list[str],
        *,
        data: bool = True,
        job: dict[str, Any] | None = None,
        expected: dict[str, Array] | None = None,
        read: Callable[[Child], None] | None = None,
        listen: Callable[[Event], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> bytes:
        """Runs a command of tacet on a call and returns what it prints."""
        description = {**job_file(call, self._settings), **(job or {})}
        if read is not None:
            description.setdefault("outputs", {})["dir"] = "out"
        need = 2 * sum(int(np.prod(shape)) * 8 for shape, _ in call.program.shapes)
        need += sum(a.nbytes for a in call.arrays if a is not None)
        bar = Bar(self._name)

        def show(event: Event) -> None:
            if event["event"] == "notice" and event.get("warning"):
                _caution(call.program.names().translate(str(event["message"])), UserWarning)
            if listen is not None:
                listen(event)
            bar(event)

        with Child(need) as child:
            folder = child.scratch
            child.start([command, str(folder.file("job.yaml")), *flags])
            folder.file("program.mlir").write_text(call.program.text, encoding="utf-8")
            folder.file("job.yaml").write_text(json.dumps(description), encoding="utf-8")
            for i, (leaf, array) in enumerate(zip(call.leaves, call.arrays, strict=True)):
                if array is not None and (data or leaf.owner is None):
                    save(str(folder.file(f"arg{i}.npy")), array)
            if expected is not None:
                with open(folder.file("expected.npz"), "wb") as f:
                    np.savez(f, **expected)  # type: ignore[arg-type]
            try:
                printed = child.run(call.program.names(), show, self._settings.timeout, cancel)
                if read is not None:
                    read(child)
                child.finish()
            except Cancelled:
                raise asyncio.CancelledError from None
            finally:
                bar.close()
            return printed


def job_file(call: Call, settings: Settings) -> dict[str, Any]:
    """The job file of a call; arguments are in arg0.npy, arg1.npy, …."""
    inputs: list[dict[str, Any]] = []
    for i, leaf in enumerate(call.leaves):
        who = {"public": True} if leaf.owner is None else {"owner": leaf.owner.name}
        inputs.append({**who, "file": f"arg{i}.npy", "arg": i})
    job: dict[str, Any] = {"program": "program.mlir", "parties": list(call.parties), "inputs": inputs, "outputs": {}}
    if settings.reveal is not None:
        for name in settings.reveal:
            if name not in call.parties:
                raise Usage(f"reveal names {name}, who is no party", remedy=f"the parties are {', '.join(call.parties)}")
        job["outputs"]["reveal"] = list(settings.reveal)
    for key in ("protocol", "ring", "fraction", "computing"):
        if (value := getattr(settings, key)) is not None:
            job[key] = value
    if settings.set:
        job["set"] = dict(settings.set)
    if not job["outputs"]:
        del job["outputs"]
    return job


_BLOCK = 1 << 20  # bytes that are brought into C order at a time


def save(path: str, array: Array) -> None:
    """Writes an array, in C order, without copies where it lies so, and else block by block."""
    with open(path, "wb", buffering=0) as f:
        if array.flags.c_contiguous or array.ndim == 0:
            np.lib.format.write_array(f, array, allow_pickle=False)
            return
        header = {"descr": np.lib.format.dtype_to_descr(array.dtype), "fortran_order": False, "shape": array.shape}
        np.lib.format.write_array_header_1_0(f, header)
        rows = max(1, _BLOCK * len(array) // max(1, array.nbytes))
        for i in range(0, len(array), rows):
            np.ascontiguousarray(array[i : i + rows]).tofile(f)


def _caution(text: str, kind: type[Warning]) -> None:
    """Warns at the caller's line: the innermost one outside of this package."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __name__.partition(".")[0]:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, kind, stacklevel=level)


def _parties(leaves: list[Leaf], name: str) -> tuple[str, ...]:
    """The names of all parties, from the owners of the arguments."""
    owners = [leaf.owner for leaf in leaves if leaf.owner is not None]
    if not owners:
        raise Usage(
            f"no argument of {name} has an owner",
            remedy="say whose values are: alice, bob = tacet.parties('alice bob'); then pass alice(x), bob(model)",
        )
    for owner in owners[1:]:
        if owner.group != owners[0].group:
            raise Usage(
                f"{owners[0].name} and {owner.name} are parties of different groups",
                remedy="make all parties by one call: alice, bob = tacet.parties('alice bob')",
            )
    return owners[0].group


def _plain_value(leaf: Leaf, array: Array | None) -> Any:
    return leaf.value if leaf.scalar else array


def _public(call: Call) -> dict[int, Array]:
    """The values that all parties know, by argument."""
    return {i: a for i, (x, a) in enumerate(zip(call.leaves, call.arrays, strict=True)) if x.owner is None and a is not None}


def _public_digest(call: Call) -> bytes:
    """A digest of the values without an owner, on which plans depend."""
    h = hashlib.sha256()
    for leaf, array in zip(call.leaves, call.arrays, strict=True):
        if leaf.owner is None and array is not None:
            h.update(np.ascontiguousarray(array).view(np.uint8).data if array.ndim else array.tobytes())
    return h.digest()


def _remember(kept: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    kept[key] = value
    while len(kept) > _REMEMBERED:
        kept.popitem(last=False)


@overload
def private(
    fn: Callable[P, R],
    /,
    *,
    reveal: str | Party | Iterable[str | Party] | None = None,
    static: str | int | Sequence[str | int] = (),
    protocol: str | None = None,
    ring: int | str | None = None,
    fraction: int | None = None,
    computing: int | None = None,
    network: str | None = None,
    set: Mapping[str, object] | None = None,
    timeout: float | None = None,
) -> Private[P, R]: ...
@overload
def private(
    *,
    reveal: str | Party | Iterable[str | Party] | None = None,
    static: str | int | Sequence[str | int] = (),
    protocol: str | None = None,
    ring: int | str | None = None,
    fraction: int | None = None,
    computing: int | None = None,
    network: str | None = None,
    set: Mapping[str, object] | None = None,
    timeout: float | None = None,
) -> Callable[[Callable[P, R]], Private[P, R]]: ...
def private(
    fn: Callable[..., Any] | None = None,
    /,
    *,
    reveal: str | Party | Iterable[str | Party] | None = None,
    static: str | int | Sequence[str | int] = (),
    protocol: str | None = None,
    ring: int | str | None = None,
    fraction: int | None = None,
    computing: int | None = None,
    network: str | None = None,
    set: Mapping[str, object] | None = None,
    timeout: float | None = None,
) -> Any:
    """Makes a JAX function private: it runs on values that their owners do not show.

    reveal names the parties that learn the results (default: all). static names parameters whose
    values are part of the program, such as numbers of layers. protocol, ring, fraction, computing,
    network and set are those of job files; timeout is in seconds.

    >>> import jax.numpy as jnp, tacet_mpc as tacet
    >>> alice, bob = tacet.parties("alice bob")
    >>> @tacet.private(reveal="alice")
    ... def score(x, w):
    ...     return jnp.dot(x, w)
    >>> float(score(alice([1.0, 2.0]), bob([0.5, 0.25])).round(3))
    1.0
    >>> score.report.rounds
    1
    """
    if fn is not None and hasattr(fn, "state_dict"):
        raise Usage(
            f"private is given the module {type(fn).__name__}, which is no function of JAX",
            remedy='write tacet.from_torch(module.eval(), example).using(reveal="alice")',
        )
    if fn is not None and not callable(fn):
        remedy = "write @private, or @private(reveal=…)"
        if hasattr(fn, "predict"):
            remedy = "estimators: from tacet_mpc.sklearn import private"
        elif isinstance(fn, Owned):
            remedy = "make the function private, and call it on owned values: private(f)(alice(x))"
        raise Usage(f"private is given {type(fn).__name__ if hasattr(fn, 'predict') else repr(fn)}, which is no function", remedy=remedy)
    if not isinstance(static, (str, int, Iterable)):
        raise Usage(f"static={static!r} names no parameter", remedy='write static="k", or static=("k", "n")')
    names = tuple(static.replace(",", " ").split()) if isinstance(static, str) else (static,) if isinstance(static, int) else tuple(static)
    settings = _settings(
        Settings(), reveal=reveal, protocol=protocol, ring=ring, fraction=fraction,
        computing=computing, network=network, set=set, timeout=timeout,
    )  # fmt: skip

    def decorate(f: Callable[..., Any]) -> Private[..., Any]:
        if isinstance(f, Private):
            if names:
                raise Usage(
                    f"static= is given to {f!r}, which is private already",
                    remedy="name static parameters where the function is made private",
                )
            return f.using(
                reveal=reveal, protocol=protocol, ring=ring, fraction=fraction,
                computing=computing, network=network, set=set, timeout=timeout,
            )  # fmt: skip
        return Private(f, settings, names)

    return decorate if fn is None else decorate(fn)
