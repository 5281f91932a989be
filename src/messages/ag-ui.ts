import type { PreparedMessage } from '../reference.ts';
import type { Attachment } from './attachment.ts';
import {
  type ContentShape,
  createMessageId,
  type MessageOptions,
  textOf,
  toPair,
  toTextOrParts,
} from './message-pair.ts';

/** A part of an AG-UI user message. `binary` is the attachment that every version of the protocol knows. */
export type AgUiContent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'binary';
      readonly mimeType: string;
      readonly id?: string;
      readonly url?: string;
      readonly data?: string;
      readonly filename?: string;
    };

/** An AG-UI message with role `user`. */
export interface AgUiUserMessage {
  readonly id: string;
  readonly role: 'user';
  readonly content: string | AgUiContent[];
}

const SHAPE: ContentShape<AgUiContent> = {
  name: 'a part of an AG-UI message',
  text: (text) => ({ type: 'text', text }),
  attachment: toBinary,
};

/**
 * A prepared message as AG-UI messages: the context, then the user's own message. AG-UI messages have no metadata, so
 * the context is known again by its text.
 *
 * @param prepared - what `prepare` returned.
 * @param options - see {@link MessageOptions}.
 * @throws SessionReferenceError `INVALID_REFERENCE`, naming a content block that is neither text, image nor file.
 */
export function toAgUiMessages(prepared: PreparedMessage, options?: MessageOptions | null): AgUiUserMessage[] {
  return toPair<AgUiUserMessage>(
    prepared,
    (context) => ({ id: context.id, role: 'user', content: textOf(context) }),
    (content) => ({ id: createMessageId(options), role: 'user', content: toTextOrParts(content, SHAPE) }),
  );
}

function toBinary({ kind, source, mediaType, name }: Attachment): AgUiContent {
  const mimeType = mediaType ?? (kind === 'image' ? 'image/*' : 'application/octet-stream');
  const filename = name === undefined ? {} : { filename: name };
  if (source.type === 'url') return { type: 'binary', mimeType, url: source.url, ...filename };
  if (source.type === 'id') return { type: 'binary', mimeType, id: source.id, ...filename };
  return { type: 'binary', mimeType, data: source.data, ...filename };
}
