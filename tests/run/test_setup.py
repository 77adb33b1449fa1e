"""Set-up: from nothing to a study in a folder with spaces, and a sentence for what is missing."""

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
    folder.mkdir(parents=True)
    for name in (*TOOLS, *names):
        (folder / name).symlink_to(shutil.which(name))
    return folder


def write_program(path: Path, text: str) -> Path:
    path.write_text("#!/bin/bash\n" + text)
    path.chmod(0o755)
    return path


def set_up(tmp_path, python="python3", tools=("c++", "git")):
    """What set-up says where it must stop."""
    copy = copy_repository(tmp_path / "repository")
    path = tool_folder(tmp_path / "bin", *tools)
    environment = {"PATH": str(path), "PYTHON": str(python), "HOME": str(tmp_path)}
    done = subprocess.run(["bash", SETUP], cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert not (copy / ".venv").exists()
    return done.stderr


def answering(folder, *cases):
    """An interpreter that answers some questions differently and builds no environment, so that set-up ends there."""
    text = f'case "$*" in {" ".join(cases)} *"-m venv"*) exit 7;; *) exec "{REAL_PYTHON}" "$@";; esac\n'
    return write_program(folder / "python3", text)


def test_missing_programs_are_named(tmp_path):
    said = set_up(tmp_path / "python")
    assert "python3: Python 3.11 to 3.14 is needed. Install it (Debian, Ubuntu: apt install python3)" in said
    assert "git is missing" in set_up(tmp_path / "git", REAL_PYTHON, ["c++"])
    said = set_up(tmp_path / "old", write_program(tmp_path / "old.sh", "echo 3.9\n"))
    assert "is Python 3.9; 3.11 to 3.14 is needed" in said
    said = set_up(tmp_path / "venv", answering(tmp_path, "*ensurepip*) exit 1;;"))
    assert "the venv module is missing" in said
    assert "-venv)" in said


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_newer_pythons_are_taken(tmp_path, version):
    said = set_up(tmp_path / "copy", answering(tmp_path, f"*version_info*) echo {version};;"))
    assert f"setting up .venv with Python {version}" in said


def test_without_compiler_or_headers_the_wheel_of_pcst_fast2_takes_its_place(tmp_path):
    why = "note: building pcst-fast needs"
    said = set_up(tmp_path / "headers", answering(tmp_path, "*include*) echo /nowhere;;"))
    assert f"{why} Python's headers (Debian, Ubuntu: apt" in said
    said = set_up(tmp_path / "compiler", answering(tmp_path), ["git"])
    assert f"{why} a C++ compiler (Debian, Ubuntu: apt" in said
    assert "the wheel of pcst-fast2 is installed in its place" in said
    assert "note:" not in set_up(tmp_path / "both", answering(tmp_path))


@pytest.mark.parametrize("version", ["3.13", "3.14"])
def test_newer_pythons_need_a_compiler(tmp_path, version):
    said = set_up(tmp_path / "copy", answering(tmp_path, f"*version_info*) echo {version};;"), ["git"])
    assert f"error: on Python {version} pip builds ecos, which needs a C++ compiler (Debian, Ubuntu: apt" in said


def test_where_abess_cannot_be_installed_set_up_goes_on_without_it(tmp_path):
    """An environment whose pip and uv refuse pins with abess, and keep the others."""
    keep = '! grep -q "^abess==" "$pins" && cp "$pins" .venv/installed'
    refuses = write_program(tmp_path / "python", f'for pins; do :; done\ncase "$*" in *"-r "*) {keep};; esac\n')
    python = answering(tmp_path, f'*"-m venv"*) mkdir -p .venv/bin && cp "{refuses}" .venv/bin/python;;')
    copy, path = copy_repository(tmp_path / "copy"), tool_folder(tmp_path / "bin", "c++", "git", "mkdir", "cp", "grep")
    environment = {"PATH": str(path), "PYTHON": str(python), "HOME": str(tmp_path)}
    done = subprocess.run(["bash", SETUP], cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("trying without abess, which the study then leaves out") == 1
    pins, left = ((copy / name).read_text() for name in ("requirements.txt", ".venv/installed"))
    names = re.findall(r"(?m)^([a-z0-9][^=]*)==", pins)
    assert re.findall(r"(?m)^([a-z0-9][^=]*)==", left) == [name for name in names if name != "abess"]
    assert pins.count("--hash") > left.count("--hash") > 1000


def path_without(folder: Path, *hidden: str) -> str:
    """A PATH with every program there is but the hidden ones."""
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).iterdir() if Path(place).is_dir() else ():
            target = folder / program.name
            if program.name not in hidden and not place.startswith(str(REPOSITORY)) and not target.is_symlink():
                target.symlink_to(program)
    return str(folder)


def run(folder, *command, path=None):
    hidden = ("VIRTUAL_ENV", "MAKEFLAGS", "PYTHONPATH")
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    places = [place for place in os.environ["PATH"].split(os.pathsep) if not place.startswith(str(REPOSITORY))]
    environment["PATH"] = path or os.pathsep.join(places)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
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
    smoke = ("make", f"PYTHON={REAL_PYTHON}", "smoke")
    assert "the wheel of pcst-fast2 is installed in its place" in run(copy, *smoke, path=bare)
    assert run(copy, ".venv/bin/python", "-c", "import sys; print(sys.prefix)").strip() == str(copy / ".venv")
    page = (copy / "reports/smoke/nki-scnet/report.html").read_text()
    assert "295 patients" in page
    assert "1,894 genes" in page
    again = run(copy, *smoke)
    assert "Nothing to be done" in again
    assert "setting up" not in again
    # The tests pass there, those that compare with pcst_fast too.
    pytest_ = (".venv/bin/python", "-m", "pytest", "-rs", "-m", "not long and not workflow", "--ignore", "tests/report")
    assert "pcst" not in "".join(re.findall(r"SKIPPED.*", run(copy, *pytest_)))
