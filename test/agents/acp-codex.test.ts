import { codexAcpKit } from './acp-kits.ts';
import { describeRealAgent } from './agent-contract.ts';

describeRealAgent('Codex over ACP', codexAcpKit);
