"""The decorator of every compiled function: numba, cached on disk where that is possible."""

import functools
import hashlib
import os
from contextlib import suppress
from pathlib import Path

import numba


@functools.cache
def _cache_folder():
    """Return the cache folder for this state of the sources.

    numba looks at the file of the cached function only, not at those of the functions it calls and has
    inlined, so an edit elsewhere would go unnoticed. Here all files with compiled functions name the folder
    together.
    """
    package = Path(__file__).parent
    sources = [path.read_bytes() for path in sorted(package.rglob("*.py"))]
    kernels = b"".join(text for text in sources if b"_jit import" in text or b"import numba" in text)
    digest = hashlib.sha256(kernels).hexdigest()[:16]
    return str(_writable(numba.config.CACHE_DIR, package / "__pycache__") / f"graphiht-{digest}")


def _writable(chosen, by_sources):
    """Return the chosen folder, or the one next to the sources, or, if those are read-only, the user's."""
    if chosen:
        return Path(chosen)
    with suppress(OSError):
        by_sources.mkdir(exist_ok=True)
        if os.access(by_sources, os.W_OK):
            return by_sources
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "graphiht"


def compiled(function):
    """Return `function` compiled by numba, with the machine code cached on disk if a folder can be written.

    The folder is in NUMBA_CACHE_DIR if that is set, or next to the sources, or the user's. numba
    refuses to decorate at all when there is none (a read-only install without a home); compiling in every
    process is slow but right, so that is the fallback.
    """
    return _compiled(function, {})


def kernel(function):
    """Return `function` compiled into its caller and without reference counts; it must not allocate.

    For the inner loops: counting references to the workspace's arrays, and handing them from one function
    to the next, takes several times as long as the work. A numba that does not know the (undocumented)
    switch for the counts compiles the same code with them.
    """
    try:
        return _compiled(function, {"forceinline": True, "_nrt": False})
    except (KeyError, TypeError):
        return _compiled(function, {"forceinline": True})


def _compiled(function, options):
    chosen = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _cache_folder()
    try:
        return numba.njit(cache=True, **options)(function)
    except (RuntimeError, OSError):
        return numba.njit(**options)(function)
    finally:
        numba.config.CACHE_DIR = chosen
