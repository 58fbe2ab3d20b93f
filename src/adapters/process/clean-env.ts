import { getMarkerChain, MARKER_VARIABLE } from './marker.ts';
import { getToolchainEnv } from './toolchain.ts';

export interface CleanEnvOptions {
  readonly marker: string;
  readonly tmpDir: string;
  readonly ci?: boolean;
  /** Names that may come through from the parent besides its toolchain's; everything else stays behind. */
  readonly passEnv?: readonly string[];
  /** Set as given, over everything but the marker. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The whole environment of a child: a short list, so that no secret of the parent leaks by default. */
export function getCleanEnv(
  parent: Readonly<Record<string, string | undefined>>,
  options: CleanEnvOptions,
): Record<string, string> {
  const env: Record<string, string> = {
    ...getToolchainEnv(parent),
    PATH: parent.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: parent.HOME ?? '/',
    LANG: parent.LANG ?? 'C.UTF-8',
    TZ: parent.TZ ?? 'UTC',
    // Whoever asks for a terminal that can do nothing gets tests of colours that fail.
    TERM: 'xterm-256color',
    TMPDIR: options.tmpDir,
  };
  if (options.ci) env.CI = 'true';
  for (const name of options.passEnv ?? []) {
    const value = parent[name];
    if (value !== undefined) env[name] = value;
  }
  return {
    ...env,
    ...options.env,
    [MARKER_VARIABLE]: getMarkerChain(parent[MARKER_VARIABLE], options.marker),
  };
}
