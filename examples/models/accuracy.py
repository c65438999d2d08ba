"""Counts how often a private run chooses the class that the same model chooses in clear: the table of docs/models.md.

    pip install numpy onnx onnxruntime scikit-learn==1.9.1 skl2onnx==1.20.0 pillow
    pip install --no-deps rapidocr-onnxruntime==1.4.4 ddddocr==1.6.1 silero-vad==6.2.3 magika==1.0.3   # for their weights
    go build -o tacet ./cmd/tacet
    python examples/models/accuracy.py --tacet ./tacet            # or some models: … logistic text-direction

Bob has a trained model, Alice the inputs; Alice learns the results. The first models are trained here on the 1,797 images of scikit-learn's digits,
half of which the models have not seen; the weights of the others come with packages of PyPI. Inputs of the latter are made here: lines of text, files
of the Python installation, a voice of pulses through moving formants. In clear, onnxruntime computes the same ONNX file in 32-bit floats.
A decision is the largest class of one result: of an image, of a file, of one place in a text, or whether a piece of sound is speech (above one half).
"""
import argparse
import json
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from typing import Callable

import numpy as np

TEXTS = "the quick brown fox jumps over a lazy dog 0123456789 invoice total amount due date name street city tax number page order".split()


@dataclass
class Model:
    """A model's file, the batches of its inputs, and how a result decides: by the class of its last axis, or by a threshold."""

    onnx: bytes
    batches: list[list[np.ndarray]]
    result: int = 0  # which result decides
    decide: Callable[[np.ndarray], np.ndarray] = lambda scores: scores.argmax(-1)


def margin(scores):
    """The distance of the largest score from the second one, of a threshold's from one half."""
    if scores.ndim == 1:
        return np.abs(scores - 0.5)
    top = np.sort(scores, -1)
    return top[..., -1] - top[..., -2]


# Models trained here.

def digits(make):
    def build(_):
        from skl2onnx import to_onnx
        from sklearn.datasets import load_digits

        x, y = load_digits(return_X_y=True)
        x = x.astype(np.float32)
        model = make().fit(x[::2], y[::2])
        file = to_onnx(model, x[:1], options={"zipmap": False}, target_opset={"": 18, "ai.onnx.ml": 3})
        return Model(file.SerializeToString(), [[x]], result=1)

    return build


def logistic():
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=2000)


def perceptron():
    from sklearn.neural_network import MLPClassifier

    return MLPClassifier((64, 32), random_state=0, max_iter=500)


def vectors():
    from sklearn.svm import SVC

    return SVC(random_state=0)


def forest():
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(30, max_depth=6, random_state=0)


def boosting():
    from sklearn.ensemble import GradientBoostingClassifier

    return GradientBoostingClassifier(n_estimators=20, max_depth=3, random_state=0)


def bayes():
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB(var_smoothing=1e-2)


# Models whose weights come with a package.

def packaged(package, file):
    """A file of an installed package, which is not imported: it may need what is not installed."""
    spec = util.find_spec(package)
    if spec is None:
        sys.exit(f"accuracy.py: {package} is not installed: pip install --no-deps {package.replace('_', '-')}")
    return Path(spec.submodule_search_locations[0], file).read_bytes()


