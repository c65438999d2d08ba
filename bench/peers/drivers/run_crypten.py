"""Runs a task with CrypTen: two processes on this machine, whose first party
makes the correlated randomness (its default provider, TFP).

CrypTen cannot read StableHLO: it runs the operations below from its library,
with its 16 fraction bits. The measured interval is from shared inputs to
shared results, correlated randomness included.
"""

import math
import multiprocessing
import os
import resource
import tempfile
import time

import driver

GELU = math.sqrt(2 / math.pi)

OPERATIONS = {
    "mul": lambda x, y: x * y,
    "square": lambda x: x.square(),
    "less": lambda x, y: x < y,
    "equal": lambda x, y: x == y,
    "relu": lambda x: x.relu(),
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "reciprocal": lambda x: x.reciprocal(),
    "divide": lambda x, y: x / y,
    "rsqrt": lambda x: x.inv_sqrt(),
    "sqrt": lambda x: x.sqrt(),
    "sigmoid": lambda x: x.sigmoid(),
    "tanh": lambda x: x.tanh(),
    "gelu": lambda x: x * 0.5 * ((x + x * x.square() * 0.044715) * GELU).tanh().add(1),
    "softmax": lambda x: x.softmax(1),
    "matmul": lambda x, y: x.matmul(y),
}


def party(rank, folder, meeting, turn):
    """One party: runs once for every message on the pipe turn, and answers on it."""
    os.environ.update(
        RANK=str(rank), WORLD_SIZE="2", RENDEZVOUS="file://" + meeting, DISTRIBUTED_BACKEND="gloo"
    )
    import crypten
    import crypten.communicator
    import torch

    torch.set_num_threads(1)
    crypten.cfg.communicator.verbose = True
    crypten.init()
    task = driver.Task(folder)
    operation = OPERATIONS[task.name.split("-")[0]]
    inputs = [crypten.cryptensor(torch.from_numpy(v), src=i % 2) for i, v in enumerate(task.values())]
    link = crypten.communicator.get()
    while True:
        try:
            turn.recv()
        except EOFError:  # the parent process has ended
            return
        link.reset_communication_stats()
        link.barrier()
        cpu, start = time.process_time(), time.perf_counter()
        result = operation(*inputs)
        link.barrier()
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        sent = link.get_communication_stats()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        turn.send(
            {
                "seconds": seconds,
                "cpu_seconds": cpu,
                "bytes": int(sent["bytes"]),
                "rounds": int(sent["rounds"]),
                "peak_memory_bytes": peak,
                "max_abs_error": task.error([result.get_plain_text().numpy()]),
            }
        )


def prepare(task, options):
    if task.name.split("-")[0] not in OPERATIONS:
        raise driver.Cannot(f"CrypTen runs no StableHLO, and has no operation that is {task.name}")
    if task.ring != 64:
        raise driver.Cannot(f"CrypTen computes in a ring of 64 bits, not {task.ring}")
    fresh = multiprocessing.get_context("spawn")
    meeting = os.path.join(tempfile.mkdtemp(dir=task.folder), "meeting")
    ends = []
    for rank in range(2):
        here, there = fresh.Pipe()
        fresh.Process(target=party, args=(rank, task.folder, meeting, there), daemon=True).start()
        there.close()
        ends.append(here)

    def run():
        for end in ends:
            end.send(None)
        try:
            answers = [end.recv() for end in ends]
        except EOFError:
            raise RuntimeError("a party of CrypTen ended early") from None
        worst = {k: max(a[k] for a in answers) for k in ("seconds", "bytes", "rounds", "max_abs_error")}
        both = {k: sum(a[k] for a in answers) for k in ("cpu_seconds", "peak_memory_bytes")}
        return {**worst, **both}

    return run


if __name__ == "__main__":  # and not again in the parties' processes
    driver.serve(prepare)
