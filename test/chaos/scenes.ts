import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Workshop } from './run-round.ts';

/**
 * How the user's checkout lies while the harness works:
 *
 *   clean    on the base branch with nothing changed: it is moved along with the branch
 *   dirty    on the base branch with work in it: everything lands on harness/landed
 *   away     on another branch: only the ref moves; agent and tests run in the sandbox, if there is one, and tests side by side
 *   moving   as `away`, and somebody commits to the base branch just before the first landing
 *   beside   as `clean`, and other runs may work on the project at the same time: nobody has it to itself
 *   lanes    as `clean`, and three workers in one process land what they did together
 *   remote   as `lanes`, with the record in PostgreSQL and the work on a git remote: nothing of the checkout moves
 *   together as `beside`, and another run does work at the same time, which nobody kills
 */
export const SCENES = ['clean', 'dirty', 'away', 'moving', 'beside', 'lanes', 'together', 'remote'] as const;

export type Scene = (typeof SCENES)[number];

/** What has to be landed in the end. */
export function getTasks(scene: Scene): readonly string[] {
  if (scene === 'lanes') return ['1', '2', '3', '4'];
  return scene === 'remote' ? ['1', '2', '3'] : ['1', '2'];
}

const FILES: Readonly<Record<string, string>> = {
  '.harness.yaml': `project: { name: chaos }
testing: { runner: command, full: sh check.sh, feature: 'sh check.sh {file}' }
agent: { provider: scripted, script: agent.yaml }
verification: { require_evidence: false }
attempts: { max_interruptions: 1000 }
git: { base_branch: main }
logging: { level: debug }
sandbox: { mode: off }
`,
  '.gitignore': '*.log\n',
  'check.sh': '[ $# -gt 0 ] || set -- test/*.sh\nfor f in "$@"; do sh "$f" || exit 1; done\n',
  'notes.txt': 'notes\n',
  'src/old.txt': 'old\n',
  'test/a.sh': 'grep -q a src/a.txt && grep -q old src/old.txt\n',
  'test/b.sh': 'grep -q b src/b.txt && grep -q better src/old.txt\n',
  'features.json': `${JSON.stringify(
    {
      project: 'chaos',
      features: [getFeature(1, 'a', []), getFeature(2, 'b', [1])],
    },
    null,
    2,
  )}\n`,
  'agent.yaml': `tasks:
  "1":
    attempts:
      - - run: sleep 0.05
        - lie: All done.
      - - edit: { file: src/a.txt, content: "a\\n" }
        - run: sleep 0.05
        - claim: a is there
  "2":
    - edit: { file: src/b.txt, content: "b\\n" }
    - edit: { file: src/old.txt, content: "old and better\\n" }
    - claim: b is there
`,
};

/** Makes one repository per scene, to be copied for every round. */
export function createTemplates(dir: string): void {
  for (const scene of SCENES) {
    const root = join(dir, scene);
    write(root, FILES);
    const config = FILES['.harness.yaml'] ?? '';
    if (scene === 'away') write(root, { '.harness.yaml': getSandboxed(config) });
    if (scene === 'lanes') write(root, getLanesFiles(['a', 'b', 'c', 'd']));
    if (scene === 'remote') write(root, getLanesFiles(['a', 'b', 'c'], 'remote: origin, '));
    if (isShared(scene)) write(root, { '.harness.yaml': `${config}${CONCURRENT}` });
    const git = (...args: string[]): void => void execFileSync('git', args, { cwd: root, env: getUserEnv() });
    git('init', '-q', '--template=', '-b', 'main');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.org');
    git('add', '-A');
    git('commit', '-q', '-m', 'Start');
    if (scene === 'away' || scene === 'moving') git('switch', '-q', '-c', 'topic');
    if (scene === 'remote') pushTo(`${root}.git`, git);
    if (scene !== 'dirty') continue;
    write(root, { 'notes.txt': 'notes, staged\n' });
    git('add', 'notes.txt');
    write(root, { 'check.sh': '# unstaged\n', 'new.txt': 'untracked\n', 'x.log': 'ignored\n' });
  }
}

/** A bare repository beside the checkout, which everybody knows by a path from there. */
function pushTo(remote: string, git: (...args: string[]) => void): void {
  git('init', '-q', '--bare', '--template=', '-b', 'main', remote);
  git('--git-dir', remote, 'config', 'receive.denyNonFastForwards', 'true');
  git('remote', 'add', 'origin', '../remote.git');
  git('push', '-q', '-u', 'origin', 'main');
}

