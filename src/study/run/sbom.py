"""A bill of materials: every package that is installed here and every wheel of data, with hashes and licences.

`make sbom` writes it in the form of CycloneDX 1.6, which vulnerability scanners read, and a table of licences. It has
no date, so that the same environment gives the same bytes.
"""

from __future__ import annotations

import json
import re
import uuid
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from study.data.sources import Source, read_sources
from study.run.files import write_text

REPOSITORY = Path(__file__).parents[3]
SBOM, LICENCES = "reports/sbom.json", "reports/licences.md"
PINS = ("requirements.txt", "docs/requirements.txt")
TABLES = ("data/sources.csv", "data/page_sources.csv")
OWN = "graphiht"
NOT_SAID = "not stated"


def read_hashes(text: str) -> dict[tuple[str, str], list[str]]:
    """Return {(package, version): the sha256 its files may have} of a file of pins."""
    found: dict[tuple[str, str], list[str]] = {}
    pin = ("", "")
    for line in text.splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)==([^ ;\\]+)", line):
            pin = (canonicalize_name(match[1]), match[2])
        found.setdefault(pin, []).extend(re.findall(r"--hash=sha256:([0-9a-f]{64})", line))
    return {pin: sorted(hashes) for pin, hashes in found.items() if hashes}


def licence_of(package: Distribution) -> str:
    """Return what a package says of its licence: an SPDX expression if it has one."""
    said = package.metadata
    if said.get("License-Expression"):
        return said["License-Expression"]
    classified = [
        line.rpartition(" :: ")[2] for line in said.get_all("Classifier") or [] if line.startswith("License :: ")
    ]
    # Some paste the whole text here; its first line is enough to find it.
    free = (said.get("License") or "").strip().splitlines()
    return ", ".join(classified) or (free[0][:80] if free else NOT_SAID)


def needs_of(package: Distribution, installed: set[str]) -> list[str]:
    """Return the names of the installed packages that a package asks for here."""
    asked = [Requirement(line) for line in package.requires or []]
    # An extra that somebody asked for shows by what is installed.
    wanted = [need.name for need in asked if need.marker is None or need.marker.evaluate({"extra": ""})]
    return sorted({canonicalize_name(name) for name in wanted} & installed)


def components(hashes: dict[tuple[str, str], list[str]], sources: list[Source]) -> tuple[list[dict], list[dict]]:
    """Return the components of the bill, and which depends on which."""
    packages = {canonicalize_name(each.name): each for each in distributions()}
    refs = {name: f"pkg:pypi/{name}@{each.version}" for name, each in packages.items()}
    parts = [
        {
            "type": "library",
            "bom-ref": refs[name],
            "name": name,
            "version": each.version,
            "purl": refs[name],
            "licenses": [{"license": {"name": licence_of(each)}}],
            "hashes": _hashes(hashes.get((name, each.version), [])),
        }
        for name, each in sorted(packages.items())
        if name != OWN
    ]
    # Their code is never run; the tables in them are read.
    parts += [
        {
            "type": "data",
            "bom-ref": f"data:{each.file}",
            "name": each.package,
            "version": each.version,
            "description": each.used_for,
            "licenses": [{"license": {"name": each.licence}}],
            "hashes": _hashes([each.sha256]),
        }
        for each in sources
    ]
    needs = [
        {"ref": refs[name], "dependsOn": [refs[need] for need in needs_of(each, set(refs))]}
        for name, each in sorted(packages.items())
    ]
    return parts, needs


def _hashes(values: list[str]) -> list[dict[str, str]]:
    return [{"alg": "SHA-256", "content": value} for value in values]


def bill(parts: list[dict], needs: list[dict]) -> dict:
    """Return a CycloneDX document; its number is that of its content."""
    own = next(need["ref"] for need in needs if need["ref"].startswith(f"pkg:pypi/{OWN}@"))
    about = {"component": {"type": "application", "bom-ref": own, "name": OWN, "version": own.rpartition("@")[2]}}
    content = json.dumps([parts, needs], sort_keys=True)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, content)}",
        "version": 1,
        "metadata": about,
        "components": parts,
        "dependencies": needs,
    }


def licences(parts: list[dict]) -> str:
    """Return a table of what is in the bill and under which licence."""
    rows = [f"| {part['name']} | {part['version']} | {part['licenses'][0]['license']['name']} |" for part in parts]
    return "\n".join(
        ["# Licences of what is installed here", "", "| package | version | licence |", "|---|---|---|", *rows, ""]
    )


def main() -> None:
    """Write both files."""
    hashes = read_hashes("\n".join((REPOSITORY / name).read_text(encoding="utf-8") for name in PINS))
    sources = [source for name in TABLES for source in read_sources(REPOSITORY / name).values()]
    parts, needs = components(hashes, sources)
    write_text(REPOSITORY / SBOM, json.dumps(bill(parts, needs), indent=1, ensure_ascii=False) + "\n")
    write_text(REPOSITORY / LICENCES, licences(parts))
    bare = [part["name"] for part in parts if not part["hashes"]]
    print(f"{SBOM}, {LICENCES}: {len(parts)} components, {len(bare)} of them without a pinned hash: {', '.join(bare)}")


if __name__ == "__main__":
    main()
