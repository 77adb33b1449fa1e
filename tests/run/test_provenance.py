"""The source hash follows imports, and nothing else."""

import pytest

from study.run.provenance import source_files, source_hash


@pytest.fixture
def tree(tmp_path):
    files = {
        "script.py": "from study.alpha import f\nimport json\n",
        "src/study/__init__.py": "",
        "src/study/alpha.py": "from study import beta\ndef f():\n    import study.delta\n",
        "src/study/beta.py": "from .gamma import g\n",
        "src/study/gamma.py": "",
        "src/study/delta.py": "",
        "src/study/unused.py": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def hash_of(tree):
    source_files.__globals__["_imports"].cache_clear()
    return source_hash([tree / "script.py"], tree / "src")


def test_imports_are_followed(tree):
    names = {path.name for path in source_files([tree / "script.py"], tree / "src")}
    assert names == {"script.py", "__init__.py", "alpha.py", "beta.py", "gamma.py", "delta.py"}


@pytest.mark.parametrize(
    ("file", "changes"),
    [
        ("script.py", True),
        ("src/study/gamma.py", True),
        ("src/study/delta.py", True),
        ("src/study/unused.py", False),
    ],
)
def test_hash_changes_with_what_is_imported(tree, file, changes):
    before = hash_of(tree)
    with open(tree / file, "a") as stream:
        stream.write("# changed\n")
    assert (hash_of(tree) != before) == changes


def test_hash_does_not_depend_on_the_place(tree):
    before = hash_of(tree)
    moved = tree.rename(tree.with_name("moved elsewhere"))
    assert hash_of(moved) == before
