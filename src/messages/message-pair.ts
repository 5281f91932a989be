import { quoteInput, SessionReferenceError } from '../error.ts';
import { replaceLoneSurrogates } from '../mention/well-formed.ts';
import { isRecord } from '../record.ts';
import type { PreparedMessage, SessionReferenceContext } from '../reference.ts';
import { createRandomId } from '../runtime.ts';
import type { ContentBlock } from '../session/session.ts';
import { type Attachment, readAttachment } from './attachment.ts';

/** What the shapes with ids take besides the prepared message. */
export interface MessageOptions {
  /** Makes the id of the user's own message. Default: `crypto.randomUUID()`, or random bytes in hex. */
  readonly createId?: () => string;
}

/** How a message shape writes text and attachments. */
export interface ContentShape<Part> {
  /** What people call the shape, for the error. */
  readonly name: string;
  readonly text: (text: string) => Part;
  /** `undefined` where the shape has no place for it. */
  readonly attachment: (attachment: Attachment) => Part | undefined;
}

/**
 * Write the pair in one shape: the context first, the user's own message second; only the second without references.
 *
 * @param prepared - what `prepare` returned.
 * @param toContext - writes the context message.
 * @param toDirect - writes the user's own message.
 * @throws SessionReferenceError `INVALID_REFERENCE` when it is something else.
 */
export function toPair<Message>(
  prepared: PreparedMessage,
  toContext: (context: SessionReferenceContext) => Message,
  toDirect: (content: readonly ContentBlock[]) => Message,
): Message[] {
  if (!isPrepared(prepared)) {
    const message = 'A prepared message must be what prepare() returned.';
    throw new SessionReferenceError('SESSION_REFERENCE_INVALID_REFERENCE', message);
  }
  const direct = toDirect(prepared.content);
  return prepared.additionalContext === undefined ? [direct] : [toContext(prepared.additionalContext), direct];
}

function isPrepared(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value.content)) return false;
  return value.content.every((block) => isRecord(block) && typeof block.type === 'string');
}

/** The text of a context message. */
export function textOf(context: SessionReferenceContext): string {
  return context.content[0].text;
}

/** The id of the user's own message. */
export function createMessageId(options: MessageOptions | null | undefined): string {
  return (options?.createId ?? createRandomId)();
}

/**
 * Content blocks in another shape, one part per block, in order.
 *
 * @param content - what `prepare` returned.
 * @param shape - how to write them.
 * @throws SessionReferenceError `INVALID_REFERENCE` for the first block that the shape has no place for: nothing that
 *   the user attached is left out silently.
 */
export function toParts<Part>(content: readonly ContentBlock[], shape: ContentShape<Part>): Part[] {
  return content.map((block, index) => {
    // Must be well-formed: model APIs refuse a whole prompt for one lone surrogate, from a label or a cut paste.
    if (block.type === 'text' && typeof block.text === 'string') return shape.text(replaceLoneSurrogates(block.text));
    const attachment = readAttachment(block);
    const part = attachment === undefined ? undefined : shape.attachment(attachment);
    if (part !== undefined) return part;
    throw new SessionReferenceError(
      'SESSION_REFERENCE_INVALID_REFERENCE',
      `Content block ${index} of type ${quoteInput(block.type)} cannot be written as ${shape.name}.`,
    );
  });
}

/**
 * The parts, or the text alone where there is nothing else: every implementation of a shape takes a string.
 *
 * @param content - what `prepare` returned.
 * @param shape - how to write it.
 * @throws SessionReferenceError `INVALID_REFERENCE`, as {@link toParts}.
 */
export function toTextOrParts<Part>(content: readonly ContentBlock[], shape: ContentShape<Part>): string | Part[] {
  const [only] = content;
  if (content.length === 1 && only?.type === 'text' && typeof only.text === 'string')
    return replaceLoneSurrogates(only.text);
  return toParts(content, shape);
}
