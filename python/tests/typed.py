"""What a user's type checker sees: mypy reads this file, nothing runs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import tacet_mpc as tacet

F32 = npt.NDArray[np.float32]


@tacet.private(reveal="alice", static="k", set={"exp.mode": "taylor"})
def score(x: F32, w: F32, *, k: int = 3) -> dict[str, F32]:
    return {"p": x @ w * k}


@tacet.private
def bare(x: F32) -> F32:
    return x


class Model:
    @tacet.private
    def apply(self, x: F32) -> F32:
        return x


async def main() -> None:
    alice, bob, *_ = tacet.parties("alice bob")
    x = np.zeros((2, 3), np.float32)
    assert_type(score(alice(x), bob(x), k=2), dict[str, F32])
    assert_type(await score.aio(alice(x), bob(x)), dict[str, F32])
    assert_type(bare(alice(x)), F32)
    assert_type(Model().apply(alice(x)), F32)
    assert_type(score.plan(alice.spec((2, 3)), bob(x), network="wan").seconds, float)
    assert_type(score.compare(alice(x), bob(x), ring=[64, 128]).best().settings, dict[str, str])
    assert_type(score.report.online.rounds, int)
    assert_type(score.check(alice(x), bob(x)).ok, bool)
    assert_type(score.using(ring=128)(alice(x), bob(x)), dict[str, F32])
    try:
        score(x, x)
    except tacet.RangeError as err:
        assert_type(err.argument, str)
    torch_function = tacet.from_torch(None, None)
    assert_type(tacet.from_onnx("model.onnx", shapes={"x": (1, 3)}).using(reveal=alice).weights, dict[str, npt.NDArray[Any]])
    assert_type(tacet.from_onnx("model.onnx").function, Callable[..., Any])
    assert_type(tacet.from_onnx("model.onnx").plan(bob({}), alice.spec((1, 3))).rounds, int)
    assert_type(tacet.value_and_grad(score, "w")(alice(x), bob(x), k=2), tuple[dict[str, F32], Any])
    assert_type(tacet.grad(bare, "x").plan(alice(x)).bytes, int)
    assert_type(tacet.grad(tacet.from_onnx("model.onnx"), "weights", cotangent=True), tacet.Private[..., Any])
    assert_type(torch_function.using(ring=128).weights, dict[str, npt.NDArray[Any]])
    people = alice.table("people.csv", types={"region": ["north", "south"]})
    t = tacet.join(people, bob.table({"id": [1], "claims": [0]}), on="id")
    fit = tacet.glm(t, y="claims", family="poisson", reveal=alice)
    assert_type(fit, tacet.GLM)
    assert_type(fit.params, dict[str, float])
    assert_type(tacet.lr(t, "claims").odds_ratios, dict[str, float])
    assert_type(tacet.gbt(t, "claims", trees=3).predict(t), tacet.Predictions)
    assert_type(tacet.metrics(fit, t, y="claims").auc, float | None)
    assert_type(tacet.stats.plan(t).seconds, float)
    assert_type(tacet.kmeans.submit(t, ["age"]), tacet.Job)
    value: Any = score.report.data
    print(value)
