import type { PreparedMessage, ReferencingAgent, SessionReference } from '../../src/reference.ts';
import type { ContentBlock } from '../../src/session/session.ts';
import { findContextProblems, readFrame } from '../context-invariants.ts';
import { naiveProjection } from '../naive-projection.ts';
import { naiveTagSafeJson, utf8Bytes } from '../naive-tag-safe-json.ts';
import type { SnapshotObject, SnapshotSource } from '../snapshot-invariants.ts';
import {
  expectCode,
  expectEqual,
  expectNoProblems,
  expectValue,
  type Outcome,
  outcomeOf,
  type Report,
  runCases,
} from './case-report.ts';
import { signalOf } from './case-signal.ts';
import type { Subject } from './library.ts';
import type { VectorSession } from './run-surface-fold.ts';
import { sha256 } from './sha256.ts';
import { sessionsQuery } from './vector-query.ts';

/** What both kinds of `prepare` cases share. */
interface PrepareInput {
  readonly name: string;
  readonly config: { readonly maxReferenceBytes?: number };
  readonly target: ReferencingAgent;
  readonly sessions: readonly VectorSession[];
  readonly references: readonly SessionReference[];
  readonly content: readonly ContentBlock[];
  readonly signal?: string;
}

/** The recorded JSON, or enough of it to tell it apart. */
type ExpectedJson =
  | string
  | {
      readonly $sha256: string;
      readonly $utf8: number;
      readonly $length: number;
      readonly $start: string;
      readonly $end: string;
    };

interface ExactCase extends PrepareInput {
  readonly expected: {
    readonly json?: ExpectedJson;
    readonly source?: unknown;
    readonly noContext?: true;
    readonly errorCode?: string;
  };
}

/** Sizes of one snapshot that one good answer reaches. */
interface BetterSnapshot {
  readonly sessionId: string;
  readonly bytes: number;
  readonly items: readonly { readonly role: string; readonly omittedBytes: number; readonly textBytes: number }[];
}

interface InvariantCase extends PrepareInput {
  readonly better?: readonly BetterSnapshot[];
}

/** `maxReferenceBytes` where a case sets none. */
const DEFAULT_MAX_BYTES = 65_536;

/** @param cases - of `prepare-exact.json`, or of our own. */
export function runPrepareExact(subject: Subject, cases: readonly unknown[]): Promise<Report> {
  return runCases(
    'prepare-exact',
    cases as readonly ExactCase[],
    ({ name }) => name,
    async (entry) => {
      const { errorCode, noContext, json, source } = entry.expected;
      const outcome = await prepare(subject, entry);
      if (errorCode !== undefined) {
        expectCode(outcome, errorCode, subject.library.isSessionReferenceError);
        return;
      }
      const { additionalContext, ...prepared } = expectValue(outcome);
      expectEqual('the content', prepared, { content: entry.content });
      if (noContext) {
        expectEqual('additionalContext', additionalContext, undefined);
        return;
      }
      expectJson(readFrame(additionalContext?.content[0].text ?? '')?.json, json);
      expectEqual('the source', additionalContext?.source, source);
      expectContext(entry, additionalContext);
    },
  );
}

/** @param cases - of `prepare-invariant.json`, or of our own. */
export function runPrepareInvariant(subject: Subject, cases: readonly unknown[]): Promise<Report> {
  return runCases(
    'prepare-invariant',
    cases as readonly InvariantCase[],
    ({ name }) => name,
    async (entry) => {
      const { content, additionalContext } = expectValue(await prepare(subject, entry));
      expectEqual('the content', content, entry.content);
      expectContext(entry, additionalContext);
      const frame = readFrame(additionalContext?.content[0].text ?? '');
      const snapshots = JSON.parse(frame?.json ?? '[]') as readonly SnapshotObject[];
      const sources = sourcesOf(entry);
      const problems = (entry.better ?? []).flatMap((better) => {
        const index = sources.findIndex(({ sessionId }) => sessionId === better.sessionId);
        return findWorse(better, sources[index], snapshots[index] ?? { conversation: [] });
      });
      expectNoProblems(problems);
    },
  );
}

