#!/bin/sh
# Builds the package of the platform from this clone and installs it into a directory, without the embedded PostgreSQL.
# With WITH_ARCHIVE=true it also installs DuckDB, for the archive of closed months.
set -eu
target=$1
duckdb=
npm ci --no-audit --no-fund
npm run --silent build:packages
mkdir -p "$target"
archive=$(cd dist/packages/gantry && npm pack --silent --pack-destination "$target")
if [ "${WITH_ARCHIVE:-}" = true ]; then
  version=$(node -p "require('./package.json').optionalDependencies['@duckdb/node-api']")
  # Its binding is optional, too, so it is named for this machine.
  duckdb="@duckdb/node-api@$version @duckdb/node-bindings-linux-$(node -p process.arch)@$version"
fi
cd "$target"
printf '{ "private": true }\n' > package.json
# Two packages, or none.
# shellcheck disable=SC2086
npm install --omit=dev --omit=optional --no-audit --no-fund node@24.21.0 "./$archive" $duckdb
# The package has the program twice, as hard links that a copy into an image makes two files of, and headers.
mv node_modules/node/node_modules/node-linux-*/LICENSE node_modules/node
rm -rf node_modules/node/node_modules
rm -rf "$archive" package-lock.json
