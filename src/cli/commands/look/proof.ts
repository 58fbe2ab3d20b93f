import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readTaskProof } from '../../../app/prove/read-task-proof.ts';
import { EXIT_CODES } from '../../../core/base/failure.ts';
import { getShellQuoted } from '../../../core/base/shell-quoted.ts';
import { aside, defineCommand } from '../../command/define-command.ts';
import { argument, text } from '../../command/flags.ts';
import { getProofHtml } from '../../render/proof-html.ts';
import { getProofLines } from '../../render/proof-text.ts';

export const proof = defineCommand({
  name: 'proof',
  group: 'looking',
  summary: 'Show how a task was judged: what was run, what came out, what decided.',
  args: { task: argument('its id') },
  flags: { html: text('<file>', 'write it as a page that needs nothing else') },
  examples: ['harness proof 12 --html proof-12.html'],
  run: async (project, { task, html }, { io }) => {
    const shown = await readTaskProof(project, { task });
    if (html === undefined) return shown;
    const path = resolve(io.cwd, html);
    writeFileSync(path, getProofHtml(shown));
    io.err(`Written to ${path}\nnext: open it in a browser`);
    return shown;
  },
  toJson: ({ text: written }) => written.trimEnd(),
  render: (shown, { style, input }) =>
    input.html === undefined
      ? [...getProofLines(shown, style), aside(`next: harness verify ${getShellQuoted(input.task)}`)]
      : [],
  exitCode: ({ problems }) => (problems.length > 0 ? EXIT_CODES.unproven : 0),
});
