import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as library from '../src/index.ts';
import type { SurfaceEvent } from '../src/session/session.ts';
import { anyString, hostileText, LAW_RUNS, mentionText, sessionLog, surface } from './arbitraries.ts';
import { outcomeOf } from './cases/case-report.ts';
import { findReadableTextProblems } from './cases/run-mentions.ts';
import { findUnsafeLabelProblems } from './cases/safe-label.ts';
import { sessionsQuery } from './cases/vector-query.ts';
import { findContextProblems } from './context-invariants.ts';
import { naiveFold } from './naive-fold.ts';
import { naiveProjection } from './naive-projection.ts';
import { fixedFieldsFit, type SnapshotSource, wholeBytes } from './snapshot-invariants.ts';

const RUNS = { numRuns: LAW_RUNS };
const INVALID_REFERENCE = 'SESSION_REFERENCE_INVALID_REFERENCE';

/** One referenced session, and how much of it the budget has room for. */
interface Referenced {
  readonly id: string;
  readonly label: string | undefined;
  readonly cwd: string | undefined;
  readonly events: readonly SurfaceEvent[];
}

const referenced: fc.Arbitrary<Referenced> = fc.record({
  id: fc.oneof(fc.constantFrom('s', 'session-1', ''), anyString),
  label: fc.option(hostileText, { nil: undefined }),
  cwd: fc.option(fc.constantFrom('/w', 'C:\\work', '/<tag>\u202e'), { nil: undefined }),
  events: surface,
});

/** From less than the fixed fields to more than everything; mostly in between, where there is something to cut. */
const budget = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: 0, max: 1.1, noNaN: true }).map((part) => ({ part, extra: 0 })) },
  { weight: 3, arbitrary: fc.integer({ min: -40, max: 400 }).map((extra) => ({ part: 0, extra })) },
  { weight: 1, arbitrary: fc.integer({ min: -3, max: 3 }).map((extra) => ({ part: 1, extra })) },
);

function toSource({ id, label = id, cwd, events }: Referenced, inputIndex: number): SnapshotSource {
  const capturedThroughSeq = events.length === 0 ? null : events.length - 1;
  return { sessionId: id, label, cwd: cwd ?? null, capturedThroughSeq, units: naiveProjection(events), inputIndex };
}

function budgetBetween(sources: readonly SnapshotSource[], part: number, extra: number): number {
  const most = Math.max(...sources.map(wholeBytes));
  const least = Math.max(...sources.map((source) => wholeBytes({ ...source, units: [] })));
  return Math.max(1, Math.round(least + part * (most - least)) + extra);
}

async function prepare(sessions: readonly Referenced[], maxReferenceBytes: number): Promise<unknown> {
  const query = sessionsQuery(
    sessions.map(({ id, cwd, events }) => ({
      session: { version: 0, id, createdAt: 0, ...(cwd === undefined ? {} : { cwd }) },
      capturedThroughSeq: events.length === 0 ? null : events.length - 1,
      events,
    })),
  );
  const service = new library.SessionReferences(query, { maxReferenceBytes });
  const references = sessions.map(({ id, label }) => ({ sessionId: id, ...(label === undefined ? {} : { label }) }));
  const { additionalContext } = await service.prepare({ id: 'the target' }, [], references);
  return additionalContext;
}

