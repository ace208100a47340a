#!/bin/sh
# Writes a file for each missing secret of docker-compose.yml: random values, and empty files for optional ones.
# Only the owner may enter the folder. Its files are readable, because the containers' programs run as other users.
set -eu
dir="${SECRETS_DIR:-./secrets}"
# The keys of the catalogue's vendors, one a file: docs/operate/containers.md.
mkdir -p "$dir/vendors"
chmod 700 "$dir"

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
key() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
# keep NAME VALUE: keeps an existing secret.
keep() {
  [ -e "$dir/$1" ] || printf '%s' "$2" > "$dir/$1"
  chmod 444 "$dir/$1"
}
# part NAME: the password of a login, shared by two files.
part() { cat "$dir/$1"; }

keep postgres_password "$(random)"
keep application_password "$(random)"
keep migration_database_url "postgres://ledgerline:$(part postgres_password)@postgres:5432/ledgerline"
keep database_url "postgres://ledgerline_app:$(part application_password)@postgres:5432/ledgerline"
keep valkey_password "$(random)"
keep valkey_conf "requirepass $(part valkey_password)
maxmemory 256mb
maxmemory-policy volatile-ttl
save \"\"
"
keep limits_redis_url "redis://:$(part valkey_password)@valkey:6379"
keep temporal_owner_password "$(random)"
keep temporal_password "$(random)"
keep plugin_secrets_key "$(key)"
keep contents_key "$(key)"
keep catalog_secrets_key "$(key)"
# Optional: put a value into the file to use it.
for name in database_direct_url files_s3_url bootstrap_api_key agent_upstream_key stripe_secret_key stripe_webhook_secret smtp_url google_client_secret github_client_secret oidc_client_secret temporal_api_key temporal_payload_key otel_exporter_otlp_headers; do keep "$name" ''; done
echo "The secrets are in $dir. Keep copies of plugin_secrets_key, catalog_secrets_key and contents_key: without them, what they sealed is lost."
