"""Functions and classes that a registry names."""

from __future__ import annotations

from importlib import import_module


def load(package: str, reference: str):
    """Return what "module:name" stands for below a package; only what is needed is imported."""
    module, _, name = reference.partition(":")
    return getattr(import_module(f"{package}.{module}"), name)
