import { isRecord } from '../record.ts';

const HEADING = '## Referenced sessions\n';
const OPENING_TAG = '\n<referenced-sessions>\n';
const CLOSING_TAG = '\n</referenced-sessions>\n';

/**
 * Whether a text is, as a whole, a context message that this library made: the heading, the opening tag, one line of
 * tag-safe JSON with snapshots, the closing tag and one closing line. A text that only mentions the tags, or quotes
 * such a message among other words, is not.
 *
 * @param text - of one message or one content block.
 */
export function isSessionReferenceText(text: string): boolean {
  if (typeof text !== 'string') return false;
  const trimmed = text.trim();
  if (!trimmed.startsWith(HEADING)) return false;
  const opening = trimmed.indexOf(OPENING_TAG);
  const closing = trimmed.lastIndexOf(CLOSING_TAG);
  const start = opening + OPENING_TAG.length;
  // Must not accept `<` anywhere but in the tags: the JSON has none, and neither has the frame.
  if (opening < 0 || closing < start || trimmed.indexOf('<', start) !== closing + 1) return false;
  const last = trimmed.slice(closing + CLOSING_TAG.length);
  return !/[\n<]/.test(last) && last !== '' && holdsSnapshots(trimmed.slice(start, closing));
}

/**
 * Whether a value is the provenance record of a context message: the `source` that rides in the metadata of formats
 * that have one.
 *
 * @param value - metadata of unknown shape.
 */
export function isSessionReferenceSource(value: unknown): boolean {
  return isRecord(value) && value.kind === 'session-reference' && Array.isArray(value.references);
}

function holdsSnapshots(line: string): boolean {
  if (!line.startsWith('[{') || line.includes('\n')) return false;
  try {
    const snapshots: unknown = JSON.parse(line);
    return Array.isArray(snapshots) && snapshots.every(isSnapshot);
  } catch {
    return false;
  }
}

function isSnapshot(value: unknown): boolean {
  return isRecord(value) && typeof value.sessionId === 'string' && Array.isArray(value.conversation);
}
