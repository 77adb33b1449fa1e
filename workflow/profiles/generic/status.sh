#!/usr/bin/env bash
# Say of a job that submit.sh named whether it is running, success or failed.
set -euo pipefail
number=${1%%@*} ended=${1#*@}

# SLURM. With PBS, SGE: qstat "$number"; with LSF: bjobs -noheader "$number".
waits_or_runs() { squeue --noheader --jobs="$number" 2>/dev/null | grep -q .; }

answer() {
  if [ -s "$ended" ]; then
    [ "$(cat "$ended")" = 0 ] && echo success || echo failed
    exit
  fi
}

answer
if waits_or_runs; then
  echo running
  exit
fi
# Gone without a word, or its last word is still on its way through the file system.
for _ in 1 2 3; do
  answer
  sleep 5
done
answer
echo failed
