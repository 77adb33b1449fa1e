"""What a job of the workflow runs in."""

from __future__ import annotations

import importlib
import os
import shlex
import sys

from study.run import scheduler

ONE_THREAD = " ".join(f"{library}_NUM_THREADS=1" for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"))


def prefix(src: str, conda: bool, **variables: str) -> str:
    """Return what every shell command starts with: strict mode, an interpreter, our sources, one BLAS thread.

    The interpreter is the one that runs Snakemake, quoted because Snakemake's own `script:` does not quote it, or
    that of a rule's conda environment. One thread, because the workflow already uses every core. Snakemake formats
    the text. The process that reads this is the one that a job must not outlive.
    """
    python = "python" if conda else shlex.quote(sys.executable)
    named = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
    named += f" {scheduler.VARIABLE}={os.getpid()}"
    if not os.access(src, os.W_OK) and "NUMBA_CACHE_DIR" not in os.environ:
        # Else the kernels would be compiled in every job.
        named += f" NUMBA_CACHE_DIR={shlex.quote(os.path.abspath('.snakemake/numba'))}"
    text = f"set -euo pipefail; export PYTHON={python} PYTHONPATH={shlex.quote(src)} {ONE_THREAD} {named}; "
    return text.replace("{", "{{").replace("}", "}}")


def command_line(script: str, *words: str, **options: str) -> str:
    """Return the shell command of a rule, for Snakemake to fill in.

    Each keyword names what options are taken from (input, output, params, wildcards), each word of its value one of
    them: `input="study folds"` becomes `--study {input.study:q} --folds {input.folds:q}`.
    """
    call = ['"$PYTHON"', f"workflow/scripts/{script}.py", *words]
    for source, names in options.items():
        call += [f"--{name.replace('_', '-')} {{{source}.{name}:q}}" for name in names.split()]
    return " ".join(call) + " 2>&1 | tee {log:q}"


def start_numba_without_scipy() -> None:
    """Load numba without what it looks for and no kernel of ours uses: scipy, for linear algebra, and coverage.

    A quarter of a second less per job, and a study has hundreds. In this process numba cannot compile np.dot and the
    like, so only a job that calls nothing but our own kernels may do this.
    """
    unwanted = [name for name in ("scipy", "scipy.linalg", "coverage") if name not in sys.modules]
    sys.modules.update(dict.fromkeys(unwanted))  # type: ignore[arg-type]
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        for name in unwanted:
            del sys.modules[name]


def end_now() -> None:
    """End this process without taking its objects apart, which takes numba a tenth of a second; files are closed."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
