import * as z from 'zod';
import { texts } from './fields.ts';

const network = () => z.enum(['on', 'off']).default('on');

/** What stands between an agent and the machine. */
export const sandbox = z
  .strictObject({
    mode: z
      .enum(['auto', 'off', 'required'])
      .default('auto')
      .describe(
        'Whether agents and tests run in bubblewrap: where it works (`auto`), never (`off`), or nothing runs without it (`required`).',
      ),
    network: network().describe(
      'Whether the agent reaches the network; `off` leaves it a loopback of its own.',
    ),
    test_network: network().describe(
      'The same for tests and the linter; `off` is safer and right for suites that start their own servers.',
    ),
    setup_network: z
      .enum(['on', 'off'])
      .nullable()
      .default(null)
      .describe('The same for `environment.install` and the other commands there; as `network` when absent.'),
    setup_readable: texts()
      .default([])
      .describe(
        'Paths that only `environment.install` sees besides, such as `~/.npmrc` with the token of a private registry.',
      ),
    services: texts()
      .default([])
      .describe(
        'Sockets that only the other commands under `environment` and clean-ups may use, such as `/var/run/docker.sock`.',
      ),
    writable: texts()
      .default([])
      .describe('Paths outside the worktree that may be written: absolute, from `~`, or from the project.'),
    readable: texts()
      .default([])
      .describe('Paths that stay readable although they are hidden by default, such as `~/.aws`.'),
    hidden: texts().default([]).describe('Further paths that must not be seen.'),
  })
  .prefault({})
  .describe('The operating-system sandbox around agents and tests; see docs/sandbox.md.');
