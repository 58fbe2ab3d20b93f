import type { Detection, RepoView, TestWay } from './detection.ts';

/** A kind of project of which one tool does everything: what tells of it, and what it is run with. */
interface Row {
  readonly language: string;
  readonly isIt: (view: RepoView) => boolean | Promise<boolean>;
  readonly read: (view: RepoView) => Promise<Found>;
}

type Found = Partial<Omit<Detection, 'notes'>> & {
  readonly ways: readonly TestWay[];
  readonly notes?: readonly string[];
};

const has =
  (pattern: RegExp) =>
  ({ files }: RepoView): boolean =>
    [...files].some(path => pattern.test(path));

const ROWS: readonly Row[] = [
  { language: 'go', isIt: has(/^go\.mod$/), read: readGo },
  { language: 'rust', isIt: has(/^Cargo\.toml$/), read: readRust },
  { language: 'php', isIt: has(/^phpunit\.xml(?:\.dist)?$|^composer\.json$/), read: readPhp },
  { language: 'ruby', isIt: has(/^\.rspec$|^Gemfile$|^Rakefile$|^spec\/.*_spec\.rb$/), read: readRuby },
  { language: 'elixir', isIt: has(/^mix\.exs$/), read: readElixir },
  { language: 'java', isIt: has(/^pom\.xml$/), read: readMaven },
  { language: 'java', isIt: has(/^build\.gradle(?:\.kts)?$/), read: readGradle },
  { language: 'dotnet', isIt: has(/\.(?:sln|slnx|csproj|fsproj)$/), read: readDotnet },
  { language: 'deno', isIt: has(/^deno\.jsonc?$/), read: readDeno },
  { language: 'bun', isIt: has(/^bunfig\.toml$|^bun\.lockb?$/), read: readBun },
  { language: 'c', isIt: hasCtest, read: readCmake },
];

/** Projects of every language that has a row here and none of its own files. */
export async function detectOther(view: RepoView): Promise<Detection | null> {
  for (const { language, isIt, read } of ROWS) {
    if (!(await isIt(view))) continue;
    const { ways, ...more } = await read(view);
    const [first, ...others] = ways;
    if (first === undefined) continue;
    return {
      ...{ language, name: null, packageManager: null, install: null, lint: null, notes: [], ...more },
      ...{
        runner: first.runner,
        full: first.full,
        report: first.report ?? null,
        feature: first.feature ?? null,
      },
      otherWays: others,
    };
  }
  return null;
}

const getCommand = (full: string, feature: string | null = null): TestWay => ({
  runner: 'command',
  full,
  feature,
});

async function readGo(view: RepoView) {
  const module = /^module\s+(\S+)/m.exec(await view.readText('go.mod'))?.[1];
  const name = module?.split('/').findLast(part => !/^v\d+$/.test(part)) ?? null;
  return {
    ...{ name, packageManager: 'go', install: view.files.has('go.sum') ? 'go mod download' : null },
    lint: has(/^\.golangci\.(?:ya?ml|toml|json)$/)(view) ? 'golangci-lint run' : null,
    ways: [{ runner: 'go', full: 'go test ./...' } as const],
  };
}

async function readRust(view: RepoView) {
  const manifest = await view.readText('Cargo.toml');
  const usesClippy = has(/^\.?clippy\.toml$/)(view) || /^\[(?:workspace\.)?lints\.clippy\]/m.test(manifest);
  return {
    name: /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(manifest)?.[1] ?? null,
    ...{ packageManager: 'cargo', install: view.files.has('Cargo.lock') ? 'cargo fetch --locked' : null },
    lint: usesClippy ? 'cargo clippy --all-targets' : null,
    ...(await readRustTesting(view)),
  };
}

/** nextest reports test by test only through a profile with a JUnit file. */
async function readRustTesting(view: RepoView): Promise<Pick<Found, 'ways' | 'notes'>> {
  const path = '.config/nextest.toml';
  if (!view.files.has(path)) return { ways: [{ runner: 'cargo', full: 'cargo test' }], notes: [] };
  const junit = /^\[profile\.([\w-]+)\.junit\][^[]*?^path\s*=\s*"([^"]+)"/ms.exec(await view.readText(path));
  if (!junit) {
    const notes = ['Give a profile of .config/nextest.toml a JUnit file for exact test names.'];
    return { ways: [{ runner: 'cargo', full: 'cargo nextest run' }], notes };
  }
  const [, profile = 'default', file = 'junit.xml'] = junit;
  const full = `cargo nextest run${profile === 'default' ? '' : ` --profile ${profile}`}`;
  return { ways: [{ runner: 'junit', full, report: `target/nextest/${profile}/${file}` }], notes: [] };
}

