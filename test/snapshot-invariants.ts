/**
 * Every promise that DESIGN §6 makes about one snapshot, checked from outside: from the source, the budget, and what
 * the model is shown. Nothing of the library is used here, so that a mistake cannot agree with itself.
 */
import type { SourceUnit } from './naive-projection.ts';
import { naiveTagSafeJson, serializedBytes, utf8Bytes } from './naive-tag-safe-json.ts';

/** What the snapshot was taken of. */
export interface SnapshotSource {
  readonly sessionId: string;
  readonly label: string;
  readonly cwd: string | null;
  readonly capturedThroughSeq: number | null;
  /** The projected conversation, oldest first. */
  readonly units: readonly SourceUnit[];
  /** Its place among the distinct references, in order of mention. */
  readonly inputIndex: number;
}

/** One object of the array that the model sees. */
export interface SnapshotObject {
  readonly conversation: readonly { readonly role: string; readonly text: string }[];
}

/** Head and tail may differ by this much, in serialized bytes. */
const MAX_IMBALANCE = 12;
/** A cut snapshot leaves no more than this much of its budget unused. */
const MAX_UNUSED = 16;
/** What a cut leaves over is less than its dearest code point (12) and a digit of the notice. */
const CUT_GRANULARITY = 13;

/**
 * Whether a snapshot of this source is possible at all: the fixed fields must fit.
 *
 * @param maxBytes - `maxReferenceBytes`.
 */
export function fixedFieldsFit(source: SnapshotSource, maxBytes: number): boolean {
  return fixedBytes(source) <= maxBytes;
}

/** The bytes of a reference object with every message whole. */
export function wholeBytes(source: SnapshotSource): number {
  return fixedBytes(source) + listBytes(source.units);
}

/**
 * What is wrong with one snapshot.
 *
 * @param source - what it was taken of.
 * @param maxBytes - `maxReferenceBytes`.
 * @param snapshot - what the model sees, parsed.
 * @param record - its provenance.
 * @returns a sentence per broken promise.
 */
export function findSnapshotProblems(
  source: SnapshotSource,
  maxBytes: number,
  snapshot: SnapshotObject,
  record: unknown,
): string[] {
  const problems: string[] = [];
  const { sessionId, label, cwd, capturedThroughSeq } = source;
  const shape = { sessionId, label, cwd, capturedThroughSeq, conversation: snapshot.conversation };
  if (naiveTagSafeJson(shape) !== naiveTagSafeJson(snapshot)) problems.push('the fixed fields or their order differ');
  const bytes = utf8Bytes(naiveTagSafeJson(snapshot));
  if (bytes > maxBytes) problems.push(`takes ${bytes} of ${maxBytes} bytes`);

  const kept = expectedUnits(source, maxBytes);
  const messages = snapshot.conversation;
  if (messages.length !== kept.units.length) {
    return [...problems, `keeps ${messages.length} messages, expected ${kept.units.length}`];
  }
  const pairs = kept.units.map((unit, index) => readPair(unit, messages[index] ?? { role: '', text: '' }));
  for (const [index, pair] of pairs.entries()) {
    problems.push(...findPairProblems(pair, maxBytes - bytes).map((problem) => `message ${index} ${problem}`));
  }
  if (kept.mustBeWhole && pairs.some(({ state }) => state !== 'whole')) problems.push('a message is not whole');
  if (!kept.mustBeWhole) problems.push(...findShareProblems(source, maxBytes, bytes, pairs));
  problems.push(...findRecordProblems(source, pairs, record));
  return problems;
}

interface ExpectedUnits {
  readonly units: readonly SourceUnit[];
  /** Otherwise the protected messages alone are too long, and share the room. */
  readonly mustBeWhole: boolean;
}

/** Which messages the snapshot must keep, in order (steps 2, 3 and 5). */
function expectedUnits(source: SnapshotSource, maxBytes: number): ExpectedUnits {
  const room = maxBytes - fixedBytes(source);
  const { units } = source;
  const sizes = units.map(messageBytes);
  const isProtected = units.map((unit, index) => unit.checkpoint || index === units.length - 1);
  const isKept = units.map(() => true);
  let total = sumBytes(sizes);
  let count = units.length;
  for (const [index, size] of sizes.entries()) {
    if (withCommas(total, count) <= room) break;
    if (isProtected[index]) continue;
    isKept[index] = false;
    total -= size;
    count -= 1;
  }
  const kept = units.filter((_, index) => isKept[index]);
  if (withCommas(total, count) <= room) return { units: kept, mustBeWhole: true };
  let first = 0;
  while (first < kept.length && listBytes(kept.slice(first).map(emptied)) > room) first += 1;
  return { units: kept.slice(first), mustBeWhole: false };
}

