"""Runs plotting scripts in this process, because importing Matplotlib takes longer than drawing."""

import contextlib
import io
import runpy
import sys
import traceback


def drawn_by(script, arguments):
    """Runs a plotting script. Returns (its output, its error or None)."""
    import matplotlib

    matplotlib.rcdefaults()
    out, errors, given, code = io.StringIO(), io.StringIO(), sys.argv, None
    sys.argv = [str(script), *map(str, arguments)]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            runpy.run_path(str(script), run_name="__main__")
    except SystemExit as end:
        code = end.code
    except Exception:
        code = 1
        errors.write(traceback.format_exc())
    finally:
        sys.argv = given
    lines = errors.getvalue().strip().splitlines() or ["no message"]
    return out.getvalue(), lines[-1] if code else None
