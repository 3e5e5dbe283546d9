#!/usr/bin/env bash
# Chromium with its driver: installed from Debian's packages where they are missing.
set -euo pipefail

is_there() { command -v chromium >/dev/null && command -v chromedriver >/dev/null; }

if ! is_there; then
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "There is no chromium with chromedriver; as root of Debian this installs them: apt-get install chromium chromium-driver" >&2
        exit 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends chromium chromium-driver fonts-dejavu-core >/dev/null
fi
is_there
