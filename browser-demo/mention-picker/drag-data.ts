import { formatSessionReferenceMention } from '../../src/index.ts';
import type { Draft, DraftReference } from './draft.ts';
import { formatDraft, parseDraft } from './draft-text.ts';

/** Marks a drag that carries sessions, so that a page can tell it from a drag of files or text. */
export const SESSION_DRAG_TYPE = 'application/x-session-reference';

/** Put a session into a drag: a composer makes a chip of it, everything else gets the mention as text. */
export function writeSessionDrag(data: DataTransfer, reference: Omit<DraftReference, 'kind'>): void {
  const mention = formatSessionReferenceMention(reference);
  data.setData(SESSION_DRAG_TYPE, mention);
  data.setData('text/plain', mention);
  data.effectAllowed = 'copy';
}

/** Put a part of a draft into the clipboard or a drag; chips survive wherever plain text does. */
export function writeDraftData(data: DataTransfer, draft: Draft): void {
  data.setData('text/plain', formatDraft(draft));
}

/** What a paste or a drop brings, as a draft. Never HTML. */
export function readDraftData(data: DataTransfer): Draft {
  return parseDraft(data.getData(SESSION_DRAG_TYPE) || data.getData('text/plain').replace(/\r\n?/g, '\n'));
}
