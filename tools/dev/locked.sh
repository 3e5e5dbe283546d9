#!/bin/sh
# Print the lines of requirements.lock, with their hashes, for what ltstool needs to `run`, or what its wheel needs to
# be built (`build`).
set -eu
case "$1" in
    run) names='bitarray|lark|networkx|numpy|zstandard' ;;
    build) names='build|packaging|pyproject-hooks|semantic-version|setuptools|setuptools-rust' ;;
    *) echo "usage: locked.sh run|build" >&2; exit 1 ;;
esac
awk -v names="^($names)==" '!/^ / { on = $0 ~ names } on' "$(dirname "$0")/../../requirements.lock"
