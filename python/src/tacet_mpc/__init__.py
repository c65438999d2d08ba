"""Private machine learning: JAX functions on data that stays secret-shared among its owners.

>>> import jax.numpy as jnp, tacet_mpc as tacet
>>> alice, bob = tacet.parties("alice bob")
>>> score = tacet.private(lambda x, w: jnp.tanh(x @ w))
>>> print(score(alice([1.0, 2.0]), bob([0.5, 0.25])).round(3))
0.762
"""

from ._bar import progress
from ._errors import (
    Denied,
    Error,
    Internal,
    Interrupted,
    Lost,
    Missing,
    RangeError,
    Timeout,
    Tolerance,
    Unsupported,
    Usage,
)
from ._gradient import Gradient, grad, value_and_grad
from ._network import Job, Network, Node, Service, connect
from ._onnx import OnnxFunction, from_onnx
from ._owners import Owned, Party, Spec, parties
from ._private import Narrowed, Private, private
from ._program import program
from ._report import Check, Comparison, Plan, Report
from ._torch import TorchFunction, from_torch

__version__ = "0.2.0.dev0"

__all__ = [
    "Check",
    "Comparison",
    "Denied",
    "Error",
    "Gradient",
    "Internal",
    "Interrupted",
    "Job",
    "Lost",
    "Missing",
    "Narrowed",
    "Network",
    "Node",
    "OnnxFunction",
    "Owned",
    "Party",
    "Plan",
    "Private",
    "RangeError",
    "Report",
    "Service",
    "Spec",
    "Timeout",
    "Tolerance",
    "TorchFunction",
    "Unsupported",
    "Usage",
    "connect",
    "from_onnx",
    "from_torch",
    "grad",
    "parties",
    "private",
    "program",
    "progress",
    "value_and_grad",
]
