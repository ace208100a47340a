#!/bin/sh
# Builds an image for this machine's processor with its provenance and bill of materials, and fails if it is larger than it may be:
#   sh ops/deploy/image/build.sh full|slim [FOLDER]
# The image is loaded as `ledgerline` or `ledgerline:slim`. FOLDER (default: .data/image) gets its attestations.
set -eu
variant="$1"
folder="${2:-.data/image}/$variant"
cd "$(dirname "$0")/../../.."
case "$variant" in
  full) engines=with tag=ledgerline limit=600000000 ;;
  slim) engines=without tag=ledgerline:slim limit=250000000 ;;
  *) echo 'Usage: sh ops/deploy/image/build.sh full|slim [FOLDER]' >&2; exit 2 ;;
esac
mkdir -p "$folder"

# Attestations need a builder of BuildKit's own; the engine's store keeps none, so the image is also loaded without them, from the cache.
docker buildx inspect ledgerline > /dev/null 2>&1 || docker buildx create --name ledgerline --driver docker-container > /dev/null
build() {
  docker buildx build --builder ledgerline --build-arg "ENGINES=$engines" --tag "$tag" "$@" .
}
build --provenance=mode=max --sbom=true --output "type=oci,tar=false,dest=$folder/layout"
build --load

node ops/deploy/image/attestations.mjs "$folder/layout" "$folder"
rm -rf "$folder/layout"
sh ops/deploy/image/checkSize.sh "$tag" "$limit"
