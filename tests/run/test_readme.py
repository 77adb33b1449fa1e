"""The README's example does what it says."""

import re
import subprocess
import sys


def test_python_example_prints_what_its_comment_says(repository):
    code = re.search(r"```python\n(.*?)```", (repository / "README.md").read_text(), flags=re.S).group(1)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len(code.splitlines()) <= 10
    assert done.stdout.strip() == re.search(r"# (\[.*\])", code).group(1)


def test_first_screen_has_the_two_commands(repository):
    first_screen = "\n".join((repository / "README.md").read_text().splitlines()[:25])
    assert "make smoke" in first_screen
    assert "make test" in first_screen
