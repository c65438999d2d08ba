"""Services at nodes: functions that stay there and answer requests, with state that stays as shares between them."""

from __future__ import annotations

import asyncio
import functools
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Array
from ._child import Child
from ._errors import Error, Names, Usage
from ._network import FINAL, Job, Network, Reference, connect, read_outs
from ._owners import Owned
from ._report import Report
from ._trace import Program
from ._trees import Leaf, base_name, jax_module

if TYPE_CHECKING:
    from ._private import Call, Private

Until = int | str | Callable[[Any], object]


@dataclass(frozen=True)
class Served:
    """One program of a service."""

    result: Callable[[list[Array]], Any]
    """makes a reply of the arrays that are revealed"""
    shapes: list[tuple[tuple[int, ...], str]]
    """shapes and element types of the results that are revealed"""
    names: Names
    state: dict[str, int]
    """the number of each state's argument, and of the result that replaces it"""
    unread: frozenset[str]
    """parameters that the program does not read"""


class Service(Job):
    """A function that stays at the nodes and answers requests. It is cancelled at the end of a with statement."""

    def __init__(
        self, network: Network, id: str, programs: Mapping[str, Served] | None = None, order: Sequence[tuple[str, str]] | None = None
    ) -> None:
        super().__init__(network, id, names=programs[""].names if programs else None)
        self._programs = programs
        self._order = order

    def request(self, *values: Any, program: str = "", **inputs: Any) -> Any:
        """The reply to other inputs: keywords are the function's parameters that are not resident and no state.

        program names a further function of the service (`serve(…, programs=…)`). The reply is what the function returns without
        its states, a single value not in a tuple; None if nobody who learns it lets this certificate fetch it.
        """
        found = self._ask(program, self._files(program, values, inputs))
        return None if found is None else self._reply(program, found)

    async def arequest(self, *values: Any, program: str = "", **inputs: Any) -> Any:
        """The same as request, for asyncio: requests that wait together are answered together. Cancelling the task leaves the
        request at the nodes, which answer it."""
        return await asyncio.to_thread(functools.partial(self.request, *values, program=program, **inputs))

    def stream(self, *values: Any, repeat: int, until: Until | None = None, program: str = "", **inputs: Any) -> Iterator[Any]:
        """The replies to that many such requests, one after the other, each as soon as it is there: the tokens of a text.

        until says which reply is the last one, if it comes early: the number of a result, from 0, or its key, which is then true or
        not 0; or a function of the reply. Nodes see how many requests come: without until, and if all replies are taken,
        their number says nothing of the text.
        """
        files = self._files(program, values, inputs)
        if isinstance(repeat, bool) or not isinstance(repeat, int) or repeat < 1:
            raise Usage(f"repeat={repeat!r} is no number of requests", remedy="write repeat=40")
        if until is not None and not callable(until) and (known := self._known(program)) is not None:
            arrays: list[Array] = [np.broadcast_to(np.zeros((), dtype), shape) for shape, dtype in known.shapes]
            _ends(until, arrays, known.result(arrays))  # a wrong one is refused before the first request

        def replies() -> Iterator[Any]:
            for _ in range(repeat):
                found = self._ask(program, files)
                if found is None and until is not None:
                    raise Usage("until= asks for results that lie with parties that do not let this certificate fetch them", remedy="leave until= out")
                reply = None if found is None else self._reply(program, found)
                yield reply
                if found is not None and until is not None and _ends(until, found, reply):
                    return

        return replies()

    def astream(self, *values: Any, repeat: int, until: Until | None = None, program: str = "", **inputs: Any) -> AsyncIterator[Any]:
        """The same as stream, for asyncio. Cancelling the task leaves the request that is being answered at the nodes; no other follows."""
        replies = self.stream(*values, repeat=repeat, until=until, program=program, **inputs)

        async def each() -> AsyncIterator[Any]:
            end = object()
            while (reply := await asyncio.to_thread(next, replies, end)) is not end:
                yield reply

        return each()

    def _known(self, program: str) -> Served | None:
        """What is known of a program; None of all those of a service that another process has opened."""
        if self._programs is None:
            return None
        if program not in self._programs:
            others = [repr(name) for name in self._programs if name]
            raise Usage(f"the service has no program {program!r}", remedy=f"it has {', '.join(others)}" if others else "serve(…, programs={…}) opens one with several")
        return self._programs[program]

    def _files(self, program: str, values: Sequence[Any], inputs: Mapping[str, Any]) -> list[str]:
        """The inputs of a request, as the command takes them."""
        known = self._known(program)
        given = dict(inputs)
        if self._order is None:
            if given:
                raise Usage(f"the names of the service's inputs are not known here: {', '.join(given)}", remedy="pass them by position: request(alice.array(…))")
            return [_file(f"value {i}", self._network.parties[0], value) for i, value in enumerate(values)]
        named = dict(self._order)
        if len(values) > len(named):
            raise Usage(f"{len(values)} inputs for a service that takes {len(named)}", remedy=_takes(named))
        for name, value in zip(named, values, strict=False):
            if name in given:
                raise Usage(f"{name} is given twice: by position and by name", remedy="leave one out")
            given[name] = value
        files = []
        for name, owner in named.items():
            if name not in given and (known is None or name in known.unread):
                value = None  # what the service has been opened with does as well
            else:
                value = given.pop(name, None)
                if value is None:
                    raise Usage(f"the request lacks {name}", remedy=f"pass {name}={owner}.array(…)")
            if isinstance(value, Owned) and value.owner.name != owner:
                raise Usage(f"{name} belongs to {owner} in this service, and the request has one of {value.owner.name}", remedy=f"pass {name}={owner}.array(…)")
            files.append("" if value is None else _file(name, owner, value))
        if given:
            raise Usage(f"the service takes no {', '.join(given)}", remedy=_takes(named))
        return self._unskipped(files)

    def _unskipped(self, files: list[str]) -> list[str]:
        """The files without those that are left out. The command replaces an owner's inputs in order, so none may follow."""
        assert self._order is not None
        for i, (name, owner) in enumerate(self._order):
            if files[i] == "" and any(files[j] and self._order[j][1] == owner for j in range(i + 1, len(files))):
                raise Usage(f"the request lacks {name}", remedy=f"pass {name}={owner}.array(…), although the program does not read it: inputs of {owner} follow")
        return [f for f in files if f]

    def _ask(self, program: str, files: list[str]) -> list[Array] | None:
        """The results of a request; None if they lie with parties that do not let this certificate fetch them."""
        known = self._known(program)
        found: list[Array] | None = None

        def read(child: Child) -> None:
            nonlocal found
            report = child.scratch.file("report.json")
            if report.exists():
                self._report = Report(json.loads(report.read_text()))
                found = read_outs(child.scratch.file("out"))

        flags = [*files, *([f"--program={program}"] if program else [])]
        names = known.names if known else None
        self._network._tacet(["request", self.id, *flags, "--out", "{}/out", "--report", "{}/report.json"], read=read, names=names)
        if found is not None and known is not None and (got := [a.shape for a in found]) != (want := [shape for shape, _ in known.shapes]):
            raise Error(f"a node has results of the shapes {got}, and the program reveals {want}", remedy="see the service at each node: tacet jobs")
        return found

    def _reply(self, program: str, found: list[Array]) -> Any:
        known = self._known(program)
        return tuple(found) if known is None else known.result(found)

    def __reduce__(self) -> tuple[Any, ...]:
        return _service_again, (self._network.file, self.id, self._order)

    def __enter__(self) -> Service:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        if self.state not in FINAL:
            self.cancel()


