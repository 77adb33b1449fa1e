"""reports/benchmarks.json: a section per benchmark."""

import json
from pathlib import Path

from study.io import write_json


def write_section(path, name, section):
    """Replace one section of the benchmark file, in one move."""
    path = Path(path)
    sections = json.loads(path.read_text()) if path.exists() else {}
    write_json(path, sections | {name: section})
