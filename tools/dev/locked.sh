#!/bin/sh
# Print the lines of the lock files, with their hashes, for what ltstool needs to `run`, for extras of pyproject.toml,
# or for what its wheel needs to be built (`build`): `locked.sh run plots cluster`.
set -eu
root="$(dirname "$0")/../.."
names=
for needed in "$@"; do
    case "$needed" in
        run) more='bitarray lark networkx numpy zstandard' ;;
        build) more='build packaging pyproject-hooks semantic-version setuptools setuptools-rust' ;;
        parquet) more='pyarrow' ;;
        pandas) more='numpy pandas python-dateutil tzdata' ;;
        scipy) more='numpy scipy' ;;
        plots)
            more='contourpy cycler fonttools kiwisolver matplotlib numpy packaging pillow pyparsing python-dateutil tzdata'
            ;;
        editor) more='attrs cattrs lsprotocol pygls typing-extensions' ;;
        cluster)
            more='attrs certifi charset-normalizer click filelock idna jsonschema jsonschema-specifications msgpack packaging
                protobuf pyarrow pyyaml ray referencing requests rpds-py typing-extensions urllib3'
            ;;
        *) echo "locked.sh: neither run, build nor an extra: $needed" >&2; exit 1 ;;
    esac
    names="$names $more"
done
if [ -z "$names" ]; then
    echo "usage: locked.sh run|build|EXTRA ..." >&2
    exit 1
fi
# A package of both files has the same version in both.
cat "$root/requirements.lock" "$root/tests/cluster/requirements.lock" | awk -v names="$names" '
    BEGIN { split(names, each); for (i in each) open[each[i]] = 1 }
    /^[a-z]/ { name = $0; sub(/==.*/, "", name); on = name in open; delete open[name] }
    /^(#|$)/ { on = 0 }
    on'
