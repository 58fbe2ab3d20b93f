import { NO_USAGE } from '../../src/core/model/usage.ts';
import type { Agent, AgentResult, SessionRequest } from '../../src/ports/index.ts';
import type { Chance } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimGit } from './sim-git.ts';
import { agree } from './sim-project.ts';

type Temper =
  | 'honest'
  | 'liar'
  | 'breaker'
  | 'weakener'
  | 'tamperer'
  | 'greedy'
  | 'crasher'
  | 'hanger'
  | 'quitter'
  | 'slow';

const TEMPERS: readonly Temper[] = [
  'honest',
  'liar',
  'breaker',
  'weakener',
  'tamperer',
  'greedy',
  'crasher',
  'hanger',
  'quitter',
  'slow',
];

/** Agents of every temper: most sessions are honest in the end, none may be believed. */
export function createSimAgent(
  git: SimGit,
  scheduler: Scheduler,
  chance: Chance,
  isReaped: () => boolean,
): Agent {
  return {
    provider: 'sim',
    async run(request): Promise<AgentResult> {
      const temper = chance.happens(0.5) ? 'honest' : chance.pick(TEMPERS);
      await scheduler.sleep(1_000 + chance.below(20_000));
      const slot = Number(request.cwd.slice('slot-'.length));
      const files = git.slots.get(slot) ?? {};
      if (!isReaped()) (request.role === 'test-author' ? write : act)(temper, files, request.task.id);
      return finish(temper, request, scheduler);
    },
  };
}

/** What becomes of a test when an agent of this temper is its author. */
function write(temper: Temper, files: Record<string, string>, id: string): void {
  if (temper !== 'liar' && temper !== 'quitter') files[`test/${id}`] = `assert ${id}`;
  if (temper === 'weakener') files[`test/${id}`] = 'weakened';
  if (temper === 'breaker') files['test/old'] = 'weakened';
  if (temper === 'crasher') files[`src/${id}`] = 'half';
  if (temper === 'tamperer' || temper === 'greedy') tamper(files, temper, id);
}

function act(temper: Temper, files: Record<string, string>, id: string): void {
  if (temper === 'honest' || temper === 'slow' || temper === 'breaker' || temper === 'greedy')
    files[`src/${id}`] = 'good';
  if (temper === 'honest' || temper === 'slow') agree(files);
  if (temper === 'breaker') files['src/old'] = 'bad';
  if (temper === 'weakener') files[`test/${id}`] = 'weakened';
  if (temper === 'crasher') files[`src/${id}`] = 'half';
  if (temper === 'tamperer' || temper === 'greedy') tamper(files, temper, id);
}

function tamper(files: Record<string, string>, temper: Temper, id: string): void {
  const backlog = JSON.parse(files['features.json'] ?? '{}') as Record<string, { passes: boolean }>;
  if (temper === 'tamperer') delete backlog[id];
  else for (const task of Object.values(backlog)) task.passes = true;
  files['features.json'] = JSON.stringify(backlog);
}

async function finish(temper: Temper, request: SessionRequest, scheduler: Scheduler): Promise<AgentResult> {
  if (temper === 'slow') await scheduler.sleep(300_000);
  if (temper === 'hanger') {
    await scheduler.sleep(request.timeoutMs);
    return { outcome: 'timeout', summary: 'hung', usage: NO_USAGE };
  }
  if (temper === 'crasher') return { outcome: 'crashed', summary: 'segfault', usage: NO_USAGE };
  const question = { question: 'which door?', why: 'there are two', steps: [], check: 'it opens' };
  if (temper === 'quitter' && request.attempt % 2 === 1)
    return { outcome: 'not-done', summary: question.question, usage: NO_USAGE, question };
  if (temper === 'quitter') return { outcome: 'not-done', summary: 'too hard', usage: NO_USAGE };
  return { outcome: 'claimed', summary: 'done', usage: { ...NO_USAGE, costUsd: 0.01 } };
}