type PairState = 'whole' | 'cut' | 'empty' | 'altered';

/** A message of the source and what became of it. */
interface Pair {
  readonly unit: SourceUnit;
  readonly role: string;
  readonly text: string;
  readonly state: PairState;
  /** UTF-8 bytes of the source that are not there any more. */
  readonly omittedBytes: number;
  readonly cut?: Cut;
}

/** Where a text was cut, in code units of the source. */
interface Cut {
  readonly headEnd: number;
  readonly tailStart: number;
}

function readPair(unit: SourceUnit, message: { readonly role: string; readonly text: string }): Pair {
  const { role, text } = message;
  const known = { unit, role, text };
  if (text === unit.text) return { ...known, state: 'whole', omittedBytes: 0 };
  if (text === '') return { ...known, state: 'empty', omittedBytes: utf8Bytes(unit.text) };
  const cut = findCut(unit.text, text);
  if (cut === undefined) return { ...known, state: 'altered', omittedBytes: 0 };
  return { ...known, state: 'cut', cut, omittedBytes: utf8Bytes(unit.text.slice(cut.headEnd, cut.tailStart)) };
}

/** Forged notices can stand in the source, so every notice of the text is tried. */
function findCut(source: string, text: string): Cut | undefined {
  // Must look ahead: a forged notice can share its last line break with the true one.
  for (const match of text.matchAll(/(?=(\n\[… omitted (\d+) UTF-8 bytes …\]\n))/g)) {
    const [, notice = '', omitted] = match;
    const head = text.slice(0, match.index);
    const tail = text.slice(match.index + notice.length);
    const cut = { headEnd: head.length, tailStart: source.length - tail.length };
    if (cut.headEnd > cut.tailStart || !source.startsWith(head) || !source.endsWith(tail)) continue;
    if (omitted === String(utf8Bytes(source.slice(cut.headEnd, cut.tailStart)))) return cut;
  }
  return undefined;
}

function findPairProblems({ unit, role, text, state, cut }: Pair, unusedBytes: number): string[] {
  const problems: string[] = [];
  if (role !== unit.role) problems.push(`has the role ${role}, expected ${unit.role}`);
  if (state === 'altered') problems.push('is neither the source text nor a cut of it');
  if (cut === undefined) return problems;
  const { headEnd, tailStart } = cut;
  if (isInsidePair(unit.text, headEnd) || isInsidePair(unit.text, tailStart))
    problems.push('is cut inside a code point');
  const imbalance = serializedBytes(unit.text.slice(0, headEnd)) - serializedBytes(unit.text.slice(tailStart));
  const room = serializedBytes(text) + unusedBytes;
  if (Math.abs(imbalance) > MAX_IMBALANCE && Math.abs(imbalance) > leastImbalance(unit.text, room)) {
    problems.push(`is cut unevenly, by ${imbalance} bytes`);
  }
  // Must be measured as a whole: one code point more can also take a digit from the notice.
  const longer = [
    cutText(unit.text, nextCodePoint(unit.text, headEnd), tailStart),
    cutText(unit.text, headEnd, previousCodePoint(unit.text, tailStart)),
  ];
  if (longer.some((other) => serializedBytes(other) - serializedBytes(text) <= unusedBytes)) {
    problems.push('has room for one more code point');
  }
  return problems;
}

/**
 * How even the most even cut is that leaves no room for a code point. Code points of 12 bytes beside cheap ones can make
 * 12 impossible: of a tag character and a text of ASCII, with room for 15 bytes, either side gets 14 or 15.
 */
function leastImbalance(source: string, room: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let headEnd = 0; headEnd < source.length; headEnd = nextCodePoint(source, headEnd)) {
    if (serializedBytes(cutText(source, headEnd, source.length)) > room) break;
    let tailStart = source.length;
    while (tailStart > headEnd) {
      const longer = previousCodePoint(source, tailStart);
      if (serializedBytes(cutText(source, headEnd, longer)) > room) break;
      tailStart = longer;
    }
    if (tailStart <= headEnd) continue;
    if (serializedBytes(cutText(source, nextCodePoint(source, headEnd), tailStart)) <= room) continue;
    const imbalance = serializedBytes(source.slice(0, headEnd)) - serializedBytes(source.slice(tailStart));
    least = Math.min(least, Math.abs(imbalance));
  }
  return least;
}

