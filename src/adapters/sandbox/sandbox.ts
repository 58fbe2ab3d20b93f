import { lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { HarnessError } from '../../core/base/failure.ts';
import type { PlainCommand, Sandbox, WrappedCommand } from '../../ports/index.ts';
import { getBwrapArgs } from './bwrap-args.ts';
import { getRegistryEnv, hasSecret, MACHINE_SECRETS } from './credentials.ts';
import { readHomePlan, type SandboxSettings } from './home-plan.ts';
import { isInside, isReadable, readReal, readText } from './real-path.ts';
import type { SandboxMount, SandboxPlan } from './sandbox-plan.ts';

/** Starts programs in bubblewrap by a project's settings. */
export function createSandbox(settings: SandboxSettings): Sandbox {
  return { wrap: command => wrapCommand(settings, command) };
}

/**
 * The environment goes to bubblewrap as it is: what it were told to drop could still be read from the
 * environment of its own process, which is the first one inside.
 */
function wrapCommand(settings: SandboxSettings, command: PlainCommand): WrappedCommand {
  const plan = readSandboxPlan(settings, {
    cwd: command.cwd,
    path: command.env.PATH ?? '',
    box: command.box,
    readable: command.readable ?? [],
    writable: command.writable ?? [],
    isCwdReadOnly: command.isCwdReadOnly ?? false,
  });
  const env = { ...readRegistryEnv(settings.home), ...command.env, TMPDIR: '/tmp' };
  const args = [...getBwrapArgs(plan), '--', command.file, ...command.args];
  const filter = getKeyringFilter(process.arch);
  if (filter === null) return { file: settings.bwrap, args, env };
  const filterFile = join(command.box, 'filter.bpf');
  writeFileSync(filterFile, filter, { mode: 0o600 });
  return { file: '/bin/sh', args: ['-c', WITH_FILTER, filterFile, settings.bwrap, ...args], env };
}

/** Bubblewrap takes the filter as an open file; a shell opens it, so that any spawner will do. */
const WITH_FILTER = 'exec 9<"$0"; bwrap=$1; shift; exec "$bwrap" --seccomp 9 "$@"';

/** The registry is worth knowing even when the token beside it is not for the agent. */
function readRegistryEnv(home: string): Record<string, string> {
  const npmrc = readText(join(home, '.npmrc'));
  return hasSecret(npmrc) ? getRegistryEnv(npmrc) : {};
}

/** The same as a program of its own, for agent SDKs that want a path to start. */
export function getWrapperScript({ file, args }: WrappedCommand): string {
  const words = [file, ...args].map(word => `'${word.replaceAll("'", `'\\''`)}'`);
  return `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`;
}

/**
 * A seccomp program that takes the kernel's key store away: keys belong to the login session, which no
 * namespace separates, and Kerberos tickets are kept there. Null where we do not know the numbers.
 */
export function getKeyringFilter(arch: string): Buffer | null {
  const tables = TABLES[arch];
  if (!tables) return null;
  const checks = tables.map(({ numbers }) => [
    ...numbers.map((number, index) => [JUMP_IF_EQUAL, numbers.length - index, 0, number] as const),
    [RETURN, 0, 0, ALLOW] as const,
    [RETURN, 0, 0, REFUSE] as const,
  ]);
  const program: Instruction[] = [[LOAD, 0, 0, ARCH_OFFSET]];
  for (const [index, { audit, mask }] of tables.entries()) {
    const check = checks[index] ?? [];
    const body: Instruction[] = [[LOAD, 0, 0, NUMBER_OFFSET], [AND, 0, 0, mask], ...check];
    program.push([JUMP_IF_EQUAL, 0, body.length, audit], ...body);
  }
  program.push([RETURN, 0, 0, REFUSE]);
  return getBytes(program);
}

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number];

/** struct seccomp_data: the call's number, then the architecture it was made for. */
const NUMBER_OFFSET = 0;
const ARCH_OFFSET = 4;
const LOAD = 0x20;
const AND = 0x54;
const JUMP_IF_EQUAL = 0x15;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
/** The call answers ENOSYS, as on a kernel built without keys. */
const REFUSE = 0x00050000 | 38;

const ALL_BITS = 0xffffffff;
/** The x32 calls of x86-64 carry this bit. */
const WITHOUT_X32 = 0xbfffffff;

interface CallTable {
  readonly audit: number;
  readonly mask: number;
  /** add_key, request_key, keyctl. */
  readonly numbers: readonly [number, number, number];
}

const TABLES: Readonly<Record<string, readonly CallTable[]>> = {
  x64: [
    { audit: 0xc000003e, mask: WITHOUT_X32, numbers: [248, 249, 250] },
    { audit: 0x40000003, mask: ALL_BITS, numbers: [286, 287, 288] },
  ],
  arm64: [
    { audit: 0xc00000b7, mask: ALL_BITS, numbers: [217, 218, 219] },
    { audit: 0x40000028, mask: ALL_BITS, numbers: [309, 310, 311] },
  ],
};

function getBytes(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, jumpTrue, jumpFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jumpTrue, index * 8 + 2);
    bytes.writeUInt8(jumpFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}

/** What is to run, as far as the sandbox has to know it. */
interface SandboxVisit {
  readonly cwd: string;
  /** PATH of the process. */
  readonly path: string;
  /** A fresh folder of this run, made by us and removed by us. */
  readonly box: string;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly isCwdReadOnly?: boolean;
}

/** Looks at the machine as it is now and resolves what this process will see of it. */
function readSandboxPlan(settings: SandboxSettings, visit: SandboxVisit): SandboxPlan {
  const places = readSharedPlaces(visit.box);
  const home = readHomePlan(settings, visit);
  const shared = places.map(({ at }) => at);
  const hidden = [...settings.hidden, ...home.covered, ...MACHINE_SECRETS.filter(isReadable)]
    .flatMap(readReal)
    .filter(path => !isAsWideAs(path, [...shared, ...home.opened]));
  const closed = [...shared, ...hidden];
  const views = [...settings.readable, ...visit.readable, ...getToolFolders(visit.path), '/etc/resolv.conf'];
  const mounts: readonly SandboxMount[] = [
    ...places,
    ...home.mounts,
    ...hidden.map(readCover),
    ...readDenied(settings.denied ?? [], visit.cwd),
    ...readPrograms(settings.deniedPrograms ?? [], visit.path).map(readCover),
    ...getViews(views.flatMap(readReal), closed, home.opened),
    ...[...settings.writable, ...visit.writable]
      .flatMap(readReal)
      .map(at => ({ kind: 'writable', at }) as const),
    { kind: visit.isCwdReadOnly ? 'read-only' : 'writable', at: checkTree(visit.cwd) },
  ];
  const isRoot = process.getuid?.() === 0;
  return { cwd: visit.cwd, network: settings.network, isRoot, mounts, features: settings.features };
}

/** Folders that everybody uses become the run's own, and the sockets of the machine's services go away. */
function readSharedPlaces(box: string): readonly SandboxMount[] {
  const shared = [...new Set(['/tmp', '/var/tmp', tmpdir()].flatMap(readReal))];
  const services = [...new Set(['/run', '/var/run', '/mnt/wslg'].flatMap(readReal))];
  return [
    ...shared.map((at, index) => {
      const from = join(box, `tmp-${index}`);
      mkdirSync(from, { recursive: true, mode: 0o700 });
      return { kind: 'private', at, from } as const;
    }),
    ...services.map(at => ({ kind: 'empty-folder', at }) as const),
  ];
}

function readCover(at: string): SandboxMount {
  return { kind: lstatSync(at).isDirectory() ? 'empty-folder' : 'empty-file', at };
}

/** Nothing works in the tree when this is read, so that a path without links stays one until it is covered. */
function readDenied(denied: readonly string[], cwd: string): readonly SandboxMount[] {
  return denied
    .map(path => join(cwd, path))
    .filter(path => readReal(path)[0] === path)
    .map(path => ({ ...readCover(path), isInTree: true }) as SandboxMount);
}

/** Where a program's file is; one that is the same file as others under other names is left alone. */
function readPrograms(names: readonly string[], path: string): readonly string[] {
  const folders = path.split(':').filter(isAbsolute);
  const files = names.flatMap(name => folders.flatMap(folder => readReal(join(folder, name))));
  return [...new Set(files)].filter(file => names.includes(basename(file)) && !lstatSync(file).isDirectory());
}

/**
 * Windows onto what would otherwise be out of sight because it lies in a closed place. None may be as
 * wide as a place that was made private or is hidden: it would bring back all that is in there.
 */
function getViews(
  paths: readonly string[],
  closed: readonly string[],
  opened: readonly string[],
): readonly SandboxMount[] {
  return paths
    .filter(path => closed.some(place => isInside(path, place)))
    .filter(path => !isAsWideAs(path, [...closed, ...opened]))
    .map(at => ({ kind: 'read-only', at }));
}

function isAsWideAs(path: string, places: readonly string[]): boolean {
  return places.some(place => place === path || isInside(place, path));
}

/** Programs may live below a folder that becomes private, such as a Node unpacked in /tmp. */
function getToolFolders(path: string): readonly string[] {
  const folders = [...path.split(':'), dirname(process.execPath)].filter(isAbsolute);
  return folders.flatMap(folder => (folder.endsWith('/bin') ? [folder, dirname(folder)] : [folder]));
}

/** An agent that replaced its own folder by a link would have us open the link's target to it. */
function checkTree(cwd: string): string {
  if (lstatSync(cwd).isDirectory() && realpathSync(cwd) === cwd) return cwd;
  throw new HarnessError('environment', `${cwd} is reached through a link, so nothing is started in it`, {
    file: cwd,
    fix: 'Use a folder whose path holds no links.',
  });
}
