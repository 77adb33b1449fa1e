"""Write what a run was made with, and the checksums of its results."""

from pathlib import Path

from study.command import command
from study.io import sha256, write_json, write_text
from study.run.manifest import make_manifest


def main(config: dict, sources: list, results: list, manifest: str, checksums: str) -> None:
    write_json(manifest, make_manifest(Path(__file__).parents[2], sources, config))
    folder = Path(checksums).parent
    lines = [f"{sha256(path)}  {Path(path).relative_to(folder)}\n" for path in sorted(results)]
    write_text(checksums, "".join(lines))


command(main)
