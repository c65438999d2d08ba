"""SPU's distributed simulation (`import spu.utils.distributed as ppd`) over real nodes, or within this process.

    from tacet_mpc.compat import ppd

    ppd.init(conf["nodes"], conf["devices"], cluster="cluster.yaml")
    x = ppd.device("P1")("x.npy")                   # data of P1's node; SPU: ppd.device("P1")(load)()
    y = ppd.device("SPU")(predict)(x, ppd.device("P2")("w.npy"))
    ppd.get(y)

Differences: no Python function runs at another party, so a party's device refers to a file of its data folders or an
entry of its catalogue. A call on the SPU is a job, which the parties' policies judge; its results stay at the nodes as
shares (policies allow that with keep and kept), and get is a job that reveals them to all parties. Addresses in conf are
not used: the cluster file has the nodes' addresses and this program's certificate.

With init(…, simulate=True) there are no nodes: this process has all data, functions of a party's device run here, and
calls on the SPU are private functions among simulated parties. SPU's examples run so by a changed import. Results of the
SPU belong to its first party between calls.

>>> import numpy as np
>>> from tacet_mpc.compat import ppd
>>> ppd.init(simulate=True)
>>> x, w = ppd.device("P1")(np.ones)(3, "f4"), ppd.device("P2")(np.arange)(3, dtype="f4")
>>> y = ppd.device("SPU")(lambda x, w: x @ w)(x, w)
>>> float(ppd.get(y).round(2))
3.0
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .._arrays import is_array
from .._errors import Unsupported, Usage
from .._network import Network, Reference, connect
from .._owners import Owned, Party, parties
from .._private import Private, private
from .._trees import jax_module
from .spu import CompilerOptions, RuntimeConfig

__all__ = ["PYU", "SPU", "device", "get", "init", "load", "save"]


class _World:
    """What init has set up: devices by name, and the network, if there is one."""

    def __init__(self, network: Network | None) -> None:
        self.network = network
        self.devices: dict[str, PYU | SPU] = {}

    def settings(self) -> dict[str, Any]:
        return next((d.settings for d in self.devices.values() if isinstance(d, SPU)), {})


_world: _World | None = None


def init(
    nodes: Mapping[str, str] | None = None, devices: Mapping[str, Any] | None = None, *, cluster: str = "", simulate: bool = False
) -> None:
    """Connects to the nodes of a cluster file, or simulates them. nodes and devices are those of SPU's configuration.

    Node ids that are names of the cluster's nodes are these nodes; others are the cluster's nodes in the order of
    nodes. Without devices there are P1, P2, … in the cluster's order, and SPU; a simulation then has two parties.
    """
    global _world
    network = None if simulate else connect(cluster)
    names = _simulated(nodes, devices) if network is None else _named(list(nodes or ()), network.parties)
    group = tuple(dict.fromkeys(names.values())) if network is None else network.parties
    world = _World(network)

    def party(id: str) -> Party:
        name = names.get(id, id)
        if name not in group:
            raise Usage(f"there is no node {id}", remedy=f"there are {', '.join(names or group)}")
        return Party(name, group) if network is None else network[name]

    described: dict[str, Any] = {}
    if devices is None:
        for i, name in enumerate(group):
            described[f"P{i + 1}"] = {"kind": "PYU", "config": {"node_id": name}}
        described["SPU"] = {"kind": "SPU"}
    else:
        described.update(devices)
    for name, about in described.items():
        config: dict[str, Any] = dict(about.get("config", {}))
        if about.get("kind") == "PYU":
            world.devices[name] = PYU(name, party(str(config.get("node_id"))))
        elif about.get("kind") == "SPU":
            settings = _settings(name, config.get("runtime_config", {}))
            order = [party(str(n)).name for n in config.get("node_ids", group)]
            if network is not None and sorted(order) != sorted(group):
                raise Usage(
                    f"device {name} has the nodes {', '.join(order)}, and the cluster's are {', '.join(group)}",
                    remedy="let it have all nodes of the cluster file",
                )
            if network is None and tuple(order) != group[: len(order)]:
                raise Usage(f"device {name} has other nodes than the first SPU", remedy="simulate one SPU at a time")
            if len(order) < len(group):
                settings["computing"] = len(order)
            world.devices[name] = SPU(name, Party(group[0], group) if network is None else network[group[0]], settings)
        else:
            raise Usage(f"device {name} is of the kind {about.get('kind')!r}", remedy='there are "PYU" and "SPU"')
    _world = world


def _simulated(nodes: Mapping[str, str] | None, devices: Mapping[str, Any] | None) -> dict[str, str]:
    """A simulated party for each node id; those of the SPU come first, since they compute."""
    computing = [n for d in (devices or {}).values() if d.get("kind") == "SPU" for n in d.get("config", {}).get("node_ids", ())]
    ids = dict.fromkeys([*map(str, computing), *(("node0", "node1") if nodes is None else nodes)])
    return {id: re.sub(r"[^A-Za-z0-9._@-]", "", id) for id in ids}


def _named(ids: Sequence[str], parties: Sequence[str]) -> dict[str, str]:
    """The party of each node id."""
    if all(i in parties for i in ids):
        return {i: i for i in ids}
    if len(ids) != len(parties):
        raise Usage(f"nodes has {len(ids)} nodes, and the cluster file {len(parties)}: {', '.join(parties)}", remedy="name the same nodes")
    return dict(zip(ids, parties, strict=True))


def _settings(name: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """SPU's runtime_config as settings of a private function."""
    try:
        return RuntimeConfig(**config).settings(f"device {name}", stacklevel=3)
    except Usage as err:
        raise Usage(f"device {name}: {err.message}", remedy=err.remedy) from None


