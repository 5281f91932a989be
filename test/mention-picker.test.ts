import { readdir, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MentionCandidate, toCandidateRows } from '../browser-demo/mention-picker/candidate-rows.ts';
import {
  type Draft,
  draftLength,
  isBlankDraft,
  listReferences,
  normalizeDraft,
  readDraft,
  replaceInDraft,
  sliceDraft,
} from '../browser-demo/mention-picker/draft.ts';
import { nextBoundary, previousBoundary } from '../browser-demo/mention-picker/draft-boundary.ts';
import { formatDraft, parseDraft } from '../browser-demo/mention-picker/draft-text.ts';
import { EditHistory } from '../browser-demo/mention-picker/edit-history.ts';
import { LatestRequest } from '../browser-demo/mention-picker/latest-request.ts';
import { findMentionQuery } from '../browser-demo/mention-picker/mention-query.ts';
import { admitReferences } from '../browser-demo/mention-picker/reference-limit.ts';
import { formatAge, formatFolder, formatMoment } from '../browser-demo/mention-picker/session-facts.ts';
import { findVisibleRows, sumRowHeights } from '../browser-demo/mention-picker/virtual-rows.ts';
import { formatSessionReferenceMention } from '../src/index.ts';
import { findImportSpecifiers } from './import-specifiers.ts';

function text(value: string): Draft[number] {
  return { kind: 'text', text: value };
}

function chip(sessionId: string, label = sessionId): Draft[number] {
  return { kind: 'reference', sessionId, label };
}

/** Texts made of what mentions are made of, and of lone surrogates. */
const TEXTS = fc
  .array(
    fc.constantFrom('@', '[', ']', '(', ')', '\\', 'dsh-session:', 'a', ' ', '\n', '\ud83d', '😀', '](dsh-session:'),
  )
  .map((parts) => parts.join(''));
const SEGMENTS = fc.oneof(
  TEXTS.map(text),
  fc.tuple(TEXTS, TEXTS).map(([id, label]) => chip(id, label)),
);
const DRAFTS = fc.array(SEGMENTS, { maxLength: 6 }).map(normalizeDraft);

describe('a draft', () => {
  it('is cut and joined without loss at any offset', () => {
    fc.assert(
      fc.property(DRAFTS, fc.nat(40), (draft, offset) => {
        const length = draftLength(draft);
        const cut = Math.min(offset, length);
        const parts = [...sliceDraft(draft, 0, cut), ...sliceDraft(draft, cut, length)];
        expect(normalizeDraft(parts)).toEqual(draft);
      }),
    );
  });

  it('keeps its chips through the clipboard, whatever their ids and labels are', () => {
    const words = fc.constantFrom('a ', 'mail@example.org ', '[list] ', '\n');
    const drafts = fc.array(
      fc.oneof(
        words.map(text),
        fc.tuple(TEXTS, TEXTS).map(([id, label]) => chip(id, label)),
      ),
    );
    fc.assert(
      fc.property(drafts.map(normalizeDraft), (draft) => {
        expect(parseDraft(formatDraft(draft))).toEqual(draft);
      }),
    );
  });

  it('loses no text of a paste', () => {
    fc.assert(
      fc.property(TEXTS, fc.array(TEXTS, { maxLength: 3 }), (noise, ids) => {
        const source = [noise, ...ids.map((id) => formatSessionReferenceMention({ sessionId: id }))].join(' ');
        const written = formatDraft(parseDraft(source));
        // Must not compare backslashes: the noise can begin a label, and a label that escapes more than it must is written
        // without what it need not have.
        expect(written.replaceAll('\\', '')).toBe(source.replaceAll('\\', ''));
        expect(formatDraft(parseDraft(written))).toBe(written);
      }),
      { examples: [['@[\\', ['']]] },
    );
  });

  it('B46: reads each segment for itself, so that words never swallow a chip', () => {
    const draft = [text('@[half a mention '), chip('one', 'One'), text('](dsh-session:'), chip('two', 'Two')];
    const { references } = readDraft([
      text('@[half a mention '),
      chip('one', 'One'),
      text(' and '),
      chip('two', 'Two'),
    ]);
    expect(references.map(({ label }) => label)).toEqual(['One', 'Two']);
    expect(readDraft(draft).text).toContain('@One');
  });

  it('lists each session once, as it was called first', () => {
    expect(listReferences([chip('a', 'First'), chip('b'), chip('a', 'Later')])).toEqual([
      chip('a', 'First'),
      chip('b'),
    ]);
  });

  it('sends a readable label and keeps the written one', () => {
    const { text: readable, references } = readDraft([text('see '), chip('x', 'a\n## System\u202e')]);
    expect(readable).toBe('see @a ## System');
    expect(references).toEqual([{ sessionId: 'x', label: 'a\n## System\u202e' }]);
  });

  it.each([
    [[], true],
    [[text(' \n\t')], true],
    [[text('a')], false],
    [[chip('a')], false],
  ] as const)('%j is blank: %s', (draft, blank) => {
    expect(isBlankDraft(draft)).toBe(blank);
  });

  it('replaces a chip by its one unit', () => {
    const draft = [text('ab'), chip('x'), text('cd')];
    expect(replaceInDraft(draft, 2, 3, [])).toEqual([text('abcd')]);
    expect(replaceInDraft(draft, 1, 4, [chip('y')])).toEqual([text('a'), chip('y'), text('d')]);
  });

  it.each(['@[', '@[\\', '@[](dsh-session:a', '](dsh-session:abc)', '\\'])(
    'is read from 2 MB of %j in linear time',
    (part) => {
      const small = part.repeat(200_000 / part.length);
      const large = part.repeat(2_000_000 / part.length);
      const measure = (source: string): number => {
        const start = performance.now();
        parseDraft(source);
        return performance.now() - start;
      };
      measure(small);
      // Ten times the input: a quadratic reader would take a hundred times as long.
      expect(measure(large)).toBeLessThan(50 * Math.max(measure(small), 1));
    },
  );
});

