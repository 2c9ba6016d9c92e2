"""Importing this module restarts a script in .venv if its Python lacks the packages."""

import contextlib
import importlib.util
import os
import sys
from pathlib import Path


def need(*packages):
    """Restarts the script in .venv, or ends it, if one of the packages is missing."""
    if all(map(importlib.util.find_spec, packages)):
        return
    python = Path(__file__).resolve().parents[2] / ".venv/bin/python"
    if os.path.isfile(python) and os.environ.get("GRIDLOOM_REEXEC") != "1":
        os.environ["GRIDLOOM_REEXEC"] = "1"
        with contextlib.suppress(OSError):
            os.execv(python, [str(python), *sys.argv])
    sys.exit(f"{Path(sys.argv[0]).name}: needs {', '.join(packages)}; run scripts/bootstrap")


need("gridloom_datasets", "h5py", "numpy")