def _service_again(file: str, id: str, order: Sequence[tuple[str, str]] | None) -> Service:
    return Service(connect(file), id, order=order)


def _file(name: str, owner: str, value: object) -> str:
    if not isinstance(value, Owned) or not isinstance(value.value, Reference) or value.value.kept:
        raise Usage(f"{name} of the request is no array at a node", remedy=f"pass {owner}.array(…)")
    return f"--input={value.owner.name}:{value.value.file}"


def _takes(named: Mapping[str, str]) -> str:
    return f"it takes {', '.join(named) or 'nothing'}"


def _ends(until: Until, found: list[Array], reply: Any) -> bool:
    """Whether a reply is the last one."""
    if callable(until):
        return bool(until(reply))
    if isinstance(until, str):
        if not isinstance(reply, Mapping) or until not in reply:
            keys = f"its keys are {', '.join(map(str, reply))}" if isinstance(reply, Mapping) else "it is no dict: write the number of a result"
            raise Usage(f"until={until!r} is no key of the reply", remedy=keys)
        value = np.asarray(reply[until])
    elif isinstance(until, bool) or not isinstance(until, int) or not 0 <= until < len(found):
        raise Usage(f"until={until!r} is no result: a reply has {len(found)}", remedy="write the number of a result, counted from 0, or its key")
    else:
        value = found[until]
    if value.dtype.kind not in "biu":
        raise Usage(f"until={until!r} is a result of {value.dtype}", remedy="the end of a sequence is a boolean or an integer; or pass a function of the reply")
    return bool(np.any(value != 0))


