"""Writes real exports with inputs and expected outputs as a folder for TACET_TEST_ONNX_MODELS.

    pip install onnx==1.23.2 torch==2.15.0 torchvision==0.29.2 onnxscript==0.7.2 onnxruntime scikit-learn==1.9.1 \
        skl2onnx==1.20.0 onnxmltools==1.16.0 xgboost==3.2.0 lightgbm==4.7.0
    python models.py FOLDER [NAME...]

Each model is a folder with model.onnx, inputs in0.pb, … and the outputs out0.pb, … that onnxruntime computes, as
serialised TensorProto. An output that is no tensor of numbers is an empty file.
"""

import pathlib
import sys
import warnings

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

warnings.filterwarnings("ignore")


def save(folder, name, model_bytes_or_path, inputs):
    at = folder / name
    at.mkdir(parents=True, exist_ok=True)
    path = at / "model.onnx"
    if isinstance(model_bytes_or_path, bytes):
        path.write_bytes(model_bytes_or_path)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    feeds = dict(zip([i.name for i in session.get_inputs()], inputs, strict=True))
    outputs = session.run(None, feeds)
    for i, x in enumerate(inputs):
        (at / f"in{i}.pb").write_bytes(numpy_helper.from_array(np.asarray(x)).SerializeToString())
    for i, y in enumerate(outputs):
        text = not isinstance(y, np.ndarray) or y.dtype == object
        (at / f"out{i}.pb").write_bytes(b"" if text else numpy_helper.from_array(y).SerializeToString())
    print(name, [getattr(y, "shape", type(y)) for y in outputs], flush=True)


def torch_models():
    import torch
    import torchvision.models as tv
    from torch import nn

    torch.manual_seed(0)

    class Recurrent(nn.Module):
        def __init__(self, kind, **options):
            super().__init__()
            self.cell = getattr(nn, kind)(8, 16, batch_first=True, **options)
            self.out = nn.Linear(16 * (2 if options.get("bidirectional") else 1), 3)

        def forward(self, x):
            y, _ = self.cell(x)
            return self.out(y[:, -1])

    class Bert(nn.Module):
        def __init__(self, width=32, heads=4, layers=2, words=50, places=16):
            super().__init__()
            self.words, self.places = nn.Embedding(words, width), nn.Embedding(places, width)
            self.norm = nn.LayerNorm(width)
            layer = nn.TransformerEncoderLayer(width, heads, 64, activation="gelu", batch_first=True)
            self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
            self.out = nn.Linear(width, 2)

        def forward(self, ids):
            at = torch.arange(ids.shape[1], device=ids.device)
            x = self.norm(self.words(ids) + self.places(at))
            return self.out(torch.tanh(self.encoder(x)[:, 0]))

    def vgg():
        model = tv.vgg11_bn()
        model.avgpool, model.classifier = nn.AdaptiveAvgPool2d(1), nn.Linear(512, 10)
        return model

    def vit():
        model = tv.VisionTransformer(32, 8, 2, 4, 32, 64, num_classes=10)
        nn.init.normal_(model.heads.head.weight)  # which is 0 at first
        return model

    small = lambda n: torch.randn(1, 3, n, n)
    yield "resnet18", lambda: tv.resnet18(), [small(64)]
    yield "mobilenetv3", lambda: tv.mobilenet_v3_small(), [small(64)]
    yield "efficientnet", lambda: tv.efficientnet_b0(), [small(64)]
    yield "vgg11", vgg, [small(32)]
    yield "vit", vit, [small(32)]
    yield "mlp", lambda: nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3), nn.Softmax(1)), [torch.randn(4, 8)]
    yield "lstm", lambda: Recurrent("LSTM", num_layers=2), [torch.randn(2, 6, 8)]
    yield "gru", lambda: Recurrent("GRU", bidirectional=True), [torch.randn(2, 6, 8)]
    yield "bert", lambda: Bert(), [torch.randint(0, 50, (2, 12))]


def settle(model, example):
    """Gives batch normalisations statistics of plausible data, so that values stay moderate."""
    import torch

    model.train()
    with torch.no_grad():
        for _ in range(3):
            model(*[torch.randn(8, *x.shape[1:]) if x.dtype.is_floating_point else x for x in example])
    return model.eval()


def export_torch(folder, only):
    import torch

    for name, make, example in torch_models():
        if only and not any(o in name for o in only):
            continue
        model = settle(make(), example)
        for exporter in ("dynamo", "script"):
            at = folder / f"{name}-{exporter}"
            at.mkdir(parents=True, exist_ok=True)
            path = str(at / "model.onnx")
            try:
                if exporter == "dynamo":
                    torch.onnx.export(model, tuple(example), path, dynamo=True, verbose=False)
                else:
                    torch.onnx.export(model, tuple(example), path, dynamo=False, opset_version=17, do_constant_folding=True)
                save(folder, at.name, path, [x.numpy() for x in example])
            except Exception as err:
                print(f"{at.name}: NOT EXPORTED: {type(err).__name__}: {str(err)[:200]}", flush=True)


