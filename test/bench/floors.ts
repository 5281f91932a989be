/**
 * What cannot be avoided, done as fast as the web allows: the yardstick of every case. Written apart from the library.
 */

const BUFFER_BYTES = 1 << 16;

/**
 * The UTF-8 bytes of texts, by joining them into batches and encoding each batch into one reused buffer.
 *
 * @param texts - any strings.
 */
export function countByBatches(texts: readonly string[]): number {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(3 * BUFFER_BYTES);
  let bytes = 0;
  let batch = '';
  for (const text of texts) {
    if (batch.length + text.length > BUFFER_BYTES) {
      bytes += encoder.encodeInto(batch, buffer).written;
      batch = '';
    }
    if (text.length > BUFFER_BYTES) bytes += countLong(text, encoder, buffer);
    else batch += text;
  }
  return bytes + encoder.encodeInto(batch, buffer).written;
}

function countLong(text: string, encoder: TextEncoder, buffer: Uint8Array<ArrayBuffer>): number {
  let bytes = 0;
  for (let start = 0; start < text.length; ) {
    const { read, written } = encoder.encodeInto(text.slice(start, start + BUFFER_BYTES), buffer);
    bytes += written;
    start += read;
  }
  return bytes;
}

/**
 * The same, a call per text.
 *
 * @param texts - any strings.
 */
export function countByText(texts: readonly string[]): number {
  const encoder = new TextEncoder();
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 0);
  const buffer = new Uint8Array(3 * longest);
  let bytes = 0;
  for (const text of texts) bytes += encoder.encodeInto(text, buffer).written;
  return bytes;
}

/**
 * The same, a loop over code units with a shortcut for ASCII.
 *
 * @param texts - any strings.
 */
export function countByLoop(texts: readonly string[]): number {
  let bytes = 0;
  for (const text of texts) {
    bytes += text.length;
    if (/^[\0-\x7f]*$/.test(text)) continue;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit < 0x80) continue;
      bytes += unit < 0x800 ? 1 : 2;
      // A pair takes four bytes, of which its two code units have been counted already.
      if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) index += 1;
    }
  }
  return bytes;
}

/**
 * How many titles contain a query, without regard to case: what a search does at the least.
 *
 * @param titles - as they were written.
 * @param query - what is looked for.
 */
export function findTitles(titles: readonly string[], query: string): number {
  const folded = query.toLowerCase();
  let found = 0;
  for (const title of titles) if (title.toLowerCase().includes(folded)) found += 1;
  return found;
}
