import { readSessions } from '../../dist/formats.js';

/** Makes large files away from the page: posts a blob for each wanted file. */

interface Wanted {
  readonly kind: 'chatgpt' | 'jsonl';
  readonly megabytes: number;
}

const WORDS = [
  'the build is green',
  'на сервере тихо',
  '部署之前先测试',
  'café déjà vu',
  '👍🏽 done',
  'a retry loop reads',
  'ends',
];

function createText(seed: number): string {
  return Array.from({ length: 40 }, (_, index) => WORDS[(seed * 7 + index * (seed % 5)) % WORDS.length]).join(' ');
}

function createConversation(index: number): string {
  const mapping: Record<string, unknown> = { root: { id: 'root', parent: null, children: ['m0'], message: null } };
  for (let turn = 0; turn < 60; turn += 1) {
    mapping[`m${turn}`] = {
      id: `m${turn}`,
      parent: turn === 0 ? 'root' : `m${turn - 1}`,
      children: turn === 59 ? [] : [`m${turn + 1}`],
      message: {
        id: `m${turn}`,
        author: { role: turn % 2 === 0 ? 'user' : 'assistant', name: null, metadata: {} },
        create_time: 1_700_000_000 + turn,
        content: { content_type: 'text', parts: [createText(index + turn)] },
        status: 'finished_successfully',
        end_turn: true,
        weight: 1,
        metadata: {},
        recipient: 'all',
        channel: null,
      },
    };
  }
  const head = { title: `Chat ${index}`, create_time: 1_700_000_000 + index, conversation_id: `c${index}` };
  return JSON.stringify({ ...head, mapping, current_node: 'm59' });
}

function createLine(seq: number): string {
  const content = [{ type: 'text', text: createText(seq) }];
  const data =
    seq % 2 === 0
      ? { id: `m${seq}`, role: 'user', content, source: { kind: 'user' } }
      : { turn: seq, message: { id: `m${seq}`, role: 'assistant', content, source: { kind: 'model' } } };
  return JSON.stringify({
    type: seq % 2 === 0 ? 'user/message' : 'assistant/message',
    seq,
    time: 1,
    data,
    surfaceOp: 'append',
  });
}

function createFile({ kind, megabytes }: Wanted): Blob {
  const parts: (string | Blob)[] = [
    kind === 'chatgpt' ? '[' : '{"type":"session","version":0,"id":"long","createdAt":1}\n',
  ];
  let size = 0;
  for (let index = 0; size < megabytes * 1e6; index += 1) {
    const text =
      kind === 'chatgpt'
        ? `${index === 0 ? '' : ',\n'}${createConversation(index)}`
        : Array.from({ length: 100 }, (_, offset) => `${createLine(index * 100 + offset)}\n`).join('');
    const part = new Blob([text]);
    parts.push(part);
    size += part.size;
  }
  if (kind === 'chatgpt') parts.push(']');
  return new Blob(parts);
}

/** `JSON.parse` of the same text, with what it gives kept: the time that nobody can do without. */
async function timeParsing(file: Blob, { kind }: Wanted): Promise<number> {
  const text = await file.text();
  const start = performance.now();
  const values =
    kind === 'chatgpt' ? [JSON.parse(text)] : text.split('\n').map((line) => line !== '' && JSON.parse(line));
  return values.length > 0 ? performance.now() - start : 0;
}

/** What the worker of the readers does with it, without a store behind. */
async function timeReading(file: Blob): Promise<number> {
  const start = performance.now();
  let events = 0;
  for await (const log of readSessions(file)) events += log.events.length;
  return events > 0 ? performance.now() - start : 0;
}

addEventListener('message', async ({ data }: MessageEvent<Wanted>): Promise<void> => {
  const file = createFile(data);
  postMessage({ file, parseTime: await timeParsing(file, data), readTime: await timeReading(file) });
});
