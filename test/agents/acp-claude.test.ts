import { claudeOverAcp } from './acp-agents.ts';
import { describeRealAgent } from './agent-contract.ts';

describeRealAgent('Claude Code over ACP', claudeOverAcp, false);
