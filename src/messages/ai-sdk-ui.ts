import type { PreparedMessage, SessionReferenceSource } from '../reference.ts';
import { toAddress } from './attachment.ts';
import { type ContentShape, createMessageId, type MessageOptions, textOf, toPair, toParts } from './message-pair.ts';

/** A part of an AI SDK `UIMessage` as a user message has it. */
export type AiSdkUiPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly mediaType: string; readonly url: string; readonly filename?: string };

/** An AI SDK 5–7 `UIMessage` with role `user`. */
export interface AiSdkUiMessage {
  readonly id: string;
  readonly role: 'user';
  readonly parts: AiSdkUiPart[];
  /** Only on the context message: where it comes from. */
  readonly metadata?: { readonly sessionReference: SessionReferenceSource };
}

const SHAPE: ContentShape<AiSdkUiPart> = {
  name: 'a part of an AI SDK UI message',
  text: (text) => ({ type: 'text', text }),
  attachment: (attachment) => {
    const url = toAddress(attachment);
    if (url === undefined) return undefined;
    const { kind, name } = attachment;
    // The AI SDK takes `image/*` for an image of which no more is known.
    const mediaType = attachment.mediaType ?? (kind === 'image' ? 'image/*' : 'application/octet-stream');
    return { type: 'file', mediaType, url, ...(name === undefined ? {} : { filename: name }) };
  },
};

/**
 * A prepared message as AI SDK `UIMessage`s, for `useChat`: the context, with its provenance under
 * `metadata.sessionReference`, then the user's own message.
 *
 * @param prepared - what `prepare` returned.
 * @param options - see {@link MessageOptions}.
 * @throws SessionReferenceError `INVALID_REFERENCE`, naming a content block that is neither text, image nor file.
 */
export function toAiSdkUiMessages(prepared: PreparedMessage, options?: MessageOptions | null): AiSdkUiMessage[] {
  return toPair<AiSdkUiMessage>(
    prepared,
    (context) => ({
      id: context.id,
      role: 'user',
      parts: [SHAPE.text(textOf(context))],
      metadata: { sessionReference: context.source },
    }),
    (content) => ({ id: createMessageId(options), role: 'user', parts: toParts(content, SHAPE) }),
  );
}
