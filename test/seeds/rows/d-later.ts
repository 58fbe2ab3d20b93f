import type { Later, LaterPart, Row } from '../behaviour.ts';

/** What harness-loop has and comes later. */
export const LOOP_LATER: readonly Row[] = [
  ...list('D3', 'phases', [
    'bugs are read from {"bugs":[{description, affected_files, suggested_fix, severity}]}',
    'a bug of fewer than five lines is fixed in place',
    'a bug becomes an eng-fix task with the dependencies of the QA task',
    'the QA task waits for its fixes and is run again',
    'at most three rounds for one QA task',
    'at most eight fix tasks in a project',
    'what is left is listed as known issues in the final report',
  ]),
  ...list('D5', 'control room', [
    'a worker in the background with .harness/worker.pid',
    'its output in .harness/worker.log, one line for each move',
    'a second worker is refused; a stale pid and old signals are cleared',
    'the same in the foreground by a flag',
  ]),
  ...list('D7', 'control room', [
    'HARNESS_TG_TOKEN and HARNESS_TG_CHAT_ID send messages to Telegram',
    'a message that cannot be sent fails no run',
    'without a token or a chat it says so and goes on',
    'the chat is also taken from metadata.telegram_chat_id',
    'worker started, batch, task done, task failed, task blocked',
    'no progress, paused, stopped, all done',
    'a summary at the end of each phase',
  ]),
  ...list('D8', 'workers', [
    'the size of a batch by what the machine can take',
    'Centurion is asked where it answers, own measurement is used elsewhere',
    'memory pressure: at most two at warn, one and a pause at critical',
    'still critical after the pause: the run stops and tells',
  ]),
  ...list('D9', 'control room', [
    'requirements and plan in a chat, work in the background',
    'the markers of a session that a bot chains',
    'a resumed project gives its summary before it goes on',
  ]),
  ...list('D11', 'plugin', [
    'install as a skill for all projects, or for one',
    'uninstall takes it away',
    '/harness-loop inside a session',
    'the references and prompts that come with it',
  ]),
];

function list(row: string, later: LaterPart, asked: readonly string[]): readonly Later[] {
  return asked.map((what, at) => ({ id: `${row}.${at + 1}`, asked: what, later }));
}
