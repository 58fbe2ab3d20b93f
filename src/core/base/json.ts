export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What others wrote is read as what it should be, or as nothing. */
export function getFields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

export function getList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function getText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function getNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** A count or a sum: finite and above zero, or nothing of it. */
export function getAmount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object of a JSON file, whatever is wrong with its text: nothing is as good as no file. */
export function parseObject(text: string): Fields {
  return getFields(parseJson(text.startsWith('\uFEFF') ? text.slice(1) : text));
}
