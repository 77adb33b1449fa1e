#!/usr/bin/env bash
# Print the path of the report; open it where there is a desktop.
set -euo pipefail

report=${1:-reports/nki-scnet/report.html}
if [ ! -f "$report" ]; then
  echo "error: $report: no report there. Run \`make study\`." >&2
  exit 1
fi
echo "$(cd "$(dirname "$report")" && pwd)/$(basename "$report")"
if [ "$(uname)" = Darwin ]; then
  open "$report"
elif [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null; then
  xdg-open "$report" >/dev/null 2>&1 &
fi
