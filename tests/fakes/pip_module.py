"""A pip that needs no network: put into an environment as `pip/__main__.py`. What it does is said by files beside it.

`calls` gets one line a call. With `hang` it waits until it is killed, after it wrote its process id to `pid`.
With `fail` it prints that file's text and ends with 1. With `wait` it ends only when that file is gone.
"""

import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    with (HERE / "calls").open("a", encoding="utf-8") as calls:
        calls.write(" ".join(sys.argv[1:]) + "\n")
    print("WARNING: Location 'file:///nowhere/' is ignored: it is neither a file nor a directory.", flush=True)
    print("Collecting tiny==1.0 (from -r console.lock (line 1))", flush=True)
    (HERE / "pid").write_text(str(os.getpid()), encoding="utf-8")
    while (HERE / "hang").exists() or (HERE / "wait").exists():
        time.sleep(0.01)
    if (HERE / "fail").exists():
        print((HERE / "fail").read_text(encoding="utf-8"))
        return 1
    print("Installing collected packages: tiny", flush=True)
    return 0


sys.exit(main())
