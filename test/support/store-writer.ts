import { openStore } from '../../src/adapters/store/open-store.ts';

/**
 * Appends events as fast as it can, trying again after a conflict, and prints each one only once the
 * store has said yes: what is printed must never be lost.
 */
const [stateDir = '', name = '', count = '0'] = process.argv.slice(2);
const store = await openStore({ stateDir });
for (let i = 0, version = 0; i < Number(count); ) {
  const result = await store.append({
    stream: 'main',
    expectedVersion: version,
    events: [{ type: 'note.added', level: 'debug', text: `${name}:${i}` }],
    atMs: await store.nowMs(),
  });
  if (result.ok) {
    process.stdout.write(`${name}:${i}\n`);
    i++;
  } else if (result.why !== 'conflict') throw new Error(result.why);
  version = result.version;
}
await store.close();
