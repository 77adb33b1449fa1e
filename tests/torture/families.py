"""The families of trials, in the order they run."""

from __future__ import annotations

from torture import bad_inputs, damage, disks, kills, pickles, servers, together
from torture.frame import Family

EVERY = (
    *(module.FAMILY for module in (kills, disks, damage, together)),
    bad_inputs.FILES,
    bad_inputs.CONFIGURATIONS,
    servers.FAMILY,
    pickles.FAMILY,
)
FAMILIES: dict[str, Family] = {family.name: family for family in EVERY}
