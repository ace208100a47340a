#!/bin/sh
# Looks for known vulnerabilities in an image, and fails for severe ones that have a fix: sh ops/deploy/image/scan.sh IMAGE
# Grype is built from its Go module, which the checksum database of Go verifies.
set -eu
folder="${GRYPE_DIR:-.data/bin}"
[ -x "$folder/grype" ] || GOBIN="$(mkdir -p "$folder" && cd "$folder" && pwd)" go install github.com/anchore/grype/cmd/grype@v0.121.3
"$folder/grype" "docker:$1" --only-fixed --fail-on high
