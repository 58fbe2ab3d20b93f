import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPrivateAddress } from './private-address.ts';

/** Node's own reading of the same networks, as a second witness. */
const PRIVATE = new BlockList();
for (const network of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12',
  '192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3',
].flatMap(line => line.split(' '))) {
  const [address = '', length] = network.split('/');
  PRIVATE.addSubnet(address, Number(length), 'ipv4');
}

const getQuad = (bytes: readonly number[]) => bytes.join('.');
const getHex = (bytes: readonly number[]) => {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};
const bytes = fc.tuple(
  fc.oneof(fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 224), fc.nat(255)),
  fc.oneof(fc.constantFrom(0, 16, 18, 31, 32, 64, 127, 128, 168, 254), fc.nat(255)),
  fc.nat(255),
  fc.nat(255),
);

describe('an address', () => {
  it('is private exactly where its network is', () => {
    fc.assert(
      fc.property(bytes, quad => {
        expect(isPrivateAddress(getQuad(quad))).toBe(PRIVATE.check(getQuad(quad), 'ipv4'));
      }),
    );
  });

  it('means the same in every form of IPv6 that holds IPv4', () => {
    fc.assert(
      fc.property(bytes, quad => {
        const expected = isPrivateAddress(getQuad(quad));
        for (const prefix of ['::ffff:', '0:0:0:0:0:FFFF:', '64:ff9b::', '0064:ff9b:0:0:0:0:'])
          for (const rest of [getQuad(quad), getHex(quad)])
            expect([prefix + rest, isPrivateAddress(prefix + rest)]).toEqual([prefix + rest, expected]);
      }),
    );
  });

  it.each([
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::127.0.0.1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'febf::1',
    'ff02::1',
    '64:ff9b:1::1',
  ])('%s is private', address => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each(['2606:4700::1111', '2001:4860:4860:0:0:0:0:8888', 'fec0::1', '93.184.216.34', '172.32.0.1'])(
    '%s is not',
    address => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );

  it('is private when nobody can read it', () => {
    for (const odd of ['', 'localhost', '127.1', '0x7f.0.0.1', '010.8.8.8', 'fe80::1%eth0', '1::2::3', '1:2'])
      expect([odd, isPrivateAddress(odd)]).toEqual([odd, true]);
    fc.assert(fc.property(fc.string(), text => typeof isPrivateAddress(text) === 'boolean'));
  });
});
