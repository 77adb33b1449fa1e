"""A wheel of the library works in an environment that has nothing else."""

import re
import subprocess
import sys
import zipfile

import pytest


@pytest.fixture(scope="module")
def wheel(tmp_path_factory, repository):
    folder = tmp_path_factory.mktemp("wheel")
    # Built from a copy, so that nothing is left behind in the repository.
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        (source / name).write_bytes((repository / name).read_bytes())
    (source / "src").symlink_to(repository / "src")
    call = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, source]
    subprocess.run(call, check=True, capture_output=True)
    return next(folder.glob("graphiht-*.whl"))


def test_wheel_holds_the_library_and_nothing_of_the_study(wheel, repository):
    names = zipfile.ZipFile(wheel).namelist()
    packed = {name for name in names if name.endswith(".py")}
    library = {path.relative_to(repository / "src").as_posix() for path in (repository / "src/graphiht").rglob("*.py")}
    assert packed == library


@pytest.mark.long
def test_wheel_fits_and_predicts_in_an_empty_environment(wheel, repository, tmp_path, monkeypatch):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "empty"], check=True)
    programs = tmp_path / "empty/bin"
    # With the sources on the path pip would take the wheel for installed.
    monkeypatch.delenv("PYTHONPATH", raising=False)
    subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", wheel], check=True, capture_output=True)
    example = repository / "docs/example"

    def run(*call):
        done = subprocess.run(
            [programs / call[0], *call[1:]], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    network = ("--network", example / "edges.tsv", "--sparsity", "8")
    run("graphiht", "fit", "--expression", example / "expression.csv", "--outcome", example / "outcome.csv", *network)
    assert "30 patients" in run(
        "graphiht", "predict", "--signature", "signature.json", "--expression", example / "new.csv"
    )
    code = re.search(r"```python\n(.*?)```", (repository / "README.md").read_text(), flags=re.S)[1]
    assert run("python", "-c", code).strip() == re.search(r"# (\[.*\])", code)[1]
    code = "import graphiht; [getattr(graphiht, name) for name in graphiht.__all__]; print(graphiht.__file__)"
    assert str(tmp_path / "empty") in run("python", "-c", code)
