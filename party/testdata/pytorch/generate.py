"""Writes the programs of this folder: four PyTorch modules as torchax, torch-mlir and torch_xla print them.

    python generate.py torchax      # torch 2.15.0, torchax 0.0.14.dev20261026, jax 0.10.2, torchvision 0.29.2
    python generate.py torch_mlir   # torch 2.15.0, torch-mlir 20261001, torchvision 0.29.2
    python generate.py torch_xla    # torch 2.9.1, torch_xla 2.9.0, torchvision 0.24.1

MODULE.FRONTEND.mlir is the text as it was printed, MODULE.FRONTEND.json lists its arguments' names: those of the
module's state_dict(), and x0, x1, … for its inputs. Weights are arguments, for they have an owner.
"""

import json
import sys
from pathlib import Path

import torch
from torch import nn

HERE = Path(__file__).parent


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = nn.Linear(20, 32), nn.Linear(32, 3)

    def forward(self, x):
        return torch.softmax(self.out(torch.relu(self.hidden(x))), -1)


def encoder():
    layer = nn.TransformerEncoderLayer(64, 4, 128, activation="gelu", batch_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)


def resnet18():
    import torchvision

    return torchvision.models.resnet18(num_classes=10)


class LSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.out = nn.LSTM(8, 32, batch_first=True), nn.Linear(32, 2)

    def forward(self, x):
        return self.out(self.lstm(x)[0][:, -1])


MODULES = {
    "mlp": (MLP, (4, 20)),
    "resnet18": (resnet18, (1, 3, 64, 64)),
    "lstm": (LSTM, (2, 10, 8)),
    "encoder": (encoder, (2, 8, 64)),
}


class Lifted(nn.Module):
    """A module whose weights are arguments."""

    def __init__(self, module, names):
        super().__init__()
        self.inner, self.names = [module], names

    def forward(self, *args):
        weights = dict(zip(self.names, args[: len(self.names)], strict=True))
        return torch.func.functional_call(self.inner[0], weights, args[len(self.names) :])


def torchax(module, x):
    import jax
    import torchax
    import torchax.export

    torchax.default_env()
    exported = torch.export.export(module, (x,))
    names, states, call = torchax.export.exported_program_to_jax(exported, export_raw=True)
    args = [jax.ShapeDtypeStruct(s.shape, s.dtype.name if hasattr(s.dtype, "name") else str(s.dtype).removeprefix("torch.")) for s in states]
    text = jax.jit(call, keep_unused=True).lower(args, (jax.ShapeDtypeStruct(x.shape, "float32"),)).as_text()
    return text, [*names, "x0"]


def torch_mlir(module, x):
    from torch_mlir import fx

    state = {k: v for k, v in module.state_dict().items() if v.is_floating_point()}
    lifted = Lifted(module, list(state)).eval()
    text = str(fx.export_and_import(lifted, *state.values(), x, output_type="stablehlo", func_name="main"))
    return text, [*state, "x0"]


def torch_xla(module, x):
    from torch_xla.stablehlo import VariableType, exported_program_to_stablehlo

    program = exported_program_to_stablehlo(torch.export.export(module, (x,)))
    names = []
    for where in program._bundle.stablehlo_funcs[0].meta.input_locations:
        if where.type_ == VariableType.INPUT_ARG:
            names.append(f"x{where.position}")
        elif where.type_ == VariableType.PARAMETER:
            names.append(where.name)
        else:
            names.append(f"constant{where.position}")
    return program.get_stablehlo_text("forward"), names


frontend = sys.argv[1]
for name, (make, shape) in MODULES.items():
    if sys.argv[2:] and name not in sys.argv[2:]:
        continue
    torch.manual_seed(0)
    module = make().eval()
    with torch.no_grad():
        text, names = globals()[frontend](module, torch.zeros(shape))
    (HERE / f"{name}.{frontend}.mlir").write_text(text)
    (HERE / f"{name}.{frontend}.json").write_text(json.dumps(names, indent=0) + "\n")
    print(name, len(text))
