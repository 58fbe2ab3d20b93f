import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Turn } from './model-server/script.ts';
import type { Night } from './night.ts';
import { runPlainGit } from './plain-git.ts';
import type { Moves } from './shop-agent.ts';
import type { DemoAgent } from './shop-files.ts';

/** Everything the demo makes is below one folder. */
export interface Shop {
  readonly dir: string;
  readonly project: string;
  readonly cacheDir: string;
  /** The commit with the approved tests, before any agent was there. */
  readonly start: string;
  /** What an agent’s SDK needs to find the scripted model. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Builds the sample project in a temporary folder, with an identity of its own. */
export async function makeShop(agent: DemoAgent, night: Night): Promise<Shop> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'harness-demo-')));
  const project = join(dir, 'shop');
  for (const [path, text] of Object.entries(night.getFiles(agent))) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  writeFileSync(join(dir, 'agent.json'), JSON.stringify(night.getAgent(), null, 2));
  const git = (...args: string[]) => runPlainGit(project, args);
  await git('init', '-q', '--template=', '-b', 'main');
  await git('config', 'user.name', 'Shop Owner');
  await git('config', 'user.email', 'owner@shop.example');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'A cart, and tests for what it should learn');
  const start = await git('rev-parse', 'HEAD');
  const model = await startModel(agent, night);
  return { dir, project, cacheDir: join(dir, 'cache'), start, ...model };
}

/** A model on loopback for SDKs of agents, which plays the scripted agent's part at no cost. */
async function startModel(agent: DemoAgent, night: Night): Promise<Pick<Shop, 'env' | 'close'>> {
  if (agent === 'scripted') return { env: {}, close: async () => undefined };
  const { startModelServer } = await import('./model-server/server.ts');
  const server = await startModelServer(getShopTurns(agent, night));
  const env =
    agent === 'claude'
      ? { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-ant-scripted' }
      : { OPENAI_BASE_URL: `${server.url}/v1`, CODEX_API_KEY: 'sk-scripted' };
  return { env, close: () => server.close() };
}

/** The agent's part as the answers of a model: one turn per command, and words at the end of each session. */
function getShopTurns(agent: Exclude<DemoAgent, 'scripted'>, night: Night): Turn[] {
  return Object.entries(night.getAgent().tasks).flatMap(([id, part]) => {
    const attempts = 'attempts' in part ? part.attempts : [part];
    return attempts.flatMap(moves => moves.flatMap(move => getTurn(agent, `**Task ${id}:**`, move)));
  });
}

function getTurn(agent: 'claude' | 'codex', prompt: string, move: Moves[number]): Turn[] {
  const usage = { input: 2_000, output: 300 };
  const words = move.claim ?? move.lie;
  if (words !== undefined) return [{ prompt, text: String(words), usage }];
  const command = move.edit ? getWriteCommand(move.edit as Edit) : move.run;
  if (command === undefined) return [];
  const tool =
    agent === 'claude'
      ? { name: 'Bash', input: { command, description: 'part of the demo' } }
      : { name: 'exec_command', input: { cmd: command } };
  return [{ prompt, tools: [tool], usage }];
}

interface Edit {
  readonly file: string;
  readonly content: string;
}

function getWriteCommand({ file, content }: Edit): string {
  return `mkdir -p "$(dirname ${file})" && cat > ${file} <<'END_OF_FILE'\n${content}END_OF_FILE`;
}
