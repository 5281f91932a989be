import type { UnknownRecord } from '../record.ts';
import type { SlicedWork } from '../slices.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { hasVisibleText, toContentBlocks, toHiddenBlock } from './foreign-content.ts';
import { readString, showField } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { ReadContext } from './format-reader.ts';

/** One line of a session. */
export interface CopilotEvent {
  readonly row: UnknownRecord;
  readonly data: UnknownRecord;
  readonly where: string;
}

/** Events of these kinds are about the session, or steps on the way to an answer. */
const OTHER_TYPES =
  /^(?:session|assistant|tool|hook|skill|subagent|permission|elicitation|user_input|system|pending_messages|external_tool|exit_plan_mode|command|abort|mcp|agent)(?:\.|$)/;

/**
 * Write the events of a session, without those that were rewound.
 *
 * @param events - in order.
 * @param writer - of the session.
 * @param warn - told about what cannot be read.
 */
export function* writeCopilotEvents(
  events: readonly CopilotEvent[],
  writer: ConversationWriter,
  warn: ReadContext['warn'],
): SlicedWork<void> {
  const { live, rewound } = rewind(events);
  for (const event of live) {
    yield;
    addEvent(event, writer, warn);
  }
  for (const { row } of rewound) writer.other('rewound', row, readTime(row.timestamp));
}

/** A rewind takes back the event it names and everything after it; newer versions list what they take back. */
function rewind(events: readonly CopilotEvent[]): {
  readonly live: readonly CopilotEvent[];
  readonly rewound: readonly CopilotEvent[];
} {
  const live: CopilotEvent[] = [];
  const rewound: CopilotEvent[] = [];
  const listed = listRewound(events);
  const places = new Map<string, number>();
  for (const event of events) {
    const { row, data } = event;
    const id = readString(row.id);
    if (id !== undefined && listed.has(id)) {
      rewound.push(event);
      continue;
    }
    if (row.type === 'session.snapshot_rewind' && !Array.isArray(data.eventIds)) {
      const start = places.get(readString(data.upToEventId) ?? '');
      // Must look whether it is still there: it can have been rewound before.
      const isThere = start !== undefined && live[start]?.row.id === data.upToEventId;
      for (const one of isThere ? live.splice(start) : []) rewound.push(one);
    }
    if (id !== undefined) places.set(id, live.length);
    live.push(event);
  }
  return { live, rewound };
}

function listRewound(events: readonly CopilotEvent[]): ReadonlySet<unknown> {
  return new Set(
    events.flatMap(({ row, data }) => {
      const isList = row.type === 'session.snapshot_rewind' && Array.isArray(data.eventIds);
      return isList ? (data.eventIds as readonly unknown[]) : [];
    }),
  );
}

function addEvent(event: CopilotEvent, writer: ConversationWriter, warn: ReadContext['warn']): void {
  const { row, data, where } = event;
  const details = { time: readTime(row.timestamp), id: readString(row.id) };
  const isOfSubagent = readString(data.parentToolCallId) !== undefined || readString(row.agentId) !== undefined;
  if (isOfSubagent) writer.other('subagent', row, details.time);
  else if (row.type === 'user.message') addUser(data, writer, details);
  else if (row.type === 'assistant.message') {
    const requests = data.toolRequests === undefined ? [] : [toHiddenBlock('tool-requests', data.toolRequests)];
    writer.assistant([...toContentBlocks(data.content), ...requests], details);
  } else if (row.type === 'system.message') writer.injected(toContentBlocks(data.content), 'system', details);
  else if (row.type === 'tool.execution_complete') writer.toolResult(row, details.time);
  else if (row.type === 'session.compaction_complete') addCompaction(event, writer, warn);
  else {
    if (typeof row.type !== 'string' || !OTHER_TYPES.test(row.type)) {
      warn('UNKNOWN', where, 'The type of an event is not known.');
    }
    writer.other(showField(row.type), row, details.time);
  }
}

/** Skills, other agents and the autopilot speak in the name of the user and say so. */
function addUser(
  data: UnknownRecord,
  writer: ConversationWriter,
  details: { readonly time: number | undefined; readonly id: string | undefined },
): void {
  const source = readString(data.source);
  const content = toContentBlocks(data.content);
  const isTyped = (source === undefined || source === 'user') && data.isAutopilotContinuation !== true;
  if (isTyped) writer.user(content, details);
  else writer.injected(content, 'context', details);
}

function addCompaction(
  { row, data, where }: CopilotEvent,
  writer: ConversationWriter,
  warn: ReadContext['warn'],
): void {
  const time = readTime(row.timestamp);
  const summary = toContentBlocks(readString(data.summaryContent));
  if (data.success !== false && hasVisibleText(summary)) {
    writer.summarize(summary, { time });
    return;
  }
  warn('BROKEN_COMPACTION', where, 'A compaction failed or has no summary that can be read; it replaces nothing.');
  writer.other('compaction', row, time);
}
