// Runs the contract suite against the real agent SDKs: npm run test:agents [-- vitest filters]
// Installs them beside the suite, and cuts everything but loopback off while they run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installSdks, SDKS_DIR } from './install-sdks.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const LIMIT_MS = 4 * 60_000;

/** Ways to bring loopback up in a namespace of one's own; machines have one or the other. */
const LOOPBACK_UP = [
  'ip link set lo up',
  'busybox ip link set lo up',
  'ifconfig lo up',
  `python3 -c 'import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 0x41))'`,
];

const TRY_LOOPBACK = `const net = require('node:net');
const server = net.createServer(socket => socket.end()).listen(0, '127.0.0.1', () => {
  net.connect(server.address().port, '127.0.0.1', () => process.exit(0)).on('error', () => process.exit(1));
});`;

installSdks();
const home = mkdtempSync(join(tmpdir(), 'harness-agents-home-'));
const isolation = findIsolation();
process.stderr.write(
  isolation
    ? `Network: loopback only (${isolation[0]} ${isolation[1]}).\n`
    : 'Network: NOT ISOLATED. No network namespace can be made here; the agents could reach the internet.\n',
);
const vitest = [process.execPath, join(root, 'node_modules/vitest/vitest.mjs')];
// The vendors' programs have clocks of their own: what one does late on a busy machine is asked once more.
const args = ['run', '--config', 'vitest.agents.config.ts', '--retry=1', ...process.argv.slice(2)];
const [file, ...rest] = [...(isolation ?? []), ...vitest, ...args];
const { status, error } = spawnSync(file, rest, {
  cwd: root,
  stdio: 'inherit',
  timeout: LIMIT_MS,
  killSignal: 'SIGKILL',
  env: {
    ...getEnvWithoutKeys(),
    HOME: home,
    HARNESS_AGENT_MODULES: SDKS_DIR,
    ...(isolation ? { HARNESS_TEST_ISOLATED: '1' } : {}),
  },
});
rmSync(home, { recursive: true, force: true });
if (error) process.stderr.write(`The suite did not end in ${LIMIT_MS / 60_000} minutes: ${error.message}\n`);
process.exitCode = error ? 1 : (status ?? 1);

/** The command prefix that gives a child loopback and nothing else; null where that cannot be had. */
function findIsolation() {
  for (const unshare of [
    ['unshare', '-n'],
    ['unshare', '-rn'],
  ]) {
    for (const bringUp of LOOPBACK_UP) {
      const prefix = [...unshare, 'sh', '-c', `${bringUp} && exec "$@"`, 'sh'];
      const [program, ...words] = [...prefix, process.execPath, '-e', TRY_LOOPBACK];
      if (spawnSync(program, words, { stdio: 'ignore', timeout: 20_000 }).status === 0) return prefix;
    }
  }
  return null;
}

/** Real keys have no business in a suite that never leaves the machine. */
function getEnvWithoutKeys() {
  const isKey = name => /^(ANTHROPIC|OPENAI|CODEX|CLAUDE)|_API_KEY$|^HARNESS_RUN$/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isKey(name)));
}
