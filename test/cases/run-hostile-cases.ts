import { findContextProblems, readFrame } from '../context-invariants.ts';
import { fixedFieldsFit, type SnapshotSource } from '../snapshot-invariants.ts';
import { expectEqual, expectNoProblems, outcomeOf, type Report, runCases } from './case-report.ts';
import type { HostileCase } from './hostile-cases.ts';
import type { Subject } from './library.ts';
import { findUnsafeLabelProblems } from './safe-label.ts';
import { sessionsQuery, titlesQuery } from './vector-query.ts';

const DEFAULT_MAX_BYTES = 65_536;

/**
 * Take each hostile session through every output: the candidate, its mention, the readable message, the snapshot, its
 * provenance, and the errors.
 *
 * @param cases - of `hostile-cases.ts`.
 */
export function runHostileCases(subject: Subject, cases: readonly HostileCase[]): Promise<Report> {
  return runCases(
    'hostile',
    cases,
    ({ name }) => name,
    async (entry) => {
      await checkDiscovery(subject, entry);
      await checkSnapshot(subject, entry);
    },
  );
}

async function checkDiscovery({ library, createService }: Subject, entry: HostileCase): Promise<void> {
  const { id = 'source', label = 'A title', cwd } = entry;
  const session = { id, createdAt: 1, title: label, ...(cwd === undefined ? {} : { cwd }) };
  const service = createService(titlesQuery([session]), {});
  const [candidate] = await service.listCandidates({ id: 'target' }, '', 1);
  const mention = candidate?.mention ?? '';
  // Must stand among other words, as in a draft.
  const { text, references } = library.parseSessionReferenceText(`see ${mention}, please`);
  const shown = label.trim() === '' ? id : label;
  expectEqual('what the mention references', references, [{ sessionId: id, label: shown }]);
  const readable = text.slice('see @'.length, -', please'.length);
  expectNoProblems(findUnsafeLabelProblems(readable, shown));
  expectNoProblems(findUnsafeLabelProblems(library.displayLabel(shown), shown.replace(/\p{Surrogate}/gu, '\ufffd')));
  expectEqual('the text parsed again', library.parseSessionReferenceText(text), { text, references: [] });
}

async function checkSnapshot({ library, createService }: Subject, entry: HostileCase): Promise<void> {
  const { id = 'source', label = 'A title', cwd, text, maxReferenceBytes = DEFAULT_MAX_BYTES } = entry;
  const session = { version: 0, id, createdAt: 1, ...(cwd === undefined ? {} : { cwd }) };
  const data = { content: [{ type: 'text', text }], source: { kind: 'user' } };
  const events = [{ type: 'user/message', seq: 0, data }];
  const query = sessionsQuery([{ session, capturedThroughSeq: 0, events }]);
  const service = createService(query, { maxReferenceBytes });
  const prepare = () => service.prepare({ id: 'target' }, [], [{ sessionId: id, label }]);
  const outcome = await outcomeOf(prepare);
  const units = /\S/.test(text) ? [{ role: 'user' as const, text, checkpoint: false }] : [];
  const source: SnapshotSource = {
    sessionId: id,
    label,
    cwd: cwd ?? null,
    capturedThroughSeq: 0,
    units,
    inputIndex: 0,
  };
  if (!fixedFieldsFit(source, maxReferenceBytes)) {
    const error = outcome.kind === 'error' ? outcome.error : undefined;
    expectEqual('whether the error has a code', library.isSessionReferenceError(error), true);
    expectEqual('whether the error is bounded', (error as Error).message.length < 500, true);
    return;
  }
  const context = outcome.kind === 'value' ? outcome.value.additionalContext : undefined;
  expectNoProblems(findContextProblems(context, [source], maxReferenceBytes));
  const frame = readFrame(context?.content[0].text ?? '');
  const [snapshot] = JSON.parse(frame?.json ?? '[]') as { readonly sessionId: string; readonly label: string }[];
  expectEqual('the id that the model sees', snapshot?.sessionId, id);
  expectEqual('the label that the model sees', snapshot?.label, label);
  expectEqual('whether a prototype was polluted', 'polluted' in {}, false);
}
