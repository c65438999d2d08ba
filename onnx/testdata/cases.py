"""Writes the ONNX project's own test cases of single nodes as a folder for TACET_TEST_ONNX.

    pip install onnx==1.23.2 ml_dtypes
    python cases.py FOLDER

Each case is a folder with model.onnx, inputs in0.pb, in1.pb, … and outputs out0.pb, out1.pb, … as serialised
TensorProto, and case.json with the tolerances. A value that is no tensor (a sequence, a map, nothing) is an
empty file.
"""

import json
import pathlib
import sys

import numpy as np
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


main(pathlib.Path(sys.argv[1]))
