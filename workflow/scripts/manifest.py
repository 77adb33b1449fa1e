"""Write the run manifest: versions, processor, configuration, data and source hashes, seed."""

from pathlib import Path

from study.command import command
from study.io import write_json
from study.run.manifest import make_manifest


def main(inputs: list, settings: dict, manifest: str) -> None:
    """Write the manifest."""
    write_json(manifest, make_manifest(Path.cwd(), inputs, settings))


if __name__ == "__main__":
    command(main)
