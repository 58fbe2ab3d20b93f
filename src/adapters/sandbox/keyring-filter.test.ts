import { expect, it } from 'vitest';
import { getKeyringFilter } from './sandbox.ts';

/** What the kernel would do: the same program on one call. */
function run(program: Buffer, arch: number, number: number): 'allowed' | 'refused' {
  let value = 0;
  for (let at = 0; ; at++) {
    const code = program.readUInt16LE(at * 8);
    const operand = program.readUInt32LE(at * 8 + 4);
    if (code === 0x20) value = operand === 4 ? arch : number;
    else if (code === 0x54) value = (value & operand) >>> 0;
    else if (code === 0x15) at += program.readUInt8(at * 8 + (value === operand ? 2 : 3));
    else if (code === 0x06) return operand === 0x7fff0000 ? 'allowed' : 'refused';
    else throw new Error(`unknown instruction ${code}`);
  }
}

const X64 = 0xc000003e;
const I386 = 0x40000003;
const ARM64 = 0xc00000b7;

it.each([
  ['x64', X64, [248, 249, 250], [0, 1, 59, 247, 251, 435]],
  ['x64', X64, [0x40000000 | 248, 0x40000000 | 250], [0x40000000 | 1]],
  ['x64', I386, [286, 287, 288], [248, 250, 289]],
  ['arm64', ARM64, [217, 218, 219], [63, 216, 220, 250]],
])('on %s (%i) refuses the keyring calls and allows the rest', (arch, audit, refused, allowed) => {
  const program = getKeyringFilter(arch) ?? Buffer.alloc(0);
  expect(refused.map(number => run(program, audit, number))).toEqual(refused.map(() => 'refused'));
  expect(allowed.map(number => run(program, audit, number))).toEqual(allowed.map(() => 'allowed'));
});

it('refuses every call made for an architecture that it does not know', () => {
  expect(run(getKeyringFilter('x64') ?? Buffer.alloc(0), ARM64, 1)).toBe('refused');
});

it('is left out where the numbers are not known', () => {
  expect(getKeyringFilter('riscv64')).toBeNull();
});
