"""SPU's names."""

import jax.numpy as jnp
import numpy as np
import pytest

import tacet_mpc as tacet
from tacet_mpc.compat import spu


def test_sim_jax():
    sim = spu.Simulator.simple(3, spu.ProtocolKind.ABY3, spu.FieldType.FM128)
    f = spu.sim_jax(sim, lambda d, y: {"sum": d["a"] @ d["b"] + y})
    a, b = np.ones((2, 3), np.float32), np.arange(3, dtype=np.float32)
    np.testing.assert_allclose(f({"a": a, "b": b}, y=np.float32(1))["sum"], [4, 4], atol=1e-3)
    report = f.private.report
    assert (report.protocol, report.ring, report.parties) == ("aby3", 128, ("node0", "node1", "node2"))
    assert report.rounds > 0, "arguments have several owners, so that there is something to compute together"


def test_static_values_do_not_stay():
    traced = []

    def f(x, n):
        traced.append(n)
        return jnp.sum(x) * n

    g = spu.sim_jax(spu.Simulator(2, spu.RuntimeConfig(fxp_fraction_bits=20)), f, static_argnums=1)
    assert [float(g(np.ones(3, np.float32), n).round(2)) for n in (1, 2, 1)] == [3, 6, 3]
    assert traced == [1, 2] and g.private.report.fraction == 20


def test_cheetah():
    sim = spu.Simulator.simple(2, spu.ProtocolKind.CHEETAH, spu.FieldType.FM64)
    g = spu.sim_jax(sim, lambda x, y: jnp.maximum(x * y, 0))
    assert g(np.array([1.5, -2], np.float32), np.array([2, 3], np.float32)).tolist() == [3, 0]


def test_refusals():
    with pytest.raises(tacet.Usage, match="a simulator of 1 parties"):
        spu.Simulator(1, spu.RuntimeConfig())
