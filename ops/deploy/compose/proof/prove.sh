#!/bin/sh
# Starts an image as docker-compose.yml does, with a catalogue, a vendor's key and an authority of one's own, makes a billed call through
# Caddy, and removes everything:
#   sh ops/deploy/compose/proof/prove.sh full|slim
# The image is built before, as docker-compose.yml or slim.yml names it.
set -eu
variant="$1"
cd "$(dirname "$0")/../../../.."
PROOF_DIR="$(mktemp -d)"
chmod 755 "$PROOF_DIR"
IMAGE=ledgerline
files='-f docker-compose.yml'
if [ "$variant" = slim ]; then
  IMAGE=ledgerline:slim
  files="$files -f ops/deploy/compose/slim.yml"
fi
files="$files -f ops/deploy/compose/proof/compose.yml"
sh ops/deploy/compose/proof/make-files.sh "$PROOF_DIR"

COMPOSE_PROJECT_NAME=ledgerline-proof
MODEL_CATALOG_FILE=./ops/deploy/compose/proof/catalog.json
CA_FILE="$PROOF_DIR/ca.pem"
SECRETS_DIR="$PROOF_DIR/secrets"
HTTP_PORT="${HTTP_PORT:-8080}"
HTTPS_PORT="${HTTPS_PORT:-8443}"
export PROOF_DIR IMAGE COMPOSE_PROJECT_NAME MODEL_CATALOG_FILE CA_FILE SECRETS_DIR HTTP_PORT HTTPS_PORT

end() {
  code=$?
  [ "$code" = 0 ] || docker compose $files logs --no-color --tail 60 || true
  docker compose $files down --volumes --timeout 40 || true
  rm -rf "$PROOF_DIR"
  exit "$code"
}
trap end EXIT

docker compose $files up --no-build --detach
# Caddy's own authority, which it makes at its start, signs for localhost.
tries=0
until docker compose $files cp caddy:/data/caddy/pki/authorities/local/root.crt "$PROOF_DIR/caddy.crt"; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || exit 1
  sleep 1
done
LEDGERLINE_KEY="$(cat "$SECRETS_DIR/bootstrap_api_key")" NODE_EXTRA_CA_CERTS="$PROOF_DIR/caddy.crt" \
  node ops/deploy/compose/proof/billedCall.mjs "https://localhost:$HTTPS_PORT" gpt-own
