"""SPU's simulator: Simulator and sim_jax run on Tacet.

>>> import numpy as np
>>> from tacet_mpc.compat import spu
>>> sim = spu.Simulator.simple(2, spu.ProtocolKind.SEMI2K, spu.FieldType.FM64)
>>> power = spu.sim_jax(sim, lambda x, n: x**n, static_argnums=(1,))
>>> [float(power(np.float32(2), n).round(2)) for n in (2, 3)]
[4.0, 8.0]

Differences: all arguments are secret, as in SPU, and belong to node0, node1, … in turn, since here every secret has an
owner, who computes with it alone for free. All parties learn the results. Functions have the accuracy that
docs/functions.md states; settings of single functions of RuntimeConfig do not exist.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .._errors import Usage
from .._owners import parties
from .._private import Private, private
from .._trees import _is_leaf, jax_module


class ProtocolKind(enum.Enum):
    """SPU's protocols; the value is the name here."""

    REF2K = "plain"
    SEMI2K = "semi2k"
    ABY3 = "aby3"
    CHEETAH = "cheetah"


class FieldType(enum.Enum):
    """SPU's rings; the value is their number of bits."""

    FM32 = 32
    FM64 = 64
    FM128 = 128


@dataclass(frozen=True)
class RuntimeConfig:
    """The fields of SPU's RuntimeConfig that have a meaning here."""

    protocol: ProtocolKind = ProtocolKind.SEMI2K
    field: FieldType = FieldType.FM64
    fxp_fraction_bits: int = 0
    """0 is the default of the field"""


class Simulator:
    """Parties node0, node1, … on this machine."""

    def __init__(self, wsize: int, rt_config: RuntimeConfig) -> None:
        if wsize < 2:
            raise Usage(f"a simulator of {wsize} parties", remedy="Simulator(2, config), or 3 for ABY3")
        self.wsize = wsize
        self.rt_config = rt_config

    @classmethod
    def simple(cls, wsize: int, prot: ProtocolKind, field: FieldType) -> Simulator:
        """A simulator with default settings."""
        return cls(wsize, RuntimeConfig(prot, field))


def sim_jax(sim: Simulator, fun: Callable[..., Any], static_argnums: int | Sequence[int] = ()) -> Callable[..., Any]:
    """The function on secret arguments. Its attribute private is the private function, with report and plan."""
    config = sim.rt_config
    static = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)
    function: Private[..., Any] = private(
        fun,
        static=static,
        protocol=config.protocol.value,
        ring=config.field.value,
        fraction=config.fxp_fraction_bits or None,
    )
    nodes = parties([f"node{i}" for i in range(sim.wsize)])

    def run(*args: Any, **kwargs: Any) -> Any:
        turn = itertools.cycle(nodes)

        def own(value: Any) -> Any:
            return jax_module().tree_util.tree_map(lambda leaf: next(turn)(leaf), value, is_leaf=_is_leaf)

        public = {i % len(args) if args else i for i in static}
        return function(*(a if i in public else own(a) for i, a in enumerate(args)), **{k: own(v) for k, v in kwargs.items()})

    run.private = function  # type: ignore[attr-defined]
    run.__name__ = getattr(fun, "__name__", "function")
    return run
