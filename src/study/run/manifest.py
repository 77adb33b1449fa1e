"""The manifest of a run: versions, machine, configuration, and hashes of its inputs."""

import hashlib
import platform
import re
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from study.io import sha256

PACKAGES: tuple[str, ...] = ("snakemake", "numpy", "scipy", "pandas", "scikit-learn", "numba", "pcst-fast")
PACKAGES += ("seaborn", "matplotlib", "statsmodels", "scikit-survival", "networkx", "skglm")


def installed(package: str) -> str | None:
    """Return the version of a package, or None: pcst-fast is optional."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def processor() -> str:
    """Return the name of the processor, because the last bit may differ between kinds."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*: (.*)$", info.read_text(encoding="utf-8") if info.exists() else "", flags=re.M)
    return found[1].strip() if found else platform.processor() or platform.machine()


def commit(repository: Path) -> str | None:
    """Return the commit of the repository, marked when files have changed since; None without git."""
    call = ["git", "-C", str(repository)]
    try:
        head = subprocess.run([*call, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
        status = subprocess.run([*call, "status", "--porcelain"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return head.stdout.strip() + (" with changes" if status.stdout.strip() else "")


def source_digest(repository: Path) -> str:
    """Return a hash over every file under src/ and workflow/."""
    digest = hashlib.sha256()
    for folder in ("src", "workflow"):
        for path in sorted((repository / folder).rglob("*")):
            if path.suffix in (".py", ".smk", ".yaml", ".j2") or path.name == "Snakefile":
                digest.update(f"{path.relative_to(repository).as_posix()}\0{sha256(path)}\n".encode())
    return digest.hexdigest()


def make_manifest(repository: Path, inputs: list[str], config: dict) -> dict:
    """Return versions, machine, configuration, and hashes of data and sources."""
    return {
        "finished": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "python": sys.version.split()[0],
        "packages": {name: installed(name) for name in PACKAGES},
        "platform": platform.platform(),
        "processor": processor(),
        "commit": commit(repository),
        "sources_sha256": source_digest(repository),
        "seed": config["seed"],
        "config": config,
        "data_sha256": {Path(path).name: sha256(path) for path in inputs},
    }
