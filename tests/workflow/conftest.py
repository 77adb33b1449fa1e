"""The finished study that the tests of the workflow share."""

import pytest

from sandbox import make_sandbox, once, snakemake


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A small study run to its end on two cores, in a folder with spaces; read it, or copy it to change it."""

    def make(folder):
        snakemake(make_sandbox(folder), "--cores", "2")

    return once(tmp_path_factory.getbasetemp(), "a finished study", make)
