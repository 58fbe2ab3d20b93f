import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate that vouches for itself, for a server of a test: nothing has to be installed to make one. */
export function makeCertificate(names: { readonly dns?: string; readonly ip?: string }): {
  key: string;
  cert: string;
} {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(tag(0x31, sequence(oid([0x55, 4, 3]), tag(0x0c, Buffer.from('harness test')))));
  const dns = names.dns === undefined ? [] : [tag(0x82, Buffer.from(names.dns))];
  const ip = names.ip === undefined ? [] : [tag(0x87, Buffer.from(names.ip.split('.').map(Number)))];
  const extensions = sequence(
    sequence(
      oid([0x55, 0x1d, 0x13]),
      tag(0x01, Buffer.from([0xff])),
      tag(0x04, sequence(tag(0x01, Buffer.from([0xff])))),
    ),
    sequence(oid([0x55, 0x1d, 0x11]), tag(0x04, sequence(...dns, ...ip))),
  );
  const body = sequence(
    tag(0xa0, tag(0x02, Buffer.from([2]))),
    tag(0x02, Buffer.from([1, 2, 3, 4])),
    ECDSA_SHA256,
    name,
    sequence(tag(0x17, Buffer.from('200101000000Z')), tag(0x17, Buffer.from('490101000000Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tag(0xa3, extensions),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = sequence(body, ECDSA_SHA256, tag(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** One value of ASN.1 in DER. */
function tag(type: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([type, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tag(0x30, Buffer.concat(parts));
}

function oid(bytes: readonly number[]): Buffer {
  return tag(0x06, Buffer.from(bytes));
}

const ECDSA_SHA256 = sequence(oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]));
