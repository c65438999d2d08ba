"""Measures what a call from Python costs beside the run itself: `PYTHONPATH=src python measure.py`, on an idle machine.

The first table has the time of a second call with the same shapes over that of `tacet run` on the same job. The second
has the copies of 10^7 floats on their way in, by where they come from, and of 10^6 floats on their way out: conversion
to an array, change of element type, and writing to the private folder; the best of three.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import jax
import numpy as np

import tacet_mpc as tacet
from tacet_mpc._arrays import narrow, to_array
from tacet_mpc._child import _parent
from tacet_mpc._private import job_file, save

alice, bob = tacet.parties("alice bob")
rng = np.random.default_rng(0)


def overhead(folder: Path) -> None:
    score = tacet.private(lambda x, w, v: jax.nn.softmax(jax.nn.relu(x @ w) @ v), reveal="alice")
    args = [alice(rng.normal(size=(100, 20)).astype("f4")), bob(rng.normal(size=(20, 32)).astype("f4")), bob(rng.normal(size=(32, 3)).astype("f4"))]
    score(*args)
    call = score._prepare(tuple(args), {})
    job = job_file(call, score._settings)
    job["outputs"]["dir"] = "out"
    (folder / "program.mlir").write_text(call.program.text)
    (folder / "job.yaml").write_text(json.dumps(job))
    for i, array in enumerate(call.arrays):
        assert array is not None
        np.save(folder / f"arg{i}.npy", array)
    runs, calls = [], []
    for _ in range(20):
        began = time.perf_counter()
        subprocess.run([tacet.program(), "run", str(folder / "job.yaml"), "--json"], check=True, capture_output=True)
        runs.append(time.perf_counter() - began)
        began = time.perf_counter()
        score(*args)
        calls.append(time.perf_counter() - began)
    over = statistics.median(c - r for c, r in zip(calls, runs, strict=True))
    print(f"tacet run {statistics.median(runs):.3f} s, second call {statistics.median(calls):.3f} s, median difference {over:.3f} s")


def copies(folder: Path) -> None:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    x = rng.normal(size=(10**6, 10)).astype("f4")
    columns = {f"c{i}": x[:, i].copy() for i in range(10)}
    cases = {
        "NumPy f4": x, "NumPy f4, Fortran order": np.asfortranarray(x), "NumPy f8": x.astype("f8"), "NumPy i8": (x * 100).astype("i8"),
        "JAX": jax.numpy.asarray(x), "pandas": pd.DataFrame(columns), "polars": pl.DataFrame(columns), "pyarrow": pa.table(columns),
    }  # fmt: skip
    for name, value in cases.items():
        best = [float("inf")] * 3
        for _ in range(3):
            times = [time.perf_counter()]
            array = to_array(value, "x")
            times.append(time.perf_counter())
            narrowed = narrow(array, False, "x", lambda *_: None)
            times.append(time.perf_counter())
            save(str(folder / "x.npy"), narrowed)
            times.append(time.perf_counter())
            best = [min(b, t - s) for b, s, t in zip(best, times, times[1:], strict=False)]
        speeds = [size / t / 1e9 for size, t in zip((array.nbytes, array.nbytes, narrowed.nbytes), best, strict=True)]
        print(f"{name:24} " + "  ".join(f"{what} {s:8.2f} GB/s" for what, s in zip(("array", "type", "write"), speeds, strict=True)))
    np.save(folder / "out.npy", x[:, 0])
    times = []
    for _ in range(5):
        began = time.perf_counter()
        np.load(folder / "out.npy")
        times.append(time.perf_counter() - began)
    print(f"result of 10^6 floats    read {4e6 / min(times) / 1e9:.2f} GB/s")


if __name__ == "__main__":
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    print(f"load of the machine: {load:.1f}")
    with tempfile.TemporaryDirectory(prefix="tacet-measure-", dir=_parent(1 << 28)) as made:
        overhead(Path(made))
        copies(Path(made))
