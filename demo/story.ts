import type { Style } from '../src/cli/terminal/style.ts';
import type { Verdict } from '../src/core/model/check.ts';
import type { RunListener } from './play-run.ts';
import type { ToldEvent } from './run-harness.ts';
import { HALF_DONE_FILE } from './shop-files.ts';

/** Tells the night as it happens: who said what, and what the harness made of it. */
export function createStory(say: (text: string) => void, style: Style): RunListener {
  const titles = new Map<string, string>();
  return {
    onEvent(event) {
      if (event.type === 'backlog.synced') for (const { id, title } of event.upserted) titles.set(id, title);
      for (const line of getLines(event, titles, style)) say(line);
    },
    onKilled(pid, strays) {
      const left = strays === 0 ? '' : ` What the agent had started runs on (${strays} processes).`;
      say(agent(`has written half of ${HALF_DONE_FILE} …`));
      say(`\n  ${style.warn(`⚡ kill -9 ${pid}`)}   The harness is dead, in the middle of a session.${left}`);
    },
    onRestart: () => say(`     ${style.dim('$ harness run --all')}   It is started again.`),
  };
}

/** What an attempt did wrong, in the words of the table. */
export function getMisdeed(verdict: Verdict): string {
  return MISDEEDS[verdict.decidedBy ?? ''] ?? 'did not do it';
}

const MISDEEDS: Readonly<Record<string, string>> = {
  claim: 'claimed without doing',
  protected: 'weakened a test',
  'fail-to-pass': 'failed its own test',
  'pass-to-pass': 'broke an older test',
};

const OBJECTIONS: Readonly<Record<string, string>> = {
  claim: 'nothing was changed; a claim is only a claim',
  protected: 'an approved test was changed; green like that proves nothing',
  'fail-to-pass': "the task's own test does not pass",
  'pass-to-pass': 'a test that passed before does not pass any more',
};

function getLines(event: ToldEvent, titles: ReadonlyMap<string, string>, style: Style): string[] {
  switch (event.type) {
    case 'attempt.started': {
      const again = event.attempt > 1 ? style.dim(`  try ${event.attempt}`) : '';
      return ['', `  ${style.bold(`${event.task}  ${titles.get(event.task) ?? ''}`)}${again}`];
    }
    case 'attempt.taken-over':
      return [harness('finds the attempt of the one that was shot, and ends what is left of it')];
    case 'session.ended':
      if (event.outcome === 'interrupted') return [harness('keeps the half-done work for the next try')];
      return [agent(event.outcome === 'claimed' ? `“${event.summary}”` : event.outcome)];
    case 'verdict.given':
      return event.verdict.word === 'proven'
        ? []
        : getRejection(event.verdict, style).map((text, at) =>
            at === 0 ? harness(text) : `              ${text}`,
          );
    case 'attempt.sent-back':
      return [harness('sends it back with what was found')];
    case 'task.landed':
      return [harness(`${style.good('✔ proven')}, landed as ${event.commit.slice(0, 7)}`)];
    default:
      return [];
  }
}

function agent(text: string): string {
  return `     agent    ${text}`;
}

function harness(text: string): string {
  return `     harness  ${text}`;
}

/** Why something did not land, and where that shows. */
export function getRejection(verdict: Verdict, style: Style): string[] {
  const objection = OBJECTIONS[verdict.decidedBy ?? ''] ?? verdict.reason;
  const line = `${style.bad('✘ no')}, ${objection}`;
  return verdict.decidedBy === 'claim' ? [line] : [line, style.dim(`     ${getFinding(verdict)}`)];
}

/** The first finding, as far as a line takes it. */
function getFinding(verdict: Verdict): string {
  const [line = verdict.reason] = (verdict.findings[0] ?? verdict.reason).split(/\n|; | passed before| — /);
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}
