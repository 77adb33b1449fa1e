"""Write the run manifest: versions, processor, configuration, data and source hashes, seed."""

from pathlib import Path

from study.run.command import SETTINGS, command
from study.run.files import write_json
from study.run.manifest import make_manifest


def main(inputs, settings, manifest):
    """Write the manifest."""
    write_json(manifest, make_manifest(Path.cwd(), inputs, settings))


if __name__ == "__main__":
    command(
        main,
        __doc__,
        inputs=["files to name with their sha256"],
        settings=SETTINGS,
        manifest="the manifest to write",
    )
