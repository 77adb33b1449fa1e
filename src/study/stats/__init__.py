"""Statistics as functions of arrays."""
