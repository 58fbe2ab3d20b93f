import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startModelServer } from '../../demo/model-server/server.ts';
import { runPlainGit } from '../../demo/plain-git.ts';
import { getWorkerPrefix } from '../../src/adapters/process/marker.ts';
import { findMarked, killMarked } from '../../src/adapters/process/sweep.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    agent: { type: 'string', default: 'claude' },
    json: { type: 'boolean', default: false },
  },
});

const PATIENCE_MS = 60_000;
const root = mkdtempSync(join(tmpdir(), 'harness-chaos-agents-'));
const project = join(root, 'project');
const server = await startModelServer();
const total = { rounds: 0, alive: 0, processes: 0, ports: 0 };
try {
  await makeProject();
  for (let round = 1; round <= Number(values.rounds); round++) await play(30_000 + round);
} finally {
  await server.close();
  rmSync(root, { recursive: true, force: true });
}
console.log(
  values.json
    ? JSON.stringify(total)
    : `${total.rounds} kills, ${total.processes} processes and ${total.ports} ports left`,
);
process.exitCode = total.processes + total.ports === 0 && total.alive === total.rounds ? 0 : 5;

/** Kills the harness while a real agent's grandchild, in a session of its own, holds a port; then starts it again. */
async function play(port: number): Promise<void> {
  const listen = `require('http').createServer().listen(${port}, '127.0.0.1', () => require('fs').writeFileSync('up-${port}', ''))`;
  server.play([{ tools: [getCall(`setsid node -e "${listen}" > /dev/null 2>&1 & sleep 300`)] }]);
  const first = start();
  for (let waited = 0; !existsSync(join(first.dir(), `up-${port}`)) && waited < PATIENCE_MS; waited += 50)
    await sleep(50);
  if (await isOpen(port)) total.alive++;
  first.child.kill('SIGKILL');
  await first.ended;
  server.play([{ text: 'I cannot do it.' }]);
  const second = start();
  await second.ended;
  total.rounds++;
  const left = [...first.workers, ...second.workers].flatMap(id => findMarked(getWorkerPrefix(id)));
  total.processes += left.length;
  if (await isOpen(port)) total.ports++;
  for (const id of first.workers) await killMarked(getWorkerPrefix(id));
  if (!values.json) console.error(`round ${total.rounds}: ${left.length} processes left`);
}

function start() {
  const workers: string[] = [];
  let dir = '';
  const key = 'sk-ant-scripted';
  const child = spawn(process.execPath, ['dist/harness.js', 'run', '--repo', project, '--json'], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: root,
      HARNESS_CACHE_DIR: join(root, 'cache'),
      HARNESS_AGENT_MODULES: 'test/agents',
      ...{
        ANTHROPIC_BASE_URL: server.url,
        ANTHROPIC_API_KEY: key,
        OPENAI_BASE_URL: `${server.url}/v1`,
        CODEX_API_KEY: key,
      },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  createInterface({ input: child.stderr }).on('line', line => {
    const event = line.startsWith('{')
      ? (JSON.parse(line) as { type: string; worker?: { id: string }; dir?: string })
      : null;
    if (event?.type === 'worker.started' && event.worker) workers.push(event.worker.id);
    if (event?.type === 'attempt.prepared') dir = event.dir ?? '';
  });
  return { child, workers, dir: () => dir, ended: new Promise(resolve => child.on('close', resolve)) };
}

function getCall(command: string) {
  return values.agent === 'codex'
    ? { name: 'exec_command', input: { cmd: command } }
    : { name: 'Bash', input: { command, description: 'x' } };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== null));
    socket.on('error', () => resolve(false));
  });
}

async function makeProject(): Promise<void> {
  const model = values.agent === 'codex' ? 'models: { default: gpt-6.1-sol }\n' : '';
  mkdirSync(project);
  const files = {
    '.harness.yaml': `project: { name: p }\ntesting: { runner: command, full: 'true', feature: 'sh {file}' }\nagent: { provider: ${values.agent} }\nverification: { require_evidence: false }\nattempts: { max_attempts: 10000, max_interruptions: 10000 }\n${model}`,
    'features.json': JSON.stringify({
      project: 'p',
      features: [{ id: 1, description: 'x', test_file: 't.sh', max_attempts: 10000, passes: false }],
    }),
    't.sh': 'test -f done\n',
    '.gitignore': 'up-*\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@b'];
  await runPlainGit(project, ['init', '-q', '-b', 'main']);
  await runPlainGit(project, ['add', '-A']);
  await runPlainGit(project, [...who, 'commit', '-qm', 'start']);
}
