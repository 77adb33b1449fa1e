"""Fetch one file of the published data set, verified by its git blob id."""

from pathlib import Path

from study.data.fetch import fetch, read_files
from study.run.command import parser, run
from study.run.errors import StudyError


def main() -> None:
    arguments = parser(
        __doc__,
        files="table of the published files: path, git_blob_sha1",
        base="address or folder below which the files are",
        output="where the file goes; its name says which one",
    ).parse_args()
    files = read_files(arguments.files)
    name = Path(arguments.output).name
    if name not in files:
        raise StudyError(f"{arguments.files}: expected a row for {name}, found {', '.join(files)}.")
    fetch(arguments.base, *files[name], arguments.output)


if __name__ == "__main__":
    run(main)
