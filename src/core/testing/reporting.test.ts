import { expect, it } from 'vitest';
import { getReporting } from './reporting.ts';

it.each([
  ['node --test e2e', 'node', 'node --test e2e'],
  ['npx vitest run e2e', 'vitest', 'npx vitest run e2e'],
  [
    'npx playwright test',
    'junit',
    'PLAYWRIGHT_JUNIT_OUTPUT_NAME={report} npx playwright test --reporter=junit',
  ],
  [
    'pnpm exec playwright test --reporter=html,junit',
    'junit',
    'PLAYWRIGHT_JUNIT_OUTPUT_NAME={report} pnpm exec playwright test --reporter=html,junit',
  ],
  ['npx playwright test --reporter=html', 'command', 'npx playwright test --reporter=html'],
  [
    'npx playwright install && npx playwright test',
    'command',
    'npx playwright install && npx playwright test',
  ],
  ['run-it --junit {report}', 'junit', 'run-it --junit {report}'],
  ['npm run e2e', 'command', 'npm run e2e'],
  ['sh e2e.sh', 'command', 'sh e2e.sh'],
])('%s is read as %s', (line, runner, command) => {
  expect(getReporting(line)).toEqual({ runner, command });
});
