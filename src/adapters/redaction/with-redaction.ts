import { type Redact, redactDeep } from '../../core/redact.ts';
import type { Artifacts, Ports, Store } from '../../ports.ts';

/**
 * The single writer's filter: everything that is recorded, remembered, written down or put before an
 * agent passes here, so that no other code has to think of secrets.
 */
export function withRedaction(ports: Ports, redact: Redact): Ports {
  return {
    ...ports,
    store: redactStore(ports.store, redact),
    artifacts: redactArtifacts(ports.artifacts, redact),
  };
}

function redactStore(store: Store, redact: Redact): Store {
  return {
    ...bindAll(store),
    append: request => {
      const clean = { ...request, events: redactDeep(request.events, redact) };
      if (!request.index) return store.append(clean);
      const { rows, removed, summary } = request.index;
      return store.append({
        ...clean,
        index: { rows: redactDeep(rows, redact), removed, summary: redact(summary) },
      });
    },
    cachePut: (key, value) => store.cachePut(key, redact(value)),
  };
}

function redactArtifacts(artifacts: Artifacts, redact: Redact): Artifacts {
  return {
    write: (path, content) => artifacts.write(path, redact(content)),
    project: input =>
      artifacts.project({
        state: input.state,
        events: redactDeep(input.events, redact),
        actions: redactDeep(input.actions, redact),
      }),
  };
}

/** A store's methods as plain functions, so that some of them can be replaced. */
function bindAll(store: Store): Store {
  return {
    append: request => store.append(request),
    read: query => store.read(query),
    acquire: request => store.acquire(request),
    renew: (lease, ttlMs) => store.renew(lease, ttlMs),
    release: lease => store.release(lease),
    leases: () => store.leases(),
    nowMs: () => store.nowMs(),
    cacheGet: key => store.cacheGet(key),
    cachePut: (key, value) => store.cachePut(key, value),
    metaGet: key => store.metaGet(key),
    metaPut: (key, value) => store.metaPut(key, value),
    close: () => store.close(),
  };
}
