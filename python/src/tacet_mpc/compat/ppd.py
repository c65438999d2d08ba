"""SPU's distributed simulation (`import spu.utils.distributed as ppd`) over real nodes: init, device and get.

    from tacet_mpc.compat import ppd

    ppd.init(conf["nodes"], conf["devices"], cluster="cluster.yaml")
    x = ppd.device("P1")("x.npy")                   # data of P1's node; SPU: ppd.device("P1")(load)()
    y = ppd.device("SPU")(predict)(x, ppd.device("P2")("w.npy"))
    ppd.get(y)

Differences: no Python function runs at another party, so a party's device refers to a file of its data folders or an
entry of its catalogue. A call on the SPU is a job, which the parties' policies judge; its results stay at the nodes as
shares (policies allow that with keep and kept), and get is a job that reveals them to all parties. Addresses in conf are
not used: the cluster file has the nodes' addresses and this program's certificate.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .._errors import Unsupported, Usage
from .._network import Network, Reference, connect
from .._owners import Owned
from .._private import Private, private
from .._trees import jax_module
from .spu import RuntimeConfig

__all__ = ["device", "get", "init"]


class _World:
    """What init has set up."""

    def __init__(self, network: Network, parties: dict[str, str], spus: dict[str, dict[str, Any]]) -> None:
        self.network = network
        self.parties = parties
        """the party of each device of one party"""
        self.spus = spus
        """the settings of each device that computes on shares"""


_world: _World | None = None


def init(nodes: Mapping[str, str] | None = None, devices: Mapping[str, Any] | None = None, *, cluster: str = "") -> None:
    """Connects to the nodes of a cluster file. nodes and devices are those of SPU's configuration.

    Node ids that are names of the cluster's nodes are these nodes; others are the cluster's nodes in the order of
    nodes. Without devices there are P1, P2, … in the cluster's order, and SPU.
    """
    global _world
    network = connect(cluster)
    named = _named(list(nodes or ()), network.parties)
    if devices is None:
        _world = _World(network, {f"P{i + 1}": name for i, name in enumerate(network.parties)}, {"SPU": {}})
        return
    parties, spus = {}, {}
    for name, about in devices.items():
        config = dict(about.get("config", {}))
        if about.get("kind") == "PYU":
            parties[name] = _node(str(config.get("node_id")), named, network)
        elif about.get("kind") == "SPU":
            spus[name] = _settings(name, config.get("runtime_config", {}))
            order = [_node(str(n), named, network) for n in config.get("node_ids", network.parties)]
            if sorted(order) != sorted(network.parties):
                raise Usage(
                    f"device {name} has the nodes {', '.join(order)}, and the cluster's are {', '.join(network.parties)}",
                    remedy="let it have all nodes of the cluster file",
                )
        else:
            raise Usage(f"device {name} is of the kind {about.get('kind')!r}", remedy='there are "PYU" and "SPU"')
    _world = _World(network, parties, spus)


def _named(ids: Sequence[str], parties: Sequence[str]) -> dict[str, str]:
    """The party of each node id."""
    if all(i in parties for i in ids):
        return {i: i for i in ids}
    if len(ids) != len(parties):
        raise Usage(f"nodes has {len(ids)} nodes, and the cluster file {len(parties)}: {', '.join(parties)}", remedy="name the same nodes")
    return dict(zip(ids, parties, strict=True))


def _node(id: str, named: Mapping[str, str], network: Network) -> str:
    if id in named:
        return named[id]
    if id not in network.parties:
        raise Usage(f"there is no node {id}", remedy=f"there are {', '.join(named or network.parties)}")
    return id


def _settings(name: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """SPU's runtime_config as settings of a private function."""
    try:
        return RuntimeConfig(**config).settings(f"device {name}", stacklevel=3)
    except Usage as err:
        raise Usage(f"device {name}: {err.message}", remedy=err.remedy) from None


def _here() -> _World:
    if _world is None:
        raise Usage("ppd is not connected", remedy='call ppd.init(conf["nodes"], conf["devices"], cluster="cluster.yaml") first')
    return _world


def device(name: str) -> Callable[..., Any]:
    """A device. That of a party makes, of a file's name, a reference to the party's data; an SPU's makes, of a
    function, one that runs as a job among the nodes (static_argnums as in JAX)."""
    world = _here()
    if name in world.parties:
        node = world.network[world.parties[name]]

        def refer(file: str, *, shape: Any = None, dtype: Any = None) -> Any:
            if callable(file):
                raise Unsupported(
                    f"a Python function on {name}: no Python runs at another party",
                    remedy=f'refer to the data: ppd.device("{name}")("x.npy"); its owner puts it there',
                )
            return node.array(file, shape=shape, dtype=dtype)

        return refer
    if name not in world.spus:
        raise Usage(f"there is no device {name}", remedy=f"there are {', '.join([*world.parties, *world.spus])}")
    settings = world.spus[name]

    def compiled(fn: Callable[..., Any], static_argnums: int | Sequence[int] = ()) -> Callable[..., Any]:
        static = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)
        return _on_shares(private(fn, reveal=(), static=static, **settings), world)

    return compiled


def _on_shares(function: Private[..., Any], world: _World) -> Callable[..., Any]:
    """The function as jobs whose results stay at the nodes."""

    def run(*args: Any, **kwargs: Any) -> Any:
        keep = f"ppd-{uuid.uuid4().hex[:16]}"
        function.submit(*args, keep=keep, **kwargs).wait()
        call = function._prepare(args, kwargs, data=False)
        kept = [world.network.kept(keep, shape=shape, dtype=dtype, result=i) for i, (shape, dtype) in enumerate(call.program.shapes)]
        return call.result(kept)

    run.__name__ = function._name
    return run


def get(value: Any) -> Any:
    """What calls on an SPU have returned, revealed to all parties and fetched from one of them. Other values are
    returned as they are."""
    world = _here()
    tree = jax_module().tree_util
    leaves, structure = tree.tree_flatten(value, is_leaf=lambda x: isinstance(x, Owned))
    secret = [x for x in leaves if isinstance(x, Owned)]
    for leaf in secret:
        if not isinstance(leaf.value, Reference) or not leaf.value.kept:
            raise Usage(
                f"the data stays at the node of {leaf.owner}",
                remedy='compute with it on the SPU, and get the result: ppd.get(ppd.device("SPU")(f)(x))',
            )
    if not secret:
        return value
    settings = next(iter(world.spus.values()), {})
    found = iter(private(lambda *kept: kept, **settings).submit(*secret).result())
    return tree.tree_unflatten(structure, [next(found) if isinstance(x, Owned) else x for x in leaves])
