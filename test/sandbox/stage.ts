import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openWorkspace } from '../../src/adapters/git/workspace.ts';
import { createRandom } from '../../src/adapters/process/random.ts';
import { type SpawnResult, spawnContained } from '../../src/adapters/process/spawn-contained.ts';
import { CREDENTIALS } from '../../src/adapters/sandbox/credentials.ts';
import { probeSandbox } from '../../src/adapters/sandbox/probe.ts';
import { openProject } from '../../src/app/project/open-project.ts';
import { openSandbox } from '../../src/app/project/open-sandbox.ts';
import type { Sandbox } from '../../src/ports/world.ts';

/** What every secret of the stage holds; seen in any output, an escape has succeeded. */
export const LOOT = 'LOOT-7f3a';

/** Whether this machine can show anything at all. */
export const hasBwrap: boolean = (await probeSandbox()).bwrap !== null;

/** A project with all that an agent must not touch around it, made by the code that makes it in production. */
export interface Stage {
  readonly root: string;
  readonly home: string;
  readonly checkout: string;
  readonly tree: string;
  readonly sandbox: Sandbox;
  /** Runs a script where the agent would, with the stage's places as variables. */
  attack(script: string, options?: AttackOptions): Promise<SpawnResult>;
  /** Runs a script as something else that the harness starts in that tree. */
  runAs(who: 'agent' | 'tests' | 'install' | 'environment', script: string): Promise<SpawnResult>;
  /** The same without a sandbox, to see that the script does what it says. */
  attackFreely(script: string): Promise<SpawnResult>;
  close(): void;
}

export interface AttackOptions {
  readonly timeoutMs?: number;
  readonly graceMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** `sandbox` goes into the project's configuration as it is. */
export async function openStage(sandbox = '', provider = 'command'): Promise<Stage> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'harness-stage-')));
  const home = join(root, 'home');
  const checkout = join(home, 'code', 'shop');
  process.env.HOME = home;
  process.env.HARNESS_CACHE_DIR = join(home, '.cache', 'harness');
  process.env.STAGE_SECRET = `${LOOT} environment of the harness`;
  writeHome(home);
  writeCheckout(
    checkout,
    `${provider === 'command' ? 'agent: { command: ./a.sh, provider: command }\n' : ''}${sandbox}`,
  );
  const project = await openProject({ cwd: checkout, env: process.env });
  const workspace = openWorkspace({ repo: project.repo, land: 'base' });
  const { commit, tree: baseTree } = await workspace.tip();
  const { dir: tree } = await workspace.prepare(0, commit);
  for (const dir of [(await workspace.prepare(1, commit)).dir, (await workspace.pristine(0, baseTree)).dir]) {
    writeFileSync(join(dir, 'secret.txt'), `${LOOT} another tree`);
  }
  writeFiles(workspace.home, { 'reports/other/report': `${LOOT} report` });
  const opened = await openSandbox(project, workspace.home);
  if (!opened.agent) throw new Error(opened.containment.reason);
  const places = {
    CHECKOUT: checkout,
    STATE: project.stateDir,
    OWN: workspace.home,
    STAGE: root,
    HOST_PID: String(process.pid),
  };
  const owner = { workerId: 'w-stage', random: createRandom() };
  const run = (boxed: Sandbox | undefined, script: string, options: AttackOptions = {}) =>
    spawnContained(
      { ...owner, sandbox: boxed },
      {
        ...{ file: 'bash', args: ['-c', script], cwd: tree, timeoutMs: 20_000, graceMs: 300, ...options },
        env: { ...places, ...options.env },
      },
    );
  return {
    ...{ root, home, checkout, tree, sandbox: opened.agent },
    attack: (script, options) => run(opened.agent, `${ONLY_INSIDE}\n${script}`, options),
    runAs: (who, script) => run(opened[who], `${ONLY_INSIDE}\n${script}`),
    attackFreely: script => run(undefined, script),
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Where a sandbox fails altogether, the attacks must not be let loose on the machine. */
const ONLY_INSIDE = ['pid', 'mnt']
  .map(name => `[ "$(readlink /proc/self/ns/${name})" != "${readNamespace(name)}" ] || exit 99`)
  .join('\n');

function readNamespace(name: string): string {
  return existsSync('/proc/self/ns') ? readlinkSync(`/proc/self/ns/${name}`) : '';
}

/** Every kind of credential, and settings with and without a secret in them. */
function writeHome(home: string): void {
  const secrets = CREDENTIALS.map(name => [FOLDERS.test(name) ? `${name}/key` : name, `${LOOT} ${name}`]);
  writeFiles(home, {
    ...Object.fromEntries(secrets),
    '.npmrc': `registry=https://registry.example/\n//registry.example/:_authToken=${LOOT}\n`,
    '.gitconfig': `[http]\n\textraHeader = Authorization: ${LOOT}\n`,
    '.claude.json': `{"mcpServers":{},"account":"${LOOT}"}`,
    '.claude/settings.json': '{}',
    '.claude/.credentials.json': '{"login":"agent"}',
    '.codex/auth.json': '{"login":"agent"}',
    '.local/share/opencode/auth.json': '{"login":"agent"}',
    '.bashrc': 'alias ll="ls -l"\n',
    '.config/tool/settings': 'harmless\n',
    'notes.txt': 'mine\n',
  });
}

/** Credentials that are folders by nature. */
const FOLDERS =
  /^\.(ssh|gnupg|aws|azure|docker|kube|mozilla|password-store|oci|fly|pulumi|1password|pki)$|^\.config\/(gh|gcloud|hub|rclone|op|google-chrome|chromium)$|keyrings$/;

function writeCheckout(checkout: string, config: string): void {
  writeFiles(checkout, {
    '.harness.yaml': `project: { name: shop }\n${config}`,
    'features.json': '{"project":"shop","features":[]}\n',
    'package.json': '{"type":"module"}\n',
    'sum.js': 'export const sum = (a, b) => a + b;\n',
    'sum.test.js':
      "import test from 'node:test';\nimport { sum } from './sum.js';\ntest('sums', () => { if (sum(1, 2) !== 3) throw new Error('no'); });\n",
  });
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: checkout, env: { PATH: process.env.PATH, HOME: '/nonexistent' } });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  git('config', 'remote.origin.url', `https://ada:${LOOT}@git.example/shop.git`);
  git('add', '-A');
  git('commit', '-q', '-m', 'Start');
  writeFiles(checkout, {
    '.env': `KEY=${LOOT}\n`,
    'draft.txt': 'not committed\n',
    '.harness/state.db': `${LOOT} records`,
    '.git/hooks/pre-commit': '#!/bin/sh\nexit 0\n',
  });
}

function writeFiles(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

/** The command lines of all processes there are, as the host sees them. */
export function readCommandLines(): string {
  return execFileSync('sh', ['-c', 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "'], {
    maxBuffer: 64 * 1024 * 1024,
  }).toString();
}

/** The text of a file of the machine; null when it is not there or not ours to read. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
