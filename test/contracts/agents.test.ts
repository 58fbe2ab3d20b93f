import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgent } from '../../src/adapters/agents/providers.ts';
import { createClock } from '../../src/adapters/process/clock.ts';
import { createRandom } from '../../src/adapters/process/random.ts';
import { createShell } from '../../src/adapters/process/shell.ts';
import { getEscapeLine, useTempDir } from '../support/real-processes.ts';
import { describeAgent, type Temper } from './agent.ts';

const makeDir = useTempDir();
const owner = { workerId: 'w-agentcontract', random: createRandom() };
const tools = { owner, shell: createShell({ ...owner, graceMs: 100 }), clock: createClock() };

const MOVES: Record<Temper, readonly unknown[]> = {
  works: [{ edit: { file: 'src/a.txt', content: 'made' } }, { decide: 'keep it' }, { claim: 'all done' }],
  'gives-up': [{ give_up: 'too hard' }],
  crashes: [{ crash: 'boom' }],
  hangs: [{ run: `${getEscapeLine('pid')}\nsleep 300` }, { hang: true }],
  burns: [
    { burn: { input: 10, output: 3, cost_usd: 0.25 } },
    { burn: { input: 20, cached: 5, cost_usd: 0.25 } },
    { claim: '' },
  ],
};

const PROGRAMS: Record<Temper, string> = {
  works: `mkdir src; printf made > src/a.txt; echo '[FILE:WRITE] src/a.txt'; echo '[DECISION] keep it'; echo all done`,
  'gives-up': 'echo too hard >&2; exit 1',
  crashes: 'kill -SEGV $$',
  hangs: `${getEscapeLine('pid')}\nsleep 300`,
  burns: `echo '[USAGE] {"input_tokens":10,"output_tokens":3,"cost_usd":0.25}'
          echo '[USAGE] {"input_tokens":20,"cached_tokens":5,"cost_usd":0.25}'`,
};

describeAgent('the scripted agent', temper => {
  const scriptPath = join(makeDir(), 'harness-agent.yaml');
  writeFileSync(scriptPath, JSON.stringify({ tasks: { '*': MOVES[temper] } }));
  return createAgent('scripted', { script: scriptPath, projectRoot: '/' }, tools);
});

describeAgent('a program as the agent', temper =>
  createAgent('command', { command: PROGRAMS[temper], projectRoot: '/' }, tools),
);
