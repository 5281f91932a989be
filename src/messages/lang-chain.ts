import type { PreparedMessage, SessionReferenceSource } from '../reference.ts';
import type { Attachment } from './attachment.ts';
import {
  type ContentShape,
  createMessageId,
  type MessageOptions,
  textOf,
  toPair,
  toTextOrParts,
} from './message-pair.ts';

/** A content block of a LangChain message; attachments as both its Python and its JavaScript library read them. */
export type LangChainContent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'file';
      readonly source_type: 'url' | 'base64' | 'id';
      readonly url?: string;
      readonly data?: string;
      readonly id?: string;
      readonly mime_type?: string;
      readonly metadata?: { readonly filename: string };
    };

/** A LangChain `HumanMessage` as plain data, as the LangGraph SDK takes it. */
export interface LangChainHumanMessage {
  readonly type: 'human';
  readonly id: string;
  readonly content: string | LangChainContent[];
  /** Only on the context message: where it comes from. */
  readonly additional_kwargs?: { readonly sessionReference: SessionReferenceSource };
}

const SHAPE: ContentShape<LangChainContent> = {
  name: 'a content block of a LangChain message',
  text: (text) => ({ type: 'text', text }),
  attachment: toDataBlock,
};

/**
 * A prepared message as LangChain human messages: the context, with its provenance under
 * `additional_kwargs.sessionReference`, then the user's own message.
 *
 * @param prepared - what `prepare` returned.
 * @param options - see {@link MessageOptions}.
 * @throws SessionReferenceError `INVALID_REFERENCE`, naming a content block that is neither text, image nor file.
 */
export function toLangChainMessages(
  prepared: PreparedMessage,
  options?: MessageOptions | null,
): LangChainHumanMessage[] {
  return toPair<LangChainHumanMessage>(
    prepared,
    (context) => ({
      type: 'human',
      id: context.id,
      content: textOf(context),
      additional_kwargs: { sessionReference: context.source },
    }),
    (content) => ({ type: 'human', id: createMessageId(options), content: toTextOrParts(content, SHAPE) }),
  );
}

function toDataBlock({ kind, source, mediaType, name }: Attachment): LangChainContent {
  const details = {
    ...(mediaType === undefined ? {} : { mime_type: mediaType }),
    ...(name === undefined ? {} : { metadata: { filename: name } }),
  };
  if (source.type === 'url') return { type: kind, source_type: 'url', url: source.url, ...details };
  if (source.type === 'id') return { type: kind, source_type: 'id', id: source.id, ...details };
  return { type: kind, source_type: 'base64', data: source.data, ...details };
}
