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
from ._models import GBT, GLM, LR, PCA, Answer, Binned, Groups, KeptModel, KMeans, Metrics, Model, Predictions, Stats
from ._network import Job, Network, Node, connect
from ._onnx import OnnxFunction, from_onnx
from ._owners import Owned, Party, Spec, parties
from ._private import Narrowed, Private, private
from ._program import program
from ._report import Check, Comparison, Plan, Report
from ._services import Service
from ._tables import Joined, Table, join
from ._tasks import TableFunction, bins, gbt, glm, group, kept, kmeans, load, lr, metrics, pca, predict, stats
from ._torch import TorchFunction, from_torch

__version__ = "0.2.0.dev0"

__all__ = [
    "Answer",
    "Binned",
    "Check",
    "Comparison",
    "Denied",
    "Error",
    "GBT",
    "GLM",
    "Gradient",
    "Groups",
    "Internal",
    "Interrupted",
    "Job",
    "Joined",
    "KMeans",
    "KeptModel",
    "LR",
    "Lost",
    "Metrics",
    "Missing",
    "Model",
    "Narrowed",
    "Network",
    "Node",
    "OnnxFunction",
    "Owned",
    "PCA",
    "Party",
    "Plan",
    "Predictions",
    "Private",
    "RangeError",
    "Report",
    "Service",
    "Spec",
    "Stats",
    "Table",
    "TableFunction",
    "Timeout",
    "Tolerance",
    "TorchFunction",
    "Unsupported",
    "Usage",
    "bins",
    "connect",
    "from_onnx",
    "from_torch",
    "gbt",
    "glm",
    "grad",
    "group",
    "join",
    "kept",
    "kmeans",
    "load",
    "lr",
    "metrics",
    "parties",
    "pca",
    "predict",
    "private",
    "program",
    "progress",
    "stats",
    "value_and_grad",
]