def state_names(state: str | Sequence[str], parameters: list[str]) -> list[str]:
    """The parameters that state= names."""
    names: list[Any] = state.replace(",", " ").split() if isinstance(state, str) else list(state) if isinstance(state, (list, tuple)) else [state]
    for i, name in enumerate(names):
        if not isinstance(name, str) or name not in parameters or name in names[:i]:
            raise Usage(f"state={state!r} names no parameters", remedy=f'write state="{parameters[-1]}"; the parameters are {", ".join(parameters)}')
    return names


def state_arguments(leaves: Sequence[Leaf], names: Sequence[str]) -> dict[str, list[int]]:
    """The numbers of the arguments of each state."""
    return {name: [i for i, leaf in enumerate(leaves) if base_name(leaf.name) == name] for name in names}


def orders(leaves: Sequence[Leaf], state: Mapping[str, list[int]]) -> list[tuple[str, str]]:
    """The inputs of a request, and their owners, in the order of the arguments."""
    stay = {i for args in state.values() for i in args}
    return [
        (leaf.name, leaf.owner.name)
        for i, leaf in enumerate(leaves)
        if leaf.owner is not None and i not in stay and not leaf.value.resident and not leaf.value.kept
    ]


def served(name: str, call: Call, state: Mapping[str, list[int]]) -> Served:
    """A program of a service whose function returns its states last."""
    program = call.program
    unread = frozenset(leaf.name for i, leaf in enumerate(call.leaves) if not _reads(program, i))
    if not state:
        return Served(call.result, program.shapes, program.names(), {}, unread)
    numbers: list[Any] = list(range(len(program.shapes)))
    returned = numbers if program.tree is None else jax_module().tree_util.tree_unflatten(program.tree, numbers)
    if not isinstance(returned, (tuple, list)) or len(returned) < len(state):
        raise Usage(
            f"{name} returns no tuple that ends with its states {', '.join(state)}",
            remedy=f"return the results and then the states: return result, {', '.join(state)}",
        )
    replaced: dict[str, int] = {}
    for place, (parameter, args) in enumerate(state.items(), len(returned) - len(state)):
        results = [i for i, path in enumerate(program.results) if (path + "[").startswith(f"result[{place}][")]
        there = [call.leaves[i].name[len(parameter) :] for i in args]
        here = [program.results[i][len(f"result[{place}]") :] for i in results]
        if there != here:
            raise Usage(
                f"{name} returns as state {parameter} what has other parts: {', '.join(map(repr, here)) or 'none'}",
                remedy=f"return a value like the argument {parameter}: {', '.join(map(repr, there)) or 'it has none'}",
            )
        for arg, number in zip(args, results, strict=True):
            want, have = _type(call, arg), program.shapes[number]
            if (tuple(want[0]), str(np.dtype(want[1]))) != have:
                raise Usage(
                    f"{name} returns as state {call.leaves[arg].name} an array of {have[1]}{list(have[0])}, and the argument is {np.dtype(want[1])}{list(want[0])}",
                    remedy="return it with the shape and element type of the argument",
                )
            replaced[str(arg)] = number
    shown = returned[: len(returned) - len(state)]
    first = len(program.shapes) - len(replaced)

    def result(outs: list[Array]) -> Any:
        tree = jax_module().tree_util
        value = shown[0] if len(shown) == 1 else tuple(shown)
        return tree.tree_map(lambda i: outs[i], value)

    return Served(result, program.shapes[:first], program.names(), replaced, unread)