async function readPhp(view: RepoView) {
  const composer = await view.readText('composer.json');
  const isOwn = composer.includes('phpunit/phpunit');
  const hasTests = isOwn || has(/^phpunit\.xml/)(view);
  const program = isOwn ? 'vendor/bin/phpunit' : 'phpunit';
  const full = `${program} --log-junit {report}`;
  const name = /"name"\s*:\s*"(?:[^"/]*\/)?([^"]+)"/.exec(composer)?.[1] ?? null;
  return {
    ...{ name, packageManager: 'composer', install: isOwn ? 'composer install --no-interaction' : null },
    lint: has(/^phpstan\.neon/)(view) ? 'vendor/bin/phpstan analyse --no-progress' : null,
    ways: hasTests
      ? [{ runner: 'junit', full, feature: `${full} {file}` } as const, getCommand(program)]
      : [],
  };
}

async function readRuby(view: RepoView) {
  const gems = await view.readText('Gemfile');
  const run = gems === '' ? '' : 'bundle exec ';
  const hasSpecs = has(/^spec\/.*_spec\.rb$/)(view) || view.files.has('.rspec');
  const junit = `${run}rspec --format RspecJunitFormatter --out {report}`;
  const rake = await view.readText('Rakefile');
  const hasTask = /Rake::TestTask|Minitest::TestTask|task\s*\(?:?test\b/.test(rake);
  return {
    ...{ packageManager: gems === '' ? null : 'bundler', install: gems === '' ? null : 'bundle install' },
    lint: view.files.has('.rubocop.yml') ? `${run}rubocop` : null,
    ways: [
      ...(hasSpecs && gems.includes('rspec_junit_formatter')
        ? [{ runner: 'junit', full: junit, feature: `${junit} {file}` } as const]
        : []),
      ...(hasSpecs ? [getCommand(`${run}rspec`, `${run}rspec {file}`)] : []),
      ...(hasTask ? [getCommand(`${run}rake test`, `${run}ruby -Ilib -Itest {file}`)] : []),
    ],
  };
}

async function readElixir(view: RepoView) {
  const text = await view.readText('mix.exs');
  return {
    name: /\bapp:\s*:(\w+)/.exec(text)?.[1] ?? null,
    ...{ packageManager: 'mix', install: view.files.has('mix.lock') ? 'mix deps.get' : null },
    ways: [getCommand('mix test', 'mix test {file}')],
  };
}

/** Its plugins are fetched when they are first used: only running everything brings all of them. */
async function readMaven(view: RepoView) {
  const program = view.files.has('mvnw') ? './mvnw' : 'mvn';
  const name = /<artifactId>([^<]+)</.exec(
    (await view.readText('pom.xml')).replace(/<parent>.*?<\/parent>/s, ''),
  )?.[1];
  const full = `${program} -B test`;
  return {
    ...{
      name: name ?? null,
      packageManager: 'maven',
      install: `${program} -B -q test -Dmaven.test.failure.ignore=true`,
    },
    ways: [{ runner: 'junit', full, report: 'target/surefire-reports' } as const, getCommand(full)],
  };
}

async function readGradle(view: RepoView) {
  const program = view.files.has('gradlew') ? './gradlew' : 'gradle';
  const full = `${program} test --console=plain`;
  return {
    packageManager: 'gradle',
    ways: [{ runner: 'junit', full, report: 'build/test-results/test' } as const, getCommand(full)],
  };
}

async function readDotnet() {
  return { packageManager: 'nuget', install: 'dotnet restore', ways: [getCommand('dotnet test')] };
}

async function readDeno(view: RepoView) {
  const settings = `${await view.readText('deno.json')}${await view.readText('deno.jsonc')}`;
  const script = /"test"\s*:\s*"(deno test[^"|&;]*)"/.exec(settings)?.[1];
  const full = `${script ?? 'deno test -A'} --junit-path={report}`;
  const feature = `${(script ?? 'deno test -A').replace(/ [^\s-]\S*(?=\s|$)/g, (word, at) => (at < 'deno test'.length ? word : ''))} --junit-path={report} {file}`;
  return { packageManager: 'deno', lint: 'deno lint', ways: [{ runner: 'junit', full, feature } as const] };
}

async function readBun() {
  const full = 'bun test --reporter=junit --reporter-outfile={report}';
  return { packageManager: 'bun', ways: [{ runner: 'junit', full, feature: `${full} ./{file}` } as const] };
}

async function hasCtest(view: RepoView): Promise<boolean> {
  return /\b(?:enable_testing|include\s*\(\s*CTest)\b/i.test(await view.readText('CMakeLists.txt'));
}

async function readCmake(view: RepoView) {
  const name = /\bproject\s*\(\s*(\w[\w.-]*)/i.exec(await view.readText('CMakeLists.txt'))?.[1] ?? null;
  const build = 'cmake -S . -B build && cmake --build build';
  const test = 'ctest --test-dir build --output-on-failure';
  return {
    ...{ name, packageManager: 'cmake' },
    ways: [
      { runner: 'junit', full: `${build} && ${test} --output-junit {report}` } as const,
      getCommand(`${build} && ${test}`),
    ],
  };
}
