"""Trains gradient boosting on measurements of cell nuclei and writes the model as ONNX, with rows to predict.

    pip install scikit-learn==1.9.1 skl2onnx==1.20.0 onnxruntime
    python make.py

Bob has the model, alice 40 patients' measurements; alice learns the predictions.
"""

import numpy as np
import onnxruntime
from skl2onnx import to_onnx
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier

x, y = load_breast_cancer(return_X_y=True)
x = x.astype(np.float32)
model = GradientBoostingClassifier(n_estimators=20, max_depth=3, random_state=0).fit(x[:400], y[:400])
onnx_model = to_onnx(model, x[:1], options={"zipmap": False}, target_opset={"": 18, "ai.onnx.ml": 3})
with open("model.onnx", "wb") as f:
    f.write(onnx_model.SerializeToString())

rows = x[400:440]
session = onnxruntime.InferenceSession("model.onnx", providers=["CPUExecutionProvider"])
label, probability = session.run(None, {"X": rows})
np.savez_compressed("alice.npz", arg0=rows)
np.savez_compressed("expected.npz", out0=label, out1=probability)
