import { keepStore } from '../../../app/care/move-store.ts';
import { defineCommand } from '../../command/define-command.ts';
import { optional, text } from '../../command/flags.ts';

export const store = defineCommand({
  name: 'store',
  group: 'the rest',
  on: 'checkout',
  summary: 'Show where the records are, or move them to a database and back.',
  args: { action: optional('move: take all records elsewhere') },
  flags: { to: text('<url>', 'a PostgreSQL database, env:NAME for a variable that has its URL, or sqlite') },
  remark:
    'A move needs all runs to have ended. The old store stays as it is and says where its records went.',
  examples: ['harness store', 'harness store move --to env:DATABASE_URL', 'harness store move --to sqlite'],
  run: keepStore,
  render: answer => {
    if ('moved' in answer) {
      const { from, to, events, copied, sha256, isAgain } = answer.moved;
      return [
        `Moved: ${events} events from ${from} to ${to}${isAgain ? ` (${copied} of them now)` : ''}`,
        `Compared: sha256 ${sha256} at both ends`,
        `next: ${answer.next}`,
      ];
    }
    const { engine, where, project, schema, supported, madeBy, events, bytes, tls, server } = answer.facts;
    const name = engine === 'sqlite' ? 'SQLite' : `PostgreSQL ${server}, TLS: ${TLS[tls ?? ''] ?? tls}`;
    const made =
      schema === null ? `none yet (this Harness makes ${supported})` : `${schema}, by Harness ${madeBy}`;
    return [
      `Records: ${where}`,
      `Engine:  ${name}`,
      ...(project === null ? [] : [`Project: ${project}`]),
      `Schema:  ${made}`,
      `Events:  ${events}, ${(bytes / 1_048_576).toFixed(1)} MB`,
    ];
  },
});

const TLS: Readonly<Record<string, string>> = {
  'name and chain': 'certificate and name of the server are verified',
  chain: 'the certificate is verified, the name of the server is not',
  socket: 'a socket of this machine',
};
