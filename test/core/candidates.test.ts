import { describe, expect, it } from 'vitest';
import { CandidateIndex, matchesQuery, withTitle } from '../../src/candidate/candidate-index.ts';
import { findCandidates, toCandidate } from '../../src/candidate/candidates.ts';
import { foldCase } from '../../src/candidate/case-folding.ts';
import type { SessionRecord } from '../../src/index.ts';
import { encodeSessionReferenceUri } from '../../src/index.ts';

function record(id: string, fields: { cwd?: string | null; title?: unknown } = {}): SessionRecord {
  const { cwd, title } = fields;
  const header = { version: 0, id, createdAt: 1, ...(cwd === undefined ? {} : { cwd }) };
  return { header, ...(title === undefined ? {} : { title }) } as SessionRecord;
}

describe('a text as it is compared', () => {
  it.each([
    ['Fix the Login', 'FIX THE LOGIN'],
    ['', ''],
    ['~', '~'],
    ['é', '\u00c9'],
    ['e\u0301', '\u00c9'],
    ['straße', 'STRASSE'],
    ['ΟΔΟΣ', 'ΟΔΟΣ'],
    ['οδος', 'ΟΔΟΣ'],
    ['İstanbul', 'ISTANBUL'],
    ['i\u0307', 'I'],
    ['ŉ', '\u02bcN'],
    ['\u212a', 'K'],
  ])('%j is %j', (text, folded) => {
    expect(foldCase(text)).toBe(folded);
    expect(foldCase(foldCase(text))).toBe(folded);
  });
});

describe('the index of candidates', () => {
  it('has what is searched of each session: title, id and folder, folded', () => {
    const [one, two, three] = new CandidateIndex().update([
      record('One', { cwd: '/Work', title: 'Straße' }),
      record('two', { cwd: null, title: null }),
      record('three', { title: 7 }),
    ]);
    expect(one).toMatchObject({ title: 'Straße', fields: ['STRASSE', 'ONE', '/WORK'] });
    expect(two).toMatchObject({ title: null, fields: ['', 'TWO', ''] });
    expect(three).toMatchObject({ title: undefined, fields: ['', 'THREE', ''] });
    if (three !== undefined)
      expect(withTitle(three, 'Now')).toMatchObject({ title: 'Now', fields: ['NOW', 'THREE', ''] });
    if (three !== undefined) expect(withTitle(three, undefined)).toMatchObject({ title: null });
  });

  it('searches each field for itself', () => {
    const [session] = new CandidateIndex().update([record('id', { cwd: '/cwd', title: 'title\u0000x' })]);
    if (session === undefined) throw new Error('there is one');
    for (const query of ['', 'TLE', 'ID', '/CWD', '\u0000', 'E\u0000X', 'TITLE\u0000X']) {
      expect([query, matchesQuery(session, query)]).toEqual([query, true]);
    }
    for (const query of ['X\u0000ID', 'ID\u0000/CWD', '\u0000ID', 'TITLEX', 'E\u0000X\u0000I', 'NO']) {
      expect([query, matchesQuery(session, query)]).toEqual([query, false]);
    }
  });

  it('keeps its work for records that did not change, and for no others', () => {
    const index = new CandidateIndex();
    const records = [record('a', { title: 'A' }), record('b'), record('c', { title: null })];
    const before = index.update(records);
    expect(before).toHaveLength(3);
    const again = index.update([...records]);
    expect(again.map((session, place) => session === before[place])).toEqual([true, true, true]);

    const changed = { title: 'A', header: { version: 0, id: 'a', createdAt: 1 } };
    expect(index.update([changed, ...records.slice(1)])[0]).not.toBe(before[0]);
    expect(index.update(records)[0]).not.toBe(before[0]);
    const [first] = index.update(records);
    (records[0] as { title: string }).title = 'B';
    expect(index.update(records)[0]).toMatchObject({ title: 'B', fields: ['B', 'A', ''] });
    (records[0] as { header: unknown }).header = { version: 0, id: 'z', createdAt: 1 };
    expect(index.update(records)[0]).toMatchObject({ fields: ['B', 'Z', ''] });
    expect(index.update(records)[0]).not.toBe(first);
    expect(index.update([])).toEqual([]);
    expect(index.update([records[2]])[0]).toMatchObject({ fields: ['', 'C', ''] });
  });

  it('refuses a record that is none', () => {
    expect(() => new CandidateIndex().update([undefined])).toThrow(
      expect.objectContaining({ code: 'SESSION_REFERENCE_READ_FAILED' }),
    );
  });
});

describe('candidates', () => {
  const sessions = new CandidateIndex().update([
    record('self', { cwd: '/a' }),
    record('other 1', { cwd: '/b' }),
    record('none 1'),
    record('same 1', { cwd: '/a' }),
    record('none 2', { cwd: null }),
    record('same 2', { cwd: '/a' }),
    record('other 2', { cwd: '/b' }),
  ]);
  const find = (cwd: string | undefined, limit: number, query = ''): string[] =>
    findCandidates(sessions, { id: 'self', ...(cwd === undefined ? {} : { cwd }) }, query, limit).map(
      ({ header }) => header.id,
    );

  it('come from the same folder first, then from none, then from others', () => {
    expect(find('/a', 9)).toEqual(['same 1', 'same 2', 'none 1', 'none 2', 'other 1', 'other 2']);
    expect(find('/b', 9)).toEqual(['other 1', 'other 2', 'none 1', 'none 2', 'same 1', 'same 2']);
    expect(find(undefined, 9)).toEqual(['none 1', 'none 2', 'other 1', 'same 1', 'same 2', 'other 2']);
    expect(find('/a', 9, '2')).toEqual(['same 2', 'none 2', 'other 2']);
    expect(find('/a', 1)).toEqual(['same 1']);
    expect(find('/a', 3)).toEqual(['same 1', 'same 2', 'none 1']);
    expect(find('/c', 3)).toEqual(['none 1', 'none 2', 'other 1']);
  });

  it.each([
    ['Fix', 'Fix'],
    ['', 'id'],
    [' \n', 'id'],
    [null, 'id'],
    [undefined, 'id'],
  ])('with the title %j are called %j', (title, label) => {
    const [session] = new CandidateIndex().update([record('id', { cwd: '/w', title })]);
    if (session === undefined) throw new Error('there is one');
    const mention = `@[${label}](${encodeSessionReferenceUri('id')})`;
    expect(toCandidate(session)).toEqual({ sessionId: 'id', label, cwd: '/w', createdAt: 1, mention });
  });

  it('have no folder where there is none', () => {
    for (const cwd of [null, undefined]) {
      const [session] = new CandidateIndex().update([record('id', cwd === undefined ? {} : { cwd })]);
      if (session === undefined) throw new Error('there is one');
      expect(Object.keys(toCandidate(session))).toEqual(['sessionId', 'label', 'createdAt', 'mention']);
    }
  });
});
