/** Every promise that DESIGN §7 makes about the context message, and §6 about each snapshot in it, checked from outside. */
import { naiveTagSafeJson } from './naive-tag-safe-json.ts';
import { findSnapshotProblems, type SnapshotObject, type SnapshotSource } from './snapshot-invariants.ts';

const OPENING = '<referenced-sessions>';
const CLOSING = '</referenced-sessions>';

/** The three parts of a context message's text. */
export interface Frame {
  /** What stands before the opening tag. */
  readonly before: string;
  /** What stands between `<referenced-sessions>\n` and `\n</referenced-sessions>`. */
  readonly json: string;
  /** What stands behind the closing tag. */
  readonly after: string;
}

/**
 * Take the text of a context message apart.
 *
 * @returns `undefined` when the frame is not there exactly once.
 */
export function readFrame(text: string): Frame | undefined {
  const [before, rest, ...more] = text.split(OPENING);
  const [data, after, ...evenMore] = rest?.split(CLOSING) ?? [];
  if (before === undefined || data === undefined || after === undefined) return undefined;
  if (more.length + evenMore.length > 0 || !data.startsWith('\n') || !data.endsWith('\n')) return undefined;
  return { before, json: data.slice(1, -1), after };
}

/**
 * What is wrong with a context message.
 *
 * @param context - `additionalContext`, of any type.
 * @param sources - what was referenced, in order of mention, without repetitions.
 * @param maxBytes - `maxReferenceBytes`.
 */
export function findContextProblems(context: unknown, sources: readonly SnapshotSource[], maxBytes: number): string[] {
  const { id, role, source, content } = context as {
    readonly id?: unknown;
    readonly role?: unknown;
    readonly source?: { readonly kind?: unknown; readonly version?: unknown; readonly references?: readonly unknown[] };
    readonly content?: readonly { readonly type?: unknown; readonly text?: unknown }[];
  };
  const problems = findThawed(context, 'additionalContext');
  if (typeof id !== 'string' || id === '') problems.push('the context has no id');
  if (role !== 'user') problems.push('the context is no user message');
  if (source?.kind !== 'session-reference' || source.version !== 1) problems.push('the source is not identified');
  const text = content?.[0]?.text;
  if (content?.length !== 1 || content[0]?.type !== 'text' || typeof text !== 'string') {
    return [...problems, 'the content is not one text block'];
  }
  return [...problems, ...findTextProblems(text, source?.references ?? [], sources, maxBytes)];
}

function findTextProblems(
  text: string,
  records: readonly unknown[],
  sources: readonly SnapshotSource[],
  maxBytes: number,
): string[] {
  const frame = readFrame(text);
  if (frame === undefined) return ['the frame does not stand there exactly once'];
  const problems: string[] = [];
  if (!frame.before.startsWith('## Referenced sessions\n')) problems.push('the heading is missing');
  if (!/untrusted/i.test(frame.before)) problems.push('the warning before the data is missing');
  if (!/^\n[^\n]+\n?$/.test(frame.after)) problems.push('the warning behind the data is not one line');
  const snapshots = JSON.parse(frame.json) as readonly SnapshotObject[];
  if (naiveTagSafeJson(snapshots) !== frame.json) problems.push('the data is not tag-safe JSON in its shortest form');
  if (snapshots.length !== sources.length || records.length !== sources.length) {
    return [...problems, `${snapshots.length} snapshots and ${records.length} records, expected ${sources.length}`];
  }
  for (const [index, source] of sources.entries()) {
    const snapshot = snapshots[index] ?? { conversation: [] };
    const found = findSnapshotProblems(source, maxBytes, snapshot, records[index]);
    problems.push(...found.map((problem) => `snapshot ${index}: ${problem}`));
  }
  return problems;
}

/** Everything below a value that can still be changed. */
function findThawed(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.isFrozen(value) ? [] : [`${path} is not frozen`];
  return [...own, ...Object.entries(value).flatMap(([key, child]) => findThawed(child, `${path}.${key}`))];
}
