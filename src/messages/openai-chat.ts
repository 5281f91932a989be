import type { PreparedMessage } from '../reference.ts';
import { type Attachment, toAddress } from './attachment.ts';
import { type ContentShape, textOf, toPair, toTextOrParts } from './message-pair.ts';

/** A part of a user message of the OpenAI chat completions API. */
export type OpenAiChatContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | {
      readonly type: 'file';
      readonly file: { readonly file_id?: string; readonly file_data?: string; readonly filename?: string };
    };

/** A user message of the OpenAI chat completions API and of those that copy it. */
export interface OpenAiChatMessage {
  readonly role: 'user';
  readonly content: string | OpenAiChatContent[];
}

const SHAPE: ContentShape<OpenAiChatContent> = {
  name: 'a part of an OpenAI chat message',
  text: (text) => ({ type: 'text', text }),
  attachment: toChatContent,
};

/**
 * A prepared message as OpenAI chat messages: the context, then the user's own message. The API answers 400 to fields
 * it does not know, so the context has no metadata: it is known again by its text.
 *
 * @param prepared - what `prepare` returned.
 * @throws SessionReferenceError `INVALID_REFERENCE`, naming a content block that the API has no place for.
 */
export function toOpenAiChatMessages(prepared: PreparedMessage): OpenAiChatMessage[] {
  return toPair<OpenAiChatMessage>(
    prepared,
    (context) => ({ role: 'user', content: textOf(context) }),
    (content) => ({ role: 'user', content: toTextOrParts(content, SHAPE) }),
  );
}

function toChatContent(attachment: Attachment): OpenAiChatContent | undefined {
  const { kind, source, name } = attachment;
  const address = toAddress(attachment);
  if (kind === 'image') {
    return address === undefined ? undefined : { type: 'image_url', image_url: { url: address } };
  }
  if (source.type === 'id') return { type: 'file', file: { file_id: source.id } };
  // The API takes no address of a file, only its bytes, and those only with a name.
  if (source.type === 'url' || address === undefined) return undefined;
  return { type: 'file', file: { file_data: address, filename: name ?? 'file' } };
}
