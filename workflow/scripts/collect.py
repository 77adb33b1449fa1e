"""Gather the fold files into the tables metrics, genes and summary."""

from study.data.studyfile import Study
from study.run.command import parser, run
from study.run.files import read_json, write_text
from study.cv.results import genes_table, metrics_table, summary_table, with_refits


def main() -> None:
    made = parser(
        __doc__,
        study="the study file",
        metrics="table to write, a row per fold",
        genes="table to write, a row per fold and gene",
        summary="table to write, a row per method and trial",
    )
    made.add_argument("--folds", required=True, nargs="+", help="the fold files")
    arguments = made.parse_args()
    folds = with_refits([read_json(path) for path in arguments.folds])
    metrics = metrics_table(folds)
    write_text(arguments.metrics, metrics.to_csv(index=False))
    write_text(arguments.genes, genes_table(folds, Study.load(arguments.study)).to_csv(index=False))
    write_text(arguments.summary, summary_table(metrics).to_csv(index=False))


if __name__ == "__main__":
    run(main)
