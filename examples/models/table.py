"""Runs exported models and prints the table of docs/models.md.

    go build -o tacet ./cmd/tacet
    python examples/models/table.py --tacet ./tacet examples/models/out/bert-base …

Each model runs once, all parties and the dealer in one process. CPU seconds and memory are those of the process.
"""
import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = "| model | online MB a party | rounds | dealt MB | online + offline s | CPU s | peak GiB | largest error |"


def measured(tacet, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as out:
        report = Path(out, "report.json")
        done = subprocess.run([tacet, "run", folder / "job.yaml", "--report", report, "--out", out], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{folder}: {done.stderr or done.stdout}")
        r = json.loads(report.read_text())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    online, offline = r["online"], r["offline"]
    seconds = online["seconds"] + offline["seconds"] - offline.get("beside_online_seconds", 0)
    cells = [
        folder.name, f"{max(online['bytes_sent']) / 1e6:.1f}", online["rounds"], f"{offline['bytes_sent'] / 1e6:.0f}", f"{seconds:.1f}", f"{cpu:.1f}",
        f"{r['peak_memory_bytes'] / 2**30:.1f}", f"{max(r['expect']['max_abs_error']):.1g}",
    ]
    return "| " + " | ".join(map(str, cells)) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="a folder that export.py wrote")
    parser.add_argument("--tacet", default="tacet", help="the command (default: tacet on PATH)")
    arguments = parser.parse_args()
    print(HEAD, "|---" * 8 + "|", sep="\n")
    for folder in arguments.folders:
        print(measured(arguments.tacet, folder), flush=True)


if __name__ == "__main__":
    main()
