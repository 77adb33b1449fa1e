"""Write the run manifest: versions, processor, configuration, data and source hashes, seed."""

from pathlib import Path

from study.run.command import command
from study.run.files import write_json
from study.run.manifest import make_manifest


def main(inputs, settings, manifest):
    """Write the manifest."""
    write_json(manifest, make_manifest(Path.cwd(), inputs, settings))


if __name__ == "__main__":
    command(main, inputs=["files to name with their sha256"], manifest="the manifest to write")
