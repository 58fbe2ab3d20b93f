import { describeRealAgent } from './agent-contract.ts';
import { claudeSdk } from './claude-sdk.ts';

describeRealAgent('Claude Code', claudeSdk);
