"""Trials under fire: kills, full disks, damaged files and worse, against the real workflow (`make torture`)."""
