"""Where a script goes on that was called by a Python without the packages. Needs none itself."""

import contextlib
import os
import sys
from pathlib import Path


def go_on_in_environment(script, needed):
    """Starts a script of scripts/ again after its imports failed. Does not return."""
    path = Path(script).resolve()
    python = path.parent.parent / ".venv/bin/python"
    if os.path.isfile(python) and os.environ.get("GRIDLOOM_REEXEC") != "1":
        os.environ["GRIDLOOM_REEXEC"] = "1"
        with contextlib.suppress(OSError):
            os.execv(python, [str(python), script, *sys.argv[1:]])
    sys.exit(f"{path.name}: needs {needed}; run scripts/bootstrap")
