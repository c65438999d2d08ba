"""Makes the files that the tests compare with: NumPy's own, of every kind that it writes.

    pip install numpy ml_dtypes
    python make.py
"""
from pathlib import Path

import ml_dtypes
import numpy as np

HERE = Path(__file__).resolve().parent
VALUES = np.array([[0, 1, 2], [3, 100, 7]])

for name in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split():
    np.save(HERE / name, VALUES.astype(name))
np.save(HERE / "bfloat16", VALUES.astype(ml_dtypes.bfloat16))
np.save(HERE / "fortran", np.asfortranarray(VALUES.astype("float32")))
np.save(HERE / "fortran3", np.asfortranarray(np.arange(24, dtype="int16").reshape(2, 3, 4)))
np.save(HERE / "big", VALUES.astype(">f8"))
np.save(HERE / "scalar", np.float32(2.5))
np.save(HERE / "vector", VALUES[1].astype("int32"))
np.save(HERE / "empty", np.zeros((3, 0, 2), "float32"))
for version in (2, 3):
    with open(HERE / f"version{version}.npy", "wb") as f:
        np.lib.format.write_array(f, VALUES.astype("float32"), version=(version, 0))
np.save(HERE / "object", np.array([{}, None]), allow_pickle=True)
np.save(HERE / "record", np.zeros(2, [("a", "f4"), ("b", "i4")]))
np.save(HERE / "text", np.array(["a", "bc"]))
np.savez(HERE / "stored", arg0=VALUES.astype("float32"), arg1=np.arange(4))
np.savez_compressed(HERE / "deflated", arg0=VALUES.astype("float32"), arg1=np.arange(4))
np.savez_compressed(HERE / "zeros", arg0=np.zeros(100_000))
