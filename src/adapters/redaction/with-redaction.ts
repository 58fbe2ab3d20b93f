import type { Redactor } from '../../core/redact.ts';
import { RUN_KEY } from '../../core/testing.ts';
import type { Artifacts, Ports } from '../../ports.ts';
import { redactTranscript } from './redact-transcript.ts';

/**
 * The filter of everything that is written down beside the events: transcripts, proofs, logs and
 * whatever else is remembered. Events are cleaned by the journal before anything is decided on them, and runs of
 * tests by whoever remembers them: the id of a test must stay what it is.
 */
export function withRedaction(ports: Ports, redact: Redactor): Ports {
  const { store } = ports;
  const cachePut = store.cachePut.bind(store);
  store.cachePut = (key, value) => cachePut(key, key.startsWith(RUN_KEY) ? value : redact(value));
  return { ...ports, redact, artifacts: redactArtifacts(ports.artifacts, redact) };
}

function redactArtifacts(artifacts: Artifacts, redact: Redactor): Artifacts {
  return {
    ...artifacts,
    write: (path, content) => artifacts.write(path, typeof content === 'string' ? redact(content) : content),
    openTranscript: async (path, session) =>
      redactTranscript(await artifacts.openTranscript(path, session), redact),
  };
}
