"""The hash of the source files behind a script follows imports, and nothing else."""

import pytest

from study.run.code import _imports, code_hash, source_files


@pytest.fixture
def tree(tmp_path):
    files = {
        "script.py": "from study.alpha import f\nimport json\n",
        "src/study/__init__.py": "",
        "src/study/alpha.py": "from study import beta, methods\ndef f():\n    import study.cv.learners\n",
        "src/study/beta.py": "from study.gamma import g\n",
        "src/study/gamma.py": "",
        "src/study/methods.py": "",
        "src/study/cv/learners.py": "from study.cv import one, two\n",
        "src/study/cv/one.py": "",
        "src/study/cv/two.py": "",
        "src/study/unused.py": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def hash_of(tree, **more):
    _imports.cache_clear()
    code_hash.cache_clear()
    return code_hash(tree / "script.py", tree / "src", **more)


def test_imports_are_followed(tree):
    names = {path.name for path in source_files(tree / "script.py", tree / "src")}
    followed = {"script.py", "__init__.py", "alpha.py", "beta.py", "gamma.py", "methods.py"}
    assert names == followed | {"learners.py", "one.py", "two.py"}


@pytest.mark.parametrize(
    ("file", "changes"),
    [
        ("script.py", True),
        ("src/study/gamma.py", True),
        ("src/study/cv/one.py", True),
        # The learner of another method, and a registry of which the job has its row.
        ("src/study/cv/two.py", False),
        ("src/study/methods.py", False),
        ("src/study/unused.py", False),
    ],
)
def test_hash_of_a_fit_changes_with_what_it_imports(tree, file, changes):
    of_fit = {"rows": "the row", "learner": "one"}
    before = hash_of(tree, **of_fit)
    with open(tree / file, "a") as stream:
        stream.write("# changed\n")
    assert (hash_of(tree, **of_fit) != before) == changes


def test_hash_changes_with_the_rows_and_without_rows_with_the_registry(tree):
    assert hash_of(tree, rows="one") != hash_of(tree, rows="two")
    before = hash_of(tree)
    (tree / "src/study/methods.py").write_text("# changed")
    assert hash_of(tree) != before


def test_hash_does_not_depend_on_the_place(tree):
    before = hash_of(tree)
    assert hash_of(tree.rename(tree.with_name("moved elsewhere"))) == before
