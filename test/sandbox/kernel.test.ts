import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeSandbox } from '../../src/adapters/sandbox/probe.ts';
import { getWrapperScript } from '../../src/adapters/sandbox/sandbox.ts';
import { hasBwrap, LOOT, openStage, readIfThere, type Stage } from './stage.ts';

/** Gives a program a terminal; part of every Linux that people work on. */
const SCRIPT = '/usr/bin/script';
const probe = await probeSandbox();

describe.skipIf(!hasBwrap)('an agent in the sandbox cannot', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const mark = () => join(stage.checkout, 'evil');
  const write = 'echo evil > "$CHECKOUT/evil"; cat "$STATE/state.db"';

  /** Each tries to get at the checkout and the records after it has changed something in the kernel. */
  it.each([
    ['make the disk writable again', 'mount -o remount,rw /; mount -o remount,rw,bind /'],
    [
      'make the checkout writable again',
      'mount -o remount,rw,bind "$CHECKOUT" "$CHECKOUT"; mount --bind "$CHECKOUT" "$CHECKOUT"',
    ],
    ['take a cover away', 'umount "$STATE"; umount -l "$STATE"; umount -l "$HOME"; umount -R -l /tmp'],
    [
      'mount something over it',
      'mount -t tmpfs none "$CHECKOUT"; mount -t proc none /proc; mount -t overlay overlay -o lowerdir=/,upperdir=/tmp,workdir=/tmp /mnt',
    ],
    ['change its root', 'chroot / true; chroot /proc/1/root true; mkdir r; pivot_root . r; rmdir r'],
    ['make a user of its own', 'unshare -Ur true && unshare -Urm umount -l "$STATE"'],
    ['make any other namespace', 'unshare -m true; unshare -p -f true; unshare -n true; unshare -i true'],
    [
      'enter a namespace of the harness',
      'nsenter -t $HOST_PID -m true; nsenter -t 1 -a true; nsenter --mount=/proc/1/ns/mnt umount -l "$STATE"',
    ],
    ['start a sandbox of its own with more in it', 'bwrap --bind / / sh -c \'echo evil > "$CHECKOUT/evil"\''],
    ['make devices', 'mknod disk b 259 0; mknod mem c 1 1; cat disk mem | head -c 16; rm -f disk mem'],
    ['open devices', 'head -c 16 /dev/vda /dev/sda /dev/nvme0n1 /dev/mem /dev/kmem /dev/kmsg /dev/port'],
    [
      'become somebody else',
      'cp /bin/sh own; chmod 6755 own; ./own -c id; sudo -n true; su -c true nobody; rm own',
    ],
    ['load code into the kernel', 'insmod x.ko; modprobe dummy; sysctl -w kernel.modules_disabled=0'],
    [
      'make a control group with a helper',
      'mkdir /sys/fs/cgroup/evil /sys/fs/cgroup/*/evil; echo /tmp/x > /sys/fs/cgroup/release_agent',
    ],
  ])('%s', async (_, script) => {
    const { stdout } = await stage.attack(`${script}\n${write}; echo it ran`);
    expect(stdout).toContain('it ran');
    expect(stdout).not.toContain(LOOT);
    expect(existsSync(mark())).toBe(false);
  });

  it.each([
    '/proc/sys/kernel/core_pattern',
    '/proc/sys/kernel/modprobe',
    '/proc/sys/kernel/hostname',
    '/proc/sys/vm/overcommit_memory',
    '/proc/sys/fs/binfmt_misc/register',
    '/proc/sysrq-trigger',
    '/proc/irq/default_smp_affinity',
    '/sys/kernel/uevent_helper',
    '/sys/kernel/mm/transparent_hugepage/enabled',
    '/sys/power/state',
  ])('write %s', async path => {
    const before = readIfThere(path);
    // Opening it for writing is the escape; nothing is written, in case it should succeed.
    const { stdout } = await stage.attack(`: 2>/dev/null >> ${path} && echo opened; echo it ran`);
    expect(stdout).toBe('it ran\n');
    expect(readIfThere(path)).toBe(before);
  });

  it('have any capability, now or by a program that has one', async () => {
    const { stdout } = await stage.attack('grep -E "^Cap|^NoNewPrivs|^Seccomp:" /proc/self/status');
    const status = Object.fromEntries(stdout.split('\n').map(line => line.split(':\t')));
    expect(status).toMatchObject({ CapEff: '0'.repeat(16), CapPrm: '0'.repeat(16), CapBnd: '0'.repeat(16) });
    expect(status).toMatchObject({ NoNewPrivs: '1', Seccomp: '2' });
  });

  it('rename the machine', async () => {
    const before = hostname();
    await stage.attack('hostname evil; echo evil > /proc/sys/kernel/hostname');
    expect(hostname()).toBe(before);
  });

  it.runIf(process.arch === 'x64')('use the keys of the login session', async () => {
    const find = `perl -e 'print syscall(250, 0, -3, 0) >= 0 ? "keyring" : "none"'`;
    const old = `perl -e 'print syscall(250 | 0x40000000, 0, -3, 0) >= 0 ? "keyring" : "none"'`;
    expect((await stage.attackFreely(find)).stdout).toBe('keyring');
    expect((await stage.attack(find)).stdout).toBe('none');
    expect((await stage.attack(old)).stdout).toBe('none');
  });

  it.runIf(existsSync(SCRIPT))('type into the terminal that the harness was started from', async () => {
    const perl = 'open(T, "+</dev/tty") or die "no tty\\n"; ioctl(T, 0x5412, "x"); print "typed\\n"';
    const box = join(stage.root, 'box');
    mkdirSync(box);
    const env = { PATH: process.env.PATH ?? '' };
    const wrapped = stage.sandbox.wrap({ file: 'perl', args: ['-e', perl], cwd: stage.tree, env, box });
    writeFileSync(join(box, 'start'), getWrapperScript(wrapped), { mode: 0o755 });
    const inTerminal = (command: string) =>
      execFileSync(SCRIPT, ['-qec', command, '/dev/null'], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }).toString();
    expect(inTerminal(`perl -e 'open(T, "+</dev/tty") and print "a terminal"'`)).toContain('a terminal');
    const said = inTerminal(`'${join(box, 'start')}' || true`);
    expect(said).toContain('no tty');
    expect(said).not.toContain('typed');
  });

  it('be put into a folder that a link leads to', () => {
    const link = join(stage.root, 'link');
    symlinkSync(dirname(stage.checkout), link);
    for (const cwd of [link, join(link, 'shop')]) {
      const wrap = () =>
        stage.sandbox.wrap({ file: 'true', args: [], cwd, env: {}, box: join(stage.root, 'b') });
      expect(wrap).toThrow('reached through a link');
    }
  });

  it('put files where something is hidden', async () => {
    const script =
      'for p in "$STATE" "$CHECKOUT/.git" "$OWN" /run; do echo x > "$p/x" && echo wrote; done; echo it ran';
    expect((await stage.attack(script)).stdout).toBe('it ran\n');
  });

  it.runIf(probe.bwrap?.features.disableUserns)('nest namespaces', async () => {
    const { stdout } = await stage.attack(
      'unshare -U true && echo nested; unshare -Um true && echo nested; echo it ran',
    );
    expect(stdout).toBe('it ran\n');
  });

  it('find the filter that it runs under', async () => {
    const { stdout } = await stage.attack(
      'find / -name filter.bpf 2>/dev/null; grep filter /proc/self/mountinfo; echo it ran',
    );
    expect(stdout).toBe('it ran\n');
  });
});
