import { describeType, isSessionReferenceError, SessionReferenceError } from '../src/error.ts';
import { isRecord, type UnknownRecord } from '../src/record.ts';

/** Characters of a message or a text that cross the border. */
const MAX_TEXT_LENGTH = 2_000;
/** Causes of causes that cross the border. */
const MAX_CAUSE_DEPTH = 4;

/**
 * A failure as plain data. Class identity, `code` and `cause` of an error do not survive `postMessage`; these do.
 * An error becomes an object, a primitive stays, and anything else becomes the word for what it was.
 */
export type ErrorData = string | number | boolean | bigint | null | undefined | ErrorFields;

/** An error as plain data. */
export interface ErrorFields {
  readonly name: string;
  readonly message: string;
  readonly code?: string | number | undefined;
  readonly cause?: ErrorData;
}

/**
 * Make a failure, or the reason of an abort, ready to be sent. Bounded in size and depth.
 *
 * @param value - what was thrown: anything.
 */
export function toErrorData(value: unknown, depth = 0): ErrorData {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT_LENGTH);
  if (typeof value === 'symbol' || typeof value === 'function') return describeType(value);
  if (typeof value !== 'object' || value === null) return value as ErrorData;
  try {
    const { name, message, code, cause } = value as UnknownRecord;
    if (typeof message !== 'string') return describeType(value);
    return {
      name: String(name).slice(0, MAX_TEXT_LENGTH),
      message: message.slice(0, MAX_TEXT_LENGTH),
      code: typeof code === 'number' ? code : typeof code === 'string' ? code.slice(0, MAX_TEXT_LENGTH) : undefined,
      cause: depth < MAX_CAUSE_DEPTH ? toErrorData(cause, depth + 1) : undefined,
    };
  } catch {
    // A getter of the host's own error class threw.
    return describeType(value);
  }
}

/**
 * Make a failure of what arrived: a {@link SessionReferenceError} where it was one, else an `Error` with the same name,
 * or the primitive that was thrown.
 *
 * @param data - what {@link toErrorData} made, as it came over the border.
 */
export function fromErrorData(data: unknown, depth = 0): unknown {
  if (!isRecord(data)) return data;
  // Must stop somewhere: the other side may send any depth.
  if (depth > MAX_CAUSE_DEPTH) return undefined;
  const { name, message, code, cause } = data;
  const options = cause === undefined ? undefined : { cause: fromErrorData(cause, depth + 1) };
  if (isSessionReferenceError(data)) return new SessionReferenceError(data.code, data.message, options);
  const error = Object.assign(new Error(showText(message), options), { name: showText(name) });
  return code === undefined ? error : Object.assign(error, { code });
}

/** Must not be `String`: the other side may send an object whose `toString` is no function. */
function showText(value: unknown): string {
  return typeof value === 'string' ? value : describeType(value);
}