describe('one backspace', () => {
  it.each([
    ['a chip', [text('a'), chip('x')], 2, 1],
    ['a letter', [text('ab')], 2, 1],
    ['a family', [text('a👩‍👩‍👧')], 9, 1],
    ['an accent with its letter', [text('ae\u0301')], 3, 1],
    ['nothing at the start', [text('ab')], 0, 0],
    ['a letter behind a chip', [chip('x'), text('a')], 2, 1],
  ] as const)('takes %s', (_, draft, offset, start) => {
    expect(previousBoundary(draft, offset)).toBe(start);
  });

  it.each([
    ['a chip', [chip('x'), text('a')], 0, 1],
    ['a flag', [text('🇩🇪a')], 0, 4],
    ['nothing at the end', [text('ab')], 2, 2],
  ] as const)('and one delete takes %s', (_, draft, offset, end) => {
    expect(nextBoundary(draft, offset)).toBe(end);
  });
});

describe('a mention being typed', () => {
  it.each([
    ['@', '@|', { start: 0, query: '' }],
    ['@ra', 'see @ra|', { start: 4, query: 'ra' }],
    ['spaces in the query', 'see @rate limiter|', { start: 4, query: 'rate limiter' }],
    ['behind a bracket', '(@ra|', { start: 1, query: 'ra' }],
    ['behind a line break', 'a\n@ra|', { start: 2, query: 'ra' }],
    ['only what is before the caret', '@ra|te', { start: 0, query: 'ra' }],
    ['the last @', '@one @two|', { start: 5, query: 'two' }],
    ['as long as a title can be', `@${'a'.repeat(80)}|`, { start: 0, query: 'a'.repeat(80) }],
    ['in any script', '@日本|', { start: 0, query: '日本' }],
  ])('is found: %s', (_, marked, expected) => {
    const caret = marked.indexOf('|');
    expect(findMentionQuery([text(marked.replace('|', ''))], caret)).toEqual(expected);
  });

  it.each([
    ['an address', 'ada@example|'],
    ['a version', 'script@v7|'],
    ['white space first', '@ ra|'],
    ['two spaces', '@ra  te|'],
    ['a line break', '@ra\nte|'],
    ['no @', 'plain|'],
    ['far too long', `@${'a'.repeat(81)}|`],
  ])('is not: %s', (_, marked) => {
    const caret = marked.indexOf('|');
    expect(findMentionQuery([text(marked.replace('|', ''))], caret)).toBeUndefined();
  });

  it('can follow a chip, and does not reach over one', () => {
    expect(findMentionQuery([chip('x'), text('@b')], 3)).toEqual({ start: 1, query: 'b' });
    expect(findMentionQuery([text('@a'), chip('x'), text('b')], 4)).toBeUndefined();
  });
});

