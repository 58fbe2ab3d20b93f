import { text } from '../../command/flags.ts';

/** Who says so: asked with every word of a person. */
export const by = text('<name>', 'your name, for the record; default: git config user.name');

export const reason = text('<text>', 'the reason, for the record');
