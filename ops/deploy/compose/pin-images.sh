#!/bin/sh
# Prints docker-compose.yml, or another file, with your registry's current digest for each version; renews old digests:
#   sh ops/deploy/compose/pin-images.sh > new.yml && mv new.yml docker-compose.yml
#   sh ops/deploy/compose/pin-images.sh Dockerfile > new && mv new Dockerfile
set -eu
file="${1:-docker-compose.yml}"
script=''
for image in $(sed -nE 's/^( *image:|FROM) ([^ @]+:[^ @]+)(@[^ ]+)?( .*)?$/\2/p' "$file" | sort -u); do
  # With only `.Manifest.Digest` buildx prints the whole manifest instead.
  digest="$(docker buildx imagetools inspect "$image" --format '{{printf "%s" .Manifest.Digest}}')"
  script="$script;s#^( *image:|FROM) $image(@[^ ]+)?( |\$)#\\1 $image@$digest\\3#"
done
sed -E "${script#;}" "$file"
