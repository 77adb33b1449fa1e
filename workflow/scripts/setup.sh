#!/usr/bin/env bash
# Make .venv from the pins: check what the machine must have, then install with uv, or with pip if uv fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
python=${PYTHON:-python3}

need() { # message, exit
  echo "error: $1" >&2
  exit 1
}

command -v "$python" >/dev/null 2>&1 ||
  need "$python: Python 3.11 to 3.14 is needed. Install it (Debian, Ubuntu: apt install python3) or name yours: make PYTHON=/path/to/python3.12"
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
case $version in
3.11 | 3.12 | 3.13 | 3.14) ;;
*) need "$python is Python $version; 3.11 to 3.14 is needed. Name another: make PYTHON=python3.12" ;;
esac
"$python" -c 'import venv, ensurepip' 2>/dev/null ||
  need "$python: the venv module is missing. Install it (Debian, Ubuntu: apt install python$version-venv)"
# pcst-fast, a second backend and an oracle of the tests, is built from source: its wheel is wrong under NumPy 2. Without a
# compiler the wheel of pcst-fast2 takes its place, which has the same module name. From Python 3.13 on a compiler is needed:
# ecos has no wheels there, nor has immutables from 3.14 on.
lacking=
header=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h
[ -f "$header" ] || lacking="Python's headers (Debian, Ubuntu: apt install python$version-dev)"
command -v "${CXX:-c++}" >/dev/null 2>&1 || command -v g++ >/dev/null 2>&1 ||
  lacking="a C++ compiler (Debian, Ubuntu: apt install g++)"
command -v git >/dev/null 2>&1 || need "git is missing. Install it (Debian, Ubuntu: apt install git)"
case $version in
3.13 | 3.14) [ -z "$lacking" ] || need "on Python $version pip builds ecos, which needs $lacking. Install it, or take Python 3.12" ;;
esac

[ -z "$lacking" ] ||
  echo "note: building pcst-fast needs $lacking; the wheel of pcst-fast2 is installed in its place" >&2
echo "setting up .venv with Python $version (a minute or two, once)" >&2
[ -x .venv/bin/python ] && [ "$(.venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)" = "$version" ] || {
  rm -rf .venv
  "$python" -m venv .venv
}
requirements=requirements.txt
if [ -n "$lacking" ]; then
  requirements=.venv/requirements.txt
  sed -e '/^pcst-fast==/,/[^\\]$/d' -e '/^--no-binary pcst-fast/d' requirements.txt >"$requirements"
  cat workflow/pcst-fast2.txt >>"$requirements"
fi
pip=(.venv/bin/python -m pip --disable-pip-version-check --quiet)
# One of the two at a time: their modules have the same name.
"${pip[@]}" uninstall --yes pcst-fast pcst-fast2 2>/dev/null || true
# An entry is a line and those that it continues in: its hashes. Nothing else than what they name is installed.
sed -n '/^uv==/,/[^\\]$/p' requirements.txt >.venv/uv.txt
install() { # file of pins
  if "${pip[@]}" install --require-hashes -r .venv/uv.txt &&
    .venv/bin/python -m uv pip install --quiet --require-hashes --python .venv/bin/python -r "$1"; then
    echo "installed the pinned packages with uv" >&2
  else
    echo "uv did not work here; installing with pip (about a minute longer)" >&2
    "${pip[@]}" install --require-hashes -r "$1"
  fi
}
# abess has no wheel for some machines.
install "$requirements" || {
  echo "note: not all pinned packages could be installed; trying without abess, which the study then leaves out" >&2
  sed '/^abess==/,/[^\\]$/d' "$requirements" >.venv/without-abess.txt
  install .venv/without-abess.txt
}
# Byte code for every package now: imports are most of a short job's time, and some machines never write it later.
.venv/bin/python -m compileall -q -j 0 .venv/lib || true
"${pip[@]}" install --no-deps --no-build-isolation --editable .
.venv/bin/python - <<'CHECK'
import sys
from graphiht.backend import require_sound_pcst_fast
try:
    require_sound_pcst_fast()
except (ImportError, RuntimeError) as error:
    sys.exit(f"error: {error}")
CHECK
