#!/usr/bin/env bash
# Runs a command as on a machine that is slow and busy: with the least priority, beside a loop on each core
# that does nothing and never stops. The loops have sessions of their own, as from other terminals: where Linux
# shares the processor among sessions first (sched_autogroup_enabled), they take half of it, else nearly all.
set -euo pipefail

loops=()
# shellcheck disable=SC2329  # called by the trap
stop() { kill "${loops[@]}" 2>/dev/null || true; }
trap stop EXIT
for _ in $(seq "$(getconf _NPROCESSORS_ONLN)"); do
    setsid bash -c 'while :; do :; done' &
    loops+=("$!")
done
nice -n 19 "$@"
