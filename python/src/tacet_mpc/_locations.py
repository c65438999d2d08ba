"""The lines of Python from which the operations of a program text come."""

from __future__ import annotations

import os
import re
from functools import cached_property

_ALIAS = re.compile(r"^#(\w+) = loc\((.*)\)$")
_LAST = re.compile(r"loc\(((?:[^()]|\([^()]*\))*)\)\s*\{?\s*$")
_FILE = re.compile(r'"([^"]+)":(\d+)')
_FUNCTION = re.compile(r"\s*func\.func \w+ @(\S+?)\(")
_CALL = re.compile(r"call @([\w.$-]+)\(")
_NAME = re.compile(r'^"[^"]*"')
_REF = re.compile(r"#(\w+)")
_LIBRARY = re.compile(r"[/\\](?:(?:site|dist)-packages[/\\]torch(?:ax)?[/\\]|tacet_mpc[/\\]_\w+\.py$)")
_TOOL = re.compile(r"[/\\](?:site|dist)-packages[/\\](?:optax|flax|keras|equinox|haiku|chex)[/\\]")


class Locations:
    """Maps lines of a text that JAX printed with debug_info to lines of Python."""

    def __init__(self, text: str) -> None:
        self._text = text

    def line(self, number: int) -> str:
        """The place "score.py:7" of the operation in this line of the text; "" if it is unknown.

        Of a call stack it is the innermost line.
        """
        file, line = self.source(number)
        return f"{_short(file)}:{line}" if file else ""

    def source(self, number: int) -> tuple[str, int]:
        """The file and line of the operation in this line of the text; "" and 0 if they are unknown. What optimisers and
        layers of libraries do has the line that calls them, if there is one.

        JAX gives no lines to functions that are called from several places: then it is that of the
        first call.
        """
        return self._source(number, 0)

    def _source(self, number: int, depth: int) -> tuple[str, int]:
        if not 0 < number <= len(self._lines) or depth > 20:
            return "", 0
        match = _LAST.search(self._lines[number - 1]) or self._end(number - 1)
        for own in (True, False):
            file, line = self._resolve(match[1], 0, own) if match else ("", 0)
            if file:
                return file, line
        for text in reversed(self._lines[:number]):
            if found := _FUNCTION.match(text):
                call = self._calls.get(found[1])
                return self._source(call, depth + 1) if call else ("", 0)
        return "", 0

    def _resolve(self, place: str, depth: int, own: bool) -> tuple[str, int]:
        """The innermost file and line of a place; own leaves out those of optimisers and layers."""
        if depth > 100:
            return "", 0
        if not _FILE.match(place):
            place = _NAME.sub("", place)
        for found in _FILE.finditer(place):
            if not is_library(found[1]) and not (own and _TOOL.search(found[1])):
                return found[1], int(found[2])
        for ref in _REF.findall(place):
            if ref in self._aliases:
                file, line = self._resolve(self._aliases[ref], depth + 1, own)
                if file:
                    return file, line
        return "", 0

    @cached_property
    def _lines(self) -> list[str]:
        return self._text.splitlines()

    def _end(self, start: int) -> re.Match[str] | None:
        """The location of an operation with regions, which stands after the last one."""
        text = self._lines[start]
        indent = text[: len(text) - len(text.lstrip())]
        for later in self._lines[start + 1 :]:
            if later.startswith(indent + "}") and (found := _LAST.search(later)):
                return found
            if not later.startswith(indent):
                break
        return None

    @cached_property
    def _calls(self) -> dict[str, int]:
        """The number of the first line that calls a function."""
        out: dict[str, int] = {}
        for i, text in enumerate(self._lines):
            for name in _CALL.findall(text):
                out.setdefault(name, i + 1)
        return out

    @cached_property
    def _aliases(self) -> dict[str, str]:
        return {m[1]: m[2] for m in map(_ALIAS.match, self._lines) if m}


def is_library(file: str) -> bool:
    """Whether a file belongs to torch, to torchax or to this package: its lines say nothing about the caller's code."""
    return _LIBRARY.search(file) is not None


def _short(file: str) -> str:
    """The file relative to the working directory if it lies below, else its name."""
    if "ipykernel_" in file:
        return "cell"
    relative = os.path.relpath(file) if os.path.isabs(file) else file
    return relative if not relative.startswith("..") else os.path.basename(file)
