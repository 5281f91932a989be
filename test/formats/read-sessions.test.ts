import { gzipSync, strToU8, zipSync } from 'fflate';
import { describe, expect, it, vi } from 'vitest';
import { type ReadSessionsOptions, type ReadWarning, readSessions } from '../../src/formats/index.ts';
import type { SessionLog } from '../../src/session/session.ts';
import { speak } from './read-rows.ts';

const HEADER = { type: 'session', version: 0, id: 's', createdAt: 1 };

function event(text: string): object {
  return {
    type: 'user/message',
    data: { content: [{ type: 'text', text }], source: { kind: 'user' } },
    surfaceOp: 'append',
  };
}

function toLog(texts: readonly string[], id = 's'): string {
  return [{ ...HEADER, id }, ...texts.map(event)].map((row) => JSON.stringify(row)).join('\n');
}

interface Read {
  readonly logs: SessionLog[];
  readonly warnings: ReadWarning[];
  readonly formats: string[];
}

async function read(input: unknown, options: ReadSessionsOptions = {}): Promise<Read> {
  const warnings: ReadWarning[] = [];
  const formats: string[] = [];
  const logs: SessionLog[] = [];
  const sessions = readSessions(input, {
    ...options,
    onWarning: (warning) => warnings.push(warning),
    onFormat: (format) => formats.push(format),
  });
  for await (const log of sessions) logs.push(log);
  return { logs, warnings, formats };
}

async function failure(input: unknown, options?: ReadSessionsOptions): Promise<{ code: string; message: string }> {
  return await read(input, options).then(
    () => expect.fail('it was read'),
    (error: { code: string; message: string }) => error,
  );
}

function streamOf(bytes: Uint8Array, pieceBytes: number): ReadableStream<Uint8Array> {
  let start = 0;
  return new ReadableStream({
    pull(controller) {
      if (start >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(start, start + pieceBytes));
      start += pieceBytes;
    },
  });
}

const TEXTS = ['hi', 'Žluťoučký 会话 👩‍👩‍👧', 'ends here'];
const SPOKEN = TEXTS.map((text) => `u: ${text}`);

describe('a file', () => {
  const log = toLog(TEXTS);
  const bytes = strToU8(log);

  it.each<[string, () => unknown]>([
    ['text', () => log],
    ['bytes', () => bytes],
    ['a buffer', () => bytes.slice().buffer],
    ['a part of a buffer', () => new Uint8Array([0, ...bytes, 0]).subarray(1, bytes.length + 1)],
    ['a blob', () => new Blob([bytes])],
    ['a stream', () => streamOf(bytes, 1000)],
    ['a stream that cuts characters', () => streamOf(bytes, 1)],
    ['text with a byte order mark', () => `\ufeff${log}`],
    ['text with carriage returns', () => log.replaceAll('\n', '\r\n')],
    ['text with blank lines', () => log.replaceAll('\n', '\n\n  \n')],
    ['gzip', () => gzipSync(bytes)],
    ['a parsed list', () => log.split('\n').map((line) => JSON.parse(line) as unknown)],
    ['a JSON array', () => JSON.stringify(log.split('\n').map((line) => JSON.parse(line) as unknown))],
    [
      'a pretty JSON array in pieces',
      () =>
        streamOf(
          strToU8(
            JSON.stringify(
              log.split('\n').map((line) => JSON.parse(line) as unknown),
              null,
              2,
            ),
          ),
          7,
        ),
    ],
    [
      'server-sent events',
      () =>
        log
          .split('\n')
          .map((line) => `event: x\ndata: ${line}\n`)
          .join('\n'),
    ],
  ])('may come as %s', async (_, toInput) => {
    const { logs, warnings, formats } = await read(toInput());
    expect(logs.map(speak)).toEqual([SPOKEN]);
    expect(warnings).toEqual([]);
    expect(formats).toEqual(['deepseek-harness']);
  });

  it('may be a zip of several, with others between', async () => {
    const archive = zipSync({
      'a/session.jsonl': strToU8(toLog(['one'], 'a')),
      'notes.txt': strToU8('not ours'),
      'settings.json': strToU8('{"theme":"dark"}'),
      'b.jsonl': strToU8(toLog(['two'], 'b')),
    });
    const { logs, warnings } = await read(archive);
    expect(logs.map(({ header }) => header.id).toSorted()).toEqual(['a', 'b']);
    expect(warnings).toMatchObject([{ code: 'LOST_SESSION', where: '"settings.json"' }]);
  });

  it('may be zstd, where something decompresses it', async () => {
    const packed = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]);
    const { logs } = await read(packed, { decompressZstd: () => bytes });
    expect(logs.map(speak)).toEqual([SPOKEN]);
    expect((await failure(packed)).message).toContain('zstd');
  });
});

