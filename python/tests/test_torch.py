"""PyTorch modules run privately, with torch's own results; mistakes are typed exceptions of at most three lines.

Tests that need torch run with TACET_TEST_TORCH=1: it takes 6 GB on disk.
"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import tacet_mpc as tacet

alice, bob = tacet.parties("alice bob")

if os.environ.get("TACET_TEST_TORCH") == "1":
    import torch
    from torch import nn
    from torch.nn import functional
else:
    torch = None

needs_torch = pytest.mark.skipif(torch is None, reason="TACET_TEST_TORCH=1 runs tests of PyTorch")


@pytest.mark.parametrize("missing", ["torch", "torchax"])
def test_missing_package(monkeypatch, missing):
    if missing == "torchax" and torch is None:
        pytest.skip("TACET_TEST_TORCH=1 runs tests of PyTorch")
    for name in [m for m in sys.modules if m.partition(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError) as caught:
        tacet.from_torch(object())
    assert type(caught.value) is tacet.Missing and isinstance(caught.value, tacet.Usage)
    title = {"torch": "PyTorch", "torchax": "torchax"}[missing]
    assert str(caught.value) == f"{title} is not installed\n  pip install 'tacet-mpc[torch]'"


if torch is not None:

    class MLP(nn.Module):
        def __init__(self):
            super().__init__()
            self.hidden = nn.Linear(20, 32)
            self.out = nn.Linear(32, 3)

        def forward(self, x):
            h = torch.relu(self.hidden(x))
            return torch.softmax(self.out(h), -1)

    class Block(nn.Module):
        """Two convolutions and a way around them, as in ResNet."""

        def __init__(self, inside, outside, stride):
            super().__init__()
            self.conv1 = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
            self.bn1 = nn.BatchNorm2d(outside)
            self.conv2 = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
            self.bn2 = nn.BatchNorm2d(outside)
            self.around = nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))

        def forward(self, x):
            y = functional.relu(self.bn1(self.conv1(x)), inplace=True)
            y = self.bn2(self.conv2(y))
            y += self.around(x)
            return functional.relu(y)

    class ResNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, 1, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2))
            self.block1 = Block(8, 8, 1)
            self.block2 = Block(8, 16, 2)
            self.pool = nn.AdaptiveAvgPool2d(1)
            self.out = nn.Linear(16, 10)

        def forward(self, x):
            return self.out(torch.flatten(self.pool(self.block2(self.block1(self.stem(x)))), 1))

    class LSTM(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(8, 16, batch_first=True)
            self.out = nn.Linear(16, 2)

        def forward(self, x, state):
            y, (h, c) = self.lstm(x, state)
            return {"p": self.out(y[:, -1]), "state": (h, c)}

    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.TransformerEncoderLayer(16, 2, 32, activation="gelu", batch_first=True)

        def forward(self, x, mask=None, *, mean=False):
            y = self.layer(x, src_key_padding_mask=mask)
            return y.mean(1) if mean else y

    def trained(module):
        """The module in evaluation mode, with batch statistics that are not those of a new module."""
        generator = torch.Generator().manual_seed(1)
        for m in module.modules():
            if isinstance(m, nn.BatchNorm2d):
                m.running_mean.normal_(0, 0.3, generator=generator)
                m.running_var.uniform_(0.5, 2, generator=generator)
                nn.init.uniform_(m.weight, 0.5, 1.5, generator=generator)
        return module.eval()

    def normal(*shape):
        return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))

    def gru():
        return nn.GRU(8, 12, num_layers=2, bidirectional=True, batch_first=True)

    MODELS = {
        "mlp": (MLP, lambda: (normal(4, 20),)),
        "resnet": (ResNet, lambda: (normal(2, 3, 12, 12),)),
        "lstm": (LSTM, lambda: (normal(2, 6, 8), (normal(1, 2, 16), normal(1, 2, 16)))),
        "gru": (gru, lambda: (normal(2, 5, 8),)),
        "encoder": (Encoder, lambda: (normal(2, 6, 16),)),
    }
else:
    MODELS = {"mlp": (), "resnet": (), "lstm": (), "gru": (), "encoder": ()}


def flat(tree):
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, (list, tuple)):
        return [y for x in tree for y in flat(x)]
    return [np.asarray(tree.detach() if hasattr(tree, "detach") else tree)]


def same(got, want):
    assert type(got) is type(want) or not isinstance(want, (dict, tuple))
    for g, w in zip(flat(got), flat(want), strict=True):
        assert g.shape == w.shape
        np.testing.assert_allclose(g, w, atol=1e-3, rtol=1e-3)


@needs_torch
@pytest.mark.parametrize("name", MODELS)
def test_results_are_those_of_torch(name):
    make, inputs = MODELS[name]
    torch.manual_seed(0)
    module, x = trained(make()), inputs()
    f = tacet.from_torch(module, *x)
    same(f(bob(f.weights), *map(alice, x)), module(*x))
    state = module.state_dict()
    for weight, value in f.weights.items():
        np.testing.assert_array_equal(value, state[weight])
    unused = {k for k in state if k.endswith("num_batches_tracked")}
    assert set(f.weights) == set(state) - unused
    assert f.report.bytes > 0 and f.report.offline.bytes > 0


@needs_torch
def test_everything_of_private_functions():
    torch.manual_seed(0)
    module, x = MLP().eval(), normal(4, 20)
    f = tacet.from_torch(module, x)
    assert repr(f) == "<private MLP(weights, x)>"
    w = bob(f.weights)
    plan = f.plan(w, alice.spec((4, 20)), network="wan")
    mine = tacet.private(f, reveal="alice")
    assert isinstance(mine, tacet.TorchFunction) and mine.weights is f.weights
    same(mine.verify(bob(module.state_dict()), alice(x)), module(x))
    same(mine(weights=w, x=alice(x)), module(x))
    assert (mine.report.bytes, mine.report.rounds) == (f.using(reveal=alice).plan(w, alice(x)).bytes, plan.rounds)
    assert {"hidden", "out"} <= {row.name for row in plan.by("layer")}
    lines = {row.name for row in plan.by("line")}
    first = MLP.forward.__code__.co_firstlineno
    assert {n.rpartition(":")[2] for n in lines if "test_torch.py" in n} >= {str(first + 1), str(first + 2)}, lines
    assert not any("jaten" in n or "_torch.py" in n.replace("test_torch.py", "") for n in lines), lines
    assert len(f.compare(w, alice(x), ring=[64, 128]).variants) == 2
    assert f.check(w, alice(x)).ok
    with pytest.raises(tacet.RangeError) as caught:
        broken = {**f.weights, "out.bias": np.array([0, np.nan, 0], np.float32)}
        f(bob(broken), alice(x))
    assert caught.value.argument == "weights['out.bias'][1]"


@needs_torch
@pytest.mark.skipif(os.name == "nt", reason="tacet up is for Unix")
def test_submit_to_nodes(tmp_path, monkeypatch):
    torch.manual_seed(0)
    module, x = MLP().eval(), normal(4, 20)
    f = tacet.private(tacet.from_torch(module, x), reveal="alice")
    np.save(tmp_path / "x.npy", x.numpy())
    for name, value in f.weights.items():
        np.save(tmp_path / f"{name}.npy", value)
    monkeypatch.chdir(tmp_path)
    subprocess.run([tacet.program(), "up", "--data", str(tmp_path)], check=True, capture_output=True, timeout=120)
    try:
        with tacet.connect() as net:
            weights = {name: net["bob"].array(f"{name}.npy", shape=value.shape) for name, value in f.weights.items()}
            job = f.submit(weights, net["alice"].array("x.npy", shape=(4, 20)))
            same(job.result(timeout=120), module(x))
    finally:
        subprocess.run([tacet.program(), "down", "--limit", "5s"], check=False, capture_output=True, timeout=120)


@needs_torch
def test_other_shapes_than_the_example():
    torch.manual_seed(0)
    module = Encoder().eval()
    f = tacet.from_torch(module, torch.zeros(1, 4, 16), mean=True)
    assert repr(f) == "<private Encoder(weights, x)>"
    for shape in [(1, 4, 16), (3, 5, 16)]:
        x = normal(*shape)
        same(f(bob(f.weights), alice(x)), module(x, mean=True))
    mask = torch.tensor([[False, False, False, True]])
    g = tacet.from_torch(module, torch.zeros(1, 4, 16), mask)
    same(g(bob(g.weights), alice(normal(1, 4, 16)), mask), module(normal(1, 4, 16), mask))


@needs_torch
def test_weights_of_several_owners_and_constants():
    class Scaled(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = torch.tensor([2.0, 3.0])
            self.register_buffer("order", torch.tensor([1, 0]), persistent=False)
            self.register_buffer("kept", torch.tensor([0.5, 0.25]))
            self.shift = nn.Parameter(torch.tensor([1.0, -1.0]))
            self.unused = nn.Parameter(torch.ones(3))

        def forward(self, x):
            return (x * self.scale)[:, self.order] + self.shift * self.kept + OFFSET * torch.tensor(3.0)

    OFFSET = torch.tensor([10.0, 20.0])
    module, x = Scaled().eval(), normal(3, 2)
    f = tacet.from_torch(module, x)
    (offset,) = set(f.weights) - {"scale", "kept", "shift"}  # not what is an order, unused or a number
    assert f.weights[offset].tolist() == [10, 20]
    w = {offset: bob(f.weights[offset]), "scale": bob(f.weights["scale"]), "shift": alice(f.weights["shift"]), "kept": f.weights["kept"]}
    same(f(w, alice(x)), module(x))
    with torch.no_grad():
        module.shift.add_(1)
    assert f.weights["shift"].tolist() == [1, -1]


@needs_torch
def test_training():
    import jax
    import jax.numpy as jnp
    import optax

    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    x, y = normal(16, 4), normal(16, 1)
    f = tacet.from_torch(module.eval(), x)
    optimizer = optax.sgd(0.1)

    def loss(weights, x, y):
        return jnp.mean((f.function(weights, x) - y) ** 2)

    @tacet.private(reveal="bob")
    def fit(weights, x, y):
        def step(_, carry):
            weights, state = carry
            change, state = optimizer.update(jax.grad(loss)(weights, x, y), state)
            return optax.apply_updates(weights, change), state

        return jax.lax.fori_loop(0, 5, step, (weights, optimizer.init(weights)))[0]

    fitted = fit(bob(f.weights), alice(x), alice(y))
    learned = torch.optim.SGD(module.parameters(), 0.1)
    for _ in range(5):
        learned.zero_grad()
        functional.mse_loss(module(x), y).backward()
        learned.step()
    assert set(fitted) == set(module.state_dict())
    for name, value in module.state_dict().items():
        np.testing.assert_allclose(fitted[name], value, atol=1e-3)
    module.load_state_dict({k: torch.from_numpy(v) for k, v in fitted.items()})


@needs_torch
def test_training_with_extract_jax():
    import jax
    import jax.numpy as jnp
    import optax

    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    x, y = normal(16, 4), normal(16, 1)
    tacet.from_torch(module, x)  # torch.optim works after it
    import torchax

    weights, forward = torchax.extract_jax(module)
    optimizer = optax.adam(0.01)

    def train(weights, x, y):
        def loss(w):
            return jnp.mean((forward(w, (x,)) - y) ** 2)

        def step(_, carry):
            w, state = carry
            change, state = optimizer.update(jax.grad(loss)(w), state)
            return optax.apply_updates(w, change), state

        return jax.lax.fori_loop(0, 3, step, (weights, optimizer.init(weights)))[0]

    with pytest.warns(UserWarning, match=r"test_torch\.py:\d+: stablehlo\.divide: gradients are divided by their own size"):
        fitted = tacet.private(train, reveal="bob")(bob(dict(weights)), alice(x), alice(y))
    learned = torch.optim.Adam(module.parameters(), 0.01)
    for _ in range(3):
        learned.zero_grad()
        functional.mse_loss(module(x), y).backward()
        learned.step()
    for name, value in module.state_dict().items():
        np.testing.assert_allclose(fitted[name], value, atol=5e-3)


def mistakes():
    """Mistakes by name: what is done, its error, what the first line says, what the last line advises."""

    class Dropping(nn.Module):
        def __init__(self):
            super().__init__()
            self.drop = nn.Dropout(0.5)

        def forward(self, x):
            return self.drop(x)

    class InPlace(nn.Module):
        def forward(self, x):
            x += 1
            return x * 2

    class Branch(nn.Module):
        def forward(self, x):
            if x.sum() > 0:
                return x
            return -x

    class Chosen(nn.Module):
        def forward(self, x):
            return x[x > 0]

    class Random(nn.Module):
        def forward(self, x):
            return x + torch.rand(3)

    class Cond(nn.Module):
        def forward(self, x):
            return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))

    class Counting(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", torch.zeros(()))

        def forward(self, x):
            self.count += 1
            return x * self.count

    class Airy(nn.Module):
        def forward(self, x):
            return torch.special.airy_ai(x)

    class Mixed(nn.Module):
        def forward(self, x, pair):
            return x + pair[0] * pair[1]

    x = torch.zeros(2, 3)
    mlp = MLP().eval()
    f = tacet.from_torch(mlp, torch.zeros(1, 20))
    w = bob(f.weights)
    make = tacet.from_torch
    return {
        "training mode with dropout": (
            lambda: make(Dropping(), x),
            tacet.Unsupported, "draws random numbers", "call module.eval() first",
        ),
        "training mode with batch norm": (
            lambda: make(ResNet(), torch.zeros(2, 3, 12, 12)),
            tacet.Unsupported, "changes its buffer", "module.eval()",
        ),
        "random numbers": (
            lambda: make(Random().eval(), x),
            tacet.Unsupported, "Random draws random numbers (aten.rand", "as an argument",
        ),
        "input changed in place": (
            lambda: make(InPlace().eval(), x),
            tacet.Unsupported, "changes its input x in place", "x = x + 1",
        ),
        "buffer changed": (
            lambda: make(Counting().eval(), x),
            tacet.Unsupported, "changes its buffer count", "return the new value",
        ),
        "branch on data": (
            lambda: make(Branch().eval(), x),
            tacet.Unsupported, "in Branch depends on the values of a tensor", "torch.where",
        ),
        "boolean mask": (
            lambda: make(Chosen().eval(), x),
            tacet.Unsupported, "in Chosen depends on the values of a tensor", "torch.where",
        ),
        "torch.cond": (
            lambda: make(Cond().eval(), x),
            tacet.Unsupported, "contains torch.cond", "torch.where",
        ),
        "unknown operation": (
            lambda: make(Airy().eval(), x),
            tacet.Unsupported, "Airy contains aten.special_airy_ai.default", "other operations",
        ),
        "no module": (
            lambda: make(torch.relu, x),
            tacet.Usage, "given relu, which is no torch.nn.Module", "pass a module",
        ),
        "no example": (
            lambda: make(mlp),
            tacet.Usage, "the example does not fit MLP(x): missing a required argument: 'x'", "torch.zeros(1, 20)",
        ),
        "example of the wrong shape": (
            lambda: make(mlp, torch.zeros(1, 5)),
            tacet.Usage, "MLP cannot be traced with this example", "shapes and types",
        ),
        "example with an owner": (
            lambda: make(mlp, alice(x)),
            tacet.Usage, "the example's x has an owner", "plain tensor",
        ),
        "example without tensors": (
            lambda: make(mlp, 3),
            tacet.Usage, "the example for MLP has no tensor", "torch.zeros(1, 20)",
        ),
        "numbers among tensors": (
            lambda: make(Mixed().eval(), x, (x, 2)),
            tacet.Usage, "pair of Mixed holds tensors and a int", "arguments of their own",
        ),
        "weights of half precision": (
            lambda: make(MLP().eval().bfloat16(), torch.zeros(1, 20, dtype=torch.bfloat16)),
            tacet.Usage, "has weights of torch.bfloat16", "module.float()",
        ),
        "call without weights": (
            lambda: f(alice(torch.zeros(1, 20))),
            tacet.Usage, "missing a required argument: 'x'", "call it as",
        ),
        "weights in the wrong place": (
            lambda: f(alice(torch.zeros(1, 20)), w),
            tacet.Usage, "the first argument of MLP is", "f(bob(f.weights), alice(x))",
        ),
        "weights of another module": (
            lambda: f(bob({"a": x}), alice(torch.zeros(1, 20))),
            tacet.Usage, "lacks 'hidden.weight'; it has 'a'", "pass f.weights",
        ),
        "weights of another shape": (
            lambda: f(bob({**f.weights, "out.bias": np.zeros(4, "f4")}), alice(torch.zeros(1, 20))),
            tacet.Usage, "weights['out.bias'] has shape (4,), and the module's (3,)", "same module",
        ),
        "call with the wrong shape": (
            lambda: f(w, alice(torch.zeros(1, 5))),
            tacet.Usage, "MLP cannot be traced", "shapes and types",
        ),
        "call with the wrong type": (
            lambda: f(w, alice(torch.zeros(1, 20, dtype=torch.int32))),
            tacet.Usage, "x is int32, and the example's float32", "convert",
        ),
        "the module among the arguments": (
            lambda: f(bob(mlp), alice(torch.zeros(1, 20))),
            tacet.Usage, "weights is a module MLP, which is no array", "f(bob(f.weights), alice(x))",
        ),
        "private of a module": (
            lambda: tacet.private(mlp),
            tacet.Usage, "private is given the module MLP", "tacet.from_torch(module.eval(), example)",
        ),
        "a function of PyTorch in one of JAX": (
            lambda: tacet.private(lambda a: torch.relu(a))(alice(x)),
            tacet.Unsupported, "a function of PyTorch is applied to a traced argument", "from_torch(module, example)",
        ),
        "static of a private function": (
            lambda: tacet.private(f, static="x"),
            tacet.Usage, "private already", "name static",
        ),
    }  # fmt: skip


@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_mistakes():
    wrong = []
    for name, (do, error, says, remedy) in mistakes().items():
        try:
            do()
        except Exception as err:
            lines = str(err).splitlines()
            good = type(err) is error and says in lines[0] and remedy in lines[-1] and len(lines) <= 3
            good = good and err.__cause__ is None and (err.__suppress_context__ or err.__context__ is None)
            if error is tacet.Unsupported:
                good = good and "test_torch.py:" in err.where
            if not good or max(map(len, lines)) > 220:
                wrong.append(f"{name}: {type(err).__name__} {err.__suppress_context__} {err}")
        else:
            wrong.append(f"{name}: no error")
    assert not wrong, "\n".join(wrong)
