"""Fetch one file of the published data set, verified by its git blob id."""

from pathlib import Path

from study.data.fetch import fetch
from study.data.published_files import find_file
from study.command import command


def main(files: str, base: str, file: str) -> None:
    """Write the file that its name stands for."""
    fetch(base, *find_file(files, Path(file).name), file)


if __name__ == "__main__":
    command(main)
