import type { TaskDef } from '../../src/core/model/task.ts';
import type { Backlog, HeldOut } from '../../src/ports/index.ts';
import type { BenchOptions, Files } from '../support/bench.ts';
import type { Chance } from './random.ts';
import { simBacklog } from './sim-project.ts';

/** Every way in which a task can be proven; a held-out test comes with one of the suite. */
export const WAYS = ['suite', 'outside', 'validation', 'both', 'held-out'] as const;
export type Way = (typeof WAYS)[number];
export type Ways = Readonly<Record<string, Way>>;

/** A backlog of tasks proven in random ways, with their tests where they belong and nothing done yet. */
export function createLandedProject(chance: Chance): { readonly ways: Ways; readonly files: Files } {
  const ways: Record<string, Way> = {};
  for (let id = 1; id <= 2 + chance.below(4); id++) ways[id] = chance.pick(WAYS);
  const listed = Object.keys(ways).map(id => [id, { passes: false, dependsOn: [], priority: 0 }]);
  const tests = Object.keys(ways).flatMap(id => {
    const { testFile } = getDef(ways, { id } as TaskDef);
    return testFile === null ? [] : [[testFile, `assert ${id}`]];
  });
  const files = {
    'features.json': JSON.stringify(Object.fromEntries(listed)),
    'package.json': '{}',
    'src/old': 'good',
    'test/old': 'assert old',
    ...Object.fromEntries(tests),
  };
  return { ways, files };
}

/** The codec of the simulated project, with what proves each task. */
export function createLandedBacklog(ways: Ways): Backlog {
  return {
    ...simBacklog,
    parse: text => {
      const parsed = simBacklog.parse(text);
      return {
        ...parsed,
        tasks: parsed.tasks.map(({ def, passes }) => ({ def: getDef(ways, def), passes })),
      };
    },
  };
}

function getDef(ways: Ways, def: TaskDef): TaskDef {
  const way = ways[def.id];
  const testFile = way === 'validation' ? null : `${way === 'outside' ? 'checks' : 'test'}/${def.id}`;
  const command = `check src/v-${def.id}`;
  const validation = way === 'validation' || way === 'both' ? { command, timeoutSeconds: 9 } : null;
  return { ...def, testFile, validation };
}

/** The files of the product that have to be good for the task to be done. */
export function getParts(ways: Ways, id: string): readonly string[] {
  switch (ways[id]) {
    case 'validation':
      return [`src/v-${id}`];
    case 'both':
      return [`src/${id}`, `src/v-${id}`];
    case 'held-out':
      return [`src/${id}`, `src/h-${id}`];
    default:
      return [`src/${id}`];
  }
}

/** What proves the task holds on these files; asked of no check of ours. */
export function isDone(ways: Ways, id: string, files: Files): boolean {
  return getParts(ways, id).every(path => files[path] === 'good');
}

/** Answers what the simulated project cannot: tests outside its suite, validations and held-out tests. */
export const answerLanded: NonNullable<BenchOptions['answer']> = ({ command, idWithoutReport }, files) => {
  const path = /^check (\S+)$/.exec(command)?.[1] ?? getOutside(command);
  if (path === null) return undefined;
  const isGood = files[path] === 'good';
  return {
    exitCode: isGood ? 0 : 1,
    results: [{ id: idWithoutReport, outcome: isGood ? 'passed' : 'failed' }],
  };
};

function getOutside(command: string): string | null {
  const [, folder, id = ''] = /^test (checks|test)\/(\S+)$/.exec(command) ?? [];
  if (folder === 'checks') return `src/${id}`;
  return id.startsWith('h-') ? `src/${id}` : null;
}

/** What is held out stays where it is: the answers above know it without its file. */
export function createLandedHeldOut(ways: Ways): HeldOut {
  return {
    list: async id =>
      ways[id] === 'held-out' ? [{ path: `test/h-${id}`, sha256: `sha-${id}`, text: '' }] : [],
    layFiles: async () => async () => undefined,
  };
}
