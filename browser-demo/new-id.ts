/** A new id: a word for what it is of, and 16 random bytes. Works on plain http pages too. */
export function createId(word: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `${word}-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
