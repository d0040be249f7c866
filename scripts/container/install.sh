#!/bin/sh
# Builds the package of the platform from this clone and installs it into a directory, without the embedded PostgreSQL.
set -eu
target=$1
npm ci --no-audit --no-fund
npm run --silent build:packages
mkdir -p "$target"
archive=$(cd dist/packages/gantry && npm pack --silent --pack-destination "$target")
cd "$target"
printf '{ "private": true }\n' > package.json
npm install --omit=dev --omit=optional --no-audit --no-fund node@24.21.0 "./$archive"
# The package has the program twice, as hard links that a copy into an image makes two files of, and headers.
mv node_modules/node/node_modules/node-linux-*/LICENSE node_modules/node
rm -rf node_modules/node/node_modules
rm -rf "$archive" package-lock.json
