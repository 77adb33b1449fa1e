"""What Snakemake's SLURM executor must be told about a cluster before it waits for jobs there."""

from __future__ import annotations

import re
import subprocess
from typing import Any

from study.errors import StudyError

# The executor looks at its jobs at most so many seconds apart, and must find each at least once after it has ended.
SLOWEST_CHECK = 180


def suit_slurm(settings: Any) -> None:
    """Choose by the cluster's configuration how the executor learns that a job has ended; `settings` are its own.

    With accounting it asks sacct, its default. Without, sacct fails for ever and the executor waits for ever, so it
    must ask squeue, which knows a job for MinJobAge seconds after its end: raise StudyError if that is too short.
    """
    said = subprocess.run(["scontrol", "show", "config"], capture_output=True, text=True, check=False).stdout
    found = dict(re.findall(r"^(\w+)\s*= (.*?)\s*$", said, flags=re.M))
    if not found.get("AccountingStorageType", "").endswith("/none"):
        return
    age = int(re.match(r"\d*", found.get("MinJobAge", ""))[0] or 300)  # type: ignore[index]
    if age <= SLOWEST_CHECK:
        raise StudyError(
            f"SLURM: expected accounting, or MinJobAge above {SLOWEST_CHECK} s, found neither (MinJobAge = {age} s): "
            "ended jobs would be forgotten unseen; use --workflow-profile workflow/profiles/generic, which asks the "
            "jobs themselves, or have MinJobAge = 300 set in slurm.conf."
        )
    settings.status_command = "squeue"
    # The executor goes back to sacct if MinJobAge is below three of these.
    settings.init_seconds_before_status_checks = min(settings.init_seconds_before_status_checks, age // 3)