/** Max-min fairness (steps 3 and 5), and that the room is used. */
function findShareProblems(source: SnapshotSource, maxBytes: number, bytes: number, pairs: readonly Pair[]): string[] {
  const problems: string[] = [];
  const cuts = pairs.filter(({ state }) => state === 'cut');
  if (cuts.length > 0 && bytes < maxBytes - MAX_UNUSED) problems.push(`uses only ${bytes} of ${maxBytes} bytes`);
  const textRoom = maxBytes - fixedBytes(source) - listBytes(pairs.map(({ unit }) => emptied(unit)));
  const claims = pairs.map((pair) => ({ pair, bytes: serializedBytes(pair.unit.text) }));
  const served = claims.filter(({ pair }) => pair.state !== 'empty');
  const share = fairShare(
    served.map((claim) => claim.bytes),
    textRoom,
  );
  const tolerance = CUT_GRANULARITY * cuts.length;
  for (const { pair, bytes: claimed } of served) {
    const got = serializedBytes(pair.text);
    const due = Math.min(claimed, share);
    if (pair.state === 'whole' && claimed > share + tolerance) problems.push('a text larger than its share is whole');
    if (pair.state === 'cut' && Math.abs(got - due) > tolerance) problems.push(`a share is ${got}, not ${due}`);
  }
  // Rule 5 leaves open whose share grows when a text is given up, but not that room for it is left unused.
  const initialShare = Math.floor(
    fairShare(
      claims.map((claim) => claim.bytes),
      textRoom,
    ),
  );
  const possible = Math.max(initialShare, maxBytes - bytes);
  for (const { pair, bytes: claimed } of claims.filter(({ pair }) => pair.state === 'empty')) {
    const smallest = serializedBytes(cutText(pair.unit.text, 0, pair.unit.text.length));
    if (Math.min(claimed, smallest) <= possible) problems.push('a text is empty, although it or its notice fits');
  }
  return problems;
}

/** The level up to which every claim can be served (water filling); endless when all of them fit. */
function fairShare(claims: readonly number[], room: number): number {
  let left = room;
  const ascending = claims.toSorted((one, other) => one - other);
  for (const [index, claim] of ascending.entries()) {
    const level = left / (ascending.length - index);
    if (claim > level) return level;
    left -= claim;
  }
  return Number.POSITIVE_INFINITY;
}

function findRecordProblems(source: SnapshotSource, pairs: readonly Pair[], record: unknown): string[] {
  const { sessionId, label, capturedThroughSeq, units, inputIndex } = source;
  const omittedBytes =
    pairs.reduce((sum, pair) => sum + pair.omittedBytes, 0) +
    units.reduce((sum, { text }) => sum + utf8Bytes(text), 0) -
    pairs.reduce((sum, { unit }) => sum + utf8Bytes(unit.text), 0);
  const omittedMessages = units.length - pairs.length;
  const expected = {
    sessionId,
    label,
    capturedThroughSeq,
    compacted: units.some(({ checkpoint }) => checkpoint),
    originalMessages: units.length,
    retainedMessages: pairs.length,
    omittedMessages,
    omittedBytes,
    truncated: omittedMessages > 0 || omittedBytes > 0,
    inputIndex,
  };
  const [found, wanted] = [sortedJson(record), sortedJson(expected)];
  return found === wanted ? [] : [`the provenance is ${found}, expected ${wanted}`];
}

function sortedJson(value: unknown): string {
  return JSON.stringify(Object.entries(value as object).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function cutText(source: string, headEnd: number, tailStart: number): string {
  const omitted = utf8Bytes(source.slice(headEnd, tailStart));
  return `${source.slice(0, headEnd)}\n[… omitted ${omitted} UTF-8 bytes …]\n${source.slice(tailStart)}`;
}

function nextCodePoint(text: string, index: number): number {
  return index + String.fromCodePoint(text.codePointAt(index) ?? 0).length;
}

function previousCodePoint(text: string, index: number): number {
  return isInsidePair(text, index - 1) ? index - 2 : index - 1;
}

function isInsidePair(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}

function fixedBytes({ sessionId, label, cwd, capturedThroughSeq }: SnapshotSource): number {
  return utf8Bytes(naiveTagSafeJson({ sessionId, label, cwd, capturedThroughSeq, conversation: [] }));
}

function messageBytes({ role, text }: { readonly role: string; readonly text: string }): number {
  return utf8Bytes(naiveTagSafeJson({ role, text }));
}

function listBytes(units: readonly SourceUnit[]): number {
  return withCommas(sumBytes(units.map(messageBytes)), units.length);
}

function withCommas(bytes: number, count: number): number {
  return bytes + Math.max(0, count - 1);
}

function sumBytes(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

function emptied(unit: SourceUnit): SourceUnit {
  return { ...unit, text: '' };
}
