/**
 * Every code a {@link SessionReferenceError} can carry.
 *
 * The first seven are those of the service. `WORKER_FAILED` comes from the worker client, `STORE_FAILED` from the
 * stores, and `INVALID_LOG` from whatever reads or folds a session log.
 */
export const SESSION_REFERENCE_ERROR_CODES = [
  'SESSION_REFERENCE_INVALID_CONFIG',
  'SESSION_REFERENCE_INVALID_REFERENCE',
  'SESSION_REFERENCE_SELF_REFERENCE',
  'SESSION_REFERENCE_TOO_MANY',
  'SESSION_REFERENCE_READ_FAILED',
  'SESSION_REFERENCE_BUDGET_EXCEEDED',
  'SESSION_REFERENCE_CANCELLED',
  'SESSION_REFERENCE_WORKER_FAILED',
  'SESSION_REFERENCE_STORE_FAILED',
  'SESSION_REFERENCE_INVALID_LOG',
] as const;

/** One of {@link SESSION_REFERENCE_ERROR_CODES}. */
export type SessionReferenceErrorCode = (typeof SESSION_REFERENCE_ERROR_CODES)[number];

const ERROR_NAME = 'SessionReferenceError';

/**
 * The only error this library throws or rejects with.
 *
 * `code` is stable and meant for programs, `message` is for people: it names what was wrong and what is allowed, and
 * never contains text of a session. `cause` is the original failure, where there was one.
 */
export class SessionReferenceError extends Error {
  /** What went wrong, as one of {@link SESSION_REFERENCE_ERROR_CODES}. */
  readonly code: SessionReferenceErrorCode;

  /**
   * @param code - what went wrong.
   * @param message - a sentence for people, without session text; quote input with `quoteInput` only.
   * @param options - `cause`: the failure behind this one.
   */
  constructor(code: SessionReferenceErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = ERROR_NAME;
    this.code = code;
  }
}

/**
 * Whether `value` is a {@link SessionReferenceError}, also one made in another realm or worker, or by another copy of
 * this library: class identity does not survive `postMessage`, so the shape decides.
 *
 * @param value - anything, usually what was caught.
 */
export function isSessionReferenceError(value: unknown): value is SessionReferenceError {
  if (typeof value !== 'object' || value === null) return false;
  const { name, code, message } = value as { name?: unknown; code?: unknown; message?: unknown };
  return (
    name === ERROR_NAME &&
    typeof message === 'string' &&
    (SESSION_REFERENCE_ERROR_CODES as readonly unknown[]).includes(code)
  );
}

const QUOTED_CODE_POINTS = 200;

/**
 * Input as it may stand in an error message: at most 200 code points, in double quotes, with quotes, control
 * characters, invisible characters and lone surrogates escaped. Never give it session text.
 *
 * @param input - an id, a uri, a key: something a caller passed in.
 */
export function quoteInput(input: string): string {
  // Must bound before anything else: the input may be megabytes long.
  const start = Array.from(input.slice(0, 2 * QUOTED_CODE_POINTS))
    .slice(0, QUOTED_CODE_POINTS)
    .join('');
  const escaped = JSON.stringify(start).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    escapeCodePoint,
  );
  return start.length < input.length ? `${escaped.slice(0, -1)}…"` : escaped;
}

function escapeCodePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * What kind of thing a rejected value was, for an error message: `null`, `an array`, `a number`, and so on.
 *
 * @param value - anything; only its type is told, never its content.
 */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  const type = typeof value;
  return type === 'object' ? 'an object' : `a ${type}`;
}
