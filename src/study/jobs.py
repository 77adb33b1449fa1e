"""The environment that the workflow's jobs inherit."""

from __future__ import annotations

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