describe('a fault', () => {
  it('in the middle costs one line, and names it', async () => {
    const lines = toLog(TEXTS).split('\n');
    lines.splice(2, 0, '{"type": broken', '42', '[1]', '"massive error"');
    const { logs, warnings } = await read(lines.join('\n'));
    expect(logs.map(speak)).toEqual([SPOKEN]);
    expect(warnings.map(({ code, where }) => [code, where])).toEqual([
      ['UNREADABLE', 'line 3'],
      ['UNREADABLE', 'line 4'],
      ['UNREADABLE', 'line 5'],
      ['UNREADABLE', 'line 6'],
    ]);
  });

  it('at the end is a torn line', async () => {
    const { logs, warnings } = await read(`${toLog(TEXTS)}\n{"type":"user/mess`);
    expect(logs.map(speak)).toEqual([SPOKEN]);
    expect(warnings).toMatchObject([{ code: 'TORN', where: 'line 5' }]);
  });

  it('in the first line costs that line', async () => {
    const { logs, warnings } = await read(`{"type":"sess\n${toLog(TEXTS)}`);
    expect(logs.map(speak)).toEqual([SPOKEN]);
    expect(warnings).toMatchObject([{ code: 'UNREADABLE', where: 'line 1' }]);
  });

  it('in one element of a list costs that element', async () => {
    const rows = toLog(TEXTS).split('\n');
    const { logs, warnings } = await read(`[${rows[0]},${rows[1]},{"a":nope},${rows[2]},${rows[3]}]`);
    expect(logs.map(speak)).toEqual([SPOKEN]);
    expect(warnings).toMatchObject([{ code: 'UNREADABLE', where: '[2]' }]);
  });

  it('that cuts a list off is reported', async () => {
    const rows = toLog(TEXTS).split('\n');
    const { logs, warnings } = await read(`[${rows.join(',')},{"type":"user`);
    expect(logs.map(speak)).toEqual([SPOKEN]);
    expect(warnings).toMatchObject([{ code: 'TORN' }]);
  });

  it.each([
    ['prose', '=== session log ===', 'UNREADABLE'],
    ['a number', '42', 'UNREADABLE'],
    ['a text', '"massive error"', 'UNREADABLE'],
  ])('in the first line, which is %s, costs that line', async (_, line, code) => {
    const { logs, warnings } = await read(`${line}\n${toLog(TEXTS)}`);
    expect(logs.map(speak)).toEqual([SPOKEN]);
    expect(warnings).toMatchObject([{ code, where: 'line 1' }]);
  });

  it('that is much white space at the start costs nothing', async () => {
    const { logs, warnings } = await read(` \r\n\t\n${'\n'.repeat(5_000)}${toLog(TEXTS)}\n{"type`);
    expect(logs.map(speak)).toEqual([SPOKEN]);
    expect(warnings).toMatchObject([{ code: 'TORN', where: 'line 5007' }]);
  });

  it('behind the list of a file is reported', async () => {
    const list = `[${toLog(TEXTS).split('\n').join(',')}]`;
    const { logs, warnings } = await read(streamOf(strToU8(`${list} \n${list}\n${list}`), 50));
    expect(logs.map(speak)).toEqual([SPOKEN]);
    expect(warnings).toMatchObject([{ code: 'UNREADABLE', where: 'the file' }]);
    expect((await read(`${list}\r\n \t\n`)).warnings).toEqual([]);
  });

  it('of two sessions with one id never takes the id of a third', async () => {
    const { logs } = await read([toLog(['one'], 'x'), toLog(['two'], 'x'), toLog(['three'], 'x~2')].join('\n'));
    expect(logs.map(({ header }) => header.id)).toEqual(['x', 'x~2', 'x~2~2']);
  });

  it('of two sessions with one id keeps both', async () => {
    const { logs, warnings } = await read(`${toLog(['one'])}\n${toLog(['two'])}\n${toLog(['three'])}`);
    expect(logs.map(({ header }) => header.id)).toEqual(['s', 's~2', 's~3']);
    expect(warnings).toHaveLength(2);
  });
});

describe('what is none of ours', () => {
  it.each<[string, unknown, RegExp]>([
    ['an empty file', '', /empty/],
    ['white space', ' \n\t\n', /empty/],
    ['a binary file', new Uint8Array([0x7b, 0, 1, 2, 3, 255]), /binary/],
    ['prose', 'Once upon a time', /neither JSON/],
    ['a broken object', '{"a": 1,', /no valid JSON/],
    ['an empty list', '[]', /nothing/],
    ['an unknown object', '{"theme":"dark","size":3}', /one JSON object with the keys theme, size/],
    ['a list of numbers', '[1,2,3]', /a JSON array/],
    ['a number', 7, /one JSON object/],
    ['nothing', undefined, /one JSON object/],
    ['a broken archive', new Uint8Array([0x50, 0x4b, 3, 4, 1, 2, 3, 4]), /zip/],
    ['broken gzip', new Uint8Array([0x1f, 0x8b, 3, 4, 1, 2, 3, 4]), /gzip/],
  ])('%s is INVALID_LOG, and says what it is', async (_, input, message) => {
    const error = await failure(input);
    expect(error.code).toBe('SESSION_REFERENCE_INVALID_LOG');
    expect(error.message).toMatch(message);
  });

  it('never repeats what a file says', async () => {
    const error = await failure('{"my secret is hunter2":1,"also <b>":2,"plain":3}');
    expect(error.message).toContain('plain');
    expect(error.message).not.toMatch(/hunter2|<b>/);
  });

  it('is refused by a format that was named wrong', async () => {
    expect((await failure(toLog(TEXTS), { format: 'no-such' as never })).message).toContain('deepseek-harness');
  });
});