describe('snapshots', () => {
  it('keep every promise of the contract, for any sessions and any budget', async () => {
    const property = fc.asyncProperty(
      fc.uniqueArray(referenced, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
      budget,
      async (sessions, { part, extra }) => {
        const sources = sessions.map(toSource);
        const maxBytes = budgetBetween(sources, part, extra);
        const outcome = await outcomeOf(() => prepare(sessions, maxBytes));
        if (!sources.every((source) => fixedFieldsFit(source, maxBytes))) {
          expect(outcome).toMatchObject({ kind: 'error', error: { code: 'SESSION_REFERENCE_BUDGET_EXCEEDED' } });
          return;
        }
        if (outcome.kind === 'error') throw outcome.error;
        expect(findContextProblems(outcome.value, sources, maxBytes)).toEqual([]);
      },
    );
    await fc.assert(property, RUNS);
  });

  it('never keep less for a larger budget', async () => {
    const property = fc.asyncProperty(
      referenced,
      budget,
      fc.integer({ min: 1, max: 60 }),
      async (session, place, more) => {
        const source = toSource(session, 0);
        const maxBytes = budgetBetween([source], place.part, place.extra);
        if (!fixedFieldsFit(source, maxBytes)) return;
        const [smaller, larger] = [await prepare([session], maxBytes), await prepare([session], maxBytes + more)];
        expect(readRecord(larger).retainedMessages).toBeGreaterThanOrEqual(readRecord(smaller).retainedMessages);
      },
    );
    await fc.assert(property, RUNS);
  });
});

describe('what is prepared', () => {
  const block = fc.record({
    type: fc.constantFrom('text', 'image'),
    text: anyString,
    extra: fc.jsonValue({ maxDepth: 2 }),
  });

  it('shares nothing with what was given, and its context is frozen to the last leaf', async () => {
    const property = fc.asyncProperty(referenced, fc.array(block, { maxLength: 3 }), async (session, content) => {
      const { id, cwd, events } = session;
      const given = structuredClone(events) as SurfaceEvent[];
      const header = { version: 0, id, createdAt: 0, ...(cwd === undefined ? {} : { cwd }) };
      const query = sessionsQuery([{ session: header, capturedThroughSeq: given.length - 1, events: given }]);
      const service = new library.SessionReferences(query);
      const written = structuredClone(content);
      const references = [{ sessionId: id }];
      const prepared = await service.prepare({ id: 'the target' }, written, references);
      const before = structuredClone({ ...prepared });
      for (const value of [written, given, header, references]) spoil(value);
      expect(prepared).toEqual(before);
      expect(prepared.content).toEqual(content);
      expect(findThawed(prepared.additionalContext)).toEqual([]);
      expect(Object.isFrozen(prepared.content)).toBe(false);
    });
    await fc.assert(property, RUNS);
  });
});

/** Change everything in a value that can be changed; what is frozen throws. */
function spoil(value: unknown): void {
  const open = [value];
  for (const one of open) {
    if (typeof one !== 'object' || one === null) continue;
    open.push(...Object.values(one));
    for (const key of Object.keys(one)) Reflect.set(one, key, 'spoilt');
    if (Array.isArray(one)) one.length = 0;
  }
}

/** The paths of what is not frozen. */
function findThawed(value: unknown, path = 'context'): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, one]) => findThawed(one, `${path}.${key}`));
  return Object.isFrozen(value) ? inner : [path, ...inner];
}

function readRecord(context: unknown): { readonly retainedMessages: number } {
  const { source } = context as { source: { references: readonly [{ retainedMessages: number }] } };
  return source.references[0];
}

