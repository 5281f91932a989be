import type { SlicedWork } from '../slices.ts';
import { type CutText, cutText, serializedNoticeBytes } from './cut.ts';
import type { ConversationUnit } from './projection.ts';
import { messageOverheadBytes, serializedTextBytes } from './tag-safe-json.ts';
import { countUtf8 } from './utf8-length.ts';

/** A text to keep, and what cutting it left out. */
export interface FittedText {
  readonly text: string;
  /** UTF-8 bytes of the source text that are not in it. */
  readonly omittedBytes: number;
}

/** A protected message while room is shared out. */
interface Claim {
  /** Its place among the protected messages: a host may give one object as two of them. */
  readonly index: number;
  readonly text: string;
  /** What its text takes in tag-safe JSON; some larger number when it cannot fit at all. */
  readonly bytes: number;
}

/** A message whose text must be cut. */
interface CutClaim {
  readonly index: number;
  readonly source: string;
  /** The UTF-8 length of its whole text. */
  readonly textBytes: number;
  /** What the cut was made for, in UTF-8 bytes of tag-safe JSON. */
  room: number;
  cut: CutText;
}

/**
 * Share room among messages that do not fit together: max-min fair, by serialized size. A text smaller than its share
 * stays whole, the others are cut to the same size; a text whose share has no room for the notice becomes empty, and
 * its share goes to the others. Where even empty messages do not fit, the oldest go first.
 *
 * @param units - the protected messages, oldest first; together they take more than `room`.
 * @param room - UTF-8 bytes of tag-safe JSON for all of them, a comma for each included.
 * @returns the texts to keep, each at the place of its message; a message without one is left out.
 */
export function* fitProtectedTexts(
  units: readonly ConversationUnit[],
  room: number,
): SlicedWork<readonly (FittedText | undefined)[]> {
  let overhead = units.reduce((sum, unit) => sum + messageOverheadBytes(unit), 0);
  let first = 0;
  for (; overhead > room; first += 1) overhead -= overheadAt(units, first);
  const textRoom = room - overhead;
  const claims: Claim[] = [];
  for (let index = first; index < units.length; index += 1) {
    const text = units[index]?.text ?? '';
    claims.push({ index, text, bytes: serializedTextBytes(text, textRoom) });
    yield;
  }

  const fitted = units.map((): FittedText | undefined => undefined);
  const share = new Share(claims, textRoom);
  const textBytes = units.map(() => 0);
  const emptied: Claim[] = [];
  for (const claim of claims) {
    if (claim.bytes <= share.size) continue;
    const length = yield* countUtf8(claim.text);
    textBytes[claim.index] = length;
    if (serializedNoticeBytes(String(length).length) <= share.size) continue;
    fitted[claim.index] = { text: '', omittedBytes: length };
    emptied.push(claim);
    share.giveUp(claim);
  }
  let left = textRoom;
  for (const { index, text, bytes } of claims) {
    if (fitted[index] !== undefined || bytes > share.size) continue;
    fitted[index] = { text, omittedBytes: 0 };
    left -= bytes;
  }
  const remaining = claims.filter(({ index }) => fitted[index] === undefined);
  const cutClaims: CutClaim[] = [];
  for (const [position, { index, text, bytes }] of remaining.entries()) {
    const length = textBytes[index] ?? 0;
    const room = Math.floor(left / (remaining.length - position));
    if (bytes <= room) {
      fitted[index] = { text, omittedBytes: 0 };
      left -= bytes;
      continue;
    }
    const cut = cutText(text, length, room);
    if (cut === undefined) continue;
    cutClaims.push({ index, source: text, textBytes: length, room, cut });
    left -= cut.serializedBytes;
  }
  // What was given up made room; the newest that fits into it after all comes back.
  for (const { index, text, bytes } of emptied.reverse()) {
    const length = textBytes[index] ?? 0;
    const cut = bytes <= left ? undefined : cutText(text, length, left);
    if (bytes > left && cut === undefined) continue;
    if (cut !== undefined) cutClaims.unshift({ index, source: text, textBytes: length, room: left, cut });
    else fitted[index] = { text, omittedBytes: 0 };
    left -= cut?.serializedBytes ?? bytes;
  }
  useUp(cutClaims, left);
  for (const { index, cut } of cutClaims) fitted[index] = cut;
  return fitted;
}

/** The level up to which every claim is served, kept up to date while claims are given up. */
class Share {
  readonly #ascending: readonly Claim[];
  readonly #room: number;
  readonly #givenUp = new Set<Claim>();
  #next = 0;
  #wholeBytes = 0;
  #unserved: number;

  constructor(claims: readonly Claim[], room: number) {
    this.#ascending = [...claims].sort((one, other) => one.bytes - other.bytes);
    this.#unserved = claims.length;
    this.#room = room;
    this.#rise();
  }

  /** Serialized bytes that each claim can have at least. */
  get size(): number {
    if (this.#unserved <= 0) return this.#room;
    return Math.floor((this.#room - this.#wholeBytes) / this.#unserved);
  }

  /** Take out a claim that is larger than the share; the others share what it would have had. */
  giveUp(claim: Claim): void {
    this.#givenUp.add(claim);
    this.#unserved -= 1;
    this.#rise();
  }

  #rise(): void {
    for (; this.#next < this.#ascending.length; this.#next += 1) {
      const claim = this.#ascending[this.#next];
      if (claim === undefined || this.#givenUp.has(claim)) continue;
      if (claim.bytes > this.size) return;
      this.#wholeBytes += claim.bytes;
      this.#unserved -= 1;
    }
  }
}

function overheadAt(units: readonly ConversationUnit[], index: number): number {
  const unit = units[index];
  return unit === undefined ? 0 : messageOverheadBytes(unit);
}

/** Rounds in which cut texts may still change; they settle in two or three. */
const MAX_ROUNDS = 16;

/** Spend what whole code points left over, newest first, until no cut text can take one more. */
function useUp(claims: readonly CutClaim[], room: number): void {
  let left = room;
  // Must run once even if nothing is left: a text that was cut for more room than it took can be more even for less.
  for (let round = 0, changed = true; changed && round < MAX_ROUNDS; round += 1) {
    changed = false;
    for (const claim of [...claims].reverse()) {
      const room = claim.cut.serializedBytes + left;
      if (room === claim.room) continue;
      claim.room = room;
      const cut = cutText(claim.source, claim.textBytes, room);
      // Must take a cut that is more even, too, though it is no larger: only then is it known that nothing more fits.
      if (cut === undefined || cut.text === claim.cut.text) continue;
      left -= cut.serializedBytes - claim.cut.serializedBytes;
      claim.cut = cut;
      changed = true;
    }
  }
}