def _here() -> _World:
    if _world is None:
        raise Usage(
            "ppd is not connected",
            remedy='call ppd.init(conf["nodes"], conf["devices"], cluster="cluster.yaml") first, or with simulate=True',
        )
    return _world


class _Value(Owned[Any]):
    """What a simulated device holds."""

    @property
    def shape(self) -> tuple[int, ...]:
        return np.shape(self.value)

    @property
    def dtype(self) -> Any:
        return np.asarray(self.value).dtype


def _is_value(x: object) -> bool:
    return isinstance(x, Owned) or is_array(x)


def _map(change: Callable[[Any], Any], tree: Any) -> Any:
    return jax_module().tree_util.tree_map(change, tree, is_leaf=_is_value)


def _plain(x: Any) -> Any:
    return x.value if isinstance(x, _Value) else x


class PYU:
    """A device of one party."""

    Object = Owned

    def __init__(self, name: str, party: Party) -> None:
        self.name = name
        self._party = party

    def __call__(self, file: Any, *, shape: Any = None, dtype: Any = None) -> Any:
        """A reference to a file of the party. In a simulation a file is read here, and a function runs here."""
        if _here().network is not None:
            if callable(file):
                raise Unsupported(
                    f"a Python function on {self.name}: no Python runs at another party",
                    remedy=f'refer to the data: ppd.device("{self.name}")("x.npy"); or ppd.init(…, simulate=True)',
                )
            return self._party.array(file, shape=shape, dtype=dtype)  # type: ignore[attr-defined]
        if not callable(file):
            return _Value(np.load(file), self._party)

        def run(*args: Any, **kwargs: Any) -> Any:
            args, kwargs = _map(_plain, (args, kwargs))
            return _map(lambda x: _Value(x, self._party), file(*args, **kwargs))

        run.__name__ = getattr(file, "__name__", "function")
        return run

    def __repr__(self) -> str:
        return f"PYU({self.name})"


class SPU:
    """A device that computes on shares."""

    Object = Owned

    def __init__(self, name: str, first: Party, settings: dict[str, Any]) -> None:
        self.name = name
        self.settings = settings
        self._first = first

    def __call__(self, fn: Callable[..., Any], static_argnums: int | Sequence[int] = (), copts: CompilerOptions | None = None) -> Callable[..., Any]:
        """The function as one that runs among the parties."""
        if copts is not None:
            copts._warn(stacklevel=2)
        static = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)
        network = _here().network
        if network is not None:
            return _on_shares(private(fn, reveal=(), static=static, **self.settings), network)
        function: Private[..., Any] = private(fn, static=static, **self.settings)

        def run(*args: Any, **kwargs: Any) -> Any:
            args, kwargs = list(args), dict(kwargs)  # type: ignore[assignment]
            if not any(isinstance(x, Owned) for x in jax_module().tree_util.tree_leaves((args, kwargs), is_leaf=_is_value)):
                out = _map(np.asarray, fn(*args, **kwargs))  # what all parties know they compute alone
            else:
                out = function(*args, **kwargs)
            return _map(lambda x: _Value(x, self._first), out)

        run.private = function  # type: ignore[attr-defined]
        run.__name__ = function._name
        return run

    def __repr__(self) -> str:
        return f"SPU({self.name})"


def device(name: str) -> Any:
    """A device. That of a party makes, of a file's name, a reference to the party's data; an SPU's makes, of a
    function, one that runs as a job among the nodes (static_argnums as in JAX)."""
    world = _here()
    if name not in world.devices:
        raise Usage(f"there is no device {name}", remedy=f"there are {', '.join(world.devices)}")
    return world.devices[name]


def _on_shares(function: Private[..., Any], network: Network) -> Callable[..., Any]:
    """The function as jobs whose results stay at the nodes."""

    def run(*args: Any, **kwargs: Any) -> Any:
        keep = f"ppd-{uuid.uuid4().hex[:16]}"
        function.submit(*args, keep=keep, **kwargs).wait()
        call = function._prepare(args, kwargs, data=False)
        kept = [network.kept(keep, shape=shape, dtype=dtype, result=i) for i, (shape, dtype) in enumerate(call.program.shapes)]
        return call.result(kept)

    run.__name__ = function._name
    return run


def get(value: Any) -> Any:
    """What calls on an SPU have returned, revealed to all parties and fetched from one of them. Other values are
    returned as they are."""
    world = _here()
    tree = jax_module().tree_util
    leaves, structure = tree.tree_flatten(_map(_plain, value), is_leaf=lambda x: isinstance(x, Owned))
    secret = [x for x in leaves if isinstance(x, Owned)]
    for leaf in secret:
        if not isinstance(leaf.value, Reference) or not leaf.value.kept:
            raise Usage(
                f"the data stays at the node of {leaf.owner}",
                remedy='compute with it on the SPU, and get the result: ppd.get(ppd.device("SPU")(f)(x))',
            )
    if not secret:
        return tree.tree_unflatten(structure, leaves)
    found = iter(private(lambda *kept: kept, **world.settings()).submit(*secret).result())
    return tree.tree_unflatten(structure, [next(found) if isinstance(x, Owned) else x for x in leaves])


def save(value: Any) -> Any:
    """What calls on an SPU have returned, as something to pickle, for load of another process. Of nodes it holds names and
    shapes, and the shares stay where they are; of a simulation it holds the values."""
    _here()
    return value


def load(saved: Any) -> Any:
    """What save has returned, as arguments of calls and of get."""
    network = _here().network

    def connected(x: Any) -> Any:
        if network is None or not isinstance(x, Owned) or not isinstance(x.value, Reference):
            return x
        return network.kept(x.value.kept, shape=x.value.shape, dtype=x.value.dtype, result=x.value.result)

    return _map(connected, saved)
