import type { Provider } from '../shared/provider.ts';

/** Plays a file of moves; for trying out a setup, and for tests. */
export const scripted: Provider = {
  name: 'scripted',
  reportsTools: true,
  create: async (settings, tools) => (await import('./scripted.ts')).createScriptedAgent(settings, tools),
  examine: async project => await (await import('./scripted.ts')).examineScript(project),
};
