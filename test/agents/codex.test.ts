import { describeRealAgent } from './agent-contract.ts';
import { codexSdk } from './codex-sdk.ts';

describeRealAgent('Codex', codexSdk);
