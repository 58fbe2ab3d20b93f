import { addUsage, NO_USAGE, type Usage } from '../../src/core/model/usage.ts';
import type { Agent, AgentResult, SessionRequest } from '../../src/ports/index.ts';
import type { Chance } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import { TURN_USD } from './sim-crew.ts';
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
    async run(request, onEvent): Promise<AgentResult> {
      const temper = chance.happens(0.5) ? 'honest' : chance.pick(TEMPERS);
      const turns = chance.below(5);
      let usage = NO_USAGE;
      for (let turn = 0; turn <= turns; turn++) {
        await scheduler.sleep(500 + chance.below(20_000 / (turns + 1)));
        const turnUsage = { ...NO_USAGE, costUsd: chance.next() * TURN_USD };
        usage = addUsage(usage, turnUsage);
        onEvent?.({ type: 'usage', usage: turnUsage });
        if (request.signal.aborted) return { outcome: 'not-done', summary: 'stopped', usage };
      }
      const slot = Number(request.cwd.slice('slot-'.length));
      const files = git.slots.get(slot) ?? {};
      if (!isReaped()) (request.role === 'test-author' ? write : act)(temper, files, request.task.id);
      return finish(temper, request, { scheduler, usage });
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

async function finish(
  temper: Temper,
  request: SessionRequest,
  { scheduler, usage }: { readonly scheduler: Scheduler; readonly usage: Usage },
): Promise<AgentResult> {
  if (temper === 'slow') await scheduler.sleep(300_000);
  if (temper === 'hanger') {
    await scheduler.sleep(request.timeoutMs);
    return { outcome: 'timeout', summary: 'hung', usage };
  }
  if (temper === 'crasher') return { outcome: 'crashed', summary: 'segfault', usage };
  const question = { question: 'which door?', why: 'there are two', steps: [], check: 'it opens' };
  if (temper === 'quitter' && request.attempt % 2 === 1)
    return { outcome: 'not-done', summary: question.question, usage, question };
  if (temper === 'quitter') return { outcome: 'not-done', summary: 'too hard', usage };
  return { outcome: 'claimed', summary: 'done', usage };
}