/** Whether a small disk of its own can be made for a round. */
export function canMount(parent: string): boolean {
  const dir = mkdtempSync(join(parent, 'disk-'));
  const unmount = mountSmall(dir);
  unmount?.();
  rmSync(dir, { recursive: true, force: true });
  return unmount !== null;
}

/** A disk that is soon full, at that folder; null where nobody may make one. */
function mountSmall(dir: string): (() => void) | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', dir], { stdio: 'ignore' });
    return () => void execFileSync('umount', ['-l', dir]);
  } catch {
    return null;
  }
}

let rounds = 0;

/** A fresh copy of a scene with a cache, a home and a temporary folder of its own. */
export async function openScene(
  { templates, parent, postgres }: Pick<Workshop, 'templates' | 'parent' | 'postgres'>,
  scene: Scene,
  isSmall = false,
): Promise<{ readonly dir: string; readonly storeUrl: string | null; close(): Promise<void> }> {
  const dir = mkdtempSync(join(parent, `${scene}-`));
  const unmount = isSmall ? mountSmall(dir) : null;
  cpSync(join(templates, scene), join(dir, 'p'), { recursive: true, preserveTimestamps: true });
  const isRemote = scene === 'remote';
  if (isRemote) cpSync(join(templates, 'remote.git'), join(dir, 'remote.git'), { recursive: true });
  for (const name of ['tmp', 'home', 'cache', 'slow']) mkdirSync(join(dir, name));
  const realPath = process.env.PATH ?? '';
  const script = `#!/bin/sh\nsleep 30\nPATH='${realPath}' exec git "$@"\n`;
  writeFileSync(join(dir, 'slow', 'git'), script, { mode: 0o755 });
  const database = `round_${++rounds}`;
  const storeUrl = isRemote ? await (await postgres()).createDatabase(database) : null;
  const close = async (): Promise<void> => {
    const server = isRemote ? await postgres() : null;
    await server?.query(server.url(), `DROP DATABASE ${database} WITH (FORCE)`);
    unmount?.();
    rmSync(dir, { recursive: true, force: true });
  };
  return { dir, storeUrl, close };
}

/** Nothing but what any shell has: no settings of the person who runs the suite. */
export function getUserEnv(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
  };
}

/** Whether the checkout lies on the base branch with nothing changed, so that a landing moves it along. */
export function isClean(scene: Scene): boolean {
  return scene === 'clean' || scene === 'lanes' || isShared(scene);
}

/** Whether nobody has the project to itself. */
function isShared(scene: Scene): boolean {
  return scene === 'beside' || scene === 'together';
}

const CONCURRENT = 'session_config: { concurrency_mode: concurrent }\n';

/** Tasks that wait for nothing, done by honest agents at the same time; two of them write the same file. */
function getLanesFiles(names: readonly string[], remote = ''): Readonly<Record<string, string>> {
  const queue = `git: { ${remote}base_branch: main, queue: { company: 2, wait_seconds: 2 } }`;
  const config = (FILES['.harness.yaml'] ?? '').replace('git: { base_branch: main }', queue);
  const getMoves = (name: string): object[] => [
    { edit: { file: `src/${name}.txt`, content: `${name}\n` } },
    { run: `sleep 0.05; [ ${name} = a ] || echo ${name} >> src/shared.txt` },
    { claim: `${name} is there` },
  ];
  const tasks = Object.fromEntries(names.map((name, at) => [String(at + 1), getMoves(name)]));
  const features = names.map((name, at) => getFeature(at + 1, name, []));
  return {
    '.harness.yaml': `${config}session_config: { workers: 3 }\n`,
    'agent.yaml': JSON.stringify({ tasks }),
    'features.json': `${JSON.stringify({ project: 'chaos', features }, null, 2)}\n`,
    ...Object.fromEntries(names.map(name => [`test/${name}.sh`, `grep -q ${name} src/${name}.txt\n`])),
  };
}

function getSandboxed(config: string): string {
  return config.replace('mode: off', 'mode: auto, test_network: "off"');
}

function getFeature(id: number, name: string, dependsOn: readonly number[]) {
  return {
    id,
    category: 'core',
    description: `make ${name}`,
    test_file: `test/${name}.sh`,
    depends_on: dependsOn,
    verification_steps: [`${name} is there`],
    size_estimate: 'small',
    passes: false,
  };
}

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
