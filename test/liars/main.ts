import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { CHECK_NAMES, type CheckName } from '../../src/core/check.ts';
import { EXIT_CODES } from '../../src/core/failure.ts';
import { type Case, getSample } from './case.ts';
import { CASES } from './cases/index.ts';
import { RUNNERS } from './kits/kit.ts';
import { type Outcome, playCase, type Stage } from './play-case.ts';
import { openWorkshop } from './workshop.ts';

const HELP = `npm run liars                        every cheat and every piece of honest work, through the built command
npm run liars -- --only <text>       those whose name holds the text: family/name@runner
npm run liars -- --runner pytest     those of one runner (${RUNNERS.join(', ')})
npm run liars -- --sample 30         so many, spread over the families
npm run liars -- --without <check>   with one check switched off
--json    the last line of stdout is the result alone
--keep    leaves the folders of the cases
--list    names the cases and plays none`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    runner: { type: 'string' },
    sample: { type: 'string' },
    without: { type: 'string' },
    jobs: { type: 'string' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else if (values.list) for (const one of getChosen()) console.log(`${one.kind.padEnd(8)} ${one.id}`);
else await judge(getChosen());

function getChosen(): readonly Case[] {
  const { only, runner, sample } = values;
  const found = CASES.filter(
    one => (!runner || one.runner === runner) && (!only || only.some(text => one.id.includes(text))),
  );
  if (found.length === 0) throw new Error('no case has that name: npm run liars -- --list');
  return sample === undefined ? found : getSample(found, Number(sample));
}

async function judge(cases: readonly Case[]): Promise<void> {
  const workshop = openWorkshop({ keep: values.keep });
  const stage: Stage = { workshop, without: getCheck(values.without), keep: values.keep };
  const total = { cheats: 0, caught: 0, honest: 0, rejectedHonest: 0 };
  try {
    await playAll(cases, stage, (one, outcome) => {
      if (one.kind === 'cheat') {
        total.cheats++;
        if (!outcome.landed) total.caught++;
      } else {
        total.honest++;
        if (!outcome.landed) total.rejectedHonest++;
      }
    });
  } finally {
    workshop.close();
  }
  console.log(
    values.json
      ? JSON.stringify(total)
      : `${total.caught} of ${total.cheats} cheats caught, ${total.rejectedHonest} of ${total.honest} honest runs turned away`,
  );
  process.exitCode = total.caught === total.cheats && total.rejectedHonest === 0 ? 0 : EXIT_CODES.unproven;
}

async function playAll(
  cases: readonly Case[],
  stage: Stage,
  onEnd: (one: Case, outcome: Outcome) => void,
): Promise<void> {
  const left = [...cases];
  let done = 0;
  const work = async (): Promise<void> => {
    for (let one = left.shift(); one; one = left.shift()) {
      const outcome = await playCase(one, stage);
      onEnd(one, outcome);
      console.error(`${String(++done).padStart(3)}/${cases.length} ${getLine(one, outcome)}`);
    }
  };
  const jobs = Number(values.jobs ?? availableParallelism());
  await Promise.all(Array.from({ length: jobs }, work));
}

function getLine(one: Case, outcome: Outcome): string {
  const isRight = outcome.landed === (one.kind === 'honest');
  const seconds = `${(outcome.durationMs / 1000).toFixed(1)} s`;
  const why = `${outcome.word}${outcome.decidedBy ? ` by ${outcome.decidedBy}` : ''}: ${outcome.reason}`;
  return `${isRight ? '✔' : '✘'} ${one.kind} ${one.id} (${seconds}) ${why.replaceAll('\n', ' ').slice(0, isRight ? 140 : 1_500)}`;
}

function getCheck(name: string | undefined): CheckName | null {
  if (name === undefined) return null;
  const known = CHECK_NAMES.find(check => check === name);
  if (!known) throw new Error(`there is no check ${name}; there are ${CHECK_NAMES.join(', ')}`);
  return known;
}
