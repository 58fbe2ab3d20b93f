/** Networks that no page of somebody else's may reach through us: this machine, its neighbours, and what is no host. */
const PRIVATE_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];

const PRIVATE_V6: readonly (readonly [string, number])[] = [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
  ['64:ff9b:1::', 48],
];

/** IPv6 that stands for the IPv4 address in its last 32 bits: mapped, compatible, and by NAT64. */
const HOLDS_V4: readonly (readonly [string, number])[] = [
  ['::ffff:0:0', 96],
  ['::', 96],
  ['64:ff9b::', 96],
];

/** What cannot be read as an address is private as well: nothing is opened by mistake. */
export function isPrivateAddress(address: string): boolean {
  const v4 = readV4(address);
  if (v4 !== null) return isIn(v4, PRIVATE_V4, readV4);
  const v6 = readV6(address);
  if (v6 === null || isIn(v6, PRIVATE_V6, readV6)) return true;
  return isIn(v6, HOLDS_V4, readV6) && isIn(v6.slice(-32), PRIVATE_V4, readV4);
}

/** Its bits, as text. */
function readV4(text: string): string | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every(part => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255))
    return null;
  return parts.map(part => getBits(Number(part), 8)).join('');
}

function readV6(text: string): string | null {
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) return null;
  const before = readGroups(head);
  const after = tail === undefined ? '' : readGroups(tail);
  if (before === null || after === null) return null;
  const missing = 128 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 16) return null;
  return before + '0'.repeat(missing) + after;
}

function readGroups(text: string): string | null {
  if (text === '') return '';
  const groups = text.split(':');
  const bits = groups.map((group, at) => {
    if (/^[0-9a-f]{1,4}$/i.test(group)) return getBits(Number.parseInt(group, 16), 16);
    return at === groups.length - 1 ? readV4(group) : null;
  });
  return bits.includes(null) ? null : bits.join('');
}

function getBits(value: number, width: number): string {
  return value.toString(2).padStart(width, '0');
}

function isIn(
  bits: string,
  networks: readonly (readonly [string, number])[],
  read: (text: string) => string | null,
): boolean {
  return networks.some(([network, length]) => bits.startsWith((read(network) ?? '').slice(0, length)));
}
