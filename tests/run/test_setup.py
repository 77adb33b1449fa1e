"""Set-up: from nothing to a study, in a folder with spaces, and a clear word when something is missing."""

import os
import re
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
    assert "python3: expected Python 3.11 or 3.12, found none; install it (Debian, Ubuntu: apt install python3)" in said


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


def stops_at_the_environment(folder: Path, *cases: str) -> Path:
    """An interpreter that answers questions but makes no environment, so that set-up ends there."""
    answers = " ".join(cases)
    text = f'case "$*" in *"-m venv"*) exit 7;; {answers} *) exec "{REAL_PYTHON}" "$@";; esac\n'
    return write_program(folder / "python3", text)


def test_without_headers_pcst_fast_is_left_out(tmp_path):
    bare = stops_at_the_environment(tmp_path, "*include*) echo /nowhere;;")
    said = set_up(tmp_path, tool_folder(tmp_path / "bin", "c++", "git"), bare)
    assert "note: pcst-fast is left out, because building it needs Python's headers (Debian, Ubuntu: apt" in said


def test_without_a_compiler_pcst_fast_is_left_out(tmp_path):
    bare = stops_at_the_environment(tmp_path)
    said = set_up(tmp_path, tool_folder(tmp_path / "bin", "git"), bare)
    assert "note: pcst-fast is left out, because building it needs a C++ compiler (Debian, Ubuntu: apt" in said
    assert said.count("pcst-fast") == 1
    assert "note:" not in set_up(tmp_path / "b", tool_folder(tmp_path / "compiler", "c++", "git"), bare)


def test_missing_git_is_named(tmp_path):
    said = set_up(tmp_path, tool_folder(tmp_path / "bin", "c++"), REAL_PYTHON)
    assert "expected git, found none" in said


def path_without(folder: Path, *hidden: str) -> str:
    """A PATH with every program there is but the hidden ones."""
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).iterdir() if Path(place).is_dir() else ():
            target = folder / program.name
            if program.name not in hidden and not place.startswith(str(REPOSITORY)) and not target.is_symlink():
                target.symlink_to(program)
    return str(folder)


def make(folder, *targets, path=None):
    environment = {
        key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "MAKEFLAGS", "PYTHONPATH")
    }
    environment["PATH"] = path or os.pathsep.join(
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


@pytest.mark.long
@pytest.mark.workflow
def test_smoke_study_from_a_path_with_spaces_on_a_machine_without_a_compiler(tmp_path, wheels):
    """`make smoke` builds the environment there, runs on the real patients, and has nothing left to do."""
    copy = copy_repository(tmp_path / "a folder with spaces" / "the project")
    downloads = copy / "data/downloads"
    downloads.mkdir()
    for wheel in wheels.values():
        shutil.copy2(wheel.path, downloads)
    bare = path_without(tmp_path / "bin", "c++", "g++", "cc", "gcc", "clang", "clang++")
    said = make(copy, "smoke", path=bare)
    assert "note: pcst-fast is left out" in said
    interpreter = subprocess.run(
        [copy / ".venv/bin/python", "-c", "import sys; print(sys.prefix)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert interpreter.stdout.strip() == str(copy / ".venv")
    page = (copy / "reports/smoke/report.html").read_text()
    assert "295 patients" in page
    assert "1,894 genes" in page
    again = make(copy, "smoke")
    assert "Nothing to be done" in again
    assert "setting up" not in again
    # The tests pass there; what needs pcst-fast is skipped, counted, and says why.
    tested = subprocess.run(
        [".venv/bin/python", "-m", "pytest", "-rs", "-m", "not long and not workflow", "--ignore", "tests/report"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert tested.returncode == 0, tested.stdout
    assert int(re.search(r"(\d+) skipped", tested.stdout)[1]) >= 5
    assert "pcst" in re.search(r"SKIPPED.*", tested.stdout)[0]


def test_help_lists_every_command():
    said = make(REPOSITORY, "help")
    for target in ("study", "smoke", "test", "lint", "clean", "help"):
        assert f"make {target} " in said
