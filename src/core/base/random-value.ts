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
  if (isHash(value) || value.startsWith('sha')) return false;
  return isRandom(value, isHex(value) ? 3.2 : 3.8);
}

/**
 * The same for values without quotes, which may be shorter and may as well be names: letters and digits in turn, and
 * no word among them.
 */
export function isMachineMade(value: string, minLength: number): boolean {
  const parts = ['-', '_', '.', '/', ':']
    .reduce((rest, mark) => rest.replaceAll(mark, ' '), value)
    .split(' ')
    .filter(part => part !== '');
  const least = parts.length > 1 ? Math.max(minLength, MIN_PART) : minLength;
  return !isText(value) && !isTyped(value) && parts.some(part => part.length >= least && isMixed(part));
}

/** The last part of an id has twelve, and says nothing to anybody. */
const MIN_PART = 13;

/** `P4ssw0rd`: a word that stands for a password, in the spelling that forms ask for. */
function isTyped(value: string): boolean {
  const plain = [...value.toLowerCase()].map(each => 'oleas'.charAt('0134$'.indexOf(each)) || each).join('');
  const words = ['passw', 'pssw', 'p@ssw', 'secret', 'admin'];
  return value.length < MAX_TYPED && words.some(word => plain.includes(word));
}

/** Nobody types more by heart. */
const MAX_TYPED = 20;

function isMixed(part: string): boolean {
  const kinds = [...part].map(getKind);
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  const letters = kinds.filter(kind => kind === 'az' || kind === 'AZ').length;
  if (!kinds.includes('09') || letters < 2 || changes * 4 < part.length - 1) return false;
  if (countInWords(part) * 4 > part.length) return false;
  return isRandom(part, Math.min(isHex(part) ? 2.9 : 3.8, Math.log2(part.length) - 0.8));
}

function getKind(character: string): string {
  return ['az', 'AZ', '09'].find(range => isIn(character, range)) ?? '';
}

/** How many letters are in what can be spoken: five in a row with two vowels and none that is rare. */
function countInWords(part: string): number {
  let [count, run] = [0, ''];
  for (const character of `${part} `) {
    const kind = getKind(character);
    if (kind === 'az') {
      run += character;
      continue;
    }
    if (isWord(run)) count += run.length;
    run = kind === 'AZ' ? character.toLowerCase() : '';
  }
  return count;
}

function isWord(run: string): boolean {
  const letters = [...run];
  const [vowels, rare] = ['aeiouy', 'jqxz'].map(set => letters.filter(each => set.includes(each)).length);
  return run.length >= 5 && (vowels ?? 0) * 4 >= run.length && (vowels ?? 0) > 1 && (rare ?? 0) < 1;
}

const HASH_LENGTHS: ReadonlySet<number> = new Set([40, 64, 96, 128]);

/** As long as hashes are, and of what they are made of. */
export function isHash(value: string): boolean {
  return HASH_LENGTHS.has(value.length) && isHex(value);
}

function isHex(value: string): boolean {
  return [...value].every(letter => isIn(letter, '09') || isIn(letter.toLowerCase(), 'af'));
}

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
