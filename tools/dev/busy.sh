#!/usr/bin/env bash
# Runs a command as on a machine that is slow and busy: with the least priority, beside a loop on each core
# that does nothing and never stops.
set -euo pipefail

loops=()
# shellcheck disable=SC2329  # called by the trap
stop() { kill "${loops[@]}" 2>/dev/null || true; }
trap stop EXIT
for _ in $(seq "$(getconf _NPROCESSORS_ONLN)"); do
    (while :; do :; done) &
    loops+=("$!")
done
nice -n 19 "$@"