def line(rng, height, width):
    """An image of a line of text: grey values from 0 to 255."""
    from PIL import Image, ImageDraw, ImageFilter, ImageFont

    paper, ink = rng.integers(150, 256), rng.integers(0, 90)
    image = Image.new("L", (width, height), int(paper))
    text = " ".join(rng.choice(TEXTS, rng.integers(1, 4)))
    text = text.upper() if rng.random() < 0.3 else text
    font = ImageFont.load_default(float(rng.uniform(0.5, 0.75) * height))
    ImageDraw.Draw(image).text((rng.integers(2, 12), rng.integers(0, height // 5)), text, int(ink), font)
    image = image.rotate(float(rng.uniform(-2, 2)), fillcolor=int(paper)).filter(ImageFilter.GaussianBlur(float(rng.uniform(0, 1))))
    return np.clip(np.asarray(image, np.float32) + rng.normal(0, rng.uniform(0, 12), (height, width)), 0, 255).astype(np.float32)


def text_direction(count):
    rng = np.random.default_rng(1)
    images = np.stack([line(rng, 48, 192) for _ in range(count)])
    images = np.where(rng.random(count)[:, None, None] < 0.5, images[:, ::-1, ::-1], images) / 127.5 - 1
    x = np.repeat(images[:, None], 3, 1).astype(np.float32)
    return Model(packaged("rapidocr_onnxruntime", "models/ch_ppocr_mobile_v2.0_cls_infer.onnx"), [[b] for b in np.split(x, range(50, count, 50))])


def text_line(count):
    rng = np.random.default_rng(2)
    images = np.stack([line(rng, 48, 320) for _ in range(count // 40)]) / 127.5 - 1
    x = np.repeat(images[:, None], 3, 1).astype(np.float32)
    return Model(packaged("rapidocr_onnxruntime", "models/ch_PP-OCRv4_rec_infer.onnx"), [[image[None]] for image in x])


def captcha(count):
    rng = np.random.default_rng(3)
    batches = []
    for _ in range(count // 20):
        image = line(rng, 64, 160)
        for _ in range(3):  # strokes over the text
            a, b = rng.integers(0, 64, 2)
            columns = np.arange(160)
            image[np.linspace(a, b, 160).astype(int), columns] = rng.integers(0, 255)
        batches.append([(image[None, None] / 255).astype(np.float32)])
    return Model(packaged("ddddocr", "common.onnx"), batches)


def speech(count):
    rng = np.random.default_rng(4)
    samples = 512 * count + 64
    time = np.arange(samples) / 16000
    pitch = 110 + 30 * np.sin(2 * np.pi * 0.7 * time) + 10 * np.sin(2 * np.pi * 3.1 * time)
    phase = np.cumsum(pitch) / 16000
    sound = np.zeros(samples)
    for k in range(1, 30):  # the pulses' overtones, as loud as two formants let them be
        f = k * pitch
        first, second = 500 + 250 * np.sin(2 * np.pi * 1.9 * time), 1500 + 600 * np.sin(2 * np.pi * 1.3 * time)
        sound += np.sin(2 * np.pi * k * phase) * (np.exp(-((f - first) / 150) ** 2) + 0.5 * np.exp(-((f - second) / 250) ** 2) + 0.02)
    loud = np.clip(np.sin(2 * np.pi * 2.3 * time) + 0.4, 0, None) * (np.sin(2 * np.pi * 0.21 * time) > -0.3)  # syllables, and pauses
    sound = (0.15 * sound * loud + rng.normal(0, 0.01, samples)).astype(np.float32)
    pieces = np.lib.stride_tricks.sliding_window_view(sound, 576)[::512][:count]
    nothing = np.zeros((1, 1, 128), np.float32)
    return Model(packaged("silero_vad", "data/silero_vad_16k_sequence.onnx"), [[pieces, nothing, nothing]], decide=lambda scores: scores > 0.5)


def file_type(count):
    rng = np.random.default_rng(5)
    files = sorted(p for p in Path(sysconfig.get_path("stdlib")).rglob("*") if p.is_file() and p.stat().st_size > 64 and "__pycache__" not in p.parts)
    rows = []
    for i in rng.choice(len(files), count, replace=count > len(files)):
        data = files[i].read_bytes()
        begin, end = data[:4096].lstrip()[:1024], data[-4096:].rstrip()[-1024:]
        rows.append([*begin, *[256] * (2048 - len(begin) - len(end)), *end])
    x = np.array(rows, np.int32)
    return Model(packaged("magika", "models/standard_v3_3/model.onnx"), [[b] for b in np.split(x, range(10, count, 10))])


MODELS = {
    "logistic": (digits(logistic), "scikit-learn, logistic regression", 0),
    "perceptron": (digits(perceptron), "scikit-learn, perceptron 64-64-32-10", 0),
    "vectors": (digits(vectors), "scikit-learn, support vectors, RBF kernel", 0),
    "bayes": (digits(bayes), "scikit-learn, naive Bayes", 0),
    "forest": (digits(forest), "scikit-learn, random forest, 30 trees", 0),
    "boosting": (digits(boosting), "scikit-learn, gradient boosting, 200 trees", 0),
    "text-direction": (text_direction, "PP-OCR, direction of a text line", 1000),
    "text-line": (text_line, "PP-OCRv4, characters of a text line (of 6,625)", 4000),
    "captcha": (captcha, "ddddocr, characters with an LSTM (of 8,210)", 2000),
    "speech": (speech, "silero-vad, is a piece of sound speech", 2000),
    "file-type": (file_type, "magika, a file's type (of 214)", 1000),
}


def compare(tacet, name, count, show):
    """The table's row of a model."""
    import onnxruntime

    build, title, usual = MODELS[name]
    model = build(count or usual)
    onnxruntime.set_default_logger_severity(3)
    session = onnxruntime.InferenceSession(model.onnx, providers=["CPUExecutionProvider"])
    inputs, decisions, same, error, least, seconds, sent = session.get_inputs(), 0, 0, 0.0, [], 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder, "job")
        Path(folder, "model.onnx").write_bytes(model.onnx)
        shapes = [f"--shape={i.name}={'x'.join(map(str, a.shape))}" for i, a in zip(inputs, model.batches[0])]
        call([tacet, "import", Path(folder, "model.onnx"), "--owner", "bob", "--out", job, *shapes])
        for number, batch in enumerate(model.batches):
            if show:
                print(f"\r{name}: {number + 1} of {len(model.batches)}", end="", file=sys.stderr, flush=True)
            if batch[0].shape != model.batches[0][0].shape:
                sys.exit(f"accuracy.py: {name}: the number of inputs must be a multiple of {len(model.batches[0][0])}")
            np.savez(job / "inputs.npz", **{f"arg{i}": a for i, a in enumerate(batch)})
            report = json.loads(call([tacet, "run", job / "job.yaml", "--json"]))
            seconds, sent = seconds + report["online"]["seconds"], sent + max(report["online"]["bytes_sent"])
            private = np.load(job / "out" / f"out{model.result}.npy")
            clear = session.run(None, {i.name: a for i, a in zip(inputs, batch)})[model.result]
            agree = model.decide(private) == model.decide(clear)
            decisions, same = decisions + agree.size, same + int(agree.sum())
            error = max(error, float(np.abs(private - clear).max()))
            least += margin(clear)[~agree].tolist()
    if show:
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)
    worst = f"{max(least):.1g}" if least else ""
    cells = [title, decisions, decisions - same, worst, f"{error:.1g}", f"{sent / 1e6 / decisions:.3g}", f"{1000 * seconds / decisions:.3g}"]
    return "| " + " | ".join(map(str, cells)) + " |"


def call(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"accuracy.py: {' '.join(map(str, command))}: {done.stderr or done.stdout}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help=", ".join(MODELS) + " (default: all)")
    parser.add_argument("--tacet", default="tacet", help="the command (default: tacet on PATH)")
    parser.add_argument("--count", type=int, default=0, metavar="N", help="decisions of models that come with a package (default: 1,000 to 4,000)")
    arguments = parser.parse_args()
    for name in arguments.models:
        if name not in MODELS:
            parser.error(f"{name} is no model here: " + ", ".join(MODELS))
    if arguments.count < 0 or arguments.count % 1000:
        parser.error("--count is a multiple of 1000")
    print("| model | decisions | other than in clear | largest margin of these | largest error | online MB a party, each | online ms, each |", "|---" * 7 + "|", sep="\n")
    for name in arguments.models or MODELS:
        print(compare(arguments.tacet, name, arguments.count, sys.stderr.isatty()), flush=True)


if __name__ == "__main__":
    main()
