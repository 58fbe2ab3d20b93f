const PLACEHOLDERS =
  'example sample dummy fake placeholder changeme your test redacted xxxx *** 000000 12345';

/** Whether a character is between the two of a range. */
export function isIn(character: string, range: string): boolean {
  return character >= range.charAt(0) && character <= range.charAt(1);
}

/** Mixed enough to come from a machine, and neither a name put together from words, nor a text in base64, nor a hash. */
export function isSecretValue(value: string): boolean {
  const letters = [...value];
  const longest = Math.max(
    ...value
      .replaceAll('-', '_')
      .replaceAll('.', '_')
      .split('_')
      .map(part => part.length),
  );
  const kinds = ['az', 'AZ', '09'].filter(range => letters.some(letter => isIn(letter, range)));
  if (longest < 16 || kinds.length < 2 || !kinds.includes('09') || isText(value)) return false;
  const isHex = letters.every(letter => isIn(letter, '09') || isIn(letter.toLowerCase(), 'af'));
  if ((isHex && HASH_LENGTHS.has(value.length)) || value.startsWith('sha')) return false;
  return isRandom(value, isHex ? 3.2 : 3.8);
}

const HASH_LENGTHS: ReadonlySet<number> = new Set([40, 64, 96, 128]);

/** Neither typed in order, nor the same over and over, nor a word that stands for a key. */
export function isRandom(value: string, bits: number): boolean {
  const isPlaceholder = PLACEHOLDERS.split(' ').some(word => value.toLowerCase().includes(word));
  return !isPlaceholder && getEntropy(value) >= bits && !isSequence(value);
}

/** Bits for each character, by how often each occurs. */
function getEntropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** `abcdef…`, `aaaa…`: what people type where a key would stand. */
function isSequence(value: string): boolean {
  let steps = 0;
  for (let at = 1; at < value.length; at++)
    if (Math.abs(value.charCodeAt(at) - value.charCodeAt(at - 1)) <= 1) steps++;
  return steps * 2 > value.length;
}

/** Words in base64. */
function isText(value: string): boolean {
  try {
    return [...atob(value)].every(character => isIn(character, ' ~') || character === '\n');
  } catch {
    return false;
  }
}
