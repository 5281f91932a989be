import { describeType, quoteInput, SessionReferenceError } from '../error.ts';
import { decodeBase64Url, encodeBase64Url } from './base64url.ts';

/** The scheme of a session reference, colon included. */
export const SESSION_REFERENCE_SCHEME = 'dsh-session:';

/**
 * The canonical URI of a session: `dsh-session:` and the unpadded base64url of the UTF-8 of the JSON of the id.
 *
 * @param sessionId - any string; lone surrogates survive, because JSON escapes them.
 * @throws SessionReferenceError `INVALID_REFERENCE` when the id is no string.
 */
export function encodeSessionReferenceUri(sessionId: string): string {
  if (typeof sessionId !== 'string') throw invalid(`A session id must be a string, not ${describeType(sessionId)}.`);
  return SESSION_REFERENCE_SCHEME + encodeBase64Url(new TextEncoder().encode(JSON.stringify(sessionId)));
}

/**
 * The session id in a canonical URI; the reverse of {@link encodeSessionReferenceUri}.
 *
 * @param uri - exactly what `encodeSessionReferenceUri` returns. Any other spelling of the same id is refused, so that
 *   one session has one URI.
 * @throws SessionReferenceError `INVALID_REFERENCE` when the URI is not canonical.
 */
export function decodeSessionReferenceUri(uri: string): string {
  if (typeof uri !== 'string') throw invalid(`A session reference must be a string, not ${describeType(uri)}.`);
  const sessionId = decodePayload(uri);
  if (sessionId === undefined || encodeSessionReferenceUri(sessionId) !== uri) {
    throw invalid(`${quoteInput(uri)} is not a canonical session reference.`);
  }
  return sessionId;
}

function decodePayload(uri: string): string | undefined {
  if (!uri.startsWith(SESSION_REFERENCE_SCHEME)) return undefined;
  const bytes = decodeBase64Url(uri.slice(SESSION_REFERENCE_SCHEME.length));
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(decodeUtf8(bytes));
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Strict UTF-8 from the language itself: TextDecoder drops a leading U+FEFF and is not everywhere the core runs. */
function decodeUtf8(bytes: Uint8Array): string {
  const escapes: string[] = [];
  for (const byte of bytes) escapes.push(byte < 16 ? `%0${byte.toString(16)}` : `%${byte.toString(16)}`);
  return decodeURIComponent(escapes.join(''));
}

function invalid(message: string): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_REFERENCE', message);
}
