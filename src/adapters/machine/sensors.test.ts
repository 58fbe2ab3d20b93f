import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { useTempDir } from '../../../test/support/real-processes.ts';
import { createSensors } from './sensors.ts';

const makeDir = useTempDir();
const MB = 1024 ** 2;

/** What a machine says that has these files of the kernel's. */
function read(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const root = makeDir();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  return createSensors({ env, root }).readMachine();
}

it('a machine that tells nothing of itself still has cores and memory', async () => {
  const reading = await read({});
  expect(reading).toMatchObject({ cpuStall: null, memoryStall: null, battery: null, adviceProblem: null });
  expect(reading).toMatchObject({ cores: availableParallelism(), totalBytes: totalmem(), advice: null });
  expect(reading.availableBytes).toBeGreaterThan(0);
});

it('files that say something else are as good as none', async () => {
  const reading = await read({
    'proc/pressure/memory': 'nobody knows',
    'proc/self/cgroup': '0::/../../x\ngarbage\n9:memory',
    'sys/fs/cgroup/memory.max': 'lots',
    'sys/class/power_supply/BAT0/type': 'Battery',
  });
  expect(reading).toMatchObject({ memoryStall: null, battery: null, totalBytes: totalmem() });
});

describe('what waits', () => {
  const memory =
    'some avg10=12.50 avg60=7.24 avg300=4.13 total=1\nfull avg10=5.01 avg60=0.00 avg300=0.00 total=0';

  it('is read for memory and for cores, which older kernels tell less of', async () => {
    const cpu = 'some avg10=0.33 avg60=7.24 avg300=4.13 total=19186006';
    expect(await read({ 'proc/pressure/memory': memory, 'proc/pressure/cpu': cpu })).toMatchObject({
      memoryStall: { some10: 12.5, full10: 5.01 },
      cpuStall: { some10: 0.33, full10: 0 },
    });
  });
});

describe('a container', () => {
  const used = (max: string, current: number) => ({ max, current: String(current * MB) });

  it.each<[string, Readonly<Record<string, string>>, object]>([
    [
      'has what its group may have, less what is used and cannot be given back',
      {
        'proc/self/cgroup': '0::/box/job',
        'sys/fs/cgroup/box/job/memory.max': String(300 * MB),
        'sys/fs/cgroup/box/job/memory.current': used('', 200).current,
        'sys/fs/cgroup/box/job/memory.stat': `anon 5\ninactive_file ${50 * MB}\nactive_file 7`,
      },
      { totalBytes: 300 * MB, availableBytes: 150 * MB },
    ],
    [
      'has no more than the group around its own',
      {
        'proc/self/cgroup': '0::/box/job',
        'sys/fs/cgroup/box/job/memory.max': 'max',
        'sys/fs/cgroup/box/job/memory.current': '0',
        'sys/fs/cgroup/box/memory.max': String(100 * MB),
        'sys/fs/cgroup/box/memory.current': String(90 * MB),
      },
      { totalBytes: 100 * MB, availableBytes: 10 * MB },
    ],
    [
      'is found where it sees only itself',
      {
        'proc/self/cgroup': '5:memory:/docker/1f',
        'sys/fs/cgroup/memory/memory.limit_in_bytes': String(80 * MB),
        'sys/fs/cgroup/memory/memory.usage_in_bytes': String(30 * MB),
      },
      { totalBytes: 80 * MB, availableBytes: 50 * MB },
    ],
    [
      'is without a limit where the limit is more than any machine has',
      {
        'proc/self/cgroup': '5:memory:/\n4:cpu,cpuacct:/',
        'sys/fs/cgroup/memory/memory.limit_in_bytes': '18446744073709551615',
        'sys/fs/cgroup/memory/memory.usage_in_bytes': '1',
        'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1',
        'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
      },
      { totalBytes: totalmem(), cores: availableParallelism() },
    ],
    [
      'has the cores that it may use',
      { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': '50000 100000' },
      { cores: 1 },
    ],
  ])('%s', async (_, files, expected) => {
    expect(await read(files)).toMatchObject(expected);
  });
});

describe('a battery', () => {
  const battery = {
    'sys/class/power_supply/AC/type': 'Mains',
    'sys/class/power_supply/BAT0/type': 'Battery',
    'sys/class/power_supply/BAT0/capacity': '41',
    'sys/class/power_supply/BAT0/status': 'Discharging',
  };

  it('runs down or does not', async () => {
    expect(await read(battery)).toMatchObject({ battery: { percent: 41, isDischarging: true } });
    const charging = { ...battery, 'sys/class/power_supply/BAT0/status': 'Charging' };
    expect(await read(charging)).toMatchObject({ battery: { percent: 41, isDischarging: false } });
  });

  it('of a mouse is none', async () => {
    expect(await read({ ...battery, 'sys/class/power_supply/BAT0/scope': 'Device' })).toMatchObject({
      battery: null,
    });
  });
});

describe('the hardware endpoint', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map(server => new Promise(resolve => server.close(resolve))));
  });

  async function answer(text: string, status = 200) {
    const asked: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(status, { connection: 'close' }).end(text);
    });
    servers.push(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { asked, reading: await read({}, { CENTURION_PORT: String(port) }) };
  }

  it('advises, flat or in groups', async () => {
    const flat = await answer('{"recommended_max_agents":6,"memory_pressure":"warn","active_agents":2}');
    expect(flat.asked).toEqual(['/api/centurion/hardware']);
    expect(flat.reading).toMatchObject({
      advice: { recommendedAgents: 6, memoryPressure: 'warn', activeAgents: 2 },
      adviceProblem: null,
    });
    const { reading } = await answer(
      '{"system":{"memory_pressure":"critical"},"allocated":{"active_agents":1},"recommended_max_agents":3}',
    );
    expect(reading.advice).toEqual({ recommendedAgents: 3, memoryPressure: 'critical', activeAgents: 1 });
  });

  it.each([
    ['an error', '{}', 500, /it answers 500.*own sensors/],
    ['no JSON', '<html>', 200, /gave no advice/],
    ['something else', '{"ok":true}', 200, /names no recommended_max_agents/],
  ])('that answers with %s is done without, and that is said', async (_, text, status, why) => {
    const { reading } = await answer(text, status);
    expect(reading.advice).toBeNull();
    expect(reading.adviceProblem).toMatch(why);
  });

  it('that says nothing is not waited for', async () => {
    const server = createServer(() => undefined);
    servers.push(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { adviceProblem } = await read({}, { CENTURION_PORT: String(port) });
    expect(adviceProblem).toContain('own sensors');
  });

  it.each(['1', 'x/../y'])('that is not there (%s) is done without', async port => {
    const reading = await read({}, { CENTURION_PORT: port });
    expect(reading).toMatchObject({ advice: null, adviceProblem: expect.stringContaining('own sensors') });
  });
});
