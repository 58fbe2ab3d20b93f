import { describeRealAgent } from './agent-contract.ts';
import { claudeKit } from './claude-kit.ts';

describeRealAgent('Claude Code', claudeKit);
