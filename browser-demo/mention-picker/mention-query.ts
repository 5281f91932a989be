import { type Draft, sliceDraft } from './draft.ts';

/** What a person is typing behind an `@`. */
export interface MentionQuery {
  /** The offset of the `@` in the draft. */
  readonly start: number;
  /** What stands between the `@` and the caret. */
  readonly query: string;
}

/** Longer than any title that someone types out to find it. */
const MAX_QUERY_LENGTH = 80;

/** White space, an opening bracket or a quote: what may stand before the `@` of a mention. */
const BEFORE_MENTION = /[\s([{'"“‘«/>–—-]$/u;

/**
 * The mention being typed at the caret, if there is one.
 *
 * An `@` inside a word is an address or a version, not a mention. The query may hold single spaces, because titles do,
 * and no line breaks.
 *
 * @param draft - what is being written.
 * @param caret - the offset of the caret.
 */
export function findMentionQuery(draft: Draft, caret: number): MentionQuery | undefined {
  const nearest = sliceDraft(draft, Math.max(0, caret - MAX_QUERY_LENGTH - 1), caret).at(-1);
  if (nearest?.kind !== 'text') return undefined;
  const at = nearest.text.lastIndexOf('@');
  if (at < 0) return undefined;
  const query = nearest.text.slice(at + 1);
  if (/^\s|\s\s|[\n\r]/u.test(query)) return undefined;
  const start = caret - query.length - 1;
  const before = sliceDraft(draft, Math.max(0, start - 1), start).at(-1);
  const isFree = before?.kind !== 'text' || BEFORE_MENTION.test(before.text);
  return isFree ? { start, query } : undefined;
}
