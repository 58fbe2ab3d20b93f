import { HarnessError } from '../core/base/failure.ts';
import type { Policy } from '../core/model/policy.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { Ports } from '../ports/index.ts';

interface Ground {
  readonly ports: Pick<Ports, 'workspace' | 'backlog'>;
  readonly policy: Policy;
}

/** Where the agent will work is there, and holds the project. */
export async function checkDirectory({ ports, policy }: Ground, { slot, dir }: Attempt): Promise<string> {
  const onDisk = await ports.workspace.hashes(slot, [policy.backlogPath]);
  if (dir !== null && onDisk[policy.backlogPath]) return dir;
  throw new HarnessError(
    'environment',
    `${dir} does not hold the project: ${policy.backlogPath} is missing`,
    {
      fix: 'run again: the worktree is created anew',
    },
  );
}

/** The files that steer the work are in the commit it starts from, and can be read. */
export async function checkFiles({ ports, policy }: Ground, { base }: Attempt): Promise<string> {
  const { workspace, backlog } = ports;
  const text = await workspace.readFile(base, policy.backlogPath);
  if (text === null) throw getMissing(policy.backlogPath, 'paths.features');
  // Tasks that wait for each other are asked about; the others can go on.
  backlog.parse(text, { cycles: 'allow' });
  const { init, reset } = policy.environment;
  const scripts = [
    { field: 'environment.init', path: getScript(init) },
    { field: 'environment.reset', path: getScript(reset) },
  ];
  const found = [policy.backlogPath];
  for (const { field, path } of scripts) {
    if (path === null) continue;
    if ((await workspace.blobId(base, path)) === null) throw getMissing(path, field);
    found.push(path);
  }
  return found.join(', ');
}

/** The repository can be worked on, and still stands where the attempt began. */
export async function checkGit({ ports }: Ground, { base }: Attempt): Promise<string> {
  const { ref, commit } = await ports.workspace.tip();
  const short = commit.slice(0, 10);
  return commit === base ? `${ref} at ${short}` : `${ref} has moved on to ${short}`;
}

/** The committed script that a command starts, where it plainly starts one. */
function getScript(command: string | null): string | null {
  return (
    /^(?:(?:ba|da|z)?sh\s+(?:\.\/)?|\.\/)([\w./-]+\.sh)(?:\s|$)/.exec(command?.trim() ?? '')?.[1] ?? null
  );
}

function getMissing(path: string, field: string): HarnessError {
  return new HarnessError('environment', `${path} is not committed on the base branch`, {
    file: path,
    field,
    fix: `commit ${path}, or change ${field}`,
  });
}
