import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENT, getKind, getTest, RUNNER } from './cast.ts';

/** A bare remote with a project on it, and room for hosts. */
export interface FleetProject {
  readonly dir: string;
  readonly remote: string;
  readonly tasks: number;
}

const LEASE_SECONDS = 12;

const CONFIG = `project: { name: fleet }
agent: { provider: command, command: node agent.mjs }
git: { remote: origin, base_branch: main, queue: { batch: 8, company: 3, wait_seconds: 5 } }
testing: { full: node test/run.mjs, runner: tap, feature: 'node test/run.mjs {file}' }
lease: { ttl_seconds: ${LEASE_SECONDS}, heartbeat_seconds: 3 }
sandbox: { mode: 'off' }
verification: { mutants: 1 }
costs: { per_session_usd: 1, per_feature_usd: 5, total_project_usd: 100 }
`;

export function makeProject(tasks: number): FleetProject {
  const dir = mkdtempSync(join(tmpdir(), 'fleet-'));
  const root = join(dir, 'seed');
  const remote = join(dir, 'remote.git');
  for (const folder of ['test', 'src']) mkdirSync(join(root, folder), { recursive: true });
  const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
  const ids = Array.from({ length: tasks }, (_, at) => at + 1);
  write('.harness.yaml', CONFIG);
  write('agent.mjs', AGENT);
  write('test/run.mjs', RUNNER);
  write('test/t0.mjs', getTest(0).replace('value(2), 0', 'value(2), 4'));
  write('src/f0.mjs', 'export const value = x => x + 2;\n');
  write('src/list.txt', 'begin\n');
  write('kinds.json', JSON.stringify(Object.fromEntries(ids.map(id => [id, getKind(id)]))));
  for (const id of ids) write(`test/t${id}.mjs`, getTest(id));
  const features = ids.map(id => ({
    ...{ id: String(id), description: `Value ${id}`, passes: false, test_file: `test/t${id}.mjs` },
    ...(id % 6 === 0 ? { depends_on: [String(id - 5)] } : {}),
  }));
  write('features.json', `${JSON.stringify({ features }, null, 2)}\n`);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'A project');
  git(dir, 'clone', '-q', '--bare', root, remote);
  return { dir, remote, tasks };
}

const WHO = { NAME: 'A Person', EMAIL: 'person@localhost' };

export function git(cwd: string, ...args: readonly string[]): string {
  const env = {
    ...process.env,
    ...{ GIT_AUTHOR_NAME: WHO.NAME, GIT_AUTHOR_EMAIL: WHO.EMAIL },
    ...{ GIT_COMMITTER_NAME: WHO.NAME, GIT_COMMITTER_EMAIL: WHO.EMAIL, GIT_TERMINAL_PROMPT: '0' },
  };
  return execFileSync('git', [...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Somebody at home pushes a file of their own, however often it takes. */
export function pushAsPerson(project: FleetProject, number: number): void {
  const dir = join(project.dir, 'person');
  if (number === 1) git(project.dir, 'clone', '-q', project.remote, dir);
  for (let tries = 1; ; tries++) {
    git(dir, 'fetch', '-q', 'origin');
    git(dir, 'reset', '-q', '--hard', 'origin/main');
    writeFileSync(join(dir, `note-${number}.md`), `by hand, ${number}\n`);
    git(dir, 'add', '-A');
    git(dir, 'commit', '-qm', `By hand ${number}`);
    try {
      git(dir, 'push', '-q', 'origin', 'HEAD:main');
      return;
    } catch (error) {
      if (tries === 10) throw error;
    }
  }
}
