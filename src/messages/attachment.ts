import { replaceLoneSurrogates } from '../mention/well-formed.ts';
import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';

/** Where the bytes of an attachment are: at an address, in the message, or with the provider under an id. */
export type AttachmentSource =
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'base64'; readonly data: string }
  | { readonly type: 'id'; readonly id: string };

/** An image or file of a message, whichever of the common shapes it was written in. */
export interface Attachment {
  readonly kind: 'image' | 'file';
  readonly source: AttachmentSource;
  /** IANA media type, where the block told one. */
  readonly mediaType: string | undefined;
  readonly name: string | undefined;
}

const IMAGE_TYPES: readonly string[] = ['image', 'image_url', 'input_image'];
const FILE_TYPES: readonly string[] = ['file', 'input_file', 'document', 'binary'];

/** The fields that hold the bytes, by what they hold. */
const ADDRESS_FIELDS = ['url', 'file_url'];
/** An address, a data URL or bare base64. */
const IMAGE_FIELDS = ['image_url', 'image'];
const DATA_FIELDS = ['data', 'file_data', 'value'];
const ID_FIELDS = ['file_id', 'fileId'];
const MEDIA_TYPE_FIELDS = ['mediaType', 'media_type', 'mimeType', 'mime_type'];
const NAME_FIELDS = ['filename', 'name', 'title'];

/** Begins `data:image/png;base64,…`; other data URLs stay addresses. */
const DATA_URL = /^data:/i;
const BASE64 = /;base64$/i;
const ADDRESS = /^[a-z][a-z0-9+.-]*:/i;

/**
 * An image or file block as AI SDK, OpenAI (chat and Responses), Anthropic, AG-UI and LangChain write it.
 *
 * @param block - a content block that is not text.
 * @returns `undefined` for anything else, and for an attachment without an address, bytes or id.
 */
export function readAttachment(block: ContentBlock): Attachment | undefined {
  const isImage = IMAGE_TYPES.includes(block.type);
  if (!isImage && !FILE_TYPES.includes(block.type)) return undefined;
  const holders = [block.source, block.file, block.image_url, block].filter(isRecord);
  const found = firstOf(holders, readSource);
  if (found === undefined) return undefined;
  const mediaType = firstOf(holders, (holder) => readText(holder, MEDIA_TYPE_FIELDS)) ?? found.mediaType;
  const givenName = firstOf(holders, (holder) => readText(holder, NAME_FIELDS)) ?? readMetadataName(block.metadata);
  const name = givenName === undefined ? undefined : replaceLoneSurrogates(givenName);
  const kind = isImage || mediaType?.startsWith('image/') === true ? 'image' : 'file';
  return { kind, source: found.source, mediaType, name };
}

/**
 * The address of an attachment: its own, or a data URL with its bytes.
 *
 * @param attachment - an image or file.
 * @returns `undefined` when only the provider has the bytes, or their media type is not known.
 */
export function toAddress({ source, mediaType }: Attachment): string | undefined {
  if (source.type === 'url') return source.url;
  return source.type === 'base64' && mediaType !== undefined ? `data:${mediaType};base64,${source.data}` : undefined;
}

interface FoundSource {
  readonly source: AttachmentSource;
  readonly mediaType?: string;
}

function readSource(holder: UnknownRecord): FoundSource | undefined {
  // A document of Anthropic may hold plain text where others have base64.
  if (holder.type === 'text') return undefined;
  const data = readText(holder, DATA_FIELDS);
  const address = data === undefined ? readText(holder, ADDRESS_FIELDS) : undefined;
  // Must not be taken for base64: an address may be relative.
  if (address !== undefined && !DATA_URL.test(address)) return { source: { type: 'url', url: address } };
  const bytes = data ?? address ?? readText(holder, IMAGE_FIELDS);
  if (bytes !== undefined) return toSource(bytes);
  // A plain `id` names the block in some shapes, and the bytes only in these two.
  const hasOwnId = holder.type === 'binary' || holder.source_type === 'id';
  const id = readText(holder, hasOwnId ? ['id', ...ID_FIELDS] : ID_FIELDS);
  return id === undefined ? undefined : { source: { type: 'id', id } };
}

/** Must look at the text and not at its field: these fields are used for addresses, data URLs and bare base64. */
function toSource(text: string): FoundSource {
  const comma = text.indexOf(',');
  const parameters = text.slice('data:'.length, Math.max(comma, 0));
  if (DATA_URL.test(text) && BASE64.test(parameters)) {
    const [mediaType] = parameters.split(';', 1);
    const source = { type: 'base64', data: text.slice(comma + 1) } as const;
    return mediaType ? { source, mediaType } : { source };
  }
  return { source: ADDRESS.test(text) ? { type: 'url', url: text } : { type: 'base64', data: text } };
}

function readText(holder: UnknownRecord, fields: readonly string[]): string | undefined {
  return firstOf(fields, (field) => {
    const value = holder[field];
    return typeof value === 'string' && value !== '' ? value : undefined;
  });
}

function readMetadataName(metadata: unknown): string | undefined {
  return isRecord(metadata) ? readText(metadata, NAME_FIELDS) : undefined;
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
