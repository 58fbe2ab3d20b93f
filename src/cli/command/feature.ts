import { type Command, Option } from 'commander';
import { HarnessError } from '../../core/base/failure.ts';
import type { GivenByName } from './flags.ts';

/** Where a command is told its task: as an argument, as several, or as a flag. */
type Place = 'argument' | 'several' | 'flag';

function getPlace(args: GivenByName, flags: GivenByName): Place | null {
  if (args.task) return 'argument';
  if (args.tasks) return 'several';
  return flags.task ? 'flag' : null;
}

/** `--feature 12` names the task wherever a command takes one: others spell it so. */
export function declareFeature(parser: Command, args: GivenByName, flags: GivenByName): void {
  const place = getPlace(args, flags);
  if (place === null) return;
  const same = { argument: '<task>', several: '<tasks>', flag: '--task' }[place];
  parser.addOption(new Option('--feature <id>', `the same as ${same}`));
}

/** What a command is given: the task is where it would be had it been said the other way. */
export function takeFeature(
  { feature, ...input }: Readonly<Record<string, unknown>>,
  args: GivenByName,
  flags: GivenByName,
): Readonly<Record<string, unknown>> {
  const place = getPlace(args, flags);
  if (place === 'several') {
    const tasks = (input.tasks ?? []) as readonly string[];
    return { ...input, tasks: feature === undefined ? tasks : [...tasks, feature] };
  }
  const task = input.task ?? feature;
  if (feature !== undefined && task !== feature)
    throw new HarnessError('usage', 'the task and --feature name different tasks', {
      field: '--feature',
      fix: 'name it once',
    });
  if (place === 'argument' && args.task?.isAlways && task === undefined)
    throw new HarnessError('usage', "missing required argument 'task'", {
      field: '<task>',
      fix: 'harness status shows the tasks',
    });
  return task === undefined ? input : { ...input, task };
}
