/** An object whose fields are not known yet: what `unknown` becomes after the first look. */
export interface UnknownRecord {
  readonly [field: string]: unknown;
}

/**
 * Whether `value` is an object with fields, and no array.
 *
 * @param value - anything.
 */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
