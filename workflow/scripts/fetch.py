"""Fetch one file of the published data set, verified by its git blob id."""

from pathlib import Path

from study.data.fetch import fetch
from study.data.published_files import find_file
from study.run.command import command


def main(files, base, file):
    """Write the file that its name stands for."""
    fetch(base, *find_file(files, Path(file).name), file)


if __name__ == "__main__":
    command(
        main,
        files="table of the published files: path, git_blob_sha1, bytes",
        base="address or folder below which the files are",
        file="where the file goes; its name says which one",
    )
