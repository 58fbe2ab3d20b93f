import { describeRealAgent } from './agent-contract.ts';
import { codexKit } from './codex-kit.ts';

describeRealAgent('Codex', codexKit);
