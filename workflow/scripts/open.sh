#!/usr/bin/env bash
# Print the path of the report; open it where there is a desktop.
set -euo pipefail

report=${1:-}
if [ ! -f "$report" ]; then
  echo "error: no report${report:+ in $report}. Run \`make smoke\` or \`make study\` first." >&2
  exit 1
fi
echo "$(cd "$(dirname "$report")" && pwd)/$(basename "$report")"
if [ "$(uname)" = Darwin ]; then
  open "$report"
elif [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null; then
  xdg-open "$report" >/dev/null 2>&1 &
fi
