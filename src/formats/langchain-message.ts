import { isRecord, type UnknownRecord } from '../record.ts';

/** A LangChain message as plain data, whichever way it was serialised. */
export interface LangChainMessage {
  readonly kind: 'human' | 'ai' | 'tool' | 'system' | 'remove' | 'unknown';
  readonly fields: UnknownRecord;
}

/** Types and class names in lower case, without `message` and `messagechunk`. */
const KINDS: ReadonlyMap<string, LangChainMessage['kind']> = new Map([
  ['human', 'human'],
  ['user', 'human'],
  ['ai', 'ai'],
  ['assistant', 'ai'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['system', 'system'],
  ['developer', 'system'],
  ['remove', 'remove'],
]);

/** Types that only LangChain has; `tool` and `system` are everybody's. */
const OWN_TYPES = /^(?:human|ai|(?:Human|AI|System|Tool|Function|Remove|Chat)Message(?:Chunk)?)$/;

/**
 * Whether a value is surely a LangChain message.
 *
 * @param value - of unknown shape.
 */
export function isLangChainMessage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value.lc === 1) return value.type === 'constructor' && Array.isArray(value.id) && isRecord(value.kwargs);
  if (typeof value.type !== 'string' || !OWN_TYPES.test(value.type)) return false;
  return 'content' in value || (isRecord(value.data) && 'content' in value.data);
}

/**
 * A message out of `{ type, … }`, `{ type, data }`, `{ lc, id, kwargs }`, `{ role, … }` or `[role, content]`. A finished
 * answer may still be of the class `AIMessageChunk`.
 *
 * @param value - of unknown shape.
 * @returns `undefined` for what is none of them.
 */
export function toPlainMessage(value: unknown): LangChainMessage | undefined {
  if (Array.isArray(value)) {
    const [role, content] = value as readonly unknown[];
    return typeof role === 'string' && content !== undefined ? toMessage(role, { content }) : undefined;
  }
  if (!isRecord(value)) return undefined;
  if (isRecord(value.kwargs) && Array.isArray(value.id)) return toMessage(value.id.at(-1), value.kwargs);
  if (isRecord(value.data) && !('content' in value)) return toMessage(value.type, value.data);
  const type = value.type ?? value.role;
  return typeof type === 'string' ? toMessage(type, value) : undefined;
}

function toMessage(type: unknown, fields: UnknownRecord): LangChainMessage {
  const name = typeof type === 'string' ? type.toLowerCase().replace(/message(?:chunk)?$/, '') : '';
  // A chat message has its role in a field.
  const role = name === 'chat' && typeof fields.role === 'string' ? fields.role.toLowerCase() : name;
  return { kind: KINDS.get(role) ?? 'unknown', fields };
}
