import { formatSessionReferenceMention, parseSessionReferenceText, type SessionReference } from '../../src/index.ts';

/** Words of a draft. Never empty in a normalized draft. */
export interface DraftText {
  readonly kind: 'text';
  readonly text: string;
}

/** A reference to another session: one atomic chip. */
export interface DraftReference {
  readonly kind: 'reference';
  readonly sessionId: string;
  /** The title as it was when it was picked; untrusted. */
  readonly label: string;
}

/** One piece of a draft. */
export type DraftSegment = DraftText | DraftReference;

/** A message while it is written. Offsets into it count code units of text, and 1 for each chip. */
export type Draft = readonly DraftSegment[];

/** What a draft says, ready for `prepare`. */
export interface DraftMessage {
  /** The readable text, `@label` where a chip stood. */
  readonly text: string;
  /** In order of mention, repeated sessions included. */
  readonly references: readonly SessionReference[];
}

/** The length of a draft: code units of its texts, and 1 for each chip. */
export function draftLength(draft: Draft): number {
  return draft.reduce((sum, segment) => sum + segmentLength(segment), 0);
}

/** The length of one segment. */
export function segmentLength(segment: DraftSegment): number {
  return segment.kind === 'text' ? segment.text.length : 1;
}

/** A draft of one text. */
export function toDraft(text: string): Draft {
  return text === '' ? [] : [{ kind: 'text', text }];
}

/** The same draft with neighbouring texts joined and empty ones dropped. */
export function normalizeDraft(draft: Draft): Draft {
  const normalized: DraftSegment[] = [];
  for (const segment of draft) {
    const last = normalized.at(-1);
    if (segment.kind === 'text' && last?.kind === 'text') {
      normalized[normalized.length - 1] = { kind: 'text', text: last.text + segment.text };
    } else if (segment.kind === 'reference' || segment.text !== '') {
      normalized.push(segment);
    }
  }
  return normalized;
}

/** The part of a draft between two offsets. */
export function sliceDraft(draft: Draft, start: number, end: number): Draft {
  const part: DraftSegment[] = [];
  let position = 0;
  for (const segment of draft) {
    const length = segmentLength(segment);
    const from = Math.max(0, start - position);
    const to = Math.min(length, end - position);
    if (from < to) part.push(segment.kind === 'text' ? { kind: 'text', text: segment.text.slice(from, to) } : segment);
    position += length;
  }
  return part;
}

/** A draft with the part between two offsets replaced. */
export function replaceInDraft(draft: Draft, start: number, end: number, insertion: Draft): Draft {
  const length = draftLength(draft);
  return normalizeDraft([...sliceDraft(draft, 0, start), ...insertion, ...sliceDraft(draft, end, length)]);
}

/** Whether a draft has nothing to send: no chip, and only white space. */
export function isBlankDraft(draft: Draft): boolean {
  return draft.every((segment) => segment.kind === 'text' && !/\S/.test(segment.text));
}

/** The chips of a draft, each session once, in order. */
export function listReferences(draft: Draft): readonly DraftReference[] {
  const references = new Map<string, DraftReference>();
  for (const segment of draft) {
    if (segment.kind === 'reference' && !references.has(segment.sessionId)) references.set(segment.sessionId, segment);
  }
  return [...references.values()];
}

/**
 * The readable text of a draft and what it references. Every segment is read for itself, so that words beside a chip
 * can never swallow it or become part of its label. A mention that was typed out counts as well.
 *
 * @throws SessionReferenceError `INVALID_REFERENCE` for a typed mention whose URI is malformed.
 */
export function readDraft(draft: Draft): DraftMessage {
  const texts: string[] = [];
  const references: SessionReference[] = [];
  for (const segment of draft) {
    const source = segment.kind === 'text' ? segment.text : formatSessionReferenceMention(segment);
    const parsed = parseSessionReferenceText(source);
    texts.push(parsed.text);
    references.push(...parsed.references);
  }
  return { text: texts.join(''), references };
}