def _type(call: Call, arg: int) -> tuple[Sequence[int], Any]:
    """Shape and element type of an argument."""
    array, leaf = call.arrays[arg], call.leaves[arg]
    return (array.shape, array.dtype) if array is not None else (leaf.value.shape, leaf.value.dtype)


def _reads(program: Program, arg: int) -> bool:
    """Whether a program's text names an argument again after its declaration."""
    start = program.text.find("@main(")
    end = program.text.find("func.func private", start)
    main = program.text[start : end if end >= 0 else None]
    return start < 0 or len(re.findall(rf"%arg{arg}\b", main)) != 1


@dataclass(frozen=True)
class Further:
    """A further program of a service."""

    name: str
    call: Call


def further_program(
    first: Private[..., Any], call: Call, dynamic: Mapping[str, Any], static: Mapping[str, Any], brought: Set[str], name: object, given: object
) -> Further:
    """The call of a service's further program: a function, or a function and arguments that differ from the first one's.

    dynamic and static are the first one's arguments; brought has the names of those that requests bring.
    """
    from ._private import Private

    function, changed = given if isinstance(given, tuple) and len(given) == 2 else (given, {})
    if not isinstance(name, str) or not name:
        raise Usage(f"programs has the name {name!r}", remedy='write programs={"prompt": prompt}')
    if not isinstance(function, Private) or not isinstance(changed, Mapping):
        raise Usage(
            f"program {name} is no private function",
            remedy='write programs={"prompt": prompt}, or {"prompt": (prompt, {"ids": alice.array("prompt.npy")})}',
        )
    arguments = {**dynamic, **{key: value for key, value in static.items() if key in function._signature.parameters}}
    if unknown := [key for key in changed if key not in arguments]:
        raise Usage(f"program {name} changes {', '.join(map(str, unknown))}, which {first._name} does not take", remedy=f"it takes {', '.join(arguments)}")
    other = function._prepare((), {**arguments, **changed}, data=False)
    if [leaf.name for leaf in other.leaves] != [leaf.name for leaf in call.leaves]:
        raise Usage(
            f"{function._name}{function._signature} does not take the parameters of {first._name}{first._signature} in their order",
            remedy="give the functions of a service the same parameters; each may leave some unread",
        )
    for a, b in zip(call.leaves, other.leaves, strict=True):
        if (a.owner and a.owner.name) != (b.owner and b.owner.name):
            raise Usage(f"{a.name} belongs to {a.owner or 'nobody'} in {first._name}, and to {b.owner or 'nobody'} in {function._name}", remedy="give it one owner")
        if base_name(a.name) in changed and a.name not in brought and not _same(a.value, b.value):
            raise Usage(f"program {name} changes {a.name}, which stays at the nodes for all programs", remedy="leave it out of the program's arguments")
    return Further(function._name, other)


def _same(a: Any, b: Any) -> bool:
    """Whether two arguments that stay at the nodes are the same: a reference or an array."""
    return bool(a == b) if isinstance(a, Reference) or isinstance(b, Reference) else np.array_equal(a, b)
