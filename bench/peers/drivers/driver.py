"""Common code of the drivers: reads a task and runs it once for every input line.

A driver is started with a task's folder (see Task in package bench). For every
line on standard input it runs once and answers with a line of JSON on standard
output: the costs of the run, or {"error": the reason of a failure}.
"""

import json
import os
import sys

import numpy as np


class Cannot(Exception):
    """The system cannot run the task."""


class Task:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        with open(os.path.join(self.folder, "task.json")) as f:
            self.__dict__.update(json.load(f))

    def text(self, name):
        with open(os.path.join(self.folder, name), "rb") as f:
            return f.read()

    def values(self):
        """The arguments' arrays."""
        return [np.load(os.path.join(self.folder, a["file"])) for a in self.arguments]

    def error(self, results):
        """The largest absolute error of results; None if nothing can be compared."""
        worst = None
        for name, got in zip(self.results or [], results):
            want = np.load(os.path.join(self.folder, name)).astype(np.float64)
            got = np.asarray(got).astype(np.float64).reshape(want.shape)
            worst = max(worst or 0.0, float(np.max(np.abs(got - want), initial=0.0)))
        return worst


def serve(prepare):
    """Answers every input line with the result of prepare(task, options)()."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # output of libraries goes to standard error
    task = Task(sys.argv[1])
    options = dict(o.split("=", 1) for o in sys.argv[2:])
    run = None
    for _ in sys.stdin:
        try:
            run = run or prepare(task, options)
            answer = run()
        except Exception as e:
            text = str(e).split("Stacktrace")[0]
            answer = {"error": " ".join(text.split()) or type(e).__name__}
        print(json.dumps(answer), file=answers, flush=True)
