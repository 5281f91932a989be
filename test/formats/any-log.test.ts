import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
import { parseSessionHeader } from '../../src/session/header.ts';
import { LAW_RUNS } from '../arbitraries.ts';
import { readRows, speak } from './read-rows.ts';

/** Ids are few, so that rows find each other, in circles too. */
const ID = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', '');
const TEXT = fc.constantFrom(
  'hi',
  '',
  ' ',
  '/x y',
  '<command-name>/x</command-name><command-args>y</command-args>',
  '<local-command-stdout>x</local-command-stdout>',
  '<system-reminder>x</system-reminder>',
  '<task>x</task>',
  '[read_file] Result:',
  '<environment_details>x</environment_details>',
  '<state_snapshot>x</state_snapshot>',
  '<environment_context><cwd>/x</cwd></environment_context>',
  '## My request for Codex:\nx',
  '<user_command slash="x">y</user_command>',
);
const TIME = fc.constantFrom<unknown>('2026-01-02T03:04:05.000Z', 1_767_323_045_000, 1, -1, null, 'never');
const FLAG = fc.constantFrom<unknown>(true, true, false, null, 1);

/** Rows of one format: each a choice of fields, each field a choice of values, anything at times. */
type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

function rowsOf(fields: Fields): fc.Arbitrary<unknown[]> {
  const broken = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, fc.oneof({ weight: 30, arbitrary: value }, fc.jsonValue())]),
  );
  const row = fc.record(broken, { requiredKeys: [] });
  return fc.array(fc.oneof({ weight: 30, arbitrary: row }, fc.jsonValue()), { maxLength: 12 });
}

function oneOf(...values: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.constantFrom(...values);
}

function record(fields: Fields): fc.Arbitrary<unknown> {
  return fc.record(fields, { requiredKeys: [] });
}

const block = record({
  type: oneOf(
    'text',
    'text',
    'input_text',
    'output_text',
    'Text',
    'tool_use',
    'tool_result',
    'toolResponse',
    'file',
    'compaction',
  ),
  text: TEXT,
  content: TEXT,
  name: oneOf('attempt_completion', 'x'),
  input: record({ result: TEXT }),
  synthetic: FLAG,
  thought: FLAG,
  tail_start_id: ID,
  id: ID,
});
const content = fc.oneof(TEXT, fc.array(fc.oneof(block, TEXT), { maxLength: 3 }));
const parts = fc.array(record({ text: TEXT, thought: FLAG, functionResponse: TEXT }), { maxLength: 3 });
const ids = fc.array(ID, { maxLength: 4 });
const role = oneOf('user', 'user', 'assistant', 'model', 'tool', 'toolResult', 'system', 'compactionSummary');

