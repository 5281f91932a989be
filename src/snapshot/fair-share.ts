import type { SlicedWork } from '../slices.ts';
import { type CutText, cutText, serializedNoticeBytes } from './cut.ts';
import type { ConversationUnit } from './projection.ts';
import { messageOverheadBytes, serializedTextBytes } from './tag-safe-json.ts';
import { sumUtf8Lengths } from './utf8-length.ts';

/** A text to keep, and what cutting it left out. */
export interface FittedText {
  readonly text: string;
  /** UTF-8 bytes of the source text that are not in it. */
  readonly omittedBytes: number;
}

/** A protected message while room is shared out. */
interface Claim {
  readonly unit: ConversationUnit;
  /** What its text takes in tag-safe JSON; some larger number when it cannot fit at all. */
  readonly bytes: number;
}

/** A message whose text must be cut. */
interface CutClaim {
  readonly unit: ConversationUnit;
  /** The UTF-8 length of its whole text. */
  readonly textBytes: number;
  cut: CutText;
}

/**
 * Share room among messages that do not fit together: max-min fair, by serialized size. A text smaller than its share
 * stays whole, the others are cut to the same size; a text whose share has no room for the notice becomes empty, and
 * its share goes to the others. Where even empty messages do not fit, the oldest go first.
 *
 * @param units - the protected messages, oldest first; together they take more than `room`.
 * @param room - UTF-8 bytes of tag-safe JSON for all of them, a comma for each included.
 * @returns the texts to keep; a message that is not in it is left out.
 */
export function* fitProtectedTexts(
  units: readonly ConversationUnit[],
  room: number,
): SlicedWork<ReadonlyMap<ConversationUnit, FittedText>> {
  let overhead = units.reduce((sum, unit) => sum + messageOverheadBytes(unit), 0);
  let first = 0;
  for (; overhead > room; first += 1) overhead -= overheadAt(units, first);
  const textRoom = room - overhead;
  const claims = units.slice(first).map((unit): Claim => ({ unit, bytes: serializedTextBytes(unit.text, textRoom) }));

  const fitted = new Map<ConversationUnit, FittedText>();
  const share = new Share(claims, textRoom);
  const cutClaims: CutClaim[] = [];
  const tooLong = new Map<ConversationUnit, number>();
  for (const { unit, bytes } of claims) {
    if (bytes <= share.size) continue;
    const textBytes = yield* sumUtf8Lengths([unit.text]);
    if (serializedNoticeBytes(String(textBytes).length) <= share.size) {
      tooLong.set(unit, textBytes);
    } else {
      fitted.set(unit, { text: '', omittedBytes: textBytes });
      share.giveUpOne();
    }
  }
  let left = textRoom;
  for (const { unit, bytes } of claims) {
    if (fitted.has(unit)) continue;
    if (bytes > share.size) continue;
    fitted.set(unit, { text: unit.text, omittedBytes: 0 });
    left -= bytes;
  }
  const remaining = claims.filter(({ unit }) => !fitted.has(unit));
  for (const [index, { unit }] of remaining.entries()) {
    const textBytes = tooLong.get(unit) ?? 0;
    const cut = cutText(unit.text, textBytes, Math.floor(left / (remaining.length - index)));
    if (cut === undefined) continue;
    cutClaims.push({ unit, textBytes, cut });
    left -= cut.serializedBytes;
  }
  useUp(cutClaims, left);
  for (const { unit, cut } of cutClaims) fitted.set(unit, cut);
  return fitted;
}

/** The level up to which every claim is served, kept up to date while claims are given up. */
class Share {
  readonly #ascending: readonly number[];
  #whole = 0;
  #wholeBytes = 0;
  #unserved: number;
  readonly #room: number;

  constructor(claims: readonly Claim[], room: number) {
    this.#ascending = claims.map(({ bytes }) => bytes).sort((one, other) => one - other);
    this.#unserved = claims.length;
    this.#room = room;
    this.#rise();
  }

  /** Serialized bytes that each claim can have at least. */
  get size(): number {
    if (this.#unserved <= 0) return this.#room;
    return Math.floor((this.#room - this.#wholeBytes) / this.#unserved);
  }

  /** Take one claim that is larger than the share out of it. */
  giveUpOne(): void {
    this.#unserved -= 1;
    this.#rise();
  }

  #rise(): void {
    while (this.#unserved > 0) {
      const bytes = this.#ascending[this.#whole];
      if (bytes === undefined || bytes > this.size) return;
      this.#whole += 1;
      this.#wholeBytes += bytes;
      this.#unserved -= 1;
    }
  }
}

function overheadAt(units: readonly ConversationUnit[], index: number): number {
  const unit = units[index];
  return unit === undefined ? 0 : messageOverheadBytes(unit);
}

/** Spend what whole code points left over, newest first, until no cut text can take one more. */
function useUp(claims: readonly CutClaim[], room: number): void {
  let left = room;
  for (let grew = left > 0; grew; ) {
    grew = false;
    for (const claim of [...claims].reverse()) {
      const cut = cutText(claim.unit.text, claim.textBytes, claim.cut.serializedBytes + left);
      if (cut === undefined || cut.serializedBytes <= claim.cut.serializedBytes) continue;
      left -= cut.serializedBytes - claim.cut.serializedBytes;
      claim.cut = cut;
      grew = true;
    }
  }
}
