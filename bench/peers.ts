import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options.ts';
import { copyProgram } from './program.ts';
import { type BenchResult, getTimeResult, type Report } from './result.ts';
import { runSetup, writeSampleRepo } from './sample-repo.ts';

interface Peer {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly write: (dir: string, tasks: number) => void;
}

const TASKS = 1_000;
const LIMIT = 1;
const INSTALL_MS = 60_000;

/** Other task trackers that install from npm and run on Node, asked what there is to do. */
const PEERS: readonly Peer[] = [
  { name: 'backlog.md', program: 'backlog', args: ['task', 'list', '--plain'], write: writeMarkdownTasks },
  { name: '@zeeg/dex', program: 'dex', args: ['list'], write: writeJsonTasks },
];

/** `harness next` over what others take for as many tasks; those that do not install here are left out. */
export async function measurePeers(options: BenchOptions): Promise<Report> {
  const { dir, quick } = options;
  const ours = join(dir, 'peers-ours');
  writeSampleRepo(ours, { tasks: TASKS, files: 0 });
  const program = copyProgram(options);
  const next = [process.execPath, program, 'next'];
  time(ours, [process.execPath, program, 'status']);
  const results: BenchResult[] = [];
  for (const peer of PEERS) {
    const place = join(dir, `peer-${peer.program}`);
    const found = install(place, peer);
    if (found === null) continue;
    const samples = { oursMs: [] as number[], floorMs: [] as number[] };
    for (let turn = -1; turn < (quick ? 3 : 11); turn++) {
      const [oursMs, floorMs] = [time(ours, next), time(join(place, 'project'), [found, ...peer.args])];
      if (turn >= 0) samples.oursMs.push(oursMs);
      if (turn >= 0) samples.floorMs.push(floorMs);
    }
    results.push(
      getTimeResult({ name: `next-against-${peer.name}-${TASKS}-tasks`, limit: LIMIT, ...samples }),
    );
  }
  return { floors: [], results };
}

/** The peer's program with a project of its own, or null where that does not work. */
function install(place: string, peer: Peer): string | null {
  mkdirSync(join(place, 'project'), { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--silent', peer.name];
  const installed = spawnSync('npm', args, { cwd: place, stdio: 'ignore', timeout: INSTALL_MS });
  if (installed.status !== 0) return null;
  const program = join(place, 'node_modules', '.bin', peer.program);
  runSetup(join(place, 'project'), 'init', '-q', '-b', 'main');
  peer.write(join(place, 'project'), TASKS);
  const tried = spawnSync(program, peer.args, getOptions(join(place, 'project')));
  return tried.status === 0 && tried.stdout.includes('feature 1 ') ? program : null;
}

function time(cwd: string, [program = '', ...args]: readonly string[]): number {
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(program, args, getOptions(cwd));
  if (status !== 0) throw new Error(`${program} fails: ${stderr}`);
  return performance.now() - startedMs;
}

function getOptions(cwd: string) {
  const env = { PATH: process.env.PATH ?? '', HOME: cwd, NO_COLOR: '1' };
  return { cwd, env, encoding: 'utf8', timeout: INSTALL_MS, maxBuffer: 64 * 1024 * 1024 } as const;
}

function writeMarkdownTasks(dir: string, tasks: number): void {
  mkdirSync(join(dir, 'backlog', 'tasks'), { recursive: true });
  const statuses = 'statuses: ["To Do", "In Progress", "Done"]';
  const config = `project_name: "sample"\ndefault_status: "To Do"\n${statuses}\nremote_operations: false\n`;
  writeFileSync(join(dir, 'backlog', 'config.yml'), config);
  for (let id = 1; id <= tasks; id++) {
    const lists = 'assignee: []\nlabels: []\ndependencies: []';
    const head = `id: TASK-${id}\ntitle: Provide feature ${id} of it\nstatus: To Do\n${lists}\nordinal: ${id}`;
    const text = `---\n${head}\ncreated_date: '2025-01-01 10:00'\n---\n\n## Description\n\nProvide it.\n`;
    writeFileSync(join(dir, 'backlog', 'tasks', `task-${id} - Provide-feature-${id}.md`), text);
  }
}

function writeJsonTasks(dir: string, tasks: number): void {
  mkdirSync(join(dir, '.dex'));
  const none = { parent_id: null, result: null, metadata: null, started_at: null, completed_at: null };
  const links = { blockedBy: [], blocks: [], children: [] };
  const at = '2025-01-01T10:00:00.000Z';
  const lines = Array.from({ length: tasks }, (_, index) => {
    const own = {
      id: `t${index + 1}`,
      name: `Provide feature ${index + 1} of it`,
      description: 'Provide it.',
    };
    return JSON.stringify({
      ...own,
      ...none,
      ...links,
      priority: 1,
      completed: false,
      created_at: at,
      updated_at: at,
    });
  });
  writeFileSync(join(dir, '.dex', 'tasks.jsonl'), `${lines.join('\n')}\n`);
}
