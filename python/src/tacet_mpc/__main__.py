"""python -m tacet_mpc runs the program tacet."""

import os
import subprocess
import sys

from ._errors import Error
from ._program import program


def main() -> int:
    try:
        path = program()
    except Error as err:
        print(f"tacet: error: {err}", file=sys.stderr)
        return 2
    if os.name != "nt":
        os.execv(path, [path, *sys.argv[1:]])
    return subprocess.call([path, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
