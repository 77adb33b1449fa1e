"""A small data set with the structure of the published one, and a server on this machine that hands it out."""

import csv
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
from scipy.io import savemat

from study.data.published_files import git_blob_id

N_PATIENTS, N_GENES, N_TRIALS, N_FOLDS = 60, 30, 2, 3
# Genes 26..29 (from 0) are in no pathway, gene 25 is in one but has no edge: 25 genes are left.
IN_PATHWAY = range(26)
CONNECTED = 25


def entrez_ids():
    """Ids in no particular order; the 25th, 24th, ... are not positions, so mixing the two up is noticed."""
    ids = 1000 + 37 * np.random.default_rng(1).permutation(N_GENES)
    ids[0], ids[3] = 672, 675  # two known genes, BRCA1 and BRCA2
    return ids


def cell(items):
    """A MATLAB row cell."""
    made = np.empty((1, len(items)), dtype=object)
    for i, item in enumerate(items):
        made[0, i] = item
    return made


def halves(test, everyone):
    """The struct of a fold: row vectors of 1-based numbers, the training rows sorted by nothing."""
    train = np.setdiff1d(everyone, test)[::-1]
    return {"train": train[None, :].astype(float) + 1, "test": test[None, :].astype(float) + 1}


def make_folds(y, rng):
    """The rows of each test fold, unequal in size like the published ones: the last takes the rest."""
    folds = [[] for _ in range(N_FOLDS)]
    for label in (1, 0):
        rows = rng.permutation(np.flatnonzero(y == label))
        size = round(len(rows) / N_FOLDS)
        for i in range(N_FOLDS):
            folds[i].extend(rows[i * size : (i + 1) * size if i < N_FOLDS - 1 else None])
    return [np.array(fold) for fold in folds]


def write_overlap(path, X, y, edges, pathways, entrez, folds, **changes):
    """Write one overlap_data file; `changes` replace fields of its struct."""
    inner = [cell([halves(part, np.arange(40)) for part in np.array_split(np.arange(40), 3)]) for _ in folds]
    fields = {
        "data_X": X,
        "data_Y": np.where(y == 1, 1.0, -1.0)[:, None],
        "data_edges": edges,
        "data_pathways": pathways,
        "data_entrez": entrez[:, None],
        "data_splits": cell([halves(fold, np.arange(len(y))) for fold in folds]),
        "data_subsplits": cell(inner),
    }
    savemat(path, {"save_data": fields | changes})


def write_published(folder: Path) -> dict:
    """Write the files below folder/data, their table beside them, and return what is in them."""
    rng = np.random.default_rng(5)
    (folder / "data").mkdir(parents=True)
    entrez = entrez_ids()
    X = rng.normal(size=(N_PATIENTS, N_GENES))
    y = (X[:, :4].sum(axis=1) + rng.normal(size=N_PATIENTS) > 0.8).astype(int)
    Y = np.column_stack([rng.integers(1, 9, N_PATIENTS).astype(float), np.where(y == 1, 1.0, -1.0)])
    ring = [(i + 1, (i + 1) % CONNECTED + 1) for i in range(CONNECTED)]
    # A loop, a repetition the other way round, an edge to a gene outside every pathway and one between two such.
    edges = np.array([*ring, (3, 3), (2, 1), (5, 28), (29, 30)])
    pathways = np.array([(1 + i % 4, entrez[i]) for i in IN_PATHWAY] + [(9, 999_999)])
    data = folder / "data"
    savemat(data / "vant.mat", {"X": X, "Y": Y, "entrez": entrez[:, None].astype(np.int32)})
    savemat(data / "entrez.mat", {"entrez": entrez[:, None].astype(np.int32)})
    np.savetxt(data / "edge.txt", edges, fmt="%d", delimiter="\t")
    np.savetxt(data / "pathways.txt", pathways, fmt="%d", delimiter="\t")
    folds = [make_folds(y, rng) for _ in range(N_TRIALS)]
    for trial in range(N_TRIALS):
        path = data / f"overlap_data_{trial:02d}.mat"
        write_overlap(path, X, y, edges, pathways, entrez, folds[trial])
    write_table(folder)
    return {"X": X, "y": y, "entrez": entrez, "edges": edges, "pathways": pathways, "folds": folds}


def write_table(folder):
    """Write published_files.csv for the files below folder/data as they are now."""
    with open(folder / "published_files.csv", "w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["path", "git_blob_sha1"])
        for path in sorted((folder / "data").iterdir()):
            writer.writerow([f"data/{path.name}", git_blob_id(path.read_bytes())])


class Handler(BaseHTTPRequestHandler):
    """Serves the server's folder; `plan` lists what goes wrong with the next requests of a file."""

    def do_GET(self):
        path = self.server.folder / self.path.lstrip("/")
        plan = self.server.plan.get(path.name, [])
        action = plan.pop(0) if plan else "well"
        self.server.seen.append((path.name, action))
        if isinstance(action, int) or not path.is_file():
            self.send_error(action if isinstance(action, int) else 404)
            return
        body = b"another file" if action == "other file" else path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if action == "drop" else body)
        self.close_connection = True

    def log_message(self, *arguments):
        pass


@contextmanager
def serving(folder: Path):
    """Yield a server of `folder` on a free port of the loopback interface, with `address`, `plan` and `seen`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.folder, server.plan, server.seen = folder, {}, []
    server.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
