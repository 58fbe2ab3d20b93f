import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redactor } from '../../core/base/redact.ts';
import { getSecretValues, joinSplitSecret } from '../../core/base/redact.ts';
import { RUN_KEY } from '../../core/model/testing.ts';
import type { Artifacts, Ports, Store, Transcript, TranscriptEntry } from '../../ports/index.ts';

/**
 * The filter of everything that is written down beside the events: transcripts, proofs, logs and
 * whatever else is remembered. Events, and the states that are folded of them, are cleaned by the journal before anything is decided on them, and runs of
 * tests by whoever remembers them: the id of a test must stay what it is.
 */
export function withRedaction<P extends Pick<Ports, 'store' | 'artifacts'>>(
  ports: P,
  redact: Redactor,
): P & { readonly redact: Redactor } {
  const { store, artifacts } = ports;
  return {
    ...ports,
    redact,
    store: redactStore(store, redact),
    artifacts: redactArtifacts(artifacts, redact),
  };
}

/** Named one by one: a store may be an object of a class, whose methods no copy would have. */
function redactStore(store: Store, redact: Redactor): Store {
  return {
    append: request => store.append(request),
    read: query => store.read(query),
    acquire: request => store.acquire(request),
    renew: (lease, ttlMs) => store.renew(lease, ttlMs),
    release: lease => store.release(lease),
    leases: () => store.leases(),
    nowMs: () => store.nowMs(),
    cacheGet: key => store.cacheGet(key),
    cachePut: (key, value) => store.cachePut(key, key.startsWith(RUN_KEY) ? value : redact(value)),
    metaGet: key => store.metaGet(key),
    metaPut: (key, value) => store.metaPut(key, value),
    savedGet: stream => store.savedGet(stream),
    savedPut: (stream, head, parts) => store.savedPut(stream, head, parts),
    partsGet: (stream, names) => store.partsGet(stream, names),
    partPut: (stream, body) => store.partPut(stream, body),
    close: () => store.close(),
  };
}

function redactArtifacts(artifacts: Artifacts, redact: Redactor): Artifacts {
  return {
    ...artifacts,
    write: (path, content) => artifacts.write(path, typeof content === 'string' ? redact(content) : content),
    openTranscript: async (path, session) =>
      redactTranscript(await artifacts.openTranscript(path, session), redact),
  };
}

/** Text waits this long for what may belong to it; with more than a few letters of a secret at its end, longer. */
const HOLD_MS = 500;
const FEW_LETTERS = 4;
const MAX_WAITING = 100;

/**
 * The filter in front of a transcript: nothing reaches its buffer, let alone the disk, with a secret in
 * it. A secret that comes in two pieces is put together first, so that neither half is written.
 */
export function redactTranscript(transcript: Transcript, redact: Redactor): Transcript {
  let held: { atMs: number; text: string } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const waiting: TranscriptEntry[] = [];

  const release = (): void => {
    clearTimeout(timer);
    if (held) transcript.add({ atMs: held.atMs, event: { type: 'text', text: redact(held.text) } });
    held = null;
    for (const entry of waiting.splice(0)) transcript.add(entry);
  };
  const hold = (atMs: number, text: string): void => {
    const joined = held && joinSplitSecret(held.text, text, redact);
    if (held && joined !== null) held.text = joined;
    else {
      release();
      held = { atMs, text };
    }
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (held && held.text.length - redact.getOpenAt(held.text) <= FEW_LETTERS) release();
    }, HOLD_MS).unref();
  };

  return {
    add(entry) {
      const { atMs, event } = entry;
      if (event.type === 'text') hold(atMs, event.text);
      else if (held && event.type === 'usage' && waiting.length < MAX_WAITING) waiting.push(entry);
      else {
        release();
        transcript.add({ atMs, event: redactStrings(event, redact) });
      }
    },
    close() {
      release();
      return transcript.close();
    },
  };
}

function redactStrings<T extends object>(event: T, redact: Redactor): T {
  const entries = Object.entries(event).map(([key, value]) => [
    key,
    typeof value === 'string' && key !== 'type' ? redact(value) : value,
  ]);
  return Object.fromEntries(entries) as T;
}

/** Secret values that are known before anything runs: the environment's, and those of the project's .env files. */
export function readSecrets(
  env: Readonly<Record<string, string | undefined>>,
  roots: readonly string[],
): string[] {
  return [...getSecretValues(env), ...roots.flatMap(readEnvFiles)];
}

function readEnvFiles(root: string): string[] {
  try {
    const names = readdirSync(root).filter(
      name => name === '.env' || name.startsWith('.env.') || name === '.netrc' || name === '.npmrc',
    );
    return names.flatMap(name => getValues(readFileSync(join(root, name), 'utf8')));
  } catch {
    return [];
  }
}

/** In a file made for secrets every value counts, whatever its name; short and plain ones do not. */
function getValues(text: string): string[] {
  return text
    .split('\n')
    .map(line => /^\s*(?:export\s+)?[\w./:-]+\s*=\s*(.*)$/.exec(line)?.[1] ?? '')
    .map(value => value.trim().replace(/^(['"])(.*)\1$/, '$2'))
    .filter(value => value.length >= 12 && !/^(?:https?:\/\/[^@]*|[\w.-]+\/[\w./-]*|[a-z]+)$/i.test(value));
}
