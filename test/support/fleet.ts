import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CliResult, makeProject, runCli, runJson } from './cli.ts';
import { git, makeTempDir } from './git-fixture.ts';

/** A host of a fleet: a clone, a home and a cache of its own, on a remote and a store that it shares. */
export class Host {
  readonly clone: string;
  readonly env: Readonly<Record<string, string>>;

  constructor(name: string, remote: string, storeUrl: string) {
    const dir = join(makeTempDir(), name);
    this.clone = join(dir, 'project');
    const [home, cache] = [join(dir, 'home'), join(dir, 'cache')];
    for (const one of [home, cache]) mkdirSync(one, { recursive: true });
    git(dir, 'clone', '-q', remote, this.clone);
    this.env = {
      ...{ HOME: home, HARNESS_CACHE_DIR: cache, HARNESS_HOST_ID: name },
      ...{ HARNESS_STORE_URL: storeUrl, SSH_AUTH_SOCK: '/nowhere/agent.sock', GIT_ASKPASS: 'false' },
    };
  }

  harness(...args: readonly string[]): Promise<CliResult> {
    return runCli(this.clone, args, this.env);
  }

  json<T = Record<string, unknown>>(...args: readonly string[]): Promise<T> {
    return runJson<T>(this.clone, args, this.env);
  }
}

/** The sample project with other files, in a bare repository that every host can reach. */
export function makeRemote(files: Readonly<Record<string, string>>): string {
  const seed = makeProject(files);
  const remote = join(dirname(seed), 'remote.git');
  git(dirname(seed), 'clone', '-q', '--bare', seed, remote);
  return remote;
}
