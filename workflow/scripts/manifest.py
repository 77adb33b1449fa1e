"""Write the run manifest: versions, processor, configuration, data and source hashes, seed."""

from pathlib import Path

from study.run.command import add_settings, parser, run
from study.run.files import write_json
from study.run.manifest import make_manifest


def main() -> None:
    made = parser(__doc__, output="the manifest")
    made.add_argument("--inputs", required=True, nargs="+", help="files to name with their sha256")
    add_settings(made)
    arguments = made.parse_args()
    write_json(arguments.output, make_manifest(Path.cwd(), arguments.inputs, arguments.settings))


if __name__ == "__main__":
    run(main)
