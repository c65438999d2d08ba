"""Processes and folders: nothing is left behind, however a call ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import tacet_mpc as tacet
from tacet_mpc import _child

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of Unix")

# A call that does not end by itself, in a process of its own, which prints the child's id and folder.
LONG = """
import sys, threading
import jax, numpy as np, tacet_mpc as tacet
from tacet_mpc import _child
start, run = _child.Child.start, _child.Child.run
def started(self, args):
    start(self, args)
    print(self._process.pid, self.scratch.path, flush=True)
def running(self, *args):
    listener = args[1]
    def tell(event):
        if event.get("phase") == "online" and event.get("done"):
            print("online", flush=True)
        listener(event)
    return run(self, args[0], tell, *args[2:])
_child.Child.start, _child.Child.run = started, running
alice, bob = tacet.parties("alice bob")
f = tacet.private(lambda x, y: jax.lax.fori_loop(0, 3000, lambda _, x: x * y, x), network="wan")
try:
    f(alice(np.ones(10, np.float32)), bob(np.ones(10, np.float32)))
except tacet.Interrupted as err:
    print("caught:", err, flush=True)
    sys.exit(7)
"""


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def begin(request: pytest.FixtureRequest) -> tuple[subprocess.Popen[str], int, Path]:
    """A process within a long call: its child and the child's folder."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "TACET": tacet.program()}
    process = subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True, env=env)
    request.addfinalizer(lambda: (process.kill(), process.communicate()))
    assert process.stdout
    pid, folder = process.stdout.readline().split()
    assert process.stdout.readline() == "online\n"
    assert alive(int(pid)) and (Path(folder) / "arg0.npy").exists()
    return process, int(pid), Path(folder)


def gone(pid: int, folder: Path) -> None:
    """Waits until the child and its folder are gone."""
    for _ in range(600):
        if not alive(pid) and not folder.exists():
            return
        time.sleep(0.1)
    pytest.fail(f"alive: {alive(pid)}, folder: {folder.exists()}")


@pytest.mark.skipif(not Path("/proc").exists(), reason="reads /proc")
def test_killed_interpreter_leaves_nothing(request):
    process, pid, folder = begin(request)
    process.send_signal(signal.SIGKILL)
    process.wait()
    gone(pid, folder)


@pytest.mark.skipif(not Path("/proc").exists(), reason="reads /proc")
def test_interrupt_leaves_nothing(request):
    process, pid, folder = begin(request)
    process.send_signal(signal.SIGINT)
    assert process.stdout
    said = process.stdout.read()
    assert process.wait() == 7
    assert "caught: interrupted: the run was stopped" in said
    assert not alive(pid) and not folder.exists()


def test_folder_of_killed_processes_is_removed_later(monkeypatch, tmp_path):
    """A folder stays if its interpreter and its program are killed at once; the first call of a later interpreter removes it."""
    folder = tmp_path / "tacet-left"
    folder.mkdir()
    locked = _child._lock(folder)
    assert locked is not None
    child = subprocess.Popen(["sleep", "60"], pass_fds=(locked,))
    os.close(locked)

    def sweep() -> None:
        monkeypatch.setattr(_child, "_swept", set())
        _child._sweep(str(tmp_path))

    sweep()
    assert folder.exists(), "it is new"
    monkeypatch.setattr(_child, "_STALE", 0.0)
    sweep()
    assert folder.exists(), "the program lives"
    child.kill()
    child.wait()
    sweep()
    assert not folder.exists()


