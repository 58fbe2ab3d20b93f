import type { AgentCapabilities } from '../../../ports/index.ts';

/** How far each agent kit can be steered, known before the kit is loaded. */
export const CAPABILITIES = {
  claude: {
    modes: ['exec', 'review', 'complete'],
    inject: 'native',
    interrupt: 'native',
    resume: true,
  },
  codex: {
    modes: ['exec', 'review', 'complete'],
    inject: 'abort-resume',
    interrupt: 'abort',
    resume: true,
  },
  acp: {
    modes: ['exec', 'review', 'complete'],
    inject: 'none',
    interrupt: 'native',
    resume: true,
  },
} as const satisfies Readonly<Record<string, AgentCapabilities>>;
