import { codexOverAcp } from './acp-agents.ts';
import { describeRealAgent } from './agent-contract.ts';

describeRealAgent('Codex over ACP', codexOverAcp);
