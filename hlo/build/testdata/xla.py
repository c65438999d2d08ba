"""Hands StableHLO programs to XLA.

Reads a list of cases (JSON) from standard input: name, text, and whether to
compile; with args and results, arrays as {"dtype", "shape", "data"}, the
compiled program is run and compared. Prints a line for each case that fails
and exits with 1 if there is one.
"""

import json
import sys

import jax
import numpy as np
from jax._src.interpreters import mlir
from jax.extend import backend
from jaxlib._jax import DeviceList
from jaxlib.mlir import ir


def array(a):
    dtype = jax.numpy.bfloat16 if a["dtype"] == "bf16" else np.dtype(a["dtype"])
    return np.array(a["data"]).astype(dtype).reshape(a["shape"])


def check(case, cpu):
    with mlir.make_ir_context():
        module = ir.Module.parse(case["text"])
        if not module.operation.verify():
            return "does not verify"
        if not case["compile"]:
            return None
        options = backend.get_compile_options(num_replicas=1, num_partitions=1)
        program = cpu.compile_and_load(module, DeviceList((cpu.devices()[0],)), options)
    args = [jax.device_put(array(a), cpu.devices()[0]) for a in case["args"] or []]
    got = program.execute(args)
    want = [array(a) for a in case["results"] or []]
    if len(got) != len(want):
        return f"gives {len(got)} results, want {len(want)}"
    for g, w in zip(got, want):
        g = np.asarray(g)
        if g.dtype != w.dtype or g.shape != w.shape:
            return f"gives {g.dtype}{g.shape}, want {w.dtype}{w.shape}"
        if not np.allclose(g.astype(np.complex128), w.astype(np.complex128), rtol=1e-5, atol=1e-5, equal_nan=True):
            return f"gives {g}, want {w}"
    return None


def main():
    jax.config.update("jax_enable_x64", True)
    cpu = backend.get_backend("cpu")
    failed = False
    for case in json.load(sys.stdin):
        try:
            what = check(case, cpu)
        except Exception as e:  # XLA's own errors are of many types
            what = f"{type(e).__name__}: {e}"
        if what:
            failed = True
            print(f"{case['name']}: {what}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
