"""The notebooks of docs and of examples/insurance run, and their outputs are checked in. The first and the last run always, all
with TACET_TEST_NOTEBOOKS=1."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tacet_mpc as tacet

ROOT = Path(__file__).parents[2]
INSURANCE = ROOT / "examples" / "insurance" / "insurance.ipynb"
NOTEBOOKS = [*sorted(ROOT.joinpath("docs", "notebooks").glob("*.ipynb")), INSURANCE]

COSTS = re.compile(r"\d[\d.]* \w?B in \d+ rounds, [\d.]+ \w?B dealt|bytes=\d+, rounds=\d+, offline_bytes=\d+")
"""costs in outputs, which runs repeat to the byte"""


def cells(path: Path) -> list[dict[str, object]]:
    return [c for c in json.loads(path.read_text(encoding="utf-8"))["cells"] if c["cell_type"] == "code"]


def script(path: Path) -> str:
    """The code cells as a script, which shows the last expression of each cell as a notebook does."""
    parts = ["def _show(x):\n    print(repr(x))\n    getattr(x, '_repr_html_', lambda: '')()\n"]
    for cell in cells(path):
        tree = ast.parse("".join(cell["source"]))  # type: ignore[arg-type]
        last = tree.body[-1]
        if isinstance(last, ast.Expr):
            tree.body[-1] = ast.Expr(ast.Call(ast.Name("_show", ast.Load()), [last.value], []))
        parts.append(ast.unparse(ast.fix_missing_locations(tree)))
    return "\n".join(parts)


def test_there_are_six():
    assert len(NOTEBOOKS) == 6


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_outputs_are_checked_in(path):
    shown = [o for cell in cells(path) for o in cell["outputs"]]  # type: ignore[attr-defined]
    assert shown and not [o for o in shown if o["output_type"] == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_runs(path, tmp_path):
    if path not in (NOTEBOOKS[0], INSURANCE) and os.environ.get("TACET_TEST_NOTEBOOKS") != "1":
        pytest.skip("TACET_TEST_NOTEBOOKS=1 runs it")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "TACET": tacet.program()}
    for table in path.parent.glob("*.csv"):
        shutil.copy(table, tmp_path)
    done = subprocess.run([sys.executable, "-c", script(path)], cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    for cell in cells(path):
        for output in cell["outputs"]:  # type: ignore[attr-defined]
            text = "".join(output.get("text", output.get("data", {}).get("text/plain", [])))
            if os.environ.get("TACET_TEST_NOTEBOOKS") == "1":
                for costs in COSTS.findall(text):
                    assert costs in done.stdout, f"the output in the notebook is old: {costs}; run it again"
            if "cannot be shared" in text:
                assert text.strip() in done.stdout
