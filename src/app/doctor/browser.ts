import { findBrowser, PLAYWRIGHT } from '../../adapters/browser/find-browser.ts';
import type { Checkout } from '../project/open-checkout.ts';
import type { Checkup } from './finding.ts';

/** Whether the application can be looked at, where the project has one to start. */
export function checkBrowser({ config, places }: Checkout): Omit<Checkup, 'name'> {
  const { mode } = config.tools.visual_verification;
  const { command, url } = config.dev_server;
  if (mode === 'off') return { status: 'ok', detail: 'not wanted (tools.visual_verification.mode is "off")' };
  if (command === null || url === null) {
    const isWanted = mode === 'required';
    const detail = 'no application to look at: dev_server.command and dev_server.url are not set';
    return { status: isWanted ? 'warn' : 'ok', detail, fix: 'set dev_server.command and dev_server.url' };
  }
  const found = findBrowser(places.root);
  if (typeof found !== 'string') {
    const tested =
      found.version === PLAYWRIGHT.version ? '' : `; this Harness is tested with ${PLAYWRIGHT.version}`;
    return {
      status: 'ok',
      detail: `${found.program} by ${PLAYWRIGHT.packageName} ${found.version}${tested}`,
    };
  }
  const [detail = '', ...fix] = found.split(': ');
  return { status: mode === 'required' ? 'fail' : 'warn', detail, fix: fix.join(': ') };
}
