import type { Row } from '../behaviour.ts';

/** What comes with the plugin. */
export const PLUGIN: readonly Row[] = [
  { id: 'A2.1', asked: 'init and run make .harness-active, which ends with the last task', later: 'plugin' },
  { id: 'A2.2', asked: 'without the marker every hook does nothing', later: 'plugin' },
  { id: 'A3.1', asked: 'a Stop hook that keeps the agent at work', later: 'plugin' },
  { id: 'A3.2', asked: 'a SessionStart hook on startup, resume and compact', later: 'plugin' },
  { id: 'A3.3', asked: 'a TeammateIdle hook', later: 'plugin' },
  { id: 'A3.4', asked: 'a SubagentStop hook', later: 'plugin' },
];
