import { isBase64UrlCodeUnit } from './base64url.ts';
import { decodeSessionReferenceUri, SESSION_REFERENCE_SCHEME } from './uri.ts';

/** One mention and where it stands, in UTF-16 code units. */
export interface Mention {
  readonly start: number;
  /** The position after its last code unit. */
  readonly end: number;
  readonly sessionId: string;
  /** As written, escapes resolved. */
  readonly label: string;
}

const DESTINATION = `](${SESSION_REFERENCE_SCHEME}`;

/**
 * Every Markdown mention and bare URI of a text, in order.
 *
 * @param text - any string; the time taken is linear in its length.
 * @throws SessionReferenceError `INVALID_REFERENCE` for a mention or a URI that is not canonical.
 */
export function findMentions(text: string): Mention[] {
  // Most messages reference nothing, and then nothing is scanned.
  if (!text.includes(SESSION_REFERENCE_SCHEME)) return [];
  const mentions: Mention[] = [];
  let position = 0;
  for (const mention of findMarkdownMentions(text)) {
    addBareUris(mentions, text, position, mention.start);
    mentions.push(mention);
    position = mention.end;
  }
  addBareUris(mentions, text, position, text.length);
  return mentions;
}

function* findMarkdownMentions(text: string): Generator<Mention> {
  let start = text.indexOf('@[');
  while (start >= 0) {
    const labelEnd = findLabelEnd(text, start + 2);
    if (labelEnd < 0) return;
    let next = labelEnd + 1;
    if (text.startsWith(DESTINATION, labelEnd)) {
      const end = text.indexOf(')', next);
      // No closing bracket from here on: none after any later start either.
      if (end < 0) return;
      const sessionId = decodeSessionReferenceUri(text.slice(next + 1, end));
      next = end + 1;
      yield { start, end: next, sessionId, label: unescapeLabel(text.slice(start + 2, labelEnd)) };
    }
    // Must go on behind the label's end, not behind the `@[`: any `@[` inside has the same end, and this keeps it linear.
    start = text.indexOf('@[', next);
  }
}

function findLabelEnd(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 0x5d) return index;
    if (unit === 0x5c) index += 1;
  }
  return -1;
}

function unescapeLabel(label: string): string {
  return label.includes('\\') ? label.replace(/\\([\s\S])/g, '$1') : label;
}

function addBareUris(mentions: Mention[], text: string, from: number, to: number): void {
  let start = text.indexOf(SESSION_REFERENCE_SCHEME, from);
  while (start >= 0 && start < to) {
    const payload = start + SESSION_REFERENCE_SCHEME.length;
    let end = payload;
    while (end < to && isBase64UrlCodeUnit(text.charCodeAt(end))) end += 1;
    if (end > payload) {
      const sessionId = decodeSessionReferenceUri(text.slice(start, end));
      mentions.push({ start, end, sessionId, label: sessionId });
    }
    start = text.indexOf(SESSION_REFERENCE_SCHEME, end);
  }
}
