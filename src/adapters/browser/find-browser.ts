import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type AgentKit, findAgentKit, getInstallCommand } from '../agents/shared/agent-kit.ts';

/** Drives the browser; people install it themselves, as they do with agent kits. */
export const BROWSER_KIT = {
  label: 'Playwright',
  packageName: 'playwright-core',
  version: '1.65.0',
} as const satisfies AgentKit;

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export interface FoundBrowser {
  /** The module that drives it. */
  readonly entry: string;
  readonly version: string;
  readonly program: string;
}

/** The driver and the browser, or what is missing and how to get it. */
export function findBrowser(projectRoot: string, path = process.env.PATH ?? ''): FoundBrowser | string {
  const kit = findAgentKit(BROWSER_KIT, projectRoot);
  const program = findProgram(path);
  if (!kit) return `${BROWSER_KIT.packageName} is not installed: ${getInstallCommand(BROWSER_KIT)}`;
  if (!program)
    return 'there is no Chromium: apt install chromium, or any of chromium, google-chrome on PATH';
  return { entry: kit.entry, version: kit.version, program };
}

function findProgram(path: string): string | null {
  for (const name of PROGRAMS) {
    for (const folder of path.split(delimiter)) {
      const file = join(folder, name);
      if (folder !== '' && canRun(file)) return file;
    }
  }
  return null;
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
