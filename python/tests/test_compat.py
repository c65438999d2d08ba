"""SPU's names."""

import ast
import pathlib
import pickle
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tacet_mpc as tacet
from tacet_mpc.compat import ppd, spu


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


def test_runtime_config():
    config = spu.RuntimeConfig(protocol=spu.ProtocolKind.ABY3, field="FM128", fxp_exp_mode="EXP_TAYLOR", max_concurrency=0)
    config.fxp_exp_iters, config.fxp_fraction_bits = 8, 30
    assert config.settings() == {"protocol": "aby3", "ring": 128, "fraction": 30, "set": {"exp.mode": "taylor", "exp.iterations": "8"}}
    config.enable_pphlo_profile, config.sigmoid_mode = True, "SIGMOID_REAL"
    with pytest.warns(UserWarning, match="RuntimeConfig: enable_pphlo_profile, sigmoid_mode have no meaning here") as caught:
        sim = spu.Simulator(3, config)
    assert caught[0].filename == __file__, "the line of the caller"
    f = spu.sim_jax(sim, lambda x, y: jnp.exp(x - y))
    np.testing.assert_allclose(f(np.float32(1), np.float32(2)), np.exp(-1), atol=2e-3)
    assert (f.private.report.ring, f.private.report.fraction) == (128, 30)
    for name, value, says in [
        ("feild", 1, "no field feild\n  did you mean field"),
        ("field", "FM96", "field FM96 is unknown here\n  there are FM32, FM64, FM128"),
        ("protocol", "SPDZ2K", "protocol SPDZ2K is unknown here\n  there are REF2K, SEMI2K, ABY3, CHEETAH"),
    ]:
        with pytest.raises(tacet.Usage, match=says):
            spu.RuntimeConfig(**{name: value})
    with pytest.raises(TypeError):
        config.fxp_fraction_bits = 1.5


PAGE = pathlib.Path(__file__, "../../../docs/python-migration.md").resolve().read_text()


def test_migration_page_has_every_field():
    missing = [name for name in sorted(spu.IGNORED) if f"`{name}`" not in PAGE]
    assert not missing, f"the page does not say what there is in the place of {missing}"


def test_settings_of_migration_page():
    """Each set={...} of the page is taken, with a function that it concerns, and gives the right result."""
    alice, bob = tacet.parties("alice bob")
    x = np.array([0.5, -1, 2], np.float32)
    found = sorted(set(re.findall(r"set=(\{[^}]*\})", PAGE)))
    assert len(found) > 4
    for text in found:
        f = tacet.private(lambda x, y: (jnp.exp(x * y), jnp.sort(x + y)), set=ast.literal_eval(text))
        e, ordered = f(alice(x), bob(np.ones(3, np.float32)))
        np.testing.assert_allclose(e, np.exp(x), rtol=3e-2, err_msg=text)
        np.testing.assert_allclose(ordered, np.sort(x) + 1, atol=1e-3, err_msg=text)


def test_functions_of_migration_page():
    """Every name of this package that the page uses exists."""
    names = set(re.findall(r"tacet\.([a-z_]+)\b(?!\.md)", re.sub(r"`tacet [^`]*`", "", PAGE)))
    assert {"private", "parties", "connect", "from_torch", "grad"} <= names
    assert not {n for n in names if not hasattr(tacet, n)}
    methods = set(re.findall(r"\bf\.([a-z_]+)", PAGE))
    assert {"report", "plan", "program", "submit", "verify", "check"} <= methods
    assert not {n for n in methods if not hasattr(tacet.Private, n)} - {"weights"}  # of from_torch


NODES = {f"node:{i}": f"127.0.0.1:992{i}" for i in range(5)}
DEVICES = {
    "SPU": {
        "kind": "SPU",
        "config": {"node_ids": ["node:0", "node:1", "node:2"], "runtime_config": {"protocol": "ABY3", "field": "FM64", "enable_pphlo_trace": False}},
    },
    "P1": {"kind": "PYU", "config": {"node_id": "node:3"}},
    "P2": {"kind": "PYU", "config": {"node_id": "node:4"}},
}
"""as SPU's examples have it: two parties with data, and three others that compute"""


def test_simulated_devices(tmp_path):
    """A program in the style of SPU's examples: functions at parties, epochs as calls on the SPU, scores, a saved model."""
    ppd.init(NODES, DEVICES, simulate=True)

    @ppd.device("P1")
    def load(rows):
        rng = np.random.default_rng(5)
        x = rng.normal(size=(rows, 2)).astype(np.float32)
        return x, (x @ np.array([1, -2], np.float32) > 0).astype(np.float32)

    def epoch(data, w, rate):
        x = jnp.concatenate(data["x"], axis=1)
        return w - rate * x.T @ (jax.nn.sigmoid(x @ w) - data["y"]) / len(x)

    class Model:
        def __init__(self, spu: ppd.SPU) -> None:
            self.spu = spu

        def fit(self, xs: list[ppd.PYU.Object], y: ppd.PYU.Object) -> ppd.SPU.Object:
            w = self.spu(lambda n: jnp.zeros(n, jnp.float32), static_argnums=0)(sum(x.shape[1] for x in xs))
            step = self.spu(epoch, static_argnums=(2,), copts=spu.CompilerOptions())
            for _ in range(2):
                w = step({"x": xs, "y": y}, w, 1.0)
            assert step.private.report.protocol == "aby3" and step.private.report.parties == ("node0", "node1", "node2", "node3", "node4")
            return w

    x1, y = load(40)
    np.save(tmp_path / "x2.npy", np.ones((40, 1), np.float32))
    x2 = ppd.device("P2")(str(tmp_path / "x2.npy"))
    assert (repr(x1), repr(x2), x1.dtype) == ("node3(ndarray)", "node4(ndarray)", np.float32)
    w = Model(ppd.device("SPU")).fit([x1, x2], y)
    want = np.zeros(3, np.float32)
    for _ in range(2):
        want = epoch({"x": [x1.value, x2.value], "y": y.value}, want, 1.0)
    np.testing.assert_allclose(ppd.get(w), want, atol=1e-3)
    again = ppd.load(pickle.loads(pickle.dumps(ppd.save(w))))
    score = ppd.device("P1")(lambda x, w: float(np.mean((x @ w[:2] > 0) == y.value)))(x1, again)
    assert ppd.get({"score": score, "n": 3}) == {"score": 1.0, "n": 3}
    with pytest.raises(tacet.Usage, match="no node node:7\n  there are node:0"):
        ppd.init(NODES, {"P1": {"kind": "PYU", "config": {"node_id": "node:7"}}}, simulate=True)


def test_compiler_options_and_text():
    sim = spu.Simulator.simple(2, spu.ProtocolKind.SEMI2K, spu.FieldType.FM64)
    with pytest.warns(UserWarning, match="CompilerOptions: enable_pretty_print have no meaning here"):
        f = spu.sim_jax(sim, jnp.add, copts=spu.CompilerOptions(enable_pretty_print=True, disable_select_optimization=False))
    assert f(np.array([[1, 2], [3, 4]], np.int32), np.array([[5, 6], [7, 8]], np.int32)).tolist() == [[6, 8], [10, 12]]
    assert "stablehlo.add" in f.pphlo


def test_refusals():
    with pytest.raises(tacet.Usage, match="a simulator of 1 parties"):
        spu.Simulator(1, spu.RuntimeConfig())
