"""What jobs inherit."""

import subprocess
import sys

CODE = """
import sys
from study.run.jobs import start_numba_without_scipy
start_numba_without_scipy()
import numpy as np
from graphiht.losses import balanced_logistic
from graphiht.fitting import fit
X = np.random.default_rng(0).normal(size=(40, 30))
y = (X[:, 0] > 0).astype(int)
found = fit("sto-iht", balanced_logistic(X, y), sparsity=3, n_blocks=2, rng=np.random.default_rng(0))
print(found.weights.tobytes().hex())
print("scipy.linalg" in sys.modules)
"""


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_numba_without_scipy_gives_the_same_bits(repository, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(repository / "src"))
    light, scipy_loaded = run(CODE)
    usual, _ = run(CODE.replace("start_numba_without_scipy()\nimport numpy", "import numpy"))
    assert light == usual
    assert scipy_loaded == "False", "nothing in a fit may need scipy's linear algebra"
