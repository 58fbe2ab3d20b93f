import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import { getUsefulLine } from '../../core/base/text.ts';
import { getPackageEntry, type PackageEntry } from '../../core/gates/package-entry.ts';
import type { TriedProduct } from '../../core/gates/release.ts';
import type { Policy } from '../../core/model/policy.ts';
import type { Ports } from '../../ports/index.ts';
import type { TestRuns } from '../../testruns/test-runs.ts';

interface TryRequest {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly tests: TestRuns;
  readonly tree: string;
  readonly signal: AbortSignal;
  /** The harness's own folder outside of the repository. */
  readonly home: string;
}

type Step = TriedProduct['steps'][number];

/** The product as somebody else gets it: packed or copied, installed in an empty place, started once. */
export async function tryProduct(request: TryRequest): Promise<TriedProduct> {
  const { ports, policy, tests, tree } = request;
  const { workspace } = ports;
  const manifest = await workspace.readFile(tree, 'package.json');
  const entry = getPackageEntry(manifest, (await workspace.blobId(tree, 'index.js')) !== null);
  const isApplication = policy.visual !== null;
  const steps: Step[] = [];
  // A tree that was laid out for it alone, with its dependencies: for what is not packed, that is the request.
  let dir: string;
  try {
    dir = await tests.checkOut({ side: 'candidate', tree });
  } catch (error) {
    const detail = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    return { status: 'failed', steps: [{ what: 'install', ok: false, detail }] };
  }
  steps.push({
    what: 'lay out and install',
    ok: true,
    detail: policy.environment.install ?? 'nothing to install',
  });
  if (entry !== null && !isApplication) return tryPackage(request, entry, dir, steps);
  if (!isApplication) return { status: 'nothing-to-start', steps };
  return startApplication(request, dir, steps);
}

const PLACE = 'release';

async function tryPackage(
  request: TryRequest,
  entry: PackageEntry,
  dir: string,
  steps: Step[],
): Promise<TriedProduct> {
  const { ports, home } = request;
  const box = join(home, PLACE, ports.random.token());
  // As worktrees have it: what a sandbox gives to one of these it keeps from the others.
  const [place, packedTo, ownHome] = [join(box, 'tree'), join(box, 'packed'), join(box, 'home')];
  for (const folder of [place, packedTo, ownHome]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const run = createRunner(request, steps, packedTo);
    const pack = `npm pack --pack-destination ${getShellQuoted(packedTo)}`;
    if (!(await run('pack', pack, dir))) return failed(steps);
    const packed = readdirSync(packedTo).find(name => name.endsWith('.tgz'));
    if (packed === undefined)
      return failed([...steps, { what: 'pack', ok: false, detail: 'no package came of it' }]);
    writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
    const install = `npm install --no-audit --no-fund --omit=dev ${getShellQuoted(join(packedTo, packed))}`;
    if (!(await run('install in an empty place', install, place))) return failed(steps);
    for (const [what, command] of getStarts(entry))
      if (!(await run(what, command, place))) return failed(steps);
    return { status: 'started', steps };
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
}

function getStarts({
  name,
  bins,
  hasMain,
}: PackageEntry): readonly (readonly [what: string, command: string])[] {
  const program = `import(${JSON.stringify(name)}).then(() => process.exit(0))`;
  const load = [`load ${name}`, `node --input-type=module -e ${getShellQuoted(program)}`] as const;
  const help = bins.map(bin => [`${bin} --help`, `./node_modules/.bin/${bin} --help < /dev/null`] as const);
  return help.length > 0 || !hasMain ? help : [load];
}

function createRunner({ ports, policy, signal }: TryRequest, steps: Step[], packedTo: string) {
  return async (what: string, command: string, cwd: string): Promise<boolean> => {
    const timeoutMs = policy.commandTimeoutMs;
    const { exitCode, timedOut, output } = await ports.shell.run({
      command,
      cwd,
      timeoutMs,
      signal,
      writable: [packedTo],
    });
    signal.throwIfAborted();
    const ok = exitCode === 0;
    const why = timedOut ? 'ran out of time' : `exit ${exitCode}: ${getUsefulLine(output)}`;
    // Paths of this one time would make every report another.
    const shown = command.replaceAll(`${packedTo}/`, '').replace(packedTo, '.');
    steps.push({ what, ok, detail: ok ? shown : `${shown}: ${ports.redact?.(why) ?? why}` });
    return ok;
  };
}

async function startApplication(
  { ports, policy, tests, signal }: TryRequest,
  dir: string,
  steps: Step[],
): Promise<TriedProduct> {
  const { browser } = ports;
  if (policy.visual === null || !browser) return { status: 'nothing-to-start', steps };
  const { command, url, readyMs } = policy.visual;
  const surroundings = await tests.openSurroundings();
  const asked = { dir, command, url, readyMs, pages: [], viewports: [], signal, surroundings };
  const { problem } = await browser.capture(asked);
  const detail = problem === null ? `${command}: answers` : (ports.redact?.(problem) ?? problem);
  steps.push({ what: 'start', ok: problem === null, detail: detail.split('\n', 1)[0] ?? '' });
  return problem === null ? { status: 'started', steps } : failed(steps);
}

function failed(steps: readonly Step[]): TriedProduct {
  return { status: 'failed', steps };
}
