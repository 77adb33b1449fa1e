"""Download one file of the published data set, verified by its git blob id."""

from pathlib import Path

from study.command import command
from study.data.published_files import fetch, read_blobs


def main(files: str, base: str, file: str) -> None:
    fetch(base, read_blobs(files)[Path(file).name], file)


command(main)
