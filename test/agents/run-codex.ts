import { getRequest } from '../contracts/agent.ts';
import { createCodex } from './codex-sdk.ts';

/** A harness to be killed: one session of Codex in the given place, until its end. */
const [workerId = '', cwd = '', home = '', url = ''] = process.argv.slice(2);
const agent = createCodex(url, home, { workerId });
await agent.run({ ...getRequest(cwd), timeoutMs: 60_000 }, () => undefined);
