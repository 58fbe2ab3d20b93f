import type { Command } from './command/define-command.ts';

/** Every command by its name, in the order of its group; only the one that was asked for is loaded. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./commands/work/init.ts')).init,
  add: async () => (await import('./commands/work/add.ts')).add,
  doctor: async () => (await import('./commands/care/doctor.ts')).doctor,
  run: async () => (await import('./commands/work/run.ts')).run,
  status: async () => (await import('./commands/look/status.ts')).status,
  inbox: async () => (await import('./commands/people/questions.ts')).inbox,
  approve: async () => (await import('./commands/people/review.ts')).approve,
  verify: async () => (await import('./commands/work/verify.ts')).verify,
  plan: async () => (await import('./commands/work/plan.ts')).plan,
  'add-feature': async () => (await import('./commands/work/plan.ts')).addFeature,
  split: async () => (await import('./commands/work/plan.ts')).split,
  import: async () => (await import('./commands/care/backlog-files.ts')).importTasks,
  validate: async () => (await import('./commands/care/validate.ts')).validate,
  export: async () => (await import('./commands/care/backlog-files.ts')).exportTasks,
  migrate: async () => (await import('./commands/care/records.ts')).migrate,
  loop: async () => (await import('./commands/work/loop.ts')).loop,
  tasks: async () => (await import('./commands/look/status.ts')).tasks,
  next: async () => (await import('./commands/look/status.ts')).next,
  cleanup: async () => (await import('./commands/people/next-session.ts')).cleanup,
  drop: async () => (await import('./commands/people/next-session.ts')).drop,
  recover: async () => (await import('./commands/work/recover.ts')).recover,
  reset: async () => (await import('./commands/care/records.ts')).reset,
  skip: async () => (await import('./commands/people/decisions.ts')).skip,
  answer: async () => (await import('./commands/people/questions.ts')).answer,
  'manual-verify': async () => (await import('./commands/people/review.ts')).manualVerify,
  override: async () => (await import('./commands/people/decisions.ts')).override,
  handoff: async () => (await import('./commands/people/hand-over.ts')).handoff,
  takeback: async () => (await import('./commands/people/hand-over.ts')).takeback,
  pause: async () => (await import('./commands/people/control.ts')).pause,
  resume: async () => (await import('./commands/people/control.ts')).resume,
  stop: async () => (await import('./commands/people/control.ts')).stop,
  abort: async () => (await import('./commands/people/control.ts')).abort,
  report: async () => (await import('./commands/look/report.ts')).report,
  log: async () => (await import('./commands/look/log.ts')).log,
  checkpoints: async () => (await import('./commands/look/checkpoints.ts')).checkpoints,
  proof: async () => (await import('./commands/look/proof.ts')).proof,
  audit: async () => (await import('./commands/look/audit.ts')).audit,
  health: async () => (await import('./commands/look/health.ts')).health,
  demo: async () => (await import('./commands/care/demo.ts')).demo,
  version: async () => (await import('./commands/care/records.ts')).version,
  completion: async () => (await import('./commands/care/completion.ts')).completion,
  man: async () => (await import('./commands/care/completion.ts')).man,
  look: async () => (await import('./commands/care/inner.ts')).look,
  mcp: async () => (await import('./commands/care/inner.ts')).mcp,
};

/** All of them: for help, completion and the man page. */
export function loadCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(COMMANDS).map(load => load()));
}
