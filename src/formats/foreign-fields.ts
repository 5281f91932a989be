/**
 * A text that a format has in a field: an id, a title, the id of a parent.
 *
 * @param value - of unknown type.
 * @returns `undefined` for what is no string, and for the empty string, which stands for nothing.
 */
export function readString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * A field as it reads, in a name or a key; what is no primitive reads as nothing.
 *
 * @param value - of a foreign file. Must not go through `String`: a file can hold an object whose `toString` is no function.
 */
export function showField(value: unknown): string {
  return typeof value === 'object' && value !== null ? '' : String(value);
}
