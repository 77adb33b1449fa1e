"""Show the points of docs/paper.md about the published study on a finished run of ours, as numbers.

    .venv/bin/python docs/published_study.py

Points 1 and 10 are also shown in the published files, where they have been fetched.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.io import loadmat

from graphiht.gradients import Blocks
from graphiht.losses import balanced_logistic
from study.cv.splits import Splits
from study.data.studyfile import Study
from study.stats.scores import auc, balanced_error

KNOWN = Path("data/known_genes.csv")


def inner_rows(splits: Splits) -> None:
    """Take positions in each training set for row numbers of the whole matrix, as the published code does."""
    for fold in range(1, splits.n_outer + 1):
        test, positions = splits.test(1, fold), np.arange(len(splits.train(1, fold)))
        print(f"1. fold {fold}: {np.isin(positions, test).sum()} of {len(test)} test patients are used for tuning")


def published_inner_rows(files: Path) -> None:
    """Count the test patients among the inner rows that the published files store."""
    stored = loadmat(files / "overlap_data_00.mat")["save_data"][0, 0]
    for fold in range(stored["data_splits"].shape[1]):
        test = set(stored["data_splits"][0, fold]["test"][0, 0].ravel().tolist())
        inner = stored["data_subsplits"][0, fold][0, 0]
        rows = {int(row) for half in ("train", "test") for row in inner[half][0, 0].ravel()}
        seen = f"{len(rows & test)} of {len(test)} test patients among them"
        print(f"1. published fold {fold + 1}: inner rows 1..{max(rows)}, {seen}")


def standardisation(study: Study, train: np.ndarray) -> None:
    """Compare the means of all patients with those of a training set."""
    shift = np.abs(study.X.mean(axis=0) - study.X[train].mean(axis=0)) / study.X[train].std(axis=0)
    print(f"2. means move by up to {shift.max():.2f} standard deviations, {np.median(shift):.2f} in the median")


def intercept(study: Study) -> None:
    """Compare the slope of the intercept with differences of the loss."""
    loss, nothing = balanced_logistic(study.X, study.y), np.zeros(study.X.shape[1])
    at = [loss.iterate(nothing, np.empty(0, int), value) for value in (0.5 - 1e-6, 0.5, 0.5 + 1e-6)]
    slope, low, high = loss.gradient(at[1])[1], loss.value(at[0]), loss.value(at[2])
    print(f"3. ours {slope:.6f}, by differences {(high - low) / 2e-6:.6f}, as a sum {slope * len(study.y):.2f}")


def blocks(y: np.ndarray) -> None:
    """Count the events in two blocks of the outcomes of a training set, sorted as published and shuffled as ours."""
    published = np.array_split(np.sort(y)[::-1], 2)
    ours = [y[block] for block in Blocks(len(y), 2, np.random.default_rng(0)).blocks]
    print("4. events per block: published", [int(b.sum()) for b in published], "ours", [int(b.sum()) for b in ours])


def line_search(study: Study) -> None:
    """Compare the losses of two blocks at the same point."""
    loss, order = balanced_logistic(study.X, study.y), np.argsort(-study.y, kind="stable")
    start = loss.iterate(np.zeros(study.X.shape[1]), np.empty(0, int), 0.0)
    first, second = (loss.value(start, np.sort(half)) for half in np.array_split(order, 2))
    print(f"5. no step at all: {first:.3f} on one block, {second:.3f} on the other")


def cut_off(run: Path, y: np.ndarray) -> None:
    """Move the cut-off of the stochastic graph methods."""
    folds = [json.loads(path.read_text()) for path in sorted(run.glob("fits/graph-s*-iht/trial-*/fold-*.json"))]
    for shift in (0.0, 0.5, 1.0, 2.0):
        pairs = [(y[f["test_patients"]], np.array(f["test_scores"]) + shift * np.std(f["test_scores"])) for f in folds]
        error, area = (np.mean([score(*pair) for pair in pairs]) for score in (balanced_error, auc))
        print(f"6. cut-off off by {shift} standard deviations: balanced error {error:.3f}, AUC {area:.3f}")


def bias() -> None:
    """Average the reduced gradient over all mini-batches, with sums and with means."""
    rng = np.random.default_rng(0)
    n, b = 12, 3
    A, y, anchor, x = rng.normal(size=(n, 5)), rng.normal(size=n), rng.normal(size=5), rng.normal(size=5)
    here, there = (A * (A @ z - y)[:, None] for z in (x, anchor))
    errors = []
    for over in (np.sum, np.mean):
        batches = np.arange(n).reshape(-1, b)
        reduced = [over(here[i], axis=0) - over(there[i], axis=0) + over(there, axis=0) for i in batches]
        true = over(here, axis=0)
        errors.append(np.linalg.norm(np.mean(reduced, axis=0) - true) / np.linalg.norm(true))
    print(f"7. relative bias: sums {errors[0]:.2f}, means {errors[1]:.0e}")


def unions(run: Path) -> None:
    """Count the genes, and known genes, that any fit of a method selects, and those in half of the fits."""
    known, genes = set(pd.read_csv(KNOWN)["symbol"]), pd.read_csv(run / "genes.csv")
    reachable = json.loads((run / "data_summary.json").read_text())["known_genes"]
    for method, rows in genes.groupby("method"):
        share = rows["symbol"].value_counts() / len(rows[["trial", "fold"]].drop_duplicates())
        found = share[share.index.isin(known)]
        of = f"of {len(reachable)} reachable, of {len(known)} known"
        print(f"9. {method}: {len(share)} genes ever, {len(found)} {of}; in half of the fits {(found >= 0.5).sum()}")


def outside(files: Path) -> None:
    """Name the known genes that are in none of the published pathways."""
    members, known = np.loadtxt(files / "pathways.txt", dtype=int)[:, 1], pd.read_csv(KNOWN)
    lost = known[~known["entrez"].isin(members)]
    print(f"10. {len(known) - len(lost)} of {len(known)} can be found; not {', '.join(lost['symbol'])}")


def main() -> None:
    """Print a line or more per point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, default=Path("results/nki/scnet"))
    parser.add_argument("--files", type=Path, default=Path("data/downloads/published"))
    options = parser.parse_args()
    study, splits = Study.load(options.run / "study.npz"), Splits.load(options.run / "splits/trial-01.npz")
    train, has_files = splits.train(1, 1), (options.files / "overlap_data_00.mat").exists()
    inner_rows(splits)
    if has_files:
        published_inner_rows(options.files)
    standardisation(study, train)
    intercept(study)
    blocks(study.y[train])
    line_search(study)
    cut_off(options.run, study.y)
    bias()
    unions(options.run)
    if has_files:
        outside(options.files)


if __name__ == "__main__":
    main()
