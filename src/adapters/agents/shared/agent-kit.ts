import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { HarnessError } from '../../../core/base/failure.ts';

/** A package that drives an agent: too large to come with the harness, so people install it themselves. */
export interface AgentKit {
  readonly label: string;
  readonly packageName: string;
  /** The version the contract suite is held against. */
  readonly version: string;
}

export const AGENT_KITS = {
  claude: {
    label: 'Claude Agent SDK',
    packageName: '@anthropic-ai/claude-agent-sdk',
    version: '0.3.325',
  },
  codex: { label: 'Codex SDK', packageName: '@openai/codex-sdk', version: '0.163.0' },
  acp: { label: 'Agent Client Protocol SDK', packageName: '@agentclientprotocol/sdk', version: '2.4.0' },
} as const satisfies Record<string, AgentKit>;

/** Where one was found. */
export interface InstalledKit {
  readonly dir: string;
  readonly version: string;
  /** The module to import. */
  readonly entry: string;
}

/** Imports the kit; the caller knows its shape. Throws a HarnessError that says how to install it. */
export async function loadAgentKit<Module>(kit: AgentKit, projectRoot: string): Promise<Module> {
  const installed = findAgentKit(kit, projectRoot);
  if (installed) return (await import(pathToFileURL(installed.entry).href)) as Module;
  throw new HarnessError('config', `The ${kit.label} is not installed.`, {
    field: 'agent.provider',
    fix: `Run: ${getInstallCommand(kit)}`,
  });
}

export function getInstallCommand(kit: AgentKit): string {
  return `npm install --save-dev ${kit.packageName}@${kit.version}`;
}

/**
 * Looks in the user's project first, then beside the harness (a global install), then where
 * HARNESS_AGENT_MODULES points; null when it is nowhere.
 */
export function findAgentKit(kit: AgentKit, projectRoot: string): InstalledKit | null {
  const starts = [projectRoot, dirname(fileURLToPath(import.meta.url)), process.env.HARNESS_AGENT_MODULES];
  for (const start of starts) {
    const found = start ? findAbove(kit.packageName, start) : null;
    if (found) return found;
  }
  return null;
}

/** The way Node looks for a package, by hand: `require.resolve` knows no packages that are only for import. */
function findAbove(packageName: string, start: string): InstalledKit | null {
  for (let folder = start; ; folder = dirname(folder)) {
    const dir = join(folder, 'node_modules', packageName);
    const found = readKit(dir);
    if (found || folder === dirname(folder)) return found;
  }
}

function readKit(dir: string): InstalledKit | null {
  const file = join(dir, 'package.json');
  if (!existsSync(file)) return null;
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  const entry = getEntry(manifest.exports) ?? manifest.module ?? manifest.main ?? 'index.js';
  return { dir, version: manifest.version, entry: join(dir, entry) };
}

interface Manifest {
  readonly version: string;
  readonly main?: string;
  readonly module?: string;
  readonly exports?: Exports;
}

type Exports = string | { readonly [condition: string]: Exports };

/** What `import` of the bare name would give. */
function getEntry(exports: Exports | undefined): string | undefined {
  if (exports === undefined || typeof exports === 'string') return exports;
  for (const condition of ['.', 'import', 'node', 'default']) {
    if (exports[condition] !== undefined) return getEntry(exports[condition]);
  }
  return undefined;
}
