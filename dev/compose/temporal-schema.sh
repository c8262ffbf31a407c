#!/bin/sh
# Brings the schemas of Temporal's own Postgres up to date, making them at the first start.
set -eu

tool() {
  temporal-sql-tool --plugin postgres12 --ep "$POSTGRES_SEEDS" -u "$POSTGRES_USER" -p "$DB_PORT" "$@"
}

prepare() {
  versions="/etc/temporal/schema/postgresql/v12/$2/versioned"
  # Set-up resets the version, so it is only for a database without one.
  tool --db "$1" update-schema -d "$versions" && return
  tool --db "$1" create || true
  tool --db "$1" setup-schema -v 0.0
  tool --db "$1" update-schema -d "$versions"
}

prepare temporal temporal
prepare temporal_visibility visibility
