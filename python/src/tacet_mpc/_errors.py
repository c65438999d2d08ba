"""Exceptions with the names that the caller uses: its arguments, its parties, its lines of Python.

A message has at most three lines: what is wrong, where, and what to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

__all__ = [
    "Denied",
    "Error",
    "Internal",
    "Interrupted",
    "Lost",
    "Missing",
    "RangeError",
    "Timeout",
    "Tolerance",
    "Unsupported",
    "Usage",
]


class Error(Exception):
    """The base of all errors of this package; itself a failure without a more special class.

    >>> from tacet_mpc import Error
    >>> print(Error("the disk is full", remedy="free some space"))
    the disk is full
      free some space
    """

    def __init__(
        self,
        message: str,
        *,
        remedy: str = "",
        where: str = "",
        op: str = "",
        argument: str = "",
        index: tuple[int, ...] | None = None,
        party: str = "",
        rule: str = "",
        round: int = 0,
    ) -> None:
        super().__init__(message)
        self.message = _one_line(message)
        """what is wrong, on one line"""
        self.remedy = _one_line(remedy)
        """what to do, or empty"""
        self.where = where
        """the place: "score.py:7" of the caller's Python, or a file"""
        self.op = op
        """the operation of the program, such as stablehlo.fft"""
        self.argument = argument
        """path of the argument, with the index of the element: "model['w1'][0, 7]" """
        self.index = index
        """index of the element within the array"""
        self.party = party
        """the party, node or dealer concerned"""
        self.rule = rule
        """the rule of the party's policy"""
        self.round = round
        """the round whose message is missing"""

    def __str__(self) -> str:
        lines = [self.message]
        if self.where and self.where not in self.message:
            lines.append(f"  at {self.where}")
        if self.remedy:
            lines.append(f"  {self.remedy}")
        return "\n".join(lines)


class Usage(Error, ValueError):
    """A wrong call, setting, value or file. Nothing was sent."""


class Missing(Usage, ImportError):
    """A package that the call needs is not installed, or has a version that does not work with the others."""


class Unsupported(Error, NotImplementedError):
    """The function does what Tacet does not support; op and where say what and in which line."""


class RangeError(Error, ValueError):
    """An element of an argument is outside of the range of values; argument and index name it."""


class Denied(Error, PermissionError):
    """A node's policy or its owner refuses; party and rule say whose."""

    def __str__(self) -> str:  # OSError has a __str__ of its own
        return Error.__str__(self)


class Lost(Error, ConnectionError):
    """Another party, node or dealer is gone or gave up; party and round name it."""

    def __str__(self) -> str:
        return Error.__str__(self)


class Tolerance(Error, AssertionError):
    """A private result differs from the one in clear by more than allowed."""


class Timeout(Error, TimeoutError):
    """A call took longer than its timeout."""

    def __str__(self) -> str:
        return Error.__str__(self)


class Internal(Error, RuntimeError):
    """A defect of Tacet: please report it."""


class Interrupted(KeyboardInterrupt):
    """The call was interrupted. Its process has ended and its temporary data is removed."""


_KINDS: dict[str, type[Error]] = {
    "usage": Usage,
    "unsupported": Unsupported,
    "range": RangeError,
    "denied": Denied,
    "peer-lost": Lost,
    "tolerance": Tolerance,
    "internal": Internal,
}

_ARGUMENT = re.compile(r"argument (\d+)(?:, element \[([\d,]*)\])?")
_RESULT = re.compile(r"result (\d+)(?:, element \[([\d,]*)\])?")
_PLACE = re.compile(r"program\.mlir:(\d+)(?::\d+)?(?:: )?")
_CONSTANT = re.compile(r" \(the constant at (\d+):\d+\)")
_FILE = re.compile(r"(?:\S*/)?(?:job\.yaml(?::\d+)?|arg\d+\.npy|public\d+\.npy): ")
_KEY = re.compile(r"\b(ring|fraction): (\d+)")
_TABLE = re.compile(r"(?:[^\s:]*/)?table(\d+)\.csv(?::(\d+))?(?=[:,; ]|$)")
_LINE = re.compile(r"\bline (\d+)\b")
_SET = re.compile(r"--([a-z]+)(?=[ :])")


