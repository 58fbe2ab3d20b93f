import { connect } from 'node:net';
import { expect, test } from 'vitest';

test.runIf(process.env.HARNESS_TEST_ISOLATED)('nothing but loopback can be reached from here', async () => {
  const code = await new Promise(resolve => {
    const socket = connect({ host: '192.0.2.1', port: 443, timeout: 2_000 });
    socket.once('connect', () => resolve('connected'));
    socket.once('timeout', () => resolve('timeout'));
    socket.once('error', error => resolve((error as NodeJS.ErrnoException).code));
  });
  expect(code).toBe('ENETUNREACH');
});
