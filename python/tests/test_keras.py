"""Keras 3 on JAX: the example of docs/python.md runs, and its results are those of Keras."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

os.environ["KERAS_BACKEND"] = "jax"  # otherwise the import looks for TensorFlow
pytest.importorskip("keras")


def test_example():
    text = Path(__file__).parents[2].joinpath("docs", "python.md").read_text(encoding="utf-8")
    code = re.search(r"## Keras\n.*?```python\n(.*?)```", text, re.S)
    assert code
    found: dict[str, object] = {}
    exec(compile(code[1], "python.md", "exec"), found)
    model, x = found["model"], found["x"]
    np.testing.assert_allclose(found["scores"], model.predict(x, verbose=0), atol=1e-3)  # type: ignore[attr-defined]
    clear = found["fit"]._fn(found["weights"], found["fixed"], x, found["y"])  # type: ignore[attr-defined]
    for got, want, old in zip(found["fitted"], clear, found["weights"], strict=True):  # type: ignore[call-overload]
        np.testing.assert_allclose(got, want, atol=1e-3)
        assert np.abs(got - old).max() > 1e-3, "it has learned"