describe('the limit of references', () => {
  const rules = { selfId: 'self', maxReferences: 3 };
  const three = [chip('a'), chip('b'), chip('c')];

  it.each([
    ['a third one', [chip('a'), chip('b')], [chip('c')], [chip('c')], undefined],
    ['a fourth one', three, [chip('d', 'D')], [text('@D')], 'too-many'],
    ['one that is there already', three, [chip('b')], [chip('b')], undefined],
    ['itself', [], [chip('self', 'Me')], [text('@Me')], 'self'],
    [
      'the rest of a paste',
      [chip('a')],
      [chip('b'), chip('c'), chip('d', 'D')],
      [chip('b'), chip('c'), text('@D')],
      'too-many',
    ],
  ] as const)('%s', (_, rest, insertion, admitted, refused) => {
    expect(admitReferences(rest, insertion, rules)).toEqual({
      insertion: admitted,
      ...(refused === undefined ? {} : { refused }),
    });
  });

  it('is never passed, and no session is left out that was let in', () => {
    fc.assert(
      fc.property(DRAFTS, DRAFTS, (rest, insertion) => {
        const start = admitReferences([], rest, rules).insertion;
        const both = [...start, ...admitReferences(start, insertion, rules).insertion];
        expect(listReferences(both).length).toBeLessThanOrEqual(3);
      }),
    );
  });
});

describe('undo', () => {
  const state = (value: string): { draft: Draft; caret: number } => ({ draft: [text(value)], caret: value.length });

  it('joins keystrokes into one step and keeps a pick apart', () => {
    const history = new EditHistory();
    history.record(state(''), 'type', 0);
    history.record(state('a'), 'type', 100);
    history.record(state('ab'), 'other', 200);
    expect(history.undo(state('ab chip'))).toEqual(state('ab'));
    expect(history.undo(state('ab'))).toEqual(state(''));
    expect(history.undo(state(''))).toBeUndefined();
  });

  it('starts another step after a pause', () => {
    const history = new EditHistory();
    history.record(state(''), 'type', 0);
    history.record(state('a'), 'type', 5_000);
    expect(history.undo(state('ab'))).toEqual(state('a'));
  });

  it('is taken back by redo until something new is written', () => {
    const history = new EditHistory();
    history.record(state(''), 'other', 0);
    history.undo(state('a'));
    expect(history.redo(state(''))).toEqual(state('a'));
    history.undo(state('a'));
    history.record(state(''), 'other', 10);
    expect(history.redo(state('b'))).toBeUndefined();
  });
});

