import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { getCacheDir } from '../../adapters/process/cache-dir.ts';
import { getToolchainEnv, getWithheld } from '../../adapters/process/toolchain.ts';
import { SETTINGS_WITH_SECRETS } from '../../adapters/sandbox/credentials.ts';
import { readSecrets } from '../../adapters/sandbox/home-plan.ts';
import { BUILD_CACHES } from '../../adapters/sandbox/own-home.ts';
import { getAllProviders } from '../../core/model/policy.ts';
import type { Project } from '../project/open-project.ts';
import { findEnvFiles, getHomes } from '../project/open-sandbox.ts';
import type { Checkup } from './finding.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `harness doctor --sandbox`: what tests and agents do not see of this machine, each with the reason and the way to it. */
export function describeSandbox(project: Project, env: Env): readonly Checkup[] {
  const home = env.HOME ?? homedir();
  return [...describePlaces(project, home), ...describeEnv(project, env)];
}

function describePlaces(project: Project, home: string): readonly Checkup[] {
  const { sandbox } = project.config;
  const toPath = (path: string): string => resolve(project.root, path.replace(/^~(?=\/|$)/, home));
  const named = { readable: sandbox.readable.map(toPath), writable: sandbox.writable.map(toPath) };
  const secrets = readSecrets({ ...named, agents: [] }, home);
  const settings = SETTINGS_WITH_SECRETS.map(name => join(home, name));
  const agents = getHomes(getAllProviders(project.policy)).join(', ');
  const { root, mainRoot, commonDir } = project.repo;
  const hidden = [
    [
      secrets.filter(path => !settings.includes(path)),
      `credentials; agents have their own login${agents && ` (${agents})`}`,
    ],
    [secrets.filter(path => settings.includes(path)), 'settings in which a secret was found'],
    [[...new Set([root, mainRoot])].flatMap(findEnvFiles), 'settings that git does not know'],
    [[project.stateDir, getCacheDir(), commonDir], 'records, trees and the repository itself'],
    [sandbox.hidden.map(toPath), 'sandbox.hidden names it'],
  ] as const;
  const caches = BUILD_CACHES.map(name => join(home, name)).filter(
    path => existsSync(path) && !named.writable.includes(path),
  );
  return [
    ...hidden.flatMap(([paths, why]) =>
      paths.length === 0 ? [] : [toCheckup('hidden', `${why}: ${list(paths)}`)],
    ),
    toCheckup('hidden', 'sockets of services: /run (sandbox.services, for the commands under environment)'),
    toCheckup(
      'private',
      `empty at first and gone with the run: ${list([...new Set(['/tmp', tmpdir()]), ...caches])}`,
    ),
    toCheckup('writable', list(['the tree', ...named.writable])),
    toCheckup('show', 'sandbox.readable shows what is hidden, sandbox.writable shares what is private'),
  ];
}

function describeEnv({ config }: Project, env: Env): readonly Checkup[] {
  const named = [...config.environment.env, ...config.testing.env];
  const passed = [...Object.keys(getToolchainEnv(env)), ...named.filter(name => env[name] !== undefined)];
  const missing = named.filter(name => env[name] === undefined);
  const withheld = getWithheld(env).filter(name => !named.includes(name));
  const seen = new Set([...passed, ...withheld, 'PATH', 'HOME', 'LANG', 'TZ', 'TERM', 'TMPDIR']);
  const behind = Object.keys(env).filter(name => !seen.has(name));
  const fix = 'name them in environment.env if installs, agents and tests may have that login';
  return [
    toCheckup('variables', `seen: ${list(['PATH', 'HOME', 'LANG', 'TZ', ...new Set(passed)])}`),
    toCheckup(
      'variables',
      `stay behind: ${list(behind.sort())} (environment.env and testing.env name what is needed)`,
    ),
    ...(withheld.length === 0
      ? []
      : [{ name: 'variables', status: 'warn', detail: `a login is in ${list(withheld)}`, fix } as const]),
    ...(missing.length === 0
      ? []
      : [
          { name: 'variables', status: 'warn', detail: `${list(missing)}: named, and not set here` } as const,
        ]),
  ];
}

const toCheckup = (name: string, detail: string): Checkup => ({ name, status: 'ok', detail });

function list(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}
