"""Writes, for exports that models.py writes, the same networks in flax as programs of StableHLO.

    pip install flax==0.12.8 jax==0.10.2 jaxlib==0.10.2
    python jaxforms.py FOLDER

FOLDER/NAME.mlir is a network whose first argument is the input and whose others are the parameters. Values of parameters do
not matter: TestAgainstJAX of package onnx compares what the programs cost.
"""

import pathlib
import sys

import flax.linen as nn
import jax
import jax.numpy as jnp


class Mlp(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.softmax(nn.Dense(3)(nn.relu(nn.Dense(16)(x))))


class Lstm(nn.Module):
    @nn.compact
    def __call__(self, x):
        for _ in range(2):
            x = nn.RNN(nn.OptimizedLSTMCell(16))(x)
        return nn.Dense(3)(x[:, -1])


class Gru(nn.Module):
    @nn.compact
    def __call__(self, x):
        y = nn.Bidirectional(nn.RNN(nn.GRUCell(16)), nn.RNN(nn.GRUCell(16)))(x)
        return nn.Dense(3)(y[:, -1])


class Layer(nn.Module):
    first: bool  # norms come before attention and dense layers
    epsilon: float

    @nn.compact
    def __call__(self, x):
        norms = [nn.LayerNorm(self.epsilon), nn.LayerNorm(self.epsilon)]
        attend, narrow = nn.MultiHeadDotProductAttention(4), nn.Dense(32)
        dense = lambda h: narrow(nn.gelu(nn.Dense(64)(h), approximate=False))
        if self.first:
            x = x + attend(norms[0](x))
            return x + dense(norms[1](x))
        x = norms[0](x + attend(x))
        return norms[1](x + dense(x))


class Bert(nn.Module):
    @nn.compact
    def __call__(self, ids):
        x = nn.Embed(50, 32)(ids) + nn.Embed(16, 32)(jnp.arange(ids.shape[1]))
        x = nn.LayerNorm(1e-5)(x)
        for _ in range(2):
            x = Layer(False, 1e-5)(x)
        return nn.Dense(2)(jnp.tanh(x[:, 0]))


class Vit(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Conv(32, (8, 8), (8, 8), "VALID")(x).reshape(1, 16, 32)
        token = self.param("token", nn.initializers.zeros, (1, 1, 32))
        x = jnp.concatenate([token, x], 1) + self.param("places", nn.initializers.normal(), (1, 17, 32))
        for _ in range(2):
            x = Layer(True, 1e-6)(x)
        return nn.Dense(10)(nn.LayerNorm(1e-6)(x)[:, 0])


def norm(x):
    return nn.BatchNorm(use_running_average=True)(x)


class Resnet18(nn.Module):
    @nn.compact
    def __call__(self, x):
        conv = lambda x, n, k, stride: nn.Conv(n, (k, k), (stride, stride), [(k // 2, k // 2)] * 2, use_bias=False)(x)
        x = nn.relu(norm(conv(x, 64, 7, 2)))
        x = nn.max_pool(x, (3, 3), (2, 2), [(1, 1), (1, 1)])
        for width in (64, 128, 256, 512):
            for block in range(2):
                stride = 2 if width > 64 and block == 0 else 1
                y = norm(conv(nn.relu(norm(conv(x, width, 3, stride))), width, 3, 1))
                x = nn.relu(y + (norm(conv(x, width, 1, stride)) if x.shape != y.shape else x))
        return nn.Dense(1000)(x.mean((1, 2)))


class Vgg11(nn.Module):
    @nn.compact
    def __call__(self, x):
        for width in (64, 0, 128, 0, 256, 256, 0, 512, 512, 0, 512, 512, 0):
            x = nn.relu(norm(nn.Conv(width, (3, 3))(x))) if width else nn.max_pool(x, (2, 2), (2, 2))
        return nn.Dense(10)(x.mean((1, 2)))


MODELS = {
    "mlp": (Mlp, (4, 8)), "lstm": (Lstm, (2, 6, 8)), "gru": (Gru, (2, 6, 8)), "bert": (Bert, (2, 12)), "vit": (Vit, (1, 32, 32, 3)),
    "resnet18": (Resnet18, (1, 64, 64, 3)), "vgg11": (Vgg11, (1, 32, 32, 3)),
}  # fmt: skip


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (make, shape) in MODELS.items():
        model, x = make(), jnp.zeros(shape, jnp.int32 if name == "bert" else jnp.float32)
        leaves, tree = jax.tree.flatten(jax.eval_shape(model.init, jax.random.key(0), x))
        f = lambda x, *leaves, model=model, tree=tree: model.apply(jax.tree.unflatten(tree, leaves), x)
        (folder / f"{name}.mlir").write_text(jax.jit(f, keep_unused=True).lower(x, *leaves).as_text())
        print(name, flush=True)


main()