async function prepare(subject: Subject, entry: PrepareInput): Promise<Outcome<PreparedMessage>> {
  const query = sessionsQuery(entry.sessions.map(({ header, ...snapshot }) => ({ ...snapshot, session: header })));
  const service = subject.createService(query, entry.config);
  const content = structuredClone(entry.content) as ContentBlock[];
  const outcome = await outcomeOf(() =>
    service.prepare(entry.target, content, entry.references, signalOf(entry.signal)),
  );
  const ids = new Set(entry.references.map((reference) => reference?.sessionId));
  const reads = query.reads.toSorted();
  if (outcome.kind === 'value') {
    expectEqual('the surfaces read', reads, [...ids].toSorted());
    const detached = outcome.value.content as unknown;
    expectEqual(
      'whether the content is detached',
      detached === content || content.some((block) => isIn(block, detached)),
      false,
    );
  }
  return outcome;
}

function isIn(block: ContentBlock, content: unknown): boolean {
  return (content as readonly unknown[]).includes(block);
}

function expectJson(json: string | undefined, expected: ExpectedJson | undefined): void {
  if (typeof expected !== 'object') {
    expectEqual('the data', json, expected);
    return;
  }
  const text = json ?? '';
  const found = {
    $sha256: sha256(new TextEncoder().encode(text)),
    $utf8: utf8Bytes(text),
    $length: text.length,
    $start: text.slice(0, expected.$start.length),
    $end: text.slice(text.length - expected.$end.length),
  };
  expectEqual('the data', found, expected);
}

function expectContext(entry: PrepareInput, context: unknown): void {
  const maxBytes = entry.config.maxReferenceBytes ?? DEFAULT_MAX_BYTES;
  expectNoProblems(findContextProblems(context, sourcesOf(entry), maxBytes));
}

function sourcesOf({ sessions, references }: PrepareInput): SnapshotSource[] {
  const labels = new Map<string, string>();
  // Must keep the first label of an id: the later ones name the same session.
  for (const { sessionId, label = sessionId } of references) {
    if (!labels.has(sessionId)) labels.set(sessionId, label);
  }
  return Array.from(labels, ([sessionId, label], inputIndex) => {
    const session = sessions.find(({ header }) => header.id === sessionId);
    const units = naiveProjection(session?.events ?? []);
    const { capturedThroughSeq = null, header } = session ?? {};
    return { sessionId, label, cwd: header?.cwd ?? null, capturedThroughSeq, units, inputIndex };
  });
}

/**
 * What a good answer of the recorded kind can be ahead of ours, in bytes per cut text: its notice has no line break
 * behind it, which takes 2 bytes in JSON, and the code point that these would have made room for has up to 11 more.
 */
const NOTICE_SLACK = 2;
const CODE_POINT_SLACK = 11;

/** Where a snapshot stays behind the sizes that one good answer reached. */
function findWorse(better: BetterSnapshot, source: SnapshotSource | undefined, snapshot: SnapshotObject): string[] {
  // The recorded answers also quote messages of white space only, which are none by DESIGN §5.
  if (source === undefined || source.units.length === 0) return [];
  const cuts = better.items.filter(({ omittedBytes }) => omittedBytes > 0).length;
  const slack = cuts === 0 ? 0 : cuts * NOTICE_SLACK + CODE_POINT_SLACK;
  const bytes = utf8Bytes(naiveTagSafeJson(snapshot));
  const roles = snapshot.conversation.map(({ role }) => role);
  const problems: string[] = [];
  if (roles.join() !== better.items.map(({ role }) => role).join()) problems.push(`the roles are ${roles.join()}`);
  if (bytes < better.bytes - slack) problems.push(`${bytes} bytes, a good answer has ${better.bytes}`);
  return problems;
}
