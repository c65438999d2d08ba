"""SPU's simulator: Simulator and sim_jax run on Tacet.

>>> import numpy as np
>>> from tacet_mpc.compat import spu
>>> sim = spu.Simulator.simple(2, spu.ProtocolKind.SEMI2K, spu.FieldType.FM64)
>>> power = spu.sim_jax(sim, lambda x, n: x**n, static_argnums=(1,))
>>> [float(power(np.float32(2), n).round(2)) for n in (2, 3)]
[4.0, 8.0]

Differences: all arguments are secret, as in SPU, and belong to node0, node1, … in turn, since here every secret has an
owner, who computes with it alone for free. All parties learn the results. Functions have the accuracy that
docs/functions.md states; of RuntimeConfig's settings of single functions, those of the exponential have a meaning.
"""

from __future__ import annotations

import difflib
import enum
import itertools
import operator
import warnings
from collections.abc import Callable, Sequence
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


class _ExpMode(enum.Enum):
    """SPU's forms of the exponential; the value is the setting exp.mode here, "" the default."""

    EXP_DEFAULT = ""
    EXP_PADE = "pade"
    EXP_TAYLOR = "taylor"
    EXP_PRIME = "prime"


IGNORED = frozenset(
    """
    max_concurrency enable_action_trace enable_type_checker enable_pphlo_trace enable_runtime_snapshot snapshot_dump_dir
    enable_pphlo_profile enable_hal_profile public_random_seed share_max_chunk_size fxp_div_goldschmidt_iters fxp_log_mode
    fxp_log_iters fxp_log_orders sigmoid_mode enable_lower_accuracy_rsqrt sine_cosine_iters beaver_type ttp_beaver_config
    cheetah_2pc_config trunc_allow_msb_error sort_method quick_sort_threshold experimental_disable_mmul_split
    experimental_enable_inter_op_par experimental_enable_intra_op_par experimental_disable_vectorization
    experimental_inter_op_concurrency experimental_enable_colocated_optimization experimental_enable_exp_prime
    experimental_exp_prime_offset experimental_exp_prime_disable_lower_bound experimental_exp_prime_enable_upper_bound
    """.split()
)
"""Fields of SPU's RuntimeConfig without a meaning here; docs/python-migration.md says what there is in the place of each."""

_MEANING: dict[str, Any] = {"protocol": ProtocolKind, "field": FieldType, "fxp_fraction_bits": int, "fxp_exp_mode": _ExpMode, "fxp_exp_iters": int}


class RuntimeConfig:
    """SPU's RuntimeConfig. Enumerations are given as such, or by name as in JSON. Fields in IGNORED are accepted, with one
    warning that names those that are set.

    >>> config = RuntimeConfig(protocol=ProtocolKind.SEMI2K, field=FieldType.FM64)
    >>> config.fxp_exp_mode = RuntimeConfig.ExpMode.EXP_TAYLOR
    >>> config.settings()
    {'protocol': 'semi2k', 'ring': 64, 'set': {'exp.mode': 'taylor'}}
    """

    ExpMode = _ExpMode
    protocol: ProtocolKind
    field: FieldType
    fxp_fraction_bits: int
    """0 is the default of the field"""
    fxp_exp_mode: _ExpMode
    fxp_exp_iters: int
    """0 is the default"""

    def __init__(
        self, protocol: ProtocolKind = ProtocolKind.SEMI2K, field: FieldType = FieldType.FM64, fxp_fraction_bits: int = 0, **others: Any
    ) -> None:
        fields = {"protocol": protocol, "field": field, "fxp_fraction_bits": fxp_fraction_bits}
        for name, value in {**fields, "fxp_exp_mode": _ExpMode.EXP_DEFAULT, "fxp_exp_iters": 0, **others}.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        kind = _MEANING.get(name)
        if kind is None and name not in IGNORED:
            near = difflib.get_close_matches(name, [*_MEANING, *IGNORED], 1)
            raise Usage(f"RuntimeConfig has no field {name}", remedy=f"did you mean {near[0]}?" if near else "docs/python-migration.md lists them")
        if kind is int:
            value = operator.index(value)
        elif kind is not None and not isinstance(value, kind):
            if str(value) not in kind.__members__:
                known = ", ".join(kind.__members__)
                raise Usage(f"{name} {value} is unknown here", remedy=f"there are {known}")
            value = kind[str(value)]
        super().__setattr__(name, value)

    def settings(self, of: str = "RuntimeConfig", stacklevel: int = 1) -> dict[str, Any]:
        """The arguments of tacet_mpc.private. of describes the configuration in the warning about fields without a meaning."""
        ignored = sorted(name for name in IGNORED if vars(self).get(name))
        if ignored:
            warnings.warn(
                f"{of}: {', '.join(ignored)} have no meaning here and are ignored (docs/python-migration.md has what there is in their place)",
                stacklevel=stacklevel + 1,
            )
        out: dict[str, Any] = {"protocol": self.protocol.value, "ring": self.field.value}
        if self.fxp_fraction_bits:
            out["fraction"] = self.fxp_fraction_bits
        chosen = {"exp.mode": self.fxp_exp_mode.value, "exp.iterations": str(self.fxp_exp_iters or "")}
        if any(chosen.values()):
            out["set"] = {name: value for name, value in chosen.items() if value}
        return out


class CompilerOptions:
    """SPU's CompilerOptions: any fields, which have no meaning here. Those that are set are named in one warning where the
    options are used; `set={"passes": "none"}` of tacet_mpc.private turns rewrites off."""

    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)

    def _warn(self, stacklevel: int = 1) -> None:
        if chosen := sorted(name for name, value in vars(self).items() if value):
            warnings.warn(f"CompilerOptions: {', '.join(chosen)} have no meaning here and are ignored", stacklevel=stacklevel + 1)


class Simulator:
    """Parties node0, node1, … on this machine."""

    def __init__(self, wsize: int, rt_config: RuntimeConfig) -> None:
        if wsize < 2:
            raise Usage(f"a simulator of {wsize} parties", remedy="Simulator(2, config), or 3 for ABY3")
        self.wsize = wsize
        self.rt_config = rt_config
        self.settings = rt_config.settings(stacklevel=2)

    @classmethod
    def simple(cls, wsize: int, prot: ProtocolKind, field: FieldType) -> Simulator:
        """A simulator with default settings."""
        return cls(wsize, RuntimeConfig(prot, field))


def sim_jax(
    sim: Simulator, fun: Callable[..., Any], static_argnums: int | Sequence[int] = (), copts: CompilerOptions | None = None
) -> Callable[..., Any]:
    """The function on secret arguments. Its attribute private is the private function, with report and plan; after a call
    pphlo is the StableHLO text."""
    if copts is not None:
        copts._warn(stacklevel=2)
    static = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)
    function: Private[..., Any] = private(fun, static=static, **sim.settings)
    nodes = parties([f"node{i}" for i in range(sim.wsize)])

    def run(*args: Any, **kwargs: Any) -> Any:
        turn = itertools.cycle(nodes)

        def own(value: Any) -> Any:
            return jax_module().tree_util.tree_map(lambda leaf: next(turn)(leaf), value, is_leaf=_is_leaf)

        public = {i % len(args) if args else i for i in static}
        call = function._prepare(tuple(a if i in public else own(a) for i, a in enumerate(args)), {k: own(v) for k, v in kwargs.items()})
        run.pphlo = call.program.text  # type: ignore[attr-defined]
        return call.result(function._run(call))

    run.private = function  # type: ignore[attr-defined]
    run.__name__ = getattr(fun, "__name__", "function")
    return run
