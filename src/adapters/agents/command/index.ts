import type { Provider } from '../shared/provider.ts';

/** Any program that reads a prompt and edits files. */
export const command: Provider = {
  name: 'command',
  create: async (settings, { owner }) => {
    const { createCommandAgent } = await import('./command.ts');
    return createCommandAgent({ ...settings, owner, command: settings.command ?? '' });
  },
};
