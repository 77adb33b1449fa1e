"""Look at every finished file of a run, whatever its time says (`make verify`; every run does so at its start)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from study.data.sources import read_sources
from study.run import configuration
from study.run.config import cohorts, runs
from study.run.errors import StudyError
from study.run.files import check_sha256, damage, record_of

RECORDS = ".*.sha256"
# What the rules read from each other, and folders of files that say how a run went.
READ, NO_RESULTS = {".csv", ".json", ".npz"}, {"logs", "benchmarks", "timings"}
WHEELS = ("data/sources.csv", "data/page_sources.csv")


def folders(config: dict) -> list[str]:
    """Return where the results and reports of a complete configuration are, each with what is below it."""
    parts = runs(config)
    places = [part.folder for part in parts] + [f"{part.folder}/external" for part in cohorts(parts)]
    places += [part.config["reports"] for part in parts]
    return [*places, f"{config['results']}/simulations", f"{config['results']}/compare"]


def shared(config: dict) -> list[str]:
    """Return the folders that also have those of other runs below them: only the files in them are this one's."""
    return [*(part.folder for part in cohorts(runs(config))), config["reports"]]


def results(config: dict) -> list[Path]:
    """Return the finished files of a configuration that have a checksum."""
    records = [record for place in folders(config) for record in Path(place).rglob(RECORDS)]
    records += [record for place in shared(config) for record in Path(place).glob(RECORDS)]
    files = {record.with_name(record.name[1 : -len(".sha256")]) for record in records}
    return sorted(path for path in files if path.is_file())


def unrecorded(config: dict) -> str:
    """Return a sentence on results without a checksum, or nothing if there are none."""
    files = [path for place in folders(config) for path in Path(place).rglob("*.*")]
    files += [path for part in cohorts(runs(config)) for path in Path(part.folder).glob("*.*")]
    bare = sorted(
        str(path)
        for path in files
        if path.suffix in READ and not NO_RESULTS & set(path.parts) and not record_of(path).is_file()
    )
    if not bare:
        return ""
    return (
        f"{bare[0]}: expected its checksum beside it, found none ({len(bare):,} such in all): of an older version, or "
        "lost, so that nobody can tell whether they are whole; remove them, and the next run makes them again."
    )


def damaged(files: Iterable[Path]) -> dict[str, str]:
    """Return, by file, what is wrong with it."""
    found = {str(path): damage(path) for path in files}
    return {path: why for path, why in found.items() if why}


def _downloads(repository: Path) -> tuple[int, list[str]]:
    """Return how many downloads there are, and what is wrong with them."""
    found, troubles = 0, []
    for table in WHEELS:
        for source in read_sources(repository / table).values():
            path = Path("data/downloads") / source.file
            if (repository / path).is_file():
                found += 1
                try:
                    check_sha256(repository / path, source.sha256)
                except StudyError as error:
                    troubles.append(str(error))
    return found, troubles


def main() -> None:
    """Name every file that is not as it was written, and exit with 1 if there is one."""
    parser = argparse.ArgumentParser(prog="make verify", description=__doc__)
    parser.add_argument("config", help="the configuration of the run")
    repository = Path(__file__).parents[3]
    try:
        config = configuration.load(parser.parse_args().config, repository)
    except StudyError as error:
        sys.exit(f"error: {error}")
    files = results(config)
    troubles = [f"{why}." for why in damaged(files).values()]
    downloads, more = _downloads(repository)
    print(f"looked at {len(files):,} results and {downloads} downloads")
    for trouble in (*troubles, *more):
        print(f"error: {trouble}", file=sys.stderr)
    if troubles:
        print(f"To make them again: {configuration.again(config, 'make study')}", file=sys.stderr)
    if bare := unrecorded(config):
        print(f"error: {bare}", file=sys.stderr)
    if troubles or more or bare:
        sys.exit(1)
    print("every one is as it was written")


if __name__ == "__main__":
    main()