def folders(seen: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Notes the folder of each call."""
    start = _child.Child.start

    def noting(self: _child.Child, args: list[str]) -> None:
        seen.append(self.scratch.path)
        start(self, args)

    monkeypatch.setattr(_child.Child, "start", noting)


def test_folder_is_private_in_memory_and_removed(alice, monkeypatch):
    seen: list[Path] = []
    folders(seen, monkeypatch)
    modes: list[int] = []
    run = _child.Child.run

    def looking(self, *args):
        modes.append(self.scratch.path.stat().st_mode & 0o777)
        return run(self, *args)

    monkeypatch.setattr(_child.Child, "run", looking)
    f = tacet.private(lambda x: x * 2)
    f(alice(np.float32([1])))
    with pytest.raises(tacet.RangeError):
        f(alice(np.float32([np.inf])))
    assert len(seen) == 2 and not any(path.exists() for path in seen) and modes == [0o700, 0o700]
    if _child._room("/dev/shm") > 64 << 20 and "TACET_TMPDIR" not in os.environ:
        assert all(path.parent == Path("/dev/shm") for path in seen)


def test_folder_elsewhere_where_memory_is_small(alice, monkeypatch, tmp_path):
    seen: list[Path] = []
    folders(seen, monkeypatch)
    monkeypatch.setattr(_child, "_room", lambda folder: 1 << 20)
    monkeypatch.setattr(_child.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.delenv("TACET_TMPDIR", raising=False)
    tacet.private(lambda x: x * 2)(alice(np.float32([1])))
    assert seen[0].parent == tmp_path and list(tmp_path.iterdir()) == []


def test_cancelled_task_leaves_nothing(alice, bob, monkeypatch):
    seen: list[Path] = []
    folders(seen, monkeypatch)
    import jax

    f = tacet.private(lambda x, y: jax.lax.fori_loop(0, 3000, lambda _, x: x * y, x), network="wan")
    x = np.ones(10, np.float32)

    async def main() -> None:
        task = asyncio.ensure_future(f.aio(alice(x), bob(x)))
        while not seen:
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert len(seen) == 1 and not seen[0].exists()


def test_timeout(alice, bob, monkeypatch):
    seen: list[Path] = []
    folders(seen, monkeypatch)
    import jax

    f = tacet.private(timeout=0.5)(lambda x, y: jax.lax.fori_loop(0, 3000, lambda _, x: x * y, x))
    x = np.ones(10, np.float32)
    with pytest.raises(TimeoutError, match="no result within 0.5 s"):
        f(alice(x), bob(x))
    assert not seen[0].exists()


def test_progress_has_rounds_and_iterations(alice, bob, monkeypatch):
    import jax

    events: list[dict[str, object]] = []
    from tacet_mpc import _private

    class Noting:
        def __init__(self, title: str) -> None:
            pass

        def __call__(self, event: dict[str, object]) -> None:
            events.append(event)

        def close(self) -> None:
            pass

    monkeypatch.setattr(_private, "Bar", Noting)
    f = tacet.private(lambda x, y: jax.lax.fori_loop(0, 3, lambda _, x: x * y, x))
    f(alice(np.float32([1])), bob(np.float32([1])))
    assert [e["phase"] for e in events if e["phase"] != "online"] == ["plan", "input", "offline", "output"]
    online = [e for e in events if e["phase"] == "online"]
    assert online
    for e in online[1:]:
        assert e["rounds"] == f.report.rounds == 3 and 0 <= e.get("iteration", 0) <= 4  # type: ignore[operator]


def test_bar(monkeypatch):
    from tacet_mpc import _bar

    shown: list[str] = []

    class Fake:
        total = n = 0

        def set_description_str(self, text, refresh):
            shown.append(text)

        def set_postfix_str(self, text, refresh):
            shown.append(text)

        def refresh(self):
            shown.append(f"{self.n} of {self.total}")

        def close(self):
            shown.append("closed")

    monkeypatch.setattr(_bar, "QUIET", 0)
    bar = _bar.Bar("score")
    monkeypatch.setattr(bar, "_open", Fake)
    bar({"event": "progress", "phase": "online", "done": 3, "all": 9, "round": 2, "rounds": 5, "iteration": 4})
    bar.close()
    assert shown == ["score: online", "round 2 of 5, iteration 4", "3 of 9", "closed"]
    tacet.progress(False)
    try:
        _bar.Bar("score")({"event": "progress", "phase": "online"})
    finally:
        tacet.progress(True)
    assert shown[-1] == "closed"


def test_bar_of_tqdm(monkeypatch, capsys):
    import io

    from tqdm import tqdm

    from tacet_mpc import _bar

    shown = io.StringIO()
    monkeypatch.setattr(_bar, "QUIET", 0)
    bar = _bar.Bar("score")
    monkeypatch.setattr(bar, "_open", lambda: tqdm(total=None, file=shown, mininterval=0))
    bar({"event": "progress", "phase": "plan"})
    bar({"event": "progress", "phase": "online", "done": 3, "all": 9, "round": 2, "rounds": 5})
    bar.close()
    bar.close()
    assert "score: online" in shown.getvalue() and "3/9" in shown.getvalue() and "round 2 of 5" in shown.getvalue()


def test_module_runs_the_program():
    out = subprocess.run(
        [sys.executable, "-m", "tacet_mpc", "version"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        check=True,
    )
    assert out.stdout.startswith("tacet ")
