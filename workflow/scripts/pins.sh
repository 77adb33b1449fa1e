#!/usr/bin/env bash
# Rewrite requirements.txt and docs/requirements.txt with hashes: existing pins stay where they can. To take a
# newer version, delete its entry first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
compile=(.venv/bin/python -m uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --generate-hashes)

write() { # file, entries: keep the comments and options at its head
  local head
  head=$(sed '/^[a-z0-9]/,$d' "$1")
  printf '%s\n' "$head" | cat - "$2" >.venv/pins.new
  mv .venv/pins.new "$1"
}

cp requirements.txt .venv/pins.txt
"${compile[@]}" --extra study --extra pcst --extra dev --output-file .venv/pins.txt pyproject.toml
write requirements.txt .venv/pins.txt
# Of the documentation only what is not there already: an entry is a line of its own and those that it continues in.
cp docs/requirements.txt .venv/docs.txt
"${compile[@]}" --extra docs --constraint requirements.txt --output-file .venv/docs.txt pyproject.toml
awk '/^[a-z0-9]/ {pin = $0; sub(/ *\\$/, "", pin); new = !(pin in known)} NR == FNR {known[pin]; next} new' \
  requirements.txt .venv/docs.txt >.venv/more.txt
write docs/requirements.txt .venv/more.txt
