import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { hasVisibleText, hideText, toContentBlocks, toHiddenBlock } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { ReadContext } from './format-reader.ts';

/** A message of an opencode session with its parts. */
export interface OpencodeMessage {
  readonly info: UnknownRecord;
  readonly parts: readonly unknown[];
  readonly where: string;
}

/** A compaction that is done: the message that asked for it, and the answer that is its summary. */
interface Compaction {
  readonly request: number;
  readonly answer: number;
  readonly summary: readonly ContentBlock[];
  readonly tailStartId: string | undefined;
}

/**
 * Write the messages of a session. The last compaction stands for what came before it, but for the tail it kept, which
 * stands before it in the file and behind it for the model. Earlier summaries are not repeated.
 *
 * @param messages - in order.
 * @param writer - of the session.
 * @param warn - told about what cannot be read.
 */
export function writeOpencodeMessages(
  messages: readonly OpencodeMessage[],
  writer: ConversationWriter,
  warn: ReadContext['warn'],
): void {
  const compactions = findCompactions(messages, warn);
  const last = compactions.at(-1);
  const byAnswer = new Map(compactions.map((compaction) => [compaction.answer, compaction]));
  const start = last === undefined ? 0 : findTail(messages, last);
  const addSummary = ({ answer, summary }: Compaction): void => {
    const message = messages[answer];
    writer.summarize(summary, message === undefined ? {} : detailsOf(message));
  };
  messages.forEach((message, index) => {
    // What comes first is the summary, then the tail, then what was said since.
    if (index === start && last !== undefined) addSummary(last);
    const compaction = byAnswer.get(index);
    if (compaction === undefined) addMessage(message, writer, warn);
    else if (index < start) addSummary(compaction);
    else if (compaction !== last) writer.other('summary', message, detailsOf(message).time);
  });
}

function findCompactions(messages: readonly OpencodeMessage[], warn: ReadContext['warn']): readonly Compaction[] {
  const requests = new Map<string, { readonly index: number; readonly tailStartId: string | undefined }>();
  const compactions: Compaction[] = [];
  messages.forEach(({ info, parts, where }, index) => {
    const id = readString(info.id);
    const part = parts.find((one): one is UnknownRecord => isRecord(one) && one.type === 'compaction');
    if (info.role === 'user' && part !== undefined && id !== undefined) {
      requests.set(id, { index, tailStartId: readString(part.tail_start_id) });
    }
    if (info.role !== 'assistant' || info.summary !== true) return;
    const request = requests.get(readString(info.parentID) ?? '');
    const summary = toContentBlocks(parts, readPartText);
    const isComplete = readString(info.finish) !== undefined && !hasError(info) && hasVisibleText(summary);
    if (request !== undefined && isComplete) {
      compactions.push({ request: request.index, answer: index, summary, tailStartId: request.tailStartId });
    } else warn('BROKEN_COMPACTION', where, 'A compaction was not finished; it replaces nothing.');
  });
  return compactions;
}

/** Where the compaction kept no tail, the message that asked for it. */
function findTail(messages: readonly OpencodeMessage[], { request, tailStartId }: Compaction): number {
  if (tailStartId === undefined) return request;
  const index = messages.findIndex(({ info }) => info.id === tailStartId);
  return index < 0 || index > request ? request : index;
}

function addMessage(message: OpencodeMessage, writer: ConversationWriter, warn: ReadContext['warn']): void {
  const { info, parts, where } = message;
  const details = detailsOf(message);
  const content = toContentBlocks(parts, readPartText).map(nameHidden);
  if (info.role === 'user') {
    const isInjected = !hasVisibleText(content) && parts.some((part) => isRecord(part) && part.type !== 'file');
    if (isInjected) writer.injected(content, 'context', details);
    else writer.user(content, details);
  } else if (info.role === 'assistant') {
    writer.assistant(isFinished(info) ? content : hideText(content), details);
  } else {
    warn('UNKNOWN', where, 'The role of a message is not known.');
    writer.other('message', message, details.time);
  }
}

/** A summary that is no checkpoint was left unfinished too. */
function isFinished(info: UnknownRecord): boolean {
  const { time, summary } = info;
  return isRecord(time) && readTime(time.completed) !== undefined && !hasError(info) && summary !== true;
}

function hasError({ error }: UnknownRecord): boolean {
  return error !== undefined && error !== null;
}

/** Plugins put texts beside those of the user. */
function readPartText({ type, text, synthetic, ignored }: UnknownRecord): string | undefined {
  const isShown = synthetic !== true && ignored !== true;
  return type === 'text' && isShown && typeof text === 'string' ? text : undefined;
}

function nameHidden(block: ContentBlock): ContentBlock {
  return block.type === 'unknown' ? toHiddenBlock('synthetic', block.value) : block;
}

function detailsOf({ info }: OpencodeMessage): { readonly time: number | undefined; readonly id: string | undefined } {
  return { time: readTime(isRecord(info.time) ? info.time.created : undefined), id: readString(info.id) };
}
