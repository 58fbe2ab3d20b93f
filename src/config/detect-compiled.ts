import type { Detection, RepoView } from './detect.ts';

/** A Go or Rust project: one tool does everything there. */
export async function detectCompiled(view: RepoView): Promise<Detection | null> {
  if (view.files.has('go.mod')) return detectGo(view);
  if (view.files.has('Cargo.toml')) return detectRust(view);
  return null;
}

async function detectGo(view: RepoView): Promise<Detection> {
  const module = /^module\s+(\S+)/m.exec(await view.readText('go.mod'))?.[1];
  const hasLinter = [...view.files].some(file => /^\.golangci\.(?:ya?ml|toml|json)$/.test(file));
  return {
    language: 'go',
    name:
      module
        ?.split('/')
        .filter(part => !/^v\d+$/.test(part))
        .at(-1) ?? null,
    packageManager: 'go',
    install: view.files.has('go.sum') ? 'go mod download' : null,
    runner: 'go',
    full: 'go test ./...',
    report: null,
    lint: hasLinter ? 'golangci-lint run' : null,
    notes: [],
  };
}

async function detectRust(view: RepoView): Promise<Detection> {
  const manifest = await view.readText('Cargo.toml');
  const usesClippy =
    view.files.has('clippy.toml') ||
    view.files.has('.clippy.toml') ||
    /^\[(?:workspace\.)?lints\.clippy\]/m.test(manifest);
  return {
    language: 'rust',
    name: /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(manifest)?.[1] ?? null,
    packageManager: 'cargo',
    install: view.files.has('Cargo.lock') ? 'cargo fetch --locked' : null,
    lint: usesClippy ? 'cargo clippy --all-targets' : null,
    ...(await getRustTesting(view)),
  };
}

/** nextest reports test by test only through a profile with a JUnit file. */
async function getRustTesting(
  view: RepoView,
): Promise<Pick<Detection, 'runner' | 'full' | 'report' | 'notes'>> {
  const path = '.config/nextest.toml';
  if (!view.files.has(path)) return { runner: 'cargo', full: 'cargo test', report: null, notes: [] };
  const junit = /^\[profile\.([\w-]+)\.junit\][^[]*?^path\s*=\s*"([^"]+)"/ms.exec(await view.readText(path));
  if (!junit) {
    const notes = ['Give a profile of .config/nextest.toml a JUnit file for exact test names.'];
    return { runner: 'cargo', full: 'cargo nextest run', report: null, notes };
  }
  const [, profile = 'default', file = 'junit.xml'] = junit;
  const flag = profile === 'default' ? '' : ` --profile ${profile}`;
  return {
    runner: 'junit',
    full: `cargo nextest run${flag}`,
    report: `target/nextest/${profile}/${file}`,
    notes: [],
  };
}
