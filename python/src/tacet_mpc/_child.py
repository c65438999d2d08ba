"""Runs the program tacet as a child process that never outlives this one.

The child holds the other end of its standard input's pipe: when this process ends, however it ends,
the pipe closes, and the child ends and removes the folder that it was given. It begins only when a
line arrives, so that the folder is known to it before there is data.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ._errors import Error, Internal, Interrupted, Names, Timeout, Usage, from_problem
from ._program import program

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Event = dict[str, Any]

_PREFIX = "tacet-"  # the program removes folders with this name only
_GRACE = 10.0  # seconds until a child that does not end is killed


class Cancelled(Exception):
    """The call was cancelled from another thread."""


@dataclass
class Scratch:
    """A private folder for one call."""

    path: Path

    def file(self, name: str) -> Path:
        return self.path / name


def _room(folder: str) -> int:
    """Free bytes of a folder on tmpfs; 0 if it is none."""
    try:
        if not os.access(folder, os.W_OK | os.X_OK):
            return 0
        room = os.statvfs(folder)
    except (OSError, AttributeError):
        return 0
    return room.f_bavail * room.f_frsize


def _parent(need: int) -> str:
    """The folder in which private folders are made: memory if there is one with enough room."""
    named = os.environ.get("TACET_TMPDIR")
    if named:
        return named
    for folder in ("/dev/shm", os.environ.get("XDG_RUNTIME_DIR", "")):
        if folder and _room(folder) > need + (16 << 20):
            return folder
    return tempfile.gettempdir()


_LOCK = "lock"
_STALE = 60.0  # seconds after which a folder that no process locks is removed
_swept: set[str] = set()


def _lock(folder: Path) -> int | None:
    """Locks a folder for as long as this process or one that inherits the descriptor lives; None on Windows."""
    if fcntl is None:
        return None
    fd = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(fd, fcntl.LOCK_EX)
    return fd


def _sweep(parent: str) -> None:
    """Removes folders that this user's processes have left, once for each parent: they were killed together with
    the program, as when a container runs out of memory."""
    if fcntl is None or parent in _swept:
        return
    _swept.add(parent)
    for lock in Path(parent).glob(f"{_PREFIX}*/{_LOCK}"):
        with contextlib.suppress(OSError):
            about = lock.lstat()
            if about.st_uid != os.getuid() or not stat.S_ISREG(about.st_mode) or time.time() - about.st_mtime < _STALE:
                continue
            fd = os.open(lock, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)  # an OSError says that a process lives
                shutil.rmtree(lock.parent, ignore_errors=True)
            finally:
                os.close(fd)


class Child:
    """A run of the program. Use it in a with statement: its end ends the process and removes the folder."""

    def __init__(self, need: int = 0) -> None:
        try:
            parent = _parent(need)
            _sweep(parent)
            self.scratch = Scratch(Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent)))
            self._locked = _lock(self.scratch.path)
        except OSError as err:
            raise Usage(f"no temporary folder can be made: {err}", remedy="let $TACET_TMPDIR name a folder") from None
        self._process: subprocess.Popen[bytes] | None = None
        self._threads: list[threading.Thread] = []
        self._queue: queue.Queue[tuple[str, Any]] = queue.Queue()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, args: list[str]) -> None:
        """Starts the program; it waits for go."""
        command = [program(), "--errors=json", "--events", f"--attached={self.scratch.path}", *args]
        extra: dict[str, Any] = {}
        if os.name == "nt":
            extra["creationflags"] = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        else:
            extra["start_new_session"] = True  # an interrupt of the notebook is for this process
            extra["pass_fds"] = () if self._locked is None else (self._locked,)
        try:
            process: subprocess.Popen[Any] = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **extra
            )
        except OSError as err:
            raise Usage(f"{command[0]} cannot be started: {err.strerror}", remedy="let $TACET name the program tacet") from None
        self._process = process
        assert process.stdout and process.stderr
        for name, stream in (("out", process.stdout), ("err", process.stderr)):
            thread = threading.Thread(target=self._read, args=(name, stream), name=f"tacet-{name}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def _read(self, name: str, stream: BinaryIO) -> None:
        with contextlib.suppress(ValueError, OSError):
            if name == "out":
                self._queue.put((name, stream.read()))
            else:
                for line in stream:
                    self._queue.put((name, line))
        self._queue.put(("end", name))

    def run(
        self,
        names: Names | None = None,
        on_event: Callable[[Event], None] | None = None,
        timeout: float | None = None,
        cancel: threading.Event | None = None,
    ) -> bytes:
        """Lets the program begin, and returns what it prints. Its errors are raised, with names."""
        assert self._process and self._process.stdin
        with contextlib.suppress(OSError):  # a child that ended at once has said why
            self._process.stdin.write(b"go\n")
            self._process.stdin.flush()
        printed, problem, said = b"", None, b""
        end = None if timeout is None else time.monotonic() + timeout
        open_streams = 2
        try:
            while open_streams:
                if cancel is not None and cancel.is_set():
                    raise Cancelled
                wait = 0.25 if cancel is not None or os.name == "nt" else 5.0
                if end is not None:
                    wait = min(wait, end - time.monotonic())
                    if wait <= 0:
                        raise Timeout(f"no result within {timeout:g} s", remedy="give more time: timeout=, or plan first")
                try:
                    what, value = self._queue.get(timeout=wait)
                except queue.Empty:
                    continue
                if what == "end":
                    open_streams -= 1
                elif what == "out":
                    printed = value
                else:
                    found = _parse(value)
                    if found is None:
                        said += value
                    elif "event" not in found:
                        problem = found
                    elif on_event is not None:
                        on_event(found)
        except KeyboardInterrupt:
            self.close()
            raise Interrupted("interrupted: the run was stopped, and its data is removed") from None
        if problem is not None:
            raise from_problem(problem, names)
        if said or not printed:
            self._failed(said)
        return printed

    def finish(self) -> None:
        """Waits for the end of a run whose results have been read; a crash is raised."""
        code = self.close()
        if code:
            self._failed(b"", code)

    def _failed(self, said: bytes, code: int | None = None) -> None:
        """Raises the error of a program that ended without an error of its own."""
        if code is None:
            code = self.close()
        if code == 0:
            return
        lines = said.decode(errors="replace").strip().splitlines()
        if code < 0:
            name = signal.Signals(-code).name if -code in signal.valid_signals() else str(-code)
            raise Error(
                f"the program tacet was killed by {name}",
                remedy="it may have run out of memory: score.plan(...).memory says how much a run needs",
            )
        raise Internal(
            f"the program tacet ended with code {code}: {lines[0] if lines else 'it said nothing'}",
            remedy="please report it",
        )

    def close(self) -> int:
        """Ends the process, waits for it, removes the folder, and returns the exit code."""
        code = 0
        process = self._process
        if process is not None:
            if process.stdin:
                with contextlib.suppress(OSError):
                    process.stdin.close()
            try:
                code = _wait(process, _GRACE)
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()
                for thread in self._threads:
                    thread.join(1)
                for stream in (process.stdout, process.stderr):
                    if stream:
                        stream.close()
        if self.scratch.path.exists():
            shutil.rmtree(self.scratch.path, ignore_errors=True)
        if self._locked is not None:
            os.close(self._locked)
            self._locked = None
        return code


def _wait(process: subprocess.Popen[bytes], limit: float) -> int:
    """The exit code of a process that is about to end; it is killed after the limit."""
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def _parse(line: bytes) -> Event | None:
    if not line.startswith(b"{"):
        return None
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


@contextlib.contextmanager
def attached(args: Callable[[Scratch], list[str]], need: int = 0) -> Generator[Child, None, None]:
    """A child that was started and waits for go."""
    with Child(need) as child:
        child.start(args(child.scratch))
        yield child
