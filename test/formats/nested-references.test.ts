import { expect, it } from 'vitest';
import { claudeCodeReader } from '../../src/formats/claude-code.ts';
import { clineReader } from '../../src/formats/cline.ts';
import { codexReader } from '../../src/formats/codex.ts';
import { copilotCliReader } from '../../src/formats/copilot-cli.ts';
import type { FormatReader } from '../../src/formats/format-reader.ts';
import { geminiCliReader } from '../../src/formats/gemini-cli.ts';
import { gooseReader } from '../../src/formats/goose.ts';
import { kimiCodeReader } from '../../src/formats/kimi-code.ts';
import { opencodeReader } from '../../src/formats/opencode.ts';
import { piReader } from '../../src/formats/pi.ts';
import { qwenCodeReader } from '../../src/formats/qwen-code.ts';
import { rooReader } from '../../src/formats/roo.ts';
import { createContext } from '../../src/snapshot/envelope.ts';
import { readRows, speak } from './read-rows.ts';

const REFERENCE = { sessionId: 'x', label: 'X', cwd: null, capturedThroughSeq: 1, conversation: [] };
const RECORD = {
  sessionId: 'x',
  label: 'X',
  capturedThroughSeq: 1,
  compacted: false,
  originalMessages: 0,
  retainedMessages: 0,
  omittedMessages: 0,
  omittedBytes: 0,
  truncated: false,
  inputIndex: 0,
};
const CONTEXT = createContext('c', [{ reference: REFERENCE, record: RECORD }]).content[0]?.text ?? '';
const TIME = '2026-01-02T03:04:05.000Z';

const TEXTS = [CONTEXT, 'look there'].map((text) => ({ type: 'text', text }));
const PARTS = [CONTEXT, 'look there'].map((text) => ({ text }));
const ALONE = [{ type: 'text', text: CONTEXT }];
const WRAPPED = [CONTEXT, 'look there', '<system-reminder>x</system-reminder>'].map((text) => ({ type: 'text', text }));

function claude(content: unknown): object {
  return { type: 'user', uuid: 'u', sessionId: 's', message: { role: 'user', content } };
}

it.each<[string, FormatReader, object]>([
  ['Claude Code', claudeCodeReader, claude(TEXTS)],
  ['Claude Code, with reminders', claudeCodeReader, claude(WRAPPED)],
  ['Codex', codexReader, { type: 'response_item', payload: { type: 'message', role: 'user', content: TEXTS } }],
  ['pi', piReader, { type: 'message', id: 'a', timestamp: TIME, message: { role: 'user', content: TEXTS } }],
  ['Gemini CLI', geminiCliReader, { type: 'user', id: 'u', content: PARTS }],
  ['opencode', opencodeReader, { info: { id: 'm', role: 'user' }, parts: TEXTS }],
  ['Cline', clineReader, { role: 'user', content: TEXTS }],
  ['Roo', rooReader, { role: 'user', content: TEXTS }],
  ['Qwen Code', qwenCodeReader, { type: 'user', sessionId: 's', uuid: 'u', message: { parts: PARTS } }],
  ['Goose', gooseReader, { role: 'user', content: TEXTS }],
  ['Copilot CLI', copilotCliReader, { type: 'user.message', timestamp: TIME, data: { content: TEXTS } }],
  ['Kimi Code', kimiCodeReader, { type: 'context.append_message', message: { role: 'user', content: TEXTS } }],
])('never quotes a snapshot of other sessions: %s', (_, reader, row) => {
  expect(readRows(reader, [row]).logs.map(speak)).toEqual([['u: look there']]);
  const alone = JSON.parse(
    JSON.stringify(row).replace(/\{"(?:type":"text",")?text":"look there"\}/, '{"type":"x"}'),
  ) as unknown;
  expect(readRows(reader, [alone]).logs.map(speak)).toEqual([[]]);
});

it('never quotes a snapshot that was the task', () => {
  const row = { role: 'user', content: `<task>\n${CONTEXT}\n</task>` };
  expect(readRows(clineReader, [row, { role: 'user', content: ALONE }]).logs.map(speak)).toEqual([[]]);
});