describe('an input that fails', () => {
  const locked = new ReadableStream<Uint8Array>();
  locked.getReader();
  const head = strToU8(toLog(TEXTS));

  it.each<[string, unknown, RegExp]>([
    ['a stream that somebody reads', locked, /being read/],
    [
      'a stream of text',
      new ReadableStream({ start: (controller) => controller.enqueue('text') }),
      /hand out bytes, not a string/,
    ],
    [
      'a file that is gone',
      new ReadableStream({
        pull(controller) {
          if (controller.desiredSize === 1) controller.enqueue(head);
          controller.error(new Error('hunter2'));
        },
      }),
      /to its end/,
    ],
    [
      'an object that cannot be looked at',
      {
        get messages(): unknown {
          throw new Error('hunter2');
        },
      },
      /could not be read/,
    ],
  ])('%s is INVALID_LOG, and says no more', async (_, input, message) => {
    const error = await failure(input);
    expect(error.code).toBe('SESSION_REFERENCE_INVALID_LOG');
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('hunter2');
  });
});

describe('a long file', () => {
  const long = toLog(Array.from({ length: 30_000 }, (_, index) => `message ${index} ${'x'.repeat(200)}`));

  it('reports how far it is', async () => {
    const onProgress = vi.fn();
    await read(new Blob([long]), { onProgress });
    const totalBytes = long.length;
    const reads = onProgress.mock.calls.map(([{ readBytes }]) => readBytes as number);
    expect(reads.length).toBeGreaterThan(2);
    expect(reads).toEqual(reads.toSorted((one, other) => one - other));
    expect(onProgress).toHaveBeenLastCalledWith({ readBytes: totalBytes, totalBytes });
  });

  it('hears an abort, and lets go of its source', async () => {
    const controller = new AbortController();
    const cancel = vi.fn();
    const bytes = strToU8(long);
    let start = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(streamController) {
        streamController.enqueue(bytes.subarray(start, start + 65_536));
        start += 65_536;
      },
      cancel,
    });
    const onProgress = (): void => controller.abort(new Error('enough'));
    const error = await failure(stream, { signal: controller.signal, onProgress });
    expect(error).toMatchObject({ code: 'SESSION_REFERENCE_CANCELLED', cause: { message: 'enough' } });
    expect(cancel).toHaveBeenCalled();
  });

  it('hears an abort while its source says nothing', async () => {
    const head = strToU8(toLog(TEXTS));
    const stream = new ReadableStream<Uint8Array>({ start: (streamController) => streamController.enqueue(head) });
    const error = await failure(stream, { signal: AbortSignal.timeout(20) });
    expect(error).toMatchObject({ code: 'SESSION_REFERENCE_CANCELLED' });
  });

  it('hears an abort before one large value is complete', async () => {
    const controller = new AbortController();
    const piece = strToU8('"x",'.repeat(16_384));
    const head = strToU8('{"messages":[');
    let pieces = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(streamController) {
        streamController.enqueue(pieces === 0 ? head : piece);
        pieces += 1;
        if (pieces > 10_000) streamController.error(new Error('read to its end'));
      },
    });
    setTimeout(() => controller.abort());
    const error = await failure(stream, { signal: controller.signal });
    expect(error).toMatchObject({ code: 'SESSION_REFERENCE_CANCELLED' });
  });

  it.each([
    ['an element', '['],
    ['a line', `${JSON.stringify(HEADER)}\n`],
    ['an object', '{"a":"'],
  ])('is refused for %s that no engine could parse', async (_, start) => {
    const piece = new Uint8Array(1 << 20).fill(0x78);
    let pieces = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(streamController) {
        streamController.enqueue(pieces === 0 ? strToU8(start) : piece);
        pieces += 1;
        if (pieces > 520) streamController.close();
      },
    });
    const error = await failure(stream);
    expect(error.code).toBe('SESSION_REFERENCE_INVALID_LOG');
    expect(error.message).toContain('too large');
  });

  it('refuses to begin when its signal is aborted already', async () => {
    expect(await failure(long, { signal: AbortSignal.abort() })).toMatchObject({ code: 'SESSION_REFERENCE_CANCELLED' });
  });
});
