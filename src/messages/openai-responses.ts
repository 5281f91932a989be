import type { PreparedMessage } from '../reference.ts';
import { type Attachment, toAddress } from './attachment.ts';
import { type ContentShape, textOf, toPair, toParts } from './message-pair.ts';

/** A part of a user message of the OpenAI Responses API. */
export type OpenAiResponsesContent =
  | { readonly type: 'input_text'; readonly text: string }
  | {
      readonly type: 'input_image';
      readonly detail: 'auto';
      readonly image_url?: string;
      readonly file_id?: string;
    }
  | {
      readonly type: 'input_file';
      readonly file_id?: string;
      readonly file_url?: string;
      readonly file_data?: string;
      readonly filename?: string;
    };

/** A user message as an input item of the OpenAI Responses API. */
export interface OpenAiResponsesMessage {
  readonly type: 'message';
  readonly role: 'user';
  readonly content: OpenAiResponsesContent[];
}

const SHAPE: ContentShape<OpenAiResponsesContent> = {
  name: 'a part of an OpenAI Responses message',
  text: (text) => ({ type: 'input_text', text }),
  attachment: (attachment) => (attachment.kind === 'image' ? toInputImage(attachment) : toInputFile(attachment)),
};

/**
 * A prepared message as input items of the OpenAI Responses API: the context, then the user's own message. The API
 * answers 400 to fields it does not know, so the context has no metadata: it is known again by its text.
 *
 * @param prepared - what `prepare` returned.
 * @throws SessionReferenceError `INVALID_REFERENCE`, naming a content block that is neither text, image nor file.
 */
export function toOpenAiResponsesInput(prepared: PreparedMessage): OpenAiResponsesMessage[] {
  return toPair<OpenAiResponsesMessage>(
    prepared,
    (context) => ({ type: 'message', role: 'user', content: [SHAPE.text(textOf(context))] }),
    (content) => ({ type: 'message', role: 'user', content: toParts(content, SHAPE) }),
  );
}

function toInputImage(attachment: Attachment): OpenAiResponsesContent | undefined {
  const { source } = attachment;
  if (source.type === 'id') return { type: 'input_image', detail: 'auto', file_id: source.id };
  const address = toAddress(attachment);
  return address === undefined ? undefined : { type: 'input_image', detail: 'auto', image_url: address };
}

function toInputFile(attachment: Attachment): OpenAiResponsesContent | undefined {
  const { source, name } = attachment;
  if (source.type === 'id') return { type: 'input_file', file_id: source.id };
  if (source.type === 'url') return { type: 'input_file', file_url: source.url };
  const address = toAddress(attachment);
  return address === undefined ? undefined : { type: 'input_file', file_data: address, filename: name ?? 'file' };
}
