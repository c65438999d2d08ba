"""Writes the ONNX project's own test cases of single nodes as a folder for TACET_TEST_ONNX.

    pip install onnx==1.23.2 ml_dtypes
    python cases.py FOLDER [cases.zip]

Each case is a folder with model.onnx, inputs in0.pb, in1.pb, … and outputs out0.pb, out1.pb, … as serialised
TensorProto, and case.json with the tolerances. A value that is no tensor (a sequence, a map, nothing) is an
empty file. With a second argument, the smallest case of each operation is written to that archive besides, which the
tests always run.
"""

import json
import pathlib
import sys
import zipfile

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper
from onnx.backend.test.case import node


def serialised(value) -> bytes:
    """The bytes of a tensor's file."""
    if isinstance(value, TensorProto):
        return value.SerializeToString()
    if isinstance(value, (np.ndarray, np.generic)):
        return numpy_helper.from_array(np.asarray(value)).SerializeToString()
    return b""


def main(folder: pathlib.Path) -> None:
    count = 0
    for case in node.collect_testcases(None):
        at = folder / case.name
        at.mkdir(parents=True, exist_ok=True)
        (at / "model.onnx").write_bytes(case.model.SerializeToString())
        (at / "case.json").write_text(json.dumps({"rtol": case.rtol, "atol": case.atol}))
        inputs, outputs = case.data_sets[0]
        for name, values in (("in", inputs), ("out", outputs)):
            for i, value in enumerate(values):
                (at / f"{name}{i}.pb").write_bytes(serialised(value))
        count += 1
    print(f"{count} cases in {folder}")


def pick(folder: pathlib.Path, archive: str) -> None:
    """Writes the smallest case of each operation, whose tensors are all of numbers."""
    best: dict[str, tuple[int, pathlib.Path]] = {}
    for at in sorted(folder.iterdir()):
        model = onnx.load(at / "model.onnx")
        files = list(at.iterdir())
        size = sum(f.stat().st_size for f in files)
        old = any(o.domain == "" and o.version < 7 for o in model.opset_import)
        if old or "_expanded" in at.name or size > 6000 or any(f.stat().st_size == 0 for f in files):
            continue
        op = model.graph.node[-1].op_type
        if op not in best or size < best[op][0]:
            best[op] = (size, at)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for _, at in best.values():
            for f in sorted(at.iterdir()):
                z.writestr(zipfile.ZipInfo(f"{at.name}/{f.name}"), f.read_bytes(), zipfile.ZIP_DEFLATED)
    print(f"{len(best)} cases in {archive}")


main(pathlib.Path(sys.argv[1]))
if len(sys.argv) > 2:
    pick(pathlib.Path(sys.argv[1]), sys.argv[2])