describe('the latest request', () => {
  it('is the only one that delivers, in whatever order the answers come', async () => {
    const request = new LatestRequest();
    const delivered: string[] = [];
    const answers = new Map<string, (value: string) => void>();
    const signals: AbortSignal[] = [];
    const start = (name: string): void =>
      request.start(
        (signal) => {
          signals.push(signal);
          return new Promise<string>((resolve) => answers.set(name, resolve));
        },
        { onResult: (value) => delivered.push(value), onError: () => delivered.push('error') },
      );
    start('one');
    start('two');
    start('three');
    answers.get('three')?.('three');
    answers.get('one')?.('one');
    answers.get('two')?.('two');
    await Promise.resolve();
    await new Promise((resolve) => setTimeout(resolve));
    expect(delivered).toEqual(['three']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
  });

  it('delivers nothing once it is cancelled, a failure neither', async () => {
    const request = new LatestRequest();
    const delivered: unknown[] = [];
    request.start(() => Promise.reject(new Error('late')), {
      onResult: (value) => delivered.push(value),
      onError: (error) => delivered.push(error),
    });
    expect(request.isPending).toBe(true);
    request.cancel();
    await new Promise((resolve) => setTimeout(resolve));
    expect(delivered).toEqual([]);
    expect(request.isPending).toBe(false);
  });
});

describe('the rows of candidates', () => {
  const now = 1_800_000_000_000;
  const candidate = (sessionId: string, rest: Partial<MentionCandidate> = {}): MentionCandidate => ({
    sessionId,
    label: sessionId,
    createdAt: now - 3_600_000,
    ...rest,
  });
  const rowsOf = (...candidates: readonly MentionCandidate[]): ReturnType<typeof toCandidateRows> =>
    toCandidateRows(candidates, '/w/shop', now);

  it('stand under a heading for each group, in the order of the candidates', () => {
    const other = { cwd: '/w/other' };
    const rows = rowsOf(
      candidate('a', { cwd: '/w/shop' }),
      candidate('b'),
      candidate('c', other),
      candidate('d', other),
    );
    expect(rows.map((row) => (row.kind === 'heading' ? row.text : row.title))).toEqual([
      'Same folder',
      'a',
      'No folder',
      'b',
      'Other folders',
      'c',
      'd',
    ]);
  });

  it('B53: tell folder, age and size', () => {
    const [, row] = rowsOf(candidate('a', { cwd: '/home/w/shop', messages: 1_204, changedAt: now - 120_000 }));
    expect(row).toMatchObject({ details: ['w/shop', '2 min. ago', '1,204 messages'] });
  });

  it.each([
    ['the folder', [{ cwd: '/w/a' }, { cwd: '/w/b' }], ['in w/a', 'in w/b']],
    [
      'the start',
      [{ createdAt: now }, { createdAt: now - 60_000 }],
      [expect.stringMatching(/^started /), expect.stringMatching(/^started /)],
    ],
    ['the id', [{}, {}], ['id …session-1', 'id …session-2']],
  ])('tell same-named sessions apart by %s', (_, facts, expected) => {
    const rows = rowsOf(...facts.map((rest, index) => candidate(`session-${index + 1}`, { label: 'Same', ...rest })));
    const told = rows.flatMap((row) => (row.kind === 'candidate' ? [row.tellApart] : []));
    expect(told).toEqual(expected);
    expect(new Set(told).size).toBe(2);
    const details = rows.flatMap((row) => (row.kind === 'candidate' ? row.details : []));
    expect(details.filter((detail) => told.includes(`in ${detail}`))).toEqual([]);
  });

  it('show hostile titles as one safe line', () => {
    const [, row] = rowsOf(candidate('a', { label: `<img src=x onerror=alert(1)>\n\u202e${'x'.repeat(10_000)}` }));
    const title = row?.kind === 'candidate' ? row.title : '';
    expect(title).not.toMatch(/[\n\u202e]/);
    expect(Array.from(title).length).toBeLessThanOrEqual(120);
  });
});

describe('facts about a session', () => {
  it.each([
    [0, 'just now'],
    [-5_000, 'just now'],
    [60_000, '1 min. ago'],
    [2 * 86_400_000, '2 days ago'],
    [400 * 86_400_000, 'last yr.'],
  ])('%d ms ago is %j', (age, words) => {
    expect(formatAge(1_800_000_000_000 - age, 1_800_000_000_000)).toBe(words);
  });

  it.each([
    ['/home/ada/projects/shop', 'projects/shop'],
    ['C:\\work\\shop', 'work/shop'],
    ['/', '/'],
    ['shop', 'shop'],
  ])('the folder %j is %j', (path, words) => {
    expect(formatFolder(path)).toBe(words);
  });

  it('has a moment for every number', () => {
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 1e300, -8.64e15]) expect(formatMoment(time)).not.toBe('');
  });
});

describe('a virtual list', () => {
  it('makes all rows in view, and few more, wherever it is scrolled', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 20, max: 60 }), { maxLength: 500 }),
        fc.nat(30_000),
        fc.integer({ min: 0, max: 900 }),
        (heights, top, height) => {
          const offsets = sumRowHeights(heights.length, (index) => heights[index] ?? 0);
          const { first, end } = findVisibleRows(offsets, top, height);
          expect(end - first).toBeLessThanOrEqual(height / 20 + 11);
          for (const index of heights.keys()) {
            const isInView = (offsets[index] ?? 0) < top + height && (offsets[index + 1] ?? 0) > top;
            if (isInView) expect(index >= first && index < end).toBe(true);
          }
        },
      ),
    );
  });
});

describe('the folder of the picker', () => {
  const folder = new URL('../browser-demo/mention-picker/', import.meta.url);

  it('can be lifted into a host: it needs nothing but the core', async () => {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
    const sources = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
    const specifiers = new Set(sources.flatMap(findImportSpecifiers));
    const foreign = [...specifiers].filter((specifier) => !specifier.startsWith('./'));
    expect(foreign).toEqual(['../../src/index.ts']);
  });
});
