#!/bin/sh
# Creates or upgrades the tables of Temporal's databases. Does nothing if they are current.
set -eu
SQL_PASSWORD="$(cat "${OWNER_PASSWORD_FILE:-/run/secrets/temporal_owner_password}")"
export SQL_PASSWORD
schemas="${SCHEMAS_DIR:-/etc/temporal/schema/postgresql/v12}"

tables() {
  database="$1"
  shift
  temporal-sql-tool --plugin postgres12 --ep "${POSTGRES_HOST:-temporal-postgres}" --port "${POSTGRES_PORT:-5432}" \
    --user postgres --database "$database" "$@"
}

for database in temporal temporal_visibility; do
  # Initialises a database without a version.
  tables "$database" update-schema -d "$schemas/${database#temporal_}/versioned" ||
    { tables "$database" setup-schema -v 0.0 && tables "$database" update-schema -d "$schemas/${database#temporal_}/versioned"; }
done
