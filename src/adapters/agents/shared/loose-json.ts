/** Readers for messages of programs that we do not control: whatever is not as expected reads as nothing. */
export type LooseObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): LooseObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LooseObject) : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A count of something: finite and not below zero. */
export function asCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