const FORMATS: readonly (readonly [FormatReader, Fields])[] = [
  [
    claudeCodeReader,
    {
      type: oneOf(
        'user',
        'user',
        'assistant',
        'system',
        'attachment',
        'progress',
        'queue-operation',
        'last-prompt',
        'summary',
      ),
      subtype: oneOf('compact_boundary', 'local_command', 'x'),
      uuid: ID,
      parentUuid: fc.oneof(ID, fc.constant(null)),
      logicalParentUuid: ID,
      leafUuid: ID,
      explicit: FLAG,
      sessionId: oneOf('s', 's', 't'),
      isMeta: oneOf(false, false, true),
      isSidechain: oneOf(false, false, true),
      isCompactSummary: oneOf(false, true),
      operation: oneOf('remove', 'enqueue'),
      content: TEXT,
      timestamp: TIME,
      message: record({ id: ID, content, model: oneOf('x', '<synthetic>') }),
      attachment: record({ type: fc.constant('queued_command'), prompt: content, commandMode: fc.constant('prompt') }),
      compactMetadata: record({
        preservedMessages: record({ anchorUuid: ID, uuids: ids }),
        preservedSegment: record({ headUuid: ID, tailUuid: ID, anchorUuid: ID }),
      }),
    },
  ],
  [
    codexReader,
    {
      type: oneOf(
        'session_meta',
        'response_item',
        'response_item',
        'event_msg',
        'event_msg',
        'compacted',
        'message',
        'event',
      ),
      timestamp: TIME,
      role,
      content,
      payload: record({
        type: oneOf(
          'message',
          'message',
          'user_message',
          'agent_message',
          'item_completed',
          'thread_rolled_back',
          'compaction',
        ),
        role,
        content,
        id: ID,
        message: content,
        num_turns: oneOf(1, 2, 1e9, -1, 0.5),
        item: record({ type: oneOf('UserMessage', 'AgentMessage'), content, id: ID }),
        replacement_history: fc.array(record({ role, content }), { maxLength: 2 }),
      }),
    },
  ],
  [
    piReader,
    {
      type: oneOf('session', 'message', 'message', 'message', 'compaction', 'leaf', 'branch_summary', 'session_info'),
      id: ID,
      parentId: fc.oneof(ID, fc.constant(null)),
      targetId: ID,
      timestamp: TIME,
      summary: TEXT,
      name: TEXT,
      firstKeptEntryId: ID,
      firstKeptEntryIndex: oneOf(-1, 0, 1, 3, 99),
      message: record({ role, content, stopReason: oneOf('stop', 'aborted'), timestamp: TIME }),
    },
  ],
  [
    geminiCliReader,
    {
      sessionId: ID,
      projectHash: fc.constant('p'),
      id: ID,
      type: oneOf('user', 'gemini', 'info'),
      content: fc.oneof(content, parts),
      displayContent: content,
      parts,
      $set: record({
        messages: fc.array(record({ id: ID, type: oneOf('user', 'gemini'), content: fc.oneof(content, parts) }), {
          maxLength: 4,
        }),
      }),
      $rewindTo: ID,
      messages: fc.array(record({ id: ID, type: oneOf('user', 'gemini'), content: parts }), { maxLength: 3 }),
    },
  ],
  [
    opencodeReader,
    {
      info: record({
        id: ID,
        sessionID: ID,
        role,
        time: record({ created: TIME, completed: TIME }),
        revert: record({ messageID: ID, partID: ID }),
      }),
      parts: fc.array(block, { maxLength: 3 }),
      messages: fc.array(
        record({
          info: record({
            id: ID,
            role,
            parentID: ID,
            summary: FLAG,
            finish: TEXT,
            error: oneOf(undefined, {}),
            time: record({ created: TIME, completed: TIME }),
          }),
          parts: fc.array(block, { maxLength: 3 }),
        }),
        { maxLength: 6 },
      ),
    },
  ],
  [
    clineReader,
    {
      role,
      content,
      ts: TIME,
      type: oneOf('say', 'ask'),
      say: oneOf('task', 'text', 'user_feedback', 'completion_result'),
      ask: oneOf('followup', 'plan_mode_respond'),
      text: TEXT,
      sessionId: ID,
      messages: fc.array(
        record({ role, content, metadata: record({ kind: fc.constant('compaction_summary'), summary: TEXT }) }),
        { maxLength: 4 },
      ),
    },
  ],
  [
    rooReader,
    {
      role,
      content,
      ts: TIME,
      isSummary: FLAG,
      condenseId: ID,
      condenseParent: ID,
      isTruncationMarker: FLAG,
      truncationId: ID,
      truncationParent: ID,
      type: oneOf('reasoning', undefined),
    },
  ],
  [
    qwenCodeReader,
    {
      type: oneOf('user', 'assistant', 'tool_result', 'system'),
      subtype: oneOf(undefined, 'chat_compression', 'mid_turn_user_message'),
      uuid: ID,
      parentUuid: ID,
      sessionId: ID,
      message: record({ role, parts }),
      systemPayload: record({
        compressedHistory: fc.array(record({ role, parts }), { maxLength: 4 }),
        displayText: TEXT,
      }),
    },
  ],
  [
    gooseReader,
    {
      working_dir: ID,
      description: TEXT,
      id: ID,
      role,
      created: TIME,
      content,
      metadata: record({ userVisible: FLAG, agentVisible: FLAG }),
      conversation: fc.array(record({ role, content }), { maxLength: 3 }),
    },
  ],
  [
    copilotCliReader,
    {
      type: oneOf(
        'session.start',
        'user.message',
        'assistant.message',
        'session.compaction_complete',
        'session.snapshot_rewind',
      ),
      id: ID,
      timestamp: TIME,
      data: record({
        content: TEXT,
        sessionId: ID,
        summaryContent: TEXT,
        upToEventId: ID,
        eventIds: ids,
        parentToolCallId: ID,
      }),
    },
  ],
  [
    kimiCodeReader,
    {
      type: oneOf(
        'context.append_message',
        'context.append_loop_event',
        'context.apply_compaction',
        'context.undo',
        'context.clear',
      ),
      message: record({ role, content, origin: record({ kind: oneOf('user', 'injection', 'compaction_summary') }) }),
      event: record({ type: oneOf('step.begin', 'content.part', 'tool.result'), uuid: ID, stepUuid: ID, part: block }),
      summary: TEXT,
      compactedCount: oneOf(undefined, 0, 1, 2, 1e9, -1),
      count: oneOf(undefined, 0, 1, 1e9),
    },
  ],
];

describe('the readers of agents', () => {
  it.each(FORMATS.map(([reader, fields]) => [reader.title, reader, fields] as const))(
    'take any rows: %s',
    (_, reader, fields) => {
      fc.assert(
        fc.property(rowsOf(fields), (rows) => {
          const before = JSON.stringify(rows);
          reader.recognizes({ layout: 'lines', rows: rows.length === 0 ? [null] : rows });
          const { logs, warnings } = readRows(reader, rows, { fileName: 'x/y.jsonl' });
          for (const log of logs) {
            expect(parseSessionHeader(log.header)).toBeDefined();
            // Folding checks that what a compaction replaces is there.
            expect(speak(log)).toBeDefined();
          }
          const names = logs.map(({ header }) => header.id);
          expect(new Set(names).size).toBe(names.length);
          for (const { where, message } of warnings) expect(where.length + message.length).toBeLessThan(300);
          expect(JSON.stringify(rows)).toBe(before);
          expect(Object.keys(Object.prototype)).toEqual([]);
        }),
        { numRuns: LAW_RUNS },
      );
    },
  );
});
