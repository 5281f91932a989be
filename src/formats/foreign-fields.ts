/**
 * A text that a format has in a field: an id, a title, the id of a parent.
 *
 * @param value - of unknown type.
 * @returns `undefined` for what is no string, and for the empty string, which stands for nothing.
 */
export function readString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
