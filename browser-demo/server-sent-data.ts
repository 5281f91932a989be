/**
 * The data of a stream of server-sent events (WHATWG HTML, section 9.2), one string per event. Other fields are not
 * needed here and are skipped.
 *
 * @param body - the bytes of the answer; it is cancelled when the iteration is left.
 */
export async function* readServerSentData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  try {
    for (let isDone = false; !isDone; ) {
      const { done, value } = await reader.read();
      isDone = done;
      const lines = (rest + (done ? decoder.decode() : decoder.decode(value, { stream: true }))).split(
        /\r\n|\n|\r(?!$)/,
      );
      rest = lines.pop() ?? '';
      for (const line of done ? [...lines, rest, ''] : lines) {
        if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
        if (line !== '' || data.length === 0) continue;
        yield data.join('\n');
        data = [];
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
