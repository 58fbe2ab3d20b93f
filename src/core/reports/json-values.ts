export type Fields = Readonly<Record<string, unknown>>;

/** Reports are written by others: each of these reads a value as what it should be, or as nothing. */
export function getFields(value: unknown): Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {};
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

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