def sklearn_models():
    from sklearn import ensemble, linear_model, naive_bayes, neighbors, neural_network, pipeline, preprocessing, svm, tree
    from sklearn import decomposition, discriminant_analysis

    yield "logistic", linear_model.LogisticRegression(max_iter=500)
    yield "logistic-two", linear_model.LogisticRegression(max_iter=500), 2
    yield "ridge-classifier", linear_model.RidgeClassifier()
    yield "linear", linear_model.LinearRegression(), 0
    yield "ridge", linear_model.Ridge(), 0
    yield "lasso", linear_model.Lasso(alpha=0.01), 0
    yield "poisson", linear_model.PoissonRegressor(), -1
    yield "tree", tree.DecisionTreeClassifier(max_depth=4)
    yield "tree-regressor", tree.DecisionTreeRegressor(max_depth=4), 0
    yield "forest", ensemble.RandomForestClassifier(10, max_depth=4)
    yield "forest-two", ensemble.RandomForestClassifier(10, max_depth=4), 2
    yield "forest-regressor", ensemble.RandomForestRegressor(10, max_depth=4), 0
    yield "boosting", ensemble.GradientBoostingClassifier(n_estimators=10, max_depth=3)
    yield "boosting-two", ensemble.GradientBoostingClassifier(n_estimators=10, max_depth=3), 2
    yield "boosting-regressor", ensemble.GradientBoostingRegressor(n_estimators=10, max_depth=3), 0
    yield "histogram", ensemble.HistGradientBoostingClassifier(max_iter=10, max_depth=3)
    yield "extra-trees", ensemble.ExtraTreesClassifier(10, max_depth=4)
    yield "mlp", neural_network.MLPClassifier(hidden_layer_sizes=(16,), max_iter=300)
    yield "mlp-regressor", neural_network.MLPRegressor(hidden_layer_sizes=(16,), max_iter=300), 0
    yield "svc", svm.SVC(probability=False)
    yield "svc-two", svm.SVC(kernel="poly", degree=2), 2
    yield "svr", svm.SVR(), 0
    yield "linear-svc", svm.LinearSVC()
    yield "naive-bayes", naive_bayes.GaussianNB()
    yield "lda", discriminant_analysis.LinearDiscriminantAnalysis()
    yield "knn", neighbors.KNeighborsClassifier(3)
    yield "scaled", pipeline.make_pipeline(preprocessing.StandardScaler(), linear_model.LogisticRegression(max_iter=500))
    yield "minmax", pipeline.make_pipeline(preprocessing.MinMaxScaler(), decomposition.PCA(3), linear_model.LogisticRegression(max_iter=500))
    yield "normaliser", pipeline.make_pipeline(preprocessing.Normalizer(), linear_model.LogisticRegression(max_iter=500))
    yield "names", linear_model.LogisticRegression(max_iter=500), 3, ["setosa", "versicolor", "virginica"]


def export_sklearn(folder, only):
    from skl2onnx import to_onnx

    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 5)).astype(np.float32)
    x[:, 0] = np.round(x[:, 0] * 4) / 4  # features that equal thresholds
    for name, model, *rest in sklearn_models():
        if only and not any(o in "skl-" + name for o in only):
            continue
        classes = rest[0] if rest else 3
        score = x @ np.array([1, -2, 0.5, 0, 1], dtype=np.float32)
        if classes > 0:
            y = np.clip(np.floor(score / 2 + classes / 2), 0, classes - 1).astype(np.int64)
            if len(rest) > 1:
                y = np.array(rest[1])[y]
        else:
            y = np.exp(score / 4) if classes < 0 else score
        model.fit(x, y)
        options = {id(model): {"zipmap": name == "logistic"}} if classes > 0 and not hasattr(model, "steps") and name != "linear-svc" else None
        try:
            onx = to_onnx(model, x[:16], options=options, target_opset={"": 18, "ai.onnx.ml": 3})
            save(folder, "skl-" + name, onx.SerializeToString(), [x[:16]])
        except Exception as err:
            print(f"skl-{name}: NOT EXPORTED: {type(err).__name__}: {str(err)[:200]}", flush=True)


def export_boosting(folder, only):
    import lightgbm
    import onnxmltools
    import xgboost
    from onnxmltools.convert.common.data_types import FloatTensorType

    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 6)).astype(np.float32)
    x[:, 0] = np.round(x[:, 0] * 4) / 4
    score = x @ np.array([1, -2, 0.5, 0, 1, 0], dtype=np.float32)
    targets = {"two": (score > 0).astype(int), "three": np.clip(np.floor(score / 2 + 1.5), 0, 2).astype(int), "regressor": score}
    kinds = [("input", FloatTensorType([None, 6]))]
    for name, y in targets.items():
        if only and not any(o in f"xgb-{name} lgb-{name}" for o in only):
            continue
        regress = name == "regressor"
        xgb = (xgboost.XGBRegressor if regress else xgboost.XGBClassifier)(n_estimators=8, max_depth=3).fit(x, y)
        lgb = (lightgbm.LGBMRegressor if regress else lightgbm.LGBMClassifier)(n_estimators=8, max_depth=3, verbose=-1).fit(x, y)
        for kind, model, convert in (("xgb", xgb, onnxmltools.convert_xgboost), ("lgb", lgb, onnxmltools.convert_lightgbm)):
            try:
                onx = convert(model, initial_types=kinds, **({"zipmap": False} if kind == "lgb" and not regress else {}))
                save(folder, f"{kind}-{name}", onx.SerializeToString(), [x[:16]])
            except Exception as err:
                print(f"{kind}-{name}: NOT EXPORTED: {type(err).__name__}: {str(err)[:200]}", flush=True)


def main():
    folder, only = pathlib.Path(sys.argv[1]), sys.argv[2:]
    export_sklearn(folder, only)
    export_boosting(folder, only)
    export_torch(folder, only)


main()
