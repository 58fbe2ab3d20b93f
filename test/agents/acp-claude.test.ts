import { claudeAcpKit } from './acp-kits.ts';
import { describeRealAgent } from './agent-contract.ts';

describeRealAgent('Claude Code over ACP', claudeAcpKit, false);
