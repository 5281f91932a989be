import { describeType, SessionReferenceError } from '../error.ts';
import { isRecord } from '../record.ts';
import type { SessionReference } from '../reference.ts';
import { toReadableLabel } from './display-label.ts';
import { findMentions, type Mention } from './scan.ts';
import { encodeSessionReferenceUri, SESSION_REFERENCE_SCHEME } from './uri.ts';

/** A message whose mentions became readable labels, and what they referenced. */
export interface ParsedSessionReferenceText {
  /** The text for people and for the model, with `@label` where a mention stood. */
  readonly text: string;
  /** In order of appearance, repeated ids included; each label as it was written. */
  readonly references: readonly SessionReferenceWithLabel[];
}

/** A reference whose label is known. */
export interface SessionReferenceWithLabel extends SessionReference {
  readonly label: string;
}

/**
 * The Markdown mention of a session: `@[label](dsh-session:…)`, with `\` and `]` of the label escaped.
 *
 * @param reference - the session, and what to call it; without a label, its id.
 * @throws SessionReferenceError `INVALID_REFERENCE` when the id or the label is no string.
 */
export function formatSessionReferenceMention(reference: SessionReference): string {
  const { sessionId, label = sessionId } = parseSessionReference(reference);
  return `@[${label.replace(/[\\\]]/g, '\\$&')}](${encodeSessionReferenceUri(sessionId)})`;
}

/**
 * Find the session references in a message.
 *
 * Markdown mentions and bare canonical URIs become `@label`, made safe as `displayLabel` does (a lone surrogate stays
 * until `prepare` replaces it). Parsing the resulting text again finds nothing and changes nothing. Takes time linear
 * in the length of the text, whatever the text is.
 *
 * @param text - what the user wrote. Never give it text of another session: what stands there is no mention.
 * @throws SessionReferenceError `INVALID_REFERENCE` for `@[…](dsh-session:…)` whose URI is not canonical, and for
 *   `dsh-session:` followed by base64url characters that are not canonical.
 */
export function parseSessionReferenceText(text: string): ParsedSessionReferenceText {
  if (typeof text !== 'string') throw invalid(`The text must be a string, not ${describeType(text)}.`);
  const mentions = findMentions(text);
  const references = mentions.map(({ sessionId, label }) => ({ sessionId, label }));
  const readable = replaceMentions(text, mentions, toReadableLabel);
  // Must not let labels and the text around them make a mention together: without brackets and backslashes they cannot.
  const isStable = mentions.length === 0 || !hasMentions(readable);
  return { text: isStable ? readable : replaceMentions(text, mentions, toPlainLabel), references };
}

/**
 * Narrow one reference of a caller.
 *
 * @param value - anything.
 * @throws SessionReferenceError `INVALID_REFERENCE`, naming the field that is wrong.
 */
export function parseSessionReference(value: unknown): SessionReference {
  if (!isRecord(value)) throw invalid(`A reference must be an object, not ${describeType(value)}.`);
  const { sessionId, label } = value;
  if (typeof sessionId !== 'string') {
    throw invalid(`A reference's sessionId must be a string, not ${describeType(sessionId)}.`);
  }
  if (label === undefined) return { sessionId };
  if (typeof label !== 'string') throw invalid(`A reference's label must be a string, not ${describeType(label)}.`);
  return { sessionId, label };
}

const SPLIT_CHARACTER = /^[\ud800-\udbff][\udc00-\udfff]$/;

function replaceMentions(text: string, mentions: readonly Mention[], toLabel: (label: string) => string): string {
  const parts: string[] = [];
  let position = 0;
  let label = '';
  for (const mention of mentions) {
    parts.push(separate(label, text.slice(position, mention.start)));
    label = toLabel(mention.label);
    parts.push('@', label);
    position = mention.end;
  }
  parts.push(separate(label, text.slice(position)));
  return parts.join('');
}

/** What follows a label, kept apart from it where the two together would spell the scheme, or another character. */
function separate(label: string, following: string): string {
  const reach = SESSION_REFERENCE_SCHEME.length - 1;
  const seam = label.slice(-reach) + following.slice(0, reach);
  const isJoined =
    seam.includes(SESSION_REFERENCE_SCHEME) || SPLIT_CHARACTER.test(label.slice(-1) + following.slice(0, 1));
  return label !== '' && isJoined ? ` ${following}` : following;
}

function toPlainLabel(label: string): string {
  return toReadableLabel(label).replace(/[[\]\\]/g, (character) =>
    character === '[' ? '(' : character === ']' ? ')' : '/',
  );
}

function hasMentions(text: string): boolean {
  try {
    return findMentions(text).length > 0;
  } catch {
    return true;
  }
}

function invalid(message: string): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_REFERENCE', message);
}
