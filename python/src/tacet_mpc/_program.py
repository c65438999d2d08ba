"""Finds the program tacet, which does the work."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from ._errors import Usage

_NAME = "tacet.exe" if os.name == "nt" else "tacet"


def program() -> str:
    """The path of the program tacet.

    It is the one that $TACET names; else the one that was installed with this package; else, in a
    checkout of Tacet, the one that Go builds from it; else the first on PATH.
    """
    named = os.environ.get("TACET")
    if named:
        if not os.access(named, os.X_OK) or os.path.isdir(named):
            raise Usage(f"$TACET is {named}, which is no program", remedy="let it name the program tacet, or unset it")
        return named
    return _find()


@lru_cache(maxsize=1)
def _find() -> str:
    for path in _installed():
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    built = _build()
    if built:
        return built
    found = shutil.which("tacet")
    if found:
        return found
    raise Usage(
        "the program tacet is not installed",
        remedy="install a wheel of tacet-mpc for this platform, or let $TACET name the program",
    )


def _installed() -> Iterator[Path]:
    """Where installers put a wheel's scripts."""
    yield Path(sysconfig.get_path("scripts")) / _NAME
    scheme = sysconfig.get_preferred_scheme("user")
    yield Path(sysconfig.get_path("scripts", scheme=scheme)) / _NAME
    yield Path(sys.prefix) / ("Scripts" if os.name == "nt" else "bin") / _NAME
    here = Path(__file__).resolve().parent
    yield here.parent / "bin" / _NAME  # pip install --target


def _build() -> str:
    """Builds the program from the checkout that contains this file; "" if there is none."""
    for root in Path(__file__).resolve().parents:
        if (root / "cmd" / "tacet").is_dir() and (root / "go.mod").is_file():
            break
    else:
        return ""
    go = shutil.which("go")
    if not go:
        return ""
    out = root / "python" / ".cache" / _NAME
    done = subprocess.run(
        [go, "build", "-trimpath", "-ldflags", "-s -w", "-o", str(out), "./cmd/tacet"],
        cwd=root,
        env={**os.environ, "CGO_ENABLED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Usage(f"go build of {root} fails: {last}", remedy="repair the checkout, or let $TACET name a program")
    return str(out)
