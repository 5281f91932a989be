import type { PreparedMessage, SessionReferenceSource } from '../reference.ts';
import type { Attachment } from './attachment.ts';
import { type ContentShape, textOf, toPair, toParts } from './message-pair.ts';

/** A part of an AI SDK `ModelMessage` as a user message has it. */
export type AiSdkModelContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly image: string; readonly mediaType?: string }
  | { readonly type: 'file'; readonly data: string; readonly mediaType: string; readonly filename?: string };

/** An AI SDK 5–7 `ModelMessage` with role `user`. */
export interface AiSdkModelMessage {
  readonly role: 'user';
  readonly content: AiSdkModelContent[];
  /** Only on the context message: where it comes from. Model providers ignore options that are not theirs. */
  readonly providerOptions?: { readonly sessionReference: SessionReferenceSource };
}

const SHAPE: ContentShape<AiSdkModelContent> = {
  name: 'a part of an AI SDK model message',
  text: (text) => ({ type: 'text', text }),
  attachment: toModelContent,
};

/**
 * A prepared message as AI SDK `ModelMessage`s, for `streamText`: the context, with its provenance under
 * `providerOptions.sessionReference`, then the user's own message.
 *
 * @param prepared - what `prepare` returned.
 * @throws SessionReferenceError `INVALID_REFERENCE`, naming a content block that is neither text, image nor file.
 */
export function toAiSdkModelMessages(prepared: PreparedMessage): AiSdkModelMessage[] {
  return toPair<AiSdkModelMessage>(
    prepared,
    (context) => ({
      role: 'user',
      content: [SHAPE.text(textOf(context))],
      providerOptions: { sessionReference: context.source },
    }),
    (content) => ({ role: 'user', content: toParts(content, SHAPE) }),
  );
}

/** The AI SDK takes an address and bare base64 in the same field. */
function toModelContent({ kind, source, mediaType, name }: Attachment): AiSdkModelContent | undefined {
  if (source.type === 'id') return undefined;
  const data = source.type === 'url' ? source.url : source.data;
  if (kind === 'image') return { type: 'image', image: data, ...(mediaType === undefined ? {} : { mediaType }) };
  const filename = name === undefined ? {} : { filename: name };
  return { type: 'file', data, mediaType: mediaType ?? 'application/octet-stream', ...filename };
}
