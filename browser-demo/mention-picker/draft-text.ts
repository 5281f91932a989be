import { formatSessionReferenceMention, parseSessionReferenceText } from '../../src/index.ts';
import { type Draft, type DraftReference, type DraftSegment, normalizeDraft } from './draft.ts';

/** A draft as plain text for the clipboard: chips become Markdown mentions, which {@link parseDraft} reads back. */
export function formatDraft(draft: Draft): string {
  return draft
    .map((segment) => (segment.kind === 'text' ? segment.text : formatSessionReferenceMention(segment)))
    .join('');
}

/**
 * Plain text as a draft, with Markdown mentions in it as chips. Text with a malformed mention stays text. Linear.
 *
 * @param text - usually what was pasted.
 */
export function parseDraft(text: string): Draft {
  const segments: DraftSegment[] = [];
  let position = 0;
  for (const { start, end } of findMentionRanges(text)) {
    const reference = readMention(text.slice(start, end));
    if (reference === undefined) continue;
    segments.push({ kind: 'text', text: text.slice(position, start) }, reference);
    position = end;
  }
  segments.push({ kind: 'text', text: text.slice(position) });
  return normalizeDraft(segments);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where `@[…](dsh-session:…)` stands. A label ends at its first bracket that is not escaped. */
function* findMentionRanges(text: string): Generator<Range> {
  const labelEnd = /\\[\s\S]|\](?:\(dsh-session:[\w-]+\))?/g;
  let start = text.indexOf('@[');
  while (start >= 0) {
    labelEnd.lastIndex = start + 2;
    let found = labelEnd.exec(text);
    while (found?.[0].startsWith('\\')) found = labelEnd.exec(text);
    // Must go on behind the label's end: any `@[` inside has the same end, and this keeps it linear.
    if (found === null) return;
    if (found[0].length > 1) yield { start, end: labelEnd.lastIndex };
    start = text.indexOf('@[', labelEnd.lastIndex);
  }
}

function readMention(mention: string): DraftReference | undefined {
  try {
    const [reference] = parseSessionReferenceText(mention).references;
    return reference === undefined ? undefined : { kind: 'reference', ...reference, label: reference.label ?? '' };
  } catch {
    return undefined;
  }
}
