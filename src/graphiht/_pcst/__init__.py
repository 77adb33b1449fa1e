"""Kernels of the prize-collecting Steiner forest."""
