#!/bin/sh
# Prints docker-compose.yml with the digest of each image behind its version, as your registry gives it today:
#   sh deploy/compose/pin-images.sh > docker-compose.pinned.yml
set -eu
file="${1:-docker-compose.yml}"
script=''
for image in $(sed -n 's/^ *image: \([^ ]*:[^ ]*\)$/\1/p' "$file" | sort -u); do
  # With a bare `.Manifest.Digest` buildx prints all that it knows instead.
  digest="$(docker buildx imagetools inspect "$image" --format '{{printf "%s" .Manifest.Digest}}')"
  script="$script;s|image: $image\$|image: $image@$digest|"
done
sed "${script#;}" "$file"
