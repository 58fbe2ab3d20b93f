import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { OptionalPackage } from '../../core/model/provider.ts';
import { findPackage, getInstallCommand } from '../agents/shared/optional-package.ts';

/** Drives the browser; people install it themselves, as they do with the SDKs of agents. */
export const PLAYWRIGHT = {
  label: 'Playwright',
  packageName: 'playwright-core',
  version: '1.65.0',
} as const satisfies OptionalPackage;

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export interface FoundBrowser {
  /** The module that drives it. */
  readonly entry: string;
  readonly version: string;
  readonly program: string;
}

/** The driver and the browser, or what is missing and how to get it. */
export function findBrowser(projectRoot: string, path = process.env.PATH ?? ''): FoundBrowser | string {
  const driver = findPackage(PLAYWRIGHT, projectRoot);
  const program = findProgram(path);
  if (!driver) return `${PLAYWRIGHT.packageName} is not installed: ${getInstallCommand(PLAYWRIGHT)}`;
  if (!program)
    return 'there is no Chromium: apt install chromium, or any of chromium, google-chrome on PATH';
  return { entry: driver.entry, version: driver.version, program };
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
