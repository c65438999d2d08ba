"""ONNX models run privately, with onnxruntime's results; mistakes are typed exceptions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tacet_mpc as tacet

alice, bob = tacet.parties("alice bob")
root = Path(__file__).resolve().parents[2]
example = root / "examples" / "onnx"
models = root / "onnx" / "testdata" / "models"


def test_trees():
    rows = np.load(example / "alice.npz")["arg0"][:8]
    expected = np.load(example / "expected.npz")
    f = tacet.from_onnx(example / "model.onnx").using(reveal="alice")
    assert any(name.endswith(".thresholds.over") for name in f.weights)
    got = f(bob(f.weights), alice(rows))
    assert list(got) == ["label", "probabilities"]
    assert got["label"].dtype == np.int64 and (got["label"] == expected["out0"][:8]).all()
    np.testing.assert_allclose(got["probabilities"], expected["out1"][:8], atol=1e-3)
    assert f.report.online.rounds > 0
    # Other shapes, other types of the same kind, and plans by shapes alone.
    assert f(bob(f.weights), X=alice(rows[:2].astype(np.float64)))["label"].shape == (2,)
    assert f.plan(bob(f.weights), alice.spec((100, 30))).bytes > f.plan(bob(f.weights), alice(rows)).bytes


def test_external_data():
    f = tacet.from_onnx(models / "mlp-dynamo" / "model.onnx")
    assert sorted(w.shape for w in f.weights.values()) == [(3,), (3, 16), (16,), (16, 8)]
    got = f(bob(f.weights), alice(np.zeros((4, 8), np.float32)))
    np.testing.assert_allclose(got.sum(axis=1), 1, atol=1e-3)


def test_mistakes():
    with pytest.raises(tacet.Usage, match=r"none\.onnx: model cannot be read"):
        tacet.from_onnx("none.onnx")
    with pytest.raises(tacet.Usage, match=r"shapes has 'Y', and the model has no such input"):
        tacet.from_onnx(example / "model.onnx", shapes={"Y": (1, 30)})
    f = tacet.from_onnx(example / "model.onnx")
    rows = np.zeros((2, 30), np.float32)
    with pytest.raises(tacet.Usage, match="it takes the weights"):
        f(alice(rows), alice(rows))
    with pytest.raises(tacet.Usage, match="the weights of model lack"):
        f(bob({}), alice(rows))
    with pytest.raises(tacet.Usage, match="X is int32, and the model's is float32"):
        f(bob(f.weights), alice(rows.astype(np.int32)))
    with pytest.raises(tacet.Usage, match="dimension"):
        f(bob(f.weights), alice(np.zeros((2, 31), np.float32)))
    with pytest.raises(tacet.Unsupported, match="verify"):
        f.verify(bob(f.weights), alice(rows))
