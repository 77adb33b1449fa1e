"""Set-up: from nothing to a study, in a folder with spaces, and a clear word when something is missing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import REPOSITORY, copy_repository

SETUP = "workflow/scripts/setup.sh"
REAL_PYTHON = Path(sys.executable).resolve()  # under the virtual environment that runs the tests
TOOLS = ["bash", "dirname", "sed", "rm", "cat"]


def tool_folder(folder: Path, *names: str) -> Path:
    """A PATH with the given programs only."""
    folder.mkdir()
    for name in (*TOOLS, *names):
        (folder / name).symlink_to(shutil.which(name))
    return folder


def write_program(path: Path, text: str) -> Path:
    path.write_text("#!/bin/bash\n" + text)
    path.chmod(0o755)
    return path


def set_up(tmp_path, path, python):
    copy = copy_repository(tmp_path / "repository")
    done = subprocess.run(
        ["bash", SETUP],
        cwd=copy,
        env={"PATH": str(path), "PYTHON": str(python), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert not (copy / ".venv").exists()
    return done.stderr


def test_missing_python_is_named(tmp_path):
    said = set_up(tmp_path, tool_folder(tmp_path / "bin", "c++", "git"), "python3")
    assert (
        "python3: expected Python 3.11 or 3.12, found none; install it (Debian, Ubuntu: apt install python3)"
        in said
    )


def test_old_python_is_named(tmp_path):
    old = write_program(tmp_path / "python3", "echo 3.9\n")
    said = set_up(tmp_path, tool_folder(tmp_path / "bin", "c++", "git"), old)
    assert "expected Python 3.11 or 3.12, found 3.9" in said


def test_missing_venv_is_named(tmp_path):
    bare = write_program(
        tmp_path / "python3",
        f'case "$2" in *ensurepip*) exit 1;; *) exec "{REAL_PYTHON}" "$@";; esac\n',
    )
    said = set_up(tmp_path, tool_folder(tmp_path / "bin", "c++", "git"), bare)
    assert "expected the venv module, found none" in said
    assert "-venv)" in said


def test_missing_headers_are_named(tmp_path):
    bare = write_program(
        tmp_path / "python3",
        f'case "$2" in *include*) echo /nowhere;; *) exec "{REAL_PYTHON}" "$@";; esac\n',
    )
    said = set_up(tmp_path, tool_folder(tmp_path / "bin", "c++", "git"), bare)
    assert "expected its headers at /nowhere/Python.h, found none" in said
    assert "-dev)" in said


def test_missing_compiler_is_named(tmp_path):
    said = set_up(tmp_path, tool_folder(tmp_path / "bin", "git"), REAL_PYTHON)
    assert (
        "expected a C++ compiler to build pcst-fast, found none; install one (Debian, Ubuntu: apt install g++)"
        in said
    )


def test_missing_git_is_named(tmp_path):
    said = set_up(tmp_path, tool_folder(tmp_path / "bin", "c++"), REAL_PYTHON)
    assert "expected git, found none" in said


def make(folder, *targets):
    environment = {
        key: value
        for key, value in os.environ.items()
        if key not in ("VIRTUAL_ENV", "MAKEFLAGS", "PYTHONPATH")
    }
    environment["PATH"] = os.pathsep.join(
        part for part in environment["PATH"].split(os.pathsep) if not part.startswith(str(REPOSITORY))
    )
    done = subprocess.run(
        ["make", f"PYTHON={REAL_PYTHON}", *targets],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.workflow
def test_smoke_study_from_a_path_with_spaces(tmp_path, wheels):
    """`make smoke` builds the environment there, runs on the real patients, and has nothing left to do."""
    copy = copy_repository(tmp_path / "a folder with spaces" / "the project")
    downloads = copy / "data/downloads"
    downloads.mkdir()
    for wheel in wheels.values():
        shutil.copy2(wheel.path, downloads)
    make(copy, "smoke")
    interpreter = subprocess.run(
        [copy / ".venv/bin/python", "-c", "import sys; print(sys.prefix)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert interpreter.stdout.strip() == str(copy / ".venv")
    page = (copy / "reports/smoke/report.html").read_text()
    assert "nki: 295 patients, 79 with the event" in page
    assert "1,894 genes" in page
    again = make(copy, "smoke")
    assert "Nothing to be done" in again
    assert "setting up" not in again


def test_help_lists_every_command():
    said = make(REPOSITORY, "help")
    for target in ("study", "smoke", "test", "lint", "unlock", "clean", "help"):
        assert f"make {target} " in said