class Names:
    """What the program calls argument 3, result 0 and line 12, in the caller's words."""

    def __init__(
        self,
        arguments: list[str] | None = None,
        results: list[str] | None = None,
        line: Callable[[int], str] | None = None,
        shapes: list[tuple[int, ...]] | None = None,
        tables: list[tuple[str, Callable[[], bool]]] | None = None,
    ) -> None:
        self.arguments = arguments or []
        self.results = results or []
        self.shapes = shapes or []
        self.tables = tables or []
        """owners of the tables that this package has written as files, and whether their lines are rows"""
        self._line = line

    def argument(self, number: int, element: str | None = None) -> str:
        return _path(self.arguments, number, element, "argument")

    def result(self, number: int, element: str | None = None) -> str:
        return _path(self.results, number, element, "result")

    def place(self, text: str) -> str:
        """The Python line of a place in the program, or the place itself."""
        match = _PLACE.match(text)
        if match is None:
            return text
        return (self._line(int(match[1])) if self._line else "") or text

    def translate(self, text: str) -> str:
        """The text with arguments, results and places in the caller's words."""
        text = _PLACE.sub(lambda m: f"{place}: " if (place := self.place(m[0])) != m[0] else m[0], text)
        text = _CONSTANT.sub(self._constant, text)
        text = self._rows(text)
        text = _ARGUMENT.sub(lambda m: self.argument(int(m[1]), m[2]), text)
        text = _RESULT.sub(lambda m: self.result(int(m[1]), m[2]), text)
        return _KEY.sub(r"\1=\2", _FILE.sub("", text))  # a job file's keys are keywords here

    def _rows(self, text: str) -> str:
        """The text with rows of tables, counted from 0, in place of lines of files that the caller never sees."""
        found = _TABLE.search(text)
        if found is None or int(found[1]) >= len(self.tables):
            return text
        owner, lines_are_rows = self.tables[int(found[1])]
        if found[2] is None or not lines_are_rows():
            return _TABLE.sub(f"the table of {owner}", text)
        text = _TABLE.sub(lambda m: f"the table of {owner}, row {int(m[2]) - 2}", text)
        return _LINE.sub(lambda m: f"row {int(m[1]) - 2}", text)

    def _constant(self, match: re.Match[str]) -> str:
        """The Python line of a constant of the program; nothing where it is unknown."""
        place = self._line(int(match[1])) if self._line else ""
        return f" (the constant at {place})" if place else ""


def _path(names: list[str], number: int, element: str | None, what: str) -> str:
    name = names[number] if number < len(names) else f"{what} {number}"
    index = parse_index(element)
    return name + (f"[{', '.join(map(str, index))}]" if index else "")


def parse_index(element: str | None) -> tuple[int, ...]:
    """The numbers of "[2,0]"."""
    return tuple(int(n) for n in re.findall(r"\d+", element or ""))


def from_problem(problem: Mapping[str, Any], names: Names | None = None) -> Error | Interrupted:
    """The exception for an error as `--errors json` prints it."""
    names = names or Names()
    kind = str(problem.get("kind", "failed"))
    text, remedy = str(problem.get("message", "")), str(problem.get("remedy", ""))
    if kind == "interrupted" and text == "interrupted":
        return Interrupted(text)
    if remedy and text.endswith(f"({remedy})"):
        text = text[: -len(remedy) - 2].rstrip()
    place = str(problem.get("place", ""))
    match = _PLACE.match(place)
    where = names.place(place) if match else ""
    if _PLACE.match(where):  # the caller never sees that file
        where = ""
    text = _PLACE.sub("", text, count=1) if match else text
    argument, index = "", None
    number, element = problem.get("argument"), problem.get("element")
    if number is None and (found := re.search(r"arg(\d+)\.npy", place)):
        number = int(found[1])
    if element:
        index = parse_index(str(element))
    if number is not None:
        argument = names.argument(int(number), str(element) if element else None)
    return _KINDS.get(kind, Error)(
        names.translate(text),
        remedy=names.translate(_SET.sub(r"\1", remedy)),
        where=where,
        op=str(problem.get("operation", "")),
        argument=argument,
        index=index,
        party=str(problem.get("party", "")),
        rule=str(problem.get("rule", "")),
        round=int(problem.get("round", 0)),
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())
