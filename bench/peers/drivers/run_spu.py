"""Runs a task with SPU, semi2k: all parties are threads of this process, and
their links are memory.

The measured interval is from shared inputs to shared results. Compiling, sharing and
revealing are excluded; correlated randomness is included, since SPU generates it when it
is needed.
"""

import os
import re
import resource
import tempfile
import threading
import time

from spu import api, libspu

import driver

FIELDS = {32: libspu.FieldType.FM32, 64: libspu.FieldType.FM64, 128: libspu.FieldType.FM128}
PARSERS = {"fxp_exp_mode": api.parse_exp_mode}


def compiled(program, visibility):
    """Compiles StableHLO text with SPU. Text that its parser refuses is converted to XLA's
    own form first, as SPU's front end for JAX does."""
    options = libspu.CompilerOptions()
    try:
        source = libspu.CompilationSource(libspu.SourceIRType.STABLEHLO, program, visibility)
        return libspu.compile(source, options)
    except RuntimeError:
        from jaxlib import xla_client

        module = xla_client._xla.mlir.mlir_module_to_xla_computation(
            program.decode(), use_tuple_args=False, return_tuple=False
        )
        source = libspu.CompilationSource(
            libspu.SourceIRType.XLA, module.as_serialized_hlo_module_proto(), visibility
        )
        return libspu.compile(source, options)


def result_count(program):
    """The number of results of @main."""
    results = re.search(rb"@main\(.*?\)\s*->\s*(.*?)\s*(?:attributes\b.*)?\{\s*$", program, re.S | re.M).group(1)
    return len(re.findall(rb"tensor<", results))


class Parties:
    """The parties' runtimes, and shares of the arguments."""

    def __init__(self, task, options, values, profiled=False):
        self.n = task.parties
        config = libspu.RuntimeConfig(
            protocol=libspu.ProtocolKind.SEMI2K,
            field=FIELDS[task.ring],
            fxp_fraction_bits=task.fraction,
        )
        for key, value in options.items():
            setattr(config, key, PARSERS[key](value))
        self.io = api.Io(self.n, config)
        vis = [visibility(a) for a in task.arguments]
        self.shares = [self.io.make_shares(x, v) for x, v in zip(values, vis)]
        parties = libspu.link.Desc()
        for rank in range(self.n):
            parties.add_party(f"party{rank}", f"memory{rank}")
        self.runtimes = [None] * self.n

        def start(rank):
            own = libspu.RuntimeConfig(config)
            own.enable_pphlo_profile = profiled and rank == 0
            self.runtimes[rank] = api.Runtime(libspu.link.create_mem(parties, rank), own)

        self.each(start)

    def each(self, f):
        threads = [threading.Thread(target=self.guarded, args=(f, rank)) for rank in range(self.n)]
        self.failures = []
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        if self.failures:
            raise self.failures[0]

    def guarded(self, f, rank):
        try:
            f(rank)
        except Exception as e:
            self.failures.append(e)

    def run(self, executable):
        """Wall time and CPU time of one run, in seconds."""

        def feed(rank):
            for name, shares in zip(executable.input_names, self.shares):
                self.runtimes[rank].set_var(name, shares[rank])

        self.each(feed)
        cpu, start = time.process_time(), time.perf_counter()
        self.each(lambda rank: self.runtimes[rank].run(executable))
        return time.perf_counter() - start, time.process_time() - cpu

    def results(self, executable):
        return [
            self.io.reconstruct([runtime.get_var(name) for runtime in self.runtimes])
            for name in executable.output_names
        ]


def visibility(argument):
    v = libspu.Visibility
    return v.VIS_PUBLIC if argument["public"] else v.VIS_SECRET


def traffic(task, options, values, executable):
    """Bytes and messages that the first party sends, from a separate run:
    SPU reports them in its log."""
    with tempfile.TemporaryDirectory() as folder:
        log = libspu.logging.LogOptions()
        log.enable_console_logger = False
        log.system_log_path = os.path.join(folder, "log")
        libspu.logging.setup_logging(log)
        Parties(task, options, values, profiled=True).run(executable)
        with open(log.system_log_path) as f:
            sent = re.search(r"total send bytes (\d+),.* send actions (\d+)", f.read())
    return {"bytes": int(sent.group(1)), "messages": int(sent.group(2))} if sent else {}


def prepare(task, options):
    program = task.text(options.pop("program", task.program))
    values = task.values()
    code = compiled(program, [visibility(a) for a in task.arguments])
    executable = libspu.Executable(
        task.name,
        [f"in{i}" for i in range(len(values))],
        [f"out{i}" for i in range(result_count(program))],
        code,
    )
    costs = traffic(task, options, values, executable)
    parties = Parties(task, options, values)

    def run():
        seconds, cpu = parties.run(executable)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        error = task.error(parties.results(executable))
        return {
            "seconds": seconds,
            "cpu_seconds": cpu,
            "peak_memory_bytes": peak,
            "max_abs_error": error,
            **costs,
        }

    return run


driver.serve(prepare)
