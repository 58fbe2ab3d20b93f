import { getReach } from '../../core/base/graph.ts';
import type { Problem } from './problem.ts';

type Entry = Readonly<Record<string, unknown>>;

/** What harness-loop asks of its tasks besides what reading them needs. */
export function checkLoopTasks(
  entries: readonly unknown[],
  phases: Readonly<Record<string, string>>,
): Problem[] {
  const tasks = entries.map(entry => Object(entry) as Entry);
  return [
    ...tasks.flatMap((task, i) => [
      ...checkId(task, `tasks[${i}]`, phases),
      ...checkCriteria(task, `tasks[${i}]`),
    ]),
    ...findOverlaps(tasks),
  ];
}

function checkId({ id, phase }: Entry, at: string, phases: Readonly<Record<string, string>>): Problem[] {
  const names = Object.keys(phases).join(', ');
  if (typeof phase !== 'string' || !Object.hasOwn(phases, phase)) {
    const message = phase === undefined ? 'is missing' : `cannot be ${JSON.stringify(phase)}`;
    return [{ field: `${at}.phase`, message, fix: `Write one of ${names}.` }];
  }
  const prefix = phases[phase] as string;
  const rest = String(id).startsWith(prefix) ? String(id).slice(prefix.length) : '';
  if (/^(?:[a-z]+-)*\d+$/.test(rest)) return [];
  const message = `is ${JSON.stringify(id)}: ids of the phase ${phase} are ${prefix} and a number`;
  return [
    {
      field: `${at}.id`,
      message,
      fix: `Call it ${prefix}1 or the next free number, or give it the phase of its id.`,
    },
  ];
}

function checkCriteria({ acceptance_criteria: criteria }: Entry, at: string): Problem[] {
  if (Array.isArray(criteria) && criteria.length > 0) return [];
  const fix = 'Say what has to be true once the task is done, one sentence each.';
  return [{ field: `${at}.acceptance_criteria`, message: 'has nothing in it', fix }];
}

/** Two tasks that write one file have to come one after the other. */
function findOverlaps(tasks: readonly Entry[]): Problem[] {
  const reach = getReach(
    tasks.map(task => ({ id: String(task.id), dependsOn: getTexts(task, 'dependencies', 'depends_on') })),
  );
  const writers = new Map<string, string[]>();
  const problems: Problem[] = [];
  for (const [i, task] of tasks.entries()) {
    const id = String(task.id);
    for (const file of new Set(getTexts(task, 'output_files', 'outputs'))) {
      const others = writers.get(file) ?? [];
      const apart = others.filter(other => other !== id && !reach(id).has(other) && !reach(other).has(id));
      if (apart.length > 0) {
        const message = `has ${file}, which ${apart.join(', ')} ${apart.length === 1 ? 'writes' : 'write'} as well, and neither waits for the other`;
        problems.push({
          field: `tasks[${i}].output_files`,
          message,
          fix: `Let ${id} depend on ${apart.at(-1)}, or give each a file of its own.`,
        });
      }
      writers.set(file, [...others, id]);
    }
  }
  return problems;
}

function getTexts(task: Entry, ...names: readonly string[]): string[] {
  const value = names.map(name => task[name]).find(found => found !== undefined);
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
}
