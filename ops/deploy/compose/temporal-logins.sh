#!/bin/bash
# Runs once, when Temporal's database is created: creates its two databases, and a login for the server that may only change rows.
set -euo pipefail
password="$(cat /run/secrets/temporal_password)"

psql --set=ON_ERROR_STOP=1 --set=password="$password" --username "$POSTGRES_USER" <<'SQL'
create role temporal login password :'password';
create database temporal;
create database temporal_visibility;
SQL

for database in temporal temporal_visibility; do
  psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$database" <<'SQL'
revoke all on schema public from public;
grant usage on schema public to temporal;
alter default privileges in schema public grant select, insert, update, delete on tables to temporal;
alter default privileges in schema public grant usage, select on sequences to temporal;
SQL
done
