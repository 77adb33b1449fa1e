"""The families of trials, in the order they run."""

from __future__ import annotations

from torture import damage, disks, kills, together
from torture.frame import Family

FAMILIES: dict[str, Family] = {module.FAMILY.name: module.FAMILY for module in (kills, disks, damage, together)}
