import type { Ports } from '../../src/ports/index.ts';
import type { Failpoints } from './failpoints.ts';

const WATCHED = ['store', 'workspace', 'tests', 'shell', 'agent', 'artifacts', 'workers'] as const;

/** Calls that take their time: these can also be cut off in the middle. */
const SLOW = new Set(['agent.run', 'tests.run', 'shell.run']);
const MIDDLE_MS = 25;

/** The same ports with a failpoint before and after every call. */
export function watchPorts(ports: Ports, points: Failpoints): Ports {
  const watched = WATCHED.map(name => [name, watchPort(name, ports[name], points)] as const);
  return { ...ports, ...Object.fromEntries(watched) };
}

function watchPort<T extends object>(port: string, target: T, points: Failpoints): T {
  return new Proxy(target, {
    get: (object, key) => {
      const value = Reflect.get(object, key) as unknown;
      if (typeof value !== 'function') return value;
      const name = `${port}.${String(key)}`;
      return async (...args: unknown[]): Promise<unknown> => {
        const steps = name === 'store.append' ? getBatchSteps(args) : [];
        points.pass(`${name}:before`);
        const cutOff = SLOW.has(name) && points.isDue(`${name}:during`);
        if (cutOff) setTimeout(() => points.die(), MIDDLE_MS);
        const result = await (Reflect.apply(value, object, args) as Promise<unknown>);
        if (cutOff) points.die();
        points.pass(`${name}:after`);
        for (const step of steps) points.pass(`${name}@${step}:after`);
        return result;
      };
    },
  });
}

/** What is being recorded of the merge queue: a place of its own for each, because many other facts come in between. */
function getBatchSteps([request]: readonly unknown[]): readonly string[] {
  const { events = [] } = request as { events?: readonly { readonly type: string }[] };
  return events.flatMap(({ type }) => (/^(batch|candidate\.queued)/.test(type) ? [type] : []));
}
