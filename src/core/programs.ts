/** Whether a file was compiled to be started, by its first bytes; those that are no UTF-8 are read as U+FFFD. */
export function isProgram(text: string, name: string): boolean {
  const has = (endings: readonly string[]) => endings.some(ending => name.includes(ending));
  if (text.startsWith('\x7fELF')) return !has(['.node', '.so']);
  if (!text.slice(0, 64).includes('\0')) return false;
  return isPython(text) || ((text.startsWith('MZ') || isMach(text)) && !has(LIBRARIES));
}

/** What others load; products may ship such without its sources. */
const LIBRARIES: readonly string[] = ['.node', '.dll', '.dylib', '.pyd', '.so'];

/** Mach-O: four bytes that are no text, then the processor, or how many there are programs for. */
function isMach(text: string): boolean {
  if (!text.startsWith('\ufffd'.repeat(4))) return false;
  const next = text.slice(4, 8);
  const isFat = next.startsWith('\0\0\0') && next.charCodeAt(3) > 0 && next.charCodeAt(3) < 20;
  return isFat || PROCESSORS.has(next);
}

const PROCESSORS: ReadonlySet<string> = new Set(
  ['\x07', '\x0c', '\x12'].flatMap(id => [0, 1].map(is64 => `${id}\0\0${String.fromCharCode(is64)}`)),
);

/** `.pyc`: a number of the version, then an end of line that copying as text would break. */
function isPython(text: string): boolean {
  const version = text.charAt(1);
  return text.slice(2, 4) === '\r\n' && ['\x0c', '\x0d', '\x0e', '\x0f', '\ufffd'].includes(version);
}