describe('mentions', () => {
  it('encode every string to a URI that decodes to it', () => {
    const property = fc.property(anyString, (id) => {
      const uri = library.encodeSessionReferenceUri(id);
      expect(uri).toMatch(/^dsh-session:[\w-]+$/);
      expect(library.decodeSessionReferenceUri(uri)).toBe(id);
    });
    fc.assert(property, RUNS);
  });

  it('have one URI per id: what decodes is what encoding gives', () => {
    const property = fc.property(fc.array(fc.constantFrom(...'IilxngJ1_-AaQ=%')), (payload) => {
      const uri = `dsh-session:${payload.join('')}`;
      let id: string;
      try {
        id = library.decodeSessionReferenceUri(uri);
      } catch (error) {
        expect(error).toMatchObject({ code: INVALID_REFERENCE });
        return;
      }
      expect(library.encodeSessionReferenceUri(id)).toBe(uri);
    });
    fc.assert(property, RUNS);
  });

  it('are found again as they were written, whatever the id and the label', () => {
    const property = fc.property(anyString, anyString, (sessionId, label) => {
      const mention = library.formatSessionReferenceMention({ sessionId, label });
      const { text, references } = library.parseSessionReferenceText(mention);
      expect(references).toEqual([{ sessionId, label }]);
      expect(findReadableTextProblems(text, references, ['', ''])).toEqual([]);
    });
    fc.assert(property, RUNS);
  });

  it('are found between other words, in order', () => {
    const words = fc.constantFrom('', ' and ', '\n', ', ', '. ', '会', '!', '😀');
    const property = fc.property(
      fc.array(fc.tuple(words, anyString, anyString), { maxLength: 4 }),
      words,
      (parts, end) => {
        const expected = parts.map(([, sessionId, label]) => ({ sessionId, label }));
        const mentions = expected.map(library.formatSessionReferenceMention);
        const input = parts.map(([before], index) => before + mentions[index]).join('') + end;
        const { text, references } = library.parseSessionReferenceText(input);
        expect(references).toEqual(expected);
        expect(findReadableTextProblems(text, references, [...parts.map(([before]) => before), end])).toEqual([]);
      },
    );
    fc.assert(property, RUNS);
  });

  it('become text that parses to itself, or the text is refused with a code', () => {
    const property = fc.property(mentionText, (input) => {
      let parsed: library.ParsedSessionReferenceText;
      try {
        parsed = library.parseSessionReferenceText(input);
      } catch (error) {
        expect(error).toMatchObject({ name: 'SessionReferenceError', code: INVALID_REFERENCE });
        return;
      }
      const { text, references } = parsed;
      expect(library.parseSessionReferenceText(text)).toEqual({ text, references: [] });
      if (references.length === 0) expect(text).toBe(input);
    });
    fc.assert(property, RUNS);
  });

  it('have labels that are safe to show, once and for all', () => {
    const property = fc.property(anyString, (label) => {
      const shown = library.displayLabel(label);
      expect(findUnsafeLabelProblems(shown, '')).toEqual([]);
      expect(library.displayLabel(shown)).toBe(shown);
    });
    fc.assert(property, RUNS);
  });
});

describe('the fold', () => {
  it('is that of a list that is spliced', () => {
    const property = fc.property(sessionLog, (log) => {
      expect(library.foldSurface(log).map(({ seq }) => seq)).toEqual(naiveFold(log));
    });
    fc.assert(property, RUNS);
  });

  it('refuses exactly the logs that make no sense', () => {
    const property = fc.property(sessionLog, fc.nat(100), fc.nat(40), fc.nat(40), (log, place, start, end) => {
      const broken = log.map((event, index) =>
        index === place % log.length ? { ...event, surfaceOp: { op: 'replace' as const, start, end } } : event,
      );
      const expected = naiveFold(broken);
      const fold = (): number[] => library.foldSurface(broken).map(({ seq }) => seq);
      if (expected !== undefined) expect(fold()).toEqual(expected);
      else expect(fold).toThrow(expect.objectContaining({ code: 'SESSION_REFERENCE_INVALID_LOG' }));
    });
    fc.assert(property, RUNS);
  });

  it('is the same in a store, however the events arrive', async () => {
    const property = fc.asyncProperty(sessionLog, fc.nat(30), async (log, place) => {
      const store = new library.MemorySessionStore();
      const split = Math.min(place, log.length);
      await store.put({ header: { version: 0, id: 's', createdAt: 0 }, events: log.slice(0, split) });
      await store.append('s', log.slice(split));
      const { events, capturedThroughSeq } = await store.readSurface('s');
      expect(events).toEqual(library.foldSurface(log));
      expect(capturedThroughSeq).toBe(log.length === 0 ? null : log.length - 1);
    });
    await fc.assert(property, RUNS);
  });
});
