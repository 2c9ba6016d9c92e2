"""Loads a script by its path, as scripts are no modules of a package."""

import runpy
from types import SimpleNamespace

from conftest import ROOT


def load(script):
    """The definitions of the script, whose main part does not run."""
    return SimpleNamespace(**runpy.run_path(str(ROOT / script), run_name=script))
