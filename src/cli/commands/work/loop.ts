import { type ObjectiveInput, type ObjectiveResult, runObjective } from '../../../app/run/run-objective.ts';
import { EXIT_CODES } from '../../../core/base/failure.ts';
import { defineCommand } from '../../command/define-command.ts';
import { count, optional, text, yes } from '../../command/flags.ts';
import { getRunExitCode, getStopText } from '../../render/run-end.ts';
import { withReporter } from '../../render/watch.ts';

export const loop = defineCommand({
  name: 'loop',
  group: 'working',
  summary: 'Repeat one objective, with a fresh context each time, until it is proven.',
  args: { objective: optional('what is to be reached; not needed with --resume') },
  flags: {
    check: text('<command>', 'succeeds once it is reached; run by the harness on a clean tree'),
    promiseOnly: yes('without a check: what the agent promises counts, and lands unproven'),
    completionPromise: text('<text>', 'what the agent says when it is done; default: TASK_COMPLETE'),
    maxIterations: count('<n>', 'sessions in all; default: 10'),
    resume: text('[run]', 'continue an earlier one, by its id; the newest where none is named'),
    runId: text('<run>', 'the id of a new one, or with --resume of the one to continue'),
  },
  examples: [
    'harness loop "All examples in docs/ run" --check "npm run docs:test"',
    'harness loop --resume loop-1 --max-iterations 20',
  ],
  run: (project, input, { io, json }) => {
    const onStart = (run: string, openScripts: readonly string[]) => {
      if (!json) io.err(`run ${run}   (continue later: harness loop --resume ${run})`);
      for (const script of openScripts)
        io.err(
          `note: the agent may change ${script}; if it judges the work, add it to verification.protected`,
        );
    };
    const goOn = 'harness loop --resume continues where it stopped';
    const asked = { ...input, ...getRun(input) };
    return withReporter(io, json, watch => runObjective(project, { ...asked, ...watch, onStart }), goOn);
  },
  render: result => [...getOutcome(result), `next: ${result.next}`],
  // What was not reached on the way there is past.
  exitCode: result =>
    getRunExitCode(result.landed ? { ...result, stopped: 'all-done', attempts: [] } : result) ||
    (result.landed ? 0 : EXIT_CODES.unproven),
});

/** `--resume --run-id x` is `--resume x`; a flag without a value is `true`. */
function getRun({
  resume,
  runId,
}: {
  readonly resume?: string | boolean;
  readonly runId?: string;
}): Pick<ObjectiveInput, 'resume' | 'runId'> {
  if (resume === undefined) return {};
  return { resume: typeof resume === 'string' ? resume : (runId ?? '') };
}

function getOutcome(result: ObjectiveResult): readonly string[] {
  const { run, landed, unproven, commit, iterations, maxIterations, reason } = result;
  if (landed) {
    const times = iterations === 1 ? 'one iteration' : `${iterations} iterations`;
    const how = unproven ? ', UNPROVEN: by the promise alone' : '';
    return [`${run}: reached in ${times}, landed as ${commit?.slice(0, 10)}${how}`];
  }
  const why = reason?.split('\n', 1)[0] ?? getStopText(result);
  const isUsedUp = result.stopped === 'nothing-ready' && iterations >= maxIterations;
  return [
    `${run}: not reached in ${iterations} of ${maxIterations} iterations: ${why}`,
    `stopped: ${isUsedUp ? `all ${maxIterations} iterations are used up` : getStopText(result)}`,
  ];
}
