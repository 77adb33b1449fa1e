"""Recover the names of the genes in the table of the 295 NKI patients.

The expression table of van de Vijver et al. (`DBCD`) carries no gene names. Two smaller tables of the same
laboratory do, and they repeat measurements of the same hybridisations:

1. `nki70` (144 of the patients, 70 genes) repeats values rounded to nine decimals. Each of its values that only
   one value of `DBCD` rounds to votes for a (row, row) and a (column, column) pair: this aligns patients and genes.
2. `vdv` (van 't Veer, 78 patients, probes named by accession) stores log2 of a ratio whose log10 was rounded to
   three decimals. Probes that `nki70` also names align 32 of its patients with rows of `DBCD`.
3. A probe of `vdv` *is* a column of `DBCD` when the two profiles agree within half a unit of the third decimal
   in all the aligned patients and in no other pair: unique both ways.

The tables come in a pinned wheel. The tests check that matches are unique and agree in all values.
"""

import numpy as np
import pandas as pd

LOG10_2 = np.log10(2.0)
NINTH_DECIMAL = 5.1e-10
THIRD_DECIMAL = 5.1e-4


def values_of(frame: pd.DataFrame) -> tuple[np.ndarray, list[str]]:
    """Return the gene columns of a SurvSet table as a float matrix, and their names without the prefix."""
    columns = [name for name in frame.columns if name.startswith("num_") and name != "num_Age"]
    return frame[columns].to_numpy(float), [name.removeprefix("num_") for name in columns]


def align_rounded(part: np.ndarray, whole: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and columns of `whole` that hold the rounded values of `part`.

    A value votes when exactly one value of `whole` lies within its rounding.
    """
    order = np.argsort(whole, axis=None)
    values = whole.ravel()[order]
    first = np.searchsorted(values, part - NINTH_DECIMAL)
    votes = np.searchsorted(values, part + NINTH_DECIMAL, side="right") - first == 1
    part_row, part_column = np.nonzero(votes)
    row, column = np.divmod(order[first[votes]], whole.shape[1])
    rows = _winners(part_row, row, (part.shape[0], whole.shape[0]))
    columns = _winners(part_column, column, (part.shape[1], whole.shape[1]))
    return rows, columns


def _winners(voter: np.ndarray, vote: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    votes = np.zeros(shape, int)
    np.add.at(votes, (voter, vote), 1)
    return votes.argmax(axis=1)


def unique_pairs(agree: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the (row, column) pairs that are the only agreement of both their row and their column."""
    one_to_one = agree & (agree.sum(axis=1) == 1)[:, None] & (agree.sum(axis=0) == 1)[None, :]
    return np.nonzero(one_to_one)


def match_profiles(part: np.ndarray, whole: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs (column of the part, column of the whole) whose profiles agree, uniquely both ways."""
    left, right = np.nonzero(np.abs(part[0, :, None] - whole[0, None, :]) <= THIRD_DECIMAL)
    for patient in range(1, part.shape[0]):
        close = np.abs(part[patient, left] - whole[patient, right]) <= THIRD_DECIMAL
        left, right = left[close], right[close]
    agree = np.zeros((part.shape[1], whole.shape[1]), bool)
    agree[left, right] = True
    return unique_pairs(agree)


def name_columns(dbcd: pd.DataFrame, vdv: pd.DataFrame, nki70: pd.DataFrame) -> pd.Series:
    """Return the probe name of each recognised gene column of `dbcd`, indexed by column position."""
    whole, _ = values_of(dbcd)
    named, named_genes = values_of(nki70)
    probes, probe_names = values_of(vdv)
    probes = probes * LOG10_2

    _, columns = align_rounded(named, whole)
    named_columns = dict(zip(named_genes, columns, strict=True))
    shared = [(probe_names.index(gene), column) for gene, column in named_columns.items() if gene in probe_names]
    part_columns, whole_columns = map(list, zip(*shared, strict=True))
    part_rows, whole_rows = match_profiles(probes[:, part_columns].T, whole[:, whole_columns].T)
    probe, column = match_profiles(probes[part_rows], whole[whole_rows])
    return pd.Series([probe_names[i] for i in probe], index=column).sort_index()
