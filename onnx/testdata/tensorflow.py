"""Writes models of Keras, exported by tf2onnx, with inputs and outputs as a folder for TACET_TEST_ONNX_MODELS.

    pip install tensorflow-cpu==2.21.0 tf2onnx==1.17.0 onnx==1.23.2 onnxruntime==1.32.0
    python tensorflow.py FOLDER

Folders are as models.py writes them. tf2onnx cannot export the exact gelu, whose Erfc ONNX does not have.
"""

import os
import pathlib
import sys

sys.path.pop(0)  # this folder, whose file has the name of a package
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import onnxruntime
import tensorflow as tf
import tf2onnx
from onnx import numpy_helper

K, L = tf.keras, tf.keras.layers


def transformer():
    x = K.Input((6, 16))
    y = L.LayerNormalization()(x)
    z = L.Add()([x, L.MultiHeadAttention(2, 8)(y, y)])
    z = L.Dense(32, lambda v: tf.nn.gelu(v, approximate=True))(L.LayerNormalization()(z))
    return K.Model(x, L.Dense(3)(L.GlobalAveragePooling1D()(L.Dense(16)(z))))


def models():
    yield "dense", [K.Input((8,)), L.Dense(16, "relu"), L.BatchNormalization(), L.Dense(3, "softmax")], (4, 8)
    layers = [L.Conv2D(8, 3, padding="same", activation="relu"), L.MaxPool2D(), L.Conv2D(8, 3, strides=2, padding="same"), L.BatchNormalization()]
    layers += [L.ReLU(6.0), L.DepthwiseConv2D(3, padding="same"), L.GlobalAveragePooling2D(), L.Dense(5)]
    yield "cnn", [K.Input((16, 16, 3)), *layers], (2, 16, 16, 3)
    yield "lstm", [K.Input((6, 8)), L.LSTM(8), L.Dense(3)], (2, 6, 8)
    yield "gru", [K.Input((6, 8)), L.GRU(8), L.Dense(3)], (2, 6, 8)
    yield "transformer", transformer(), (2, 6, 16)
    layers = [L.Conv2DTranspose(4, 3, strides=2, padding="same"), L.UpSampling2D(2, interpolation="bilinear"), L.Activation("swish")]
    yield "upsample", [K.Input((4, 4, 3)), *layers, L.AveragePooling2D(2), L.Flatten(), L.Dense(2, "sigmoid")], (1, 4, 4, 3)


def main():
    folder = pathlib.Path(sys.argv[1])
    K.utils.set_random_seed(0)
    for name, model, shape in models():
        if isinstance(model, list):
            model = K.Sequential(model)
        x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
        f = tf.function(lambda a, m=model: m(a, training=False), input_signature=[tf.TensorSpec(shape, tf.float32, name="x")])
        exported, _ = tf2onnx.convert.from_function(f, input_signature=f.input_signature, opset=17)
        at = folder / f"tf-{name}"
        at.mkdir(parents=True, exist_ok=True)
        (at / "model.onnx").write_bytes(exported.SerializeToString())
        session = onnxruntime.InferenceSession(str(at / "model.onnx"), providers=["CPUExecutionProvider"])
        (at / "in0.pb").write_bytes(numpy_helper.from_array(x).SerializeToString())
        for i, y in enumerate(session.run(None, {session.get_inputs()[0].name: x})):
            (at / f"out{i}.pb").write_bytes(numpy_helper.from_array(y).SerializeToString())
        print(name, sorted({n.op_type for n in exported.graph.node}), flush=True)


main()
