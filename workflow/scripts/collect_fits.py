"""Gather what the fold files say about the work: a row per fold, and the course of the loss per method."""

from study.report.fits import fits_table, traces_table
from study.run.command import parser, run
from study.run.files import read_json, write_text
from study.cv.results import with_refits


def main() -> None:
    made = parser(
        __doc__, fits="table to write, a row per fold", traces="table to write, a row per method and epoch"
    )
    made.add_argument("--folds", required=True, nargs="+", help="the fold files")
    arguments = made.parse_args()
    folds = with_refits([read_json(path) for path in arguments.folds])
    write_text(arguments.fits, fits_table(folds).to_csv(index=False))
    write_text(arguments.traces, traces_table(folds).to_csv(index=False))


if __name__ == "__main__":
    run(main)
