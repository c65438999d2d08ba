"""Checks wheels and the source distribution in a folder: `python check_dist.py DIST`. release.sh calls it."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from email.parser import Parser
from pathlib import Path

TAGS = {
    "manylinux_2_17_x86_64": ("linux", "amd64"),
    "manylinux_2_17_aarch64": ("linux", "arm64"),
    "macosx_12_0_arm64": ("darwin", "arm64"),
    "win_amd64": ("windows", "amd64"),
}


def check(holds: object, what: str) -> None:
    if not holds:
        raise SystemExit(f"check_dist.py: {what}")


def platform_of(program: bytes) -> tuple[str, str]:
    """The platform of an executable, by its header; a dynamically linked ELF file is refused."""
    if program[:4] == b"\x7fELF":
        (machine,) = struct.unpack_from("<H", program, 18)
        (offset,) = struct.unpack_from("<Q", program, 32)
        size, count = struct.unpack_from("<HH", program, 54)
        kinds = [struct.unpack_from("<I", program, offset + i * size)[0] for i in range(count)]
        check(3 not in kinds, "the program is linked dynamically (it has an interpreter)")
        return "linux", {62: "amd64", 183: "arm64"}[machine]
    if program[:4] == b"\xcf\xfa\xed\xfe":
        return "darwin", {0x0100000C: "arm64", 0x01000007: "amd64"}[struct.unpack_from("<I", program, 4)[0]]
    check(program[:2] == b"MZ", "the program has no header that is known")
    (at,) = struct.unpack_from("<I", program, 60)
    check(program[at : at + 4] == b"PE\0\0", "the program has no header that is known")
    return "windows", {0x8664: "amd64", 0xAA64: "arm64"}[struct.unpack_from("<H", program, at + 4)[0]]


def wheel(path: Path) -> tuple[str, str]:
    """Checks a wheel; returns its platform and version."""
    name, version, python, abi, tags = path.name.removesuffix(".whl").split("-")
    check((name, python, abi) == ("tacet_mpc", "py3", "none"), f"{path.name}: its name")
    wanted = next((p for t, p in TAGS.items() if t in tags.split(".")), None)
    check(wanted, f"{path.name}: its platform is none of {', '.join(TAGS)}")
    with zipfile.ZipFile(path) as z:
        files = z.namelist()
        info = f"tacet_mpc-{version}.dist-info"
        for file, digest, size in csv.reader(io.StringIO(z.read(f"{info}/RECORD").decode())):
            if not file.endswith("/RECORD"):
                data = z.read(file)
                sum256 = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                check(digest == f"sha256={sum256}" and int(size) == len(data), f"{path.name}: {file} differs from RECORD")
        said = set(re.findall(r"^Tag: py3-none-(\S+)$", z.read(f"{info}/WHEEL").decode(), re.M))
        check(said == set(tags.split(".")), f"{path.name}: its tags are {said}")
        check("Root-Is-Purelib: false" in z.read(f"{info}/WHEEL").decode(), f"{path.name}: it is a pure wheel")
        metadata = Parser().parsestr(z.read(f"{info}/METADATA").decode())
        check(metadata["Name"] == "tacet-mpc" and metadata["Version"] == version, f"{path.name}: its metadata")
        needs = [n for n in metadata.get_all("Requires-Dist", []) if "extra ==" not in n]
        check(needs == ["numpy>=1.26"], f"{path.name}: it needs {needs}")
        scripts = [f for f in files if "/scripts/" in f]
        check(len(scripts) == 1, f"{path.name}: its programs are {scripts}")
        check((z.getinfo(scripts[0]).external_attr >> 16) & 0o111, f"{path.name}: the program is not executable")
        program = z.read(scripts[0])
        sources = {f for f in files if f.startswith("tacet_mpc/") and f.endswith(".py")}
        here = {str(p.relative_to(Path(__file__).parent / "src")) for p in Path(__file__).parent.joinpath("src").rglob("*.py")}
        check(sources == here and "tacet_mpc/py.typed" in files, f"{path.name}: its modules differ from src: {sources ^ here}")
    check(platform_of(program) == wanted, f"{path.name}: its program is for {'/'.join(platform_of(program))}")
    check(scripts[0].endswith("tacet.exe" if wanted[0] == "windows" else "/tacet"), f"{path.name}: its program is {scripts[0]}")
    with tempfile.NamedTemporaryFile() as f:
        f.write(program)
        f.flush()
        built = subprocess.run(["go", "version", "-m", f.name], capture_output=True, text=True, check=True).stdout
    for setting in ("CGO_ENABLED=0", f"GOOS={wanted[0]}", f"GOARCH={wanted[1]}"):
        check(setting in built, f"{path.name}: its program was not built with {setting}")
    print(f"{path.name}: {'/'.join(wanted)}, {path.stat().st_size / 1e6:.1f} MB, program {len(program) / 1e6:.1f} MB")
    return "/".join(wanted), version


def source(path: Path) -> str:
    """Checks a source distribution; returns its version."""
    version = path.name.removeprefix("tacet_mpc-").removesuffix(".tar.gz")
    with tarfile.open(path) as t:
        files = {m.name.partition("/")[2] for m in t.getmembers()}
    for file in ("pyproject.toml", "hatch_build.py", "README.md", "PKG-INFO", "src/tacet_mpc/py.typed", "go/go.mod", "go/go.sum", "go/LICENSE", "go/cmd/tacet/main.go"):
        check(file in files, f"{path.name}: {file} is missing")
    extra = [f for f in files if f.endswith("_test.go") or "/testdata/" in f or f.startswith(("go/python/", ".cache"))]
    check(not extra, f"{path.name}: it contains {extra[:3]}")
    print(f"{path.name}: {len(files)} files, {path.stat().st_size / 1e6:.1f} MB")
    return version


def main(folder: str) -> None:
    found = dict(wheel(p) for p in sorted(Path(folder).glob("*.whl")))
    versions = {source(p) for p in Path(folder).glob("*.tar.gz")} | set(found.values())
    check(sorted(found) == sorted("/".join(p) for p in TAGS.values()), f"wheels for {', '.join(found)} alone")
    check(len(versions) == 1, f"versions differ, or there is no source distribution: {versions}")
    print(f"four wheels and the source distribution of version {versions.pop()} are as they should be")


if __name__ == "__main__":
    main(sys.argv[1])
