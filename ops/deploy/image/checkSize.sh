#!/bin/sh
# Prints the size of an image, uncompressed, and fails if it is above the limit in bytes: sh checkSize.sh IMAGE LIMIT
# The sum of its files: what an engine calls the size of an image depends on its store. DOCKER may be podman.
set -eu
docker="${DOCKER:-docker}"
container="$("$docker" create "$1")"
bytes="$("$docker" export "$container" | wc -c)"
"$docker" rm "$container" > /dev/null
echo "$1 has $bytes bytes; at most $2"
[ "$bytes" -le "$2" ]
