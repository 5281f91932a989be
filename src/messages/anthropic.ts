import { SessionReferenceError } from '../error.ts';
import type { PreparedMessage } from '../reference.ts';
import type { ContentBlock } from '../session/session.ts';
import type { Attachment } from './attachment.ts';
import { type ContentShape, textOf, toPair, toParts } from './message-pair.ts';

/** Where the bytes of an image or document are, as the Anthropic Messages API has it. */
export type AnthropicSource =
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string };

/** A content block of a user message of the Anthropic Messages API. */
export type AnthropicContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly source: AnthropicSource }
  | { readonly type: 'document'; readonly source: AnthropicSource; readonly title?: string };

/** A user message of the Anthropic Messages API. */
export interface AnthropicMessage {
  readonly role: 'user';
  readonly content: AnthropicContent[];
}

const SHAPE: ContentShape<AnthropicContent> = {
  name: 'a content block of an Anthropic message',
  text: (text) => ({ type: 'text', text }),
  attachment: toAnthropicContent,
};

/**
 * A prepared message as Anthropic messages: the context, then the user's own message. The API answers 400 to fields it
 * does not know, so the context has no metadata: it is known again by its text. Blocks of white space are left out,
 * because the API refuses them.
 *
 * @param prepared - what `prepare` returned.
 * @throws SessionReferenceError `INVALID_REFERENCE`, naming a content block that the API has no place for, or when
 *   nothing but white space is left.
 */
export function toAnthropicMessages(prepared: PreparedMessage): AnthropicMessage[] {
  return toPair<AnthropicMessage>(
    prepared,
    (context) => ({ role: 'user', content: [SHAPE.text(textOf(context))] }),
    (content) => ({ role: 'user', content: toVisibleParts(content) }),
  );
}

function toVisibleParts(content: readonly ContentBlock[]): AnthropicContent[] {
  const parts = toParts(content, SHAPE).filter((part) => part.type !== 'text' || /\S/.test(part.text));
  if (parts.length > 0) return parts;
  const message = 'An Anthropic message needs content, and this one has nothing but white space.';
  throw new SessionReferenceError('SESSION_REFERENCE_INVALID_REFERENCE', message);
}

function toAnthropicContent({ kind, source, mediaType, name }: Attachment): AnthropicContent | undefined {
  const converted = toAnthropicSource(source, mediaType);
  if (converted === undefined) return undefined;
  if (kind === 'image') return { type: 'image', source: converted };
  // The API takes the bytes of no other document than a PDF.
  if (converted.type === 'base64' && converted.media_type !== 'application/pdf') return undefined;
  return { type: 'document', source: converted, ...(name === undefined ? {} : { title: name }) };
}

function toAnthropicSource(source: Attachment['source'], mediaType: string | undefined): AnthropicSource | undefined {
  if (source.type === 'url') return { type: 'url', url: source.url };
  if (source.type === 'id') return { type: 'file', file_id: source.id };
  return mediaType === undefined ? undefined : { type: 'base64', media_type: mediaType, data: source.data };
}
