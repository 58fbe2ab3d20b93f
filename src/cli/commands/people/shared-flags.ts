import { text } from '../../command/flags.ts';

/** Who says so: asked with every word of a person. */
export const by = text('<name>', 'who says so; as git knows you when not said');

export const reason = text('<text>', 'why, for the record');
