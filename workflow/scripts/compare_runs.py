"""Compare several runs: the page and its tables."""

from study.command import command
from study.config import runs
from study.data.studyfile import Study
from study.evidence.recurrence import Run, across_tables, comparison_tables
from study.io import say
from study.report.comparison import comparison_files
from study.report.page import write_files
from study.tables import read, write_all


def main(
    config: dict,
    studies: list,
    metrics: list,
    frequencies: list,
    models: list,
    patients: list,
    page: str,
    figures: str,
    tables: list,
) -> None:
    parts = runs(config)
    compared = [
        Run(f"{part.cohort}/{part.network}", part.cohort, part.network, Study.load(study), *map(read, paths))
        for part, study, *paths in zip(parts, studies, metrics, frequencies, models, patients, strict=True)
    ]
    by_name = comparison_tables(compared, config["folds"], config["seed"])
    by_name |= {f"compare/{name}": table for name, table in across_tables(compared).items()}
    write_all(tables, by_name)
    about = f"{len(parts)} runs, {config['trials']} × {config['folds']} folds each"
    write_files(comparison_files(by_name, about), page, figures)
    say(f"wrote {page}")


command(main)
