"""Progress of runs, shown by tqdm where it is installed."""

from __future__ import annotations

import os
import time
from typing import Any

_shown = os.environ.get("TACET_PROGRESS", "1") != "0"

QUIET = 1.0  # seconds; shorter runs show nothing


def progress(shown: bool) -> None:
    """Whether calls show a progress bar, which needs tqdm. TACET_PROGRESS=0 hides it too.

    >>> import tacet_mpc as tacet
    >>> tacet.progress(False)
    >>> tacet.progress(True)
    """
    global _shown
    _shown = shown


class Bar:
    """The bar of one run: phase, operations, rounds and the loop's iteration."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._start = time.monotonic()
        self._bar: Any = None

    def __call__(self, event: dict[str, Any]) -> None:
        if not _shown or event.get("event") != "progress":
            return
        if self._bar is None:
            if time.monotonic() - self._start < QUIET:
                return
            self._bar = self._open()
        if self._bar is False:
            return
        bar = self._bar
        bar.set_description_str(f"{self._title}: {event.get('phase', '')}", refresh=False)
        done, total = int(event.get("done", 0)), int(event.get("all", 0))
        bar.total, bar.n = total or None, done
        details = []
        if event.get("rounds"):
            details.append(f"round {event.get('round', 0)} of {event['rounds']}")
        if event.get("iteration"):
            details.append(f"iteration {event['iteration']}")
        bar.set_postfix_str(", ".join(details), refresh=False)
        bar.refresh()

    def _open(self) -> Any:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return False
        return tqdm(total=None, unit="op", leave=False, disable=None)

    def close(self) -> None:
        if self._bar is not None and self._bar is not False:  # tqdm's own truth needs a total
            self._bar.close()
        self._bar = None
