import { createRandom } from '../../src/adapters/process/random.ts';
import { getRequest } from '../contracts/agent.ts';
import { createClaude } from './claude-sdk.ts';

/** A harness to be killed: one session of Claude Code in the given place, until its end. */
const [workerId = '', cwd = ''] = process.argv.slice(2);
const agent = createClaude({ workerId, random: createRandom() });
await agent.run({ ...getRequest(cwd), timeoutMs: 60_000 }, () => undefined);
