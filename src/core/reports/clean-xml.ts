import { getPlainText } from './report.ts';

/** Test output finds its way into reports, with characters that XML forbids: they are taken out. */
export function getCleanXml(text: string): string {
  const plain = getPlainText(text).replace(/&#(?:x1b|27);\[[\d;]*[a-z]/gi, '');
  return plain
    .trimStart()
    .replace(/^\uFEFF/, '')
    .replace(FORBIDDEN, '')
    .replace(REFERENCE, keepAllowed);
}

const range = (from: number, to: number) => `\\u${getHex(from)}-\\u${getHex(to)}`;
const getHex = (code: number) => code.toString(16).padStart(4, '0');

const FORBIDDEN = new RegExp(
  `[${range(0, 8)}${range(0x0b, 0x0c)}${range(0x0e, 0x1f)}\\ufffe\\uffff]` +
    '|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]',
  'g',
);
const REFERENCE = /&#(?:x([\da-f]{1,8})|(\d{1,10}));/gi;

function keepAllowed(reference: string, hex: string | undefined, decimal: string | undefined): string {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isAllowed =
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff);
  return isAllowed ? reference : '';
}
