import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getBwrapArgs, getOrderedMounts } from './bwrap-args.ts';
import type { SandboxMount, SandboxPlan } from './sandbox-plan.ts';

const getPlan = (changes: Partial<SandboxPlan> = {}): SandboxPlan => ({
  cwd: '/work/tree',
  network: 'on',
  isRoot: false,
  mounts: [{ kind: 'writable', at: '/work/tree' }],
  features: { disableUserns: true },
  ...changes,
});

const getText = (changes: Partial<SandboxPlan> = {}) => getBwrapArgs(getPlan(changes)).join(' ');

describe('getBwrapArgs', () => {
  it('gives the whole disk read-only, and nothing to the process but its tree', () => {
    expect(getText()).toMatchInlineSnapshot(
      `"--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --disable-userns --cap-drop ALL --new-session --die-with-parent --ro-bind / / --dev /dev --proc /proc --bind /work/tree /work/tree --chdir /work/tree"`,
    );
  });

  it('has a network of its own when it is off', () => {
    expect(getText({ network: 'off' })).toContain('--unshare-net');
    expect(getText()).not.toContain('--unshare-net');
  });

  it('asks an old bubblewrap for nothing that it does not know', () => {
    expect(getText({ features: { disableUserns: false } })).not.toContain('--disable-userns');
  });

  it('covers the switches of the kernel for root', () => {
    expect(getText({ isRoot: true })).toContain('--proc /proc --ro-bind-try /proc/sys /proc/sys');
  });

  it('closes an empty folder only when all that goes into it is there', () => {
    const mounts: SandboxMount[] = [
      { kind: 'read-only', at: '/repo/.git/objects' },
      { kind: 'empty-folder', at: '/repo/.git' },
      { kind: 'empty-file', at: '/repo/.env' },
      { kind: 'link', at: '/home/ada/x', to: '../y' },
      { kind: 'private', at: '/home/ada', from: '/tmp/box/home' },
    ];
    expect(getText({ mounts })).toContain(
      '--bind /tmp/box/home /home/ada --dev-bind /dev/null /repo/.env --tmpfs /repo/.git --symlink ../y /home/ada/x --ro-bind /repo/.git/objects /repo/.git/objects --remount-ro /repo/.git --chdir',
    );
  });
});

describe('getOrderedMounts', () => {
  it('lets a cover win over everything else that is wanted of a place', () => {
    const at = '/a';
    const all: SandboxMount[] = [
      { kind: 'writable', at },
      { kind: 'empty-folder', at },
      { kind: 'read-only', at },
    ];
    expect(getOrderedMounts(all)).toEqual([{ kind: 'empty-folder', at }]);
  });

  it('leaves out what is read-only anyway', () => {
    const home: SandboxMount = { kind: 'private', at: '/home/ada', from: '/box' };
    const inHome: SandboxMount = { kind: 'read-only', at: '/home/ada/x' };
    expect(getOrderedMounts([{ kind: 'read-only', at: '/opt/x' }, inHome, home])).toEqual([home, inHome]);
  });

  it('refuses a mount where an agent could have put a link in its way', () => {
    const mounts: SandboxMount[] = [
      { kind: 'writable', at: '/work/tree' },
      { kind: 'empty-folder', at: '/work/tree/deep/secret' },
    ];
    expect(() => getOrderedMounts(mounts)).toThrow(
      'cannot treat /work/tree/deep/secret apart from /work/tree',
    );
  });

  it('mounts every place once, and no place before the one around it', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
      .map(parts => `/${parts.join('/')}`);
    const mount = fc.record({
      kind: fc.constantFrom('read-only' as const, 'empty-folder' as const),
      at: path,
    });
    fc.assert(
      fc.property(fc.array(mount), mounts => {
        const places = getOrderedMounts(mounts).map(({ at }) => at);
        expect(new Set(places).size).toBe(places.length);
        for (const [index, place] of places.entries()) {
          expect(places.slice(index + 1).some(later => place.startsWith(`${later}/`))).toBe(false);
        }
      }),
    );
  });
});
