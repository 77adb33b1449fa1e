"""A lock on a folder of results ends with its process, and a file system without locks is named."""

import pytest

from study.errors import StudyError
from study.run import lock as module
from study.run.lock import lock


@pytest.fixture(autouse=True)
def released():
    yield
    while module._held:
        module._held.pop().close()


def test_a_locked_folder_is_refused_and_another_is_free(tmp_path):
    lock(tmp_path / "taken", "")
    lock(tmp_path / "free", "")
    with pytest.raises(
        StudyError, match=r"Another run \(process \d+ on .*\) is already writing to .*taken.*then: make"
    ):
        lock(tmp_path / "taken", "make study")


def test_a_file_system_without_locks_is_named(tmp_path, monkeypatch, capsys):
    def no_locks(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(module.fcntl, "flock", no_locks)
    lock(tmp_path, "")
    assert "Start no second run in this folder" in capsys.readouterr().err
