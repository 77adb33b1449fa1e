"""The environment that the workflow's jobs inherit."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path


def set_environment(src: Path) -> None:
    """Make jobs run this interpreter, see our sources, and use one BLAS thread.

    Jobs call `python` by name, because Snakemake does not quote an interpreter's path; a conda environment of
    a rule still comes before ours. One thread, because the workflow already uses every core.
    """
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    os.environ["PYTHONPATH"] = str(src)
    for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
        os.environ[f"{library}_NUM_THREADS"] = "1"


def start_numba_without_scipy() -> None:
    """Load numba without the scipy it looks for to offer linear algebra, which no kernel of ours uses.

    A quarter of a second less per job, and a study has hundreds. In this process numba cannot compile np.dot and the
    like, so only a job that calls nothing but our own kernels may do this.
    """
    if "scipy.linalg" in sys.modules:
        return
    sys.modules["scipy.linalg"] = None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules["scipy.linalg"]
