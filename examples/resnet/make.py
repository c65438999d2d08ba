"""Trains a small residual network on handwritten digits and exports it as ONNX, with images and expected results.

    pip install torch==2.15.0 onnx==1.23.2 onnxruntime==1.32.0 scikit-learn==1.9.1
    python make.py
"""

import numpy as np
import onnxruntime
import torch
from sklearn import datasets
from torch import nn


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs),
        )
        self.short = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.short = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return torch.relu(self.body(x) + self.short(x))


torch.manual_seed(0)
images, labels = datasets.load_digits(return_X_y=True)
images = (images.reshape(-1, 1, 8, 8) / 16).astype(np.float32)
order = np.random.default_rng(0).permutation(len(images))
images, labels = images[order], labels[order]
train = labels[:1400] < 5  # the network knows five digits: examples/finetune teaches it another question
x, y = torch.tensor(images[:1400][train]), torch.tensor(labels[:1400][train])
model = nn.Sequential(
    nn.Conv2d(1, 8, 3, 1, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU(), Block(8, 8, 1), Block(8, 16, 2),
    nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 5),
)
adam = torch.optim.Adam(model.parameters(), 5e-3)
for epoch in range(12):
    for rows in torch.randperm(len(x)).split(64):
        adam.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        adam.step()
model.eval()
torch.onnx.export(model, (x[:8],), "model.onnx", dynamo=False, opset_version=17, input_names=["image"], output_names=["scores"],
                  dynamic_axes={"image": {0: "batch"}, "scores": {0: "batch"}})
test = images[1400:][labels[1400:] < 5][:8]
scores = onnxruntime.InferenceSession("model.onnx").run(None, {"image": test})[0]
print("right:", (scores.argmax(1) == labels[1400:][labels[1400:] < 5][:8]).sum(), "of 8")
np.savez_compressed("alice.npz", arg0=test)
np.savez_compressed("expected.npz", out0=scores)
rows = slice(0, 64)  # digits that the network has not seen: is it an 8 or 9, rather than a 5, 6 or 7?
new = images[labels >= 5][rows]
np.savez_compressed("../finetune/alice.npz", images=new, labels=(labels[labels >= 5][rows] >= 8).astype(np.float32))
