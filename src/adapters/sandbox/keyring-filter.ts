/**
 * A seccomp program that takes the kernel's key store away: keys belong to the login session, which no
 * namespace separates, and Kerberos tickets are kept there. Null where we do not know the numbers.
 */
export function getKeyringFilter(arch: string): Buffer | null {
  const tables = TABLES[arch];
  if (!tables) return null;
  const checks = tables.map(({ numbers }) => [
    ...numbers.map((number, index) => [JUMP_IF_EQUAL, numbers.length - index, 0, number] as const),
    [RETURN, 0, 0, ALLOW] as const,
    [RETURN, 0, 0, REFUSE] as const,
  ]);
  const program: Instruction[] = [[LOAD, 0, 0, ARCH_OFFSET]];
  for (const [index, { audit, mask }] of tables.entries()) {
    const check = checks[index] ?? [];
    const body: Instruction[] = [[LOAD, 0, 0, NUMBER_OFFSET], [AND, 0, 0, mask], ...check];
    program.push([JUMP_IF_EQUAL, 0, body.length, audit], ...body);
  }
  program.push([RETURN, 0, 0, REFUSE]);
  return getBytes(program);
}

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number];

/** struct seccomp_data: the call's number, then the architecture it was made for. */
const NUMBER_OFFSET = 0;
const ARCH_OFFSET = 4;
const LOAD = 0x20;
const AND = 0x54;
const JUMP_IF_EQUAL = 0x15;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
/** The call answers ENOSYS, as on a kernel built without keys. */
const REFUSE = 0x00050000 | 38;

const ALL_BITS = 0xffffffff;
/** The x32 calls of x86-64 carry this bit. */
const WITHOUT_X32 = 0xbfffffff;

interface CallTable {
  readonly audit: number;
  readonly mask: number;
  /** add_key, request_key, keyctl. */
  readonly numbers: readonly [number, number, number];
}

const TABLES: Readonly<Record<string, readonly CallTable[]>> = {
  x64: [
    { audit: 0xc000003e, mask: WITHOUT_X32, numbers: [248, 249, 250] },
    { audit: 0x40000003, mask: ALL_BITS, numbers: [286, 287, 288] },
  ],
  arm64: [
    { audit: 0xc00000b7, mask: ALL_BITS, numbers: [217, 218, 219] },
    { audit: 0x40000028, mask: ALL_BITS, numbers: [309, 310, 311] },
  ],
};

function getBytes(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, jumpTrue, jumpFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jumpTrue, index * 8 + 2);
    bytes.writeUInt8(jumpFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}
