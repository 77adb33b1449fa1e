"""Compare runs: tables of how well each predicts and which genes recur, and the page that shows them."""

from pathlib import Path

from study import tables
from study.data.studyfile import Study
from study.evidence.across import across_tables
from study.evidence.recurrence import Run, comparison_tables
from study.report.comparison import QUESTION, sections
from study.report.page import as_page, figure_files
from study.command import command
from study.io import say
from study.run.config import runs
from study.errors import StudyError
from study.io import write_text

READ = ("metrics", "evidence/frequencies")
WHERE_THERE = ("evidence/final_models", "evidence/patients")


def read_run(part):
    """Return what is compared of a run."""
    name = part.folder.removeprefix(f"{part.config['results']}/")
    cohort, _, network = name.partition("/")
    study = Study.load(f"{part.folder}/study.npz")
    found = [
        tables.read(part.folder, table) if tables.path(part.folder, table).is_file() else None
        for table in (*READ, *WHERE_THERE)
    ]
    return Run(name, cohort, network, study, *found)


def main(settings: dict, assets: str, folder: str, which: str) -> None:
    """Write the tables, of all runs, and the page."""
    parts = runs(settings)
    finished = [part for part in parts if all(tables.path(part.folder, name).is_file() for name in READ)]
    if which == "finished" and not finished:
        raise StudyError(f"{settings['results']}: expected at least one finished run, found none; run `make study`.")
    compared = [read_run(part) for part in (parts if which == "all" else finished)]
    by_name = comparison_tables(compared, settings["folds"], settings["seed"])
    by_name |= {f"compare/{name}": table for name, table in across_tables(compared).items()}
    if which == "all":
        for name, table in by_name.items():
            tables.write(settings["results"], name, table)
    missing = [part.folder for part in parts if which == "finished" and part not in finished]
    about = f"{len(parts)} runs, {settings['trials']} × {settings['folds']} folds each"
    shown = sections(by_name, missing)
    for name, text in figure_files(shown).items():
        write_text(Path(folder) / f"figures/{name}.svg", text)
    page = as_page(QUESTION, about, settings, shown, Path(assets), complete=not missing)
    write_text(Path(folder) / "report.html", page)
    say(f"wrote {Path(folder) / 'report.html'}")


if __name__ == "__main__":
    command(main)
