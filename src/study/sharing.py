"""Which fits several methods have in common: over one block they all follow the full gradient."""

from __future__ import annotations

_ONE_BLOCK = {
    "iht": "top",
    "sto-iht": "top",
    "svrg-iht": "top",
    "graph-iht": "graph",
    "graph-sto-iht": "graph",
    "graph-svrg-iht": "graph",
}


def shared_part(method: str, n_blocks: list[int]) -> str | None:
    """Return the projection (`top`, `graph`) whose one-block fits a method takes over, or None."""
    return _ONE_BLOCK.get(method) if 1 in distinct_blocks(method, n_blocks) else None


def distinct_blocks(method: str, n_blocks: list[int]) -> list[int]:
    """Return the numbers of blocks that make a difference to a method: the full gradient knows only one."""
    return [1] if method in ("iht", "graph-iht") else sorted(n_blocks)
