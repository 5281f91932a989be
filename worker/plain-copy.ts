import { quoteInput, SessionReferenceError } from '../src/error.ts';

/** A copy whose fields are not there yet. */
interface OpenCopy {
  readonly source: { readonly [key: string]: unknown };
  readonly copy: { [key: string]: unknown };
  readonly path: string;
}

/**
 * Copy what `postMessage` refused: reactive proxies (Vue, MobX, Solid) and class instances become plain objects and
 * arrays with the same own fields, at any depth. Dates, blobs, typed arrays and whatever else structured clone can copy
 * by itself stay what they are. Shared objects and cycles stay shared.
 *
 * @param root - the value to copy. Its own path is empty, so that a fault reads `content[0].onClick`.
 * @param kept - values that stay themselves, because they are handed over.
 * @throws SessionReferenceError `INVALID_REFERENCE`, naming the path of a function, a symbol, a DOM node, or anything else
 *   that cannot be sent.
 */
export function copyPlain(root: unknown, kept: readonly unknown[] = []): unknown {
  const copies = new Map<unknown, unknown>(kept.map((value) => [value, value]));
  const open: OpenCopy[] = [];
  let path = '';
  const copyValue = (value: unknown): unknown => {
    if (isPrimitive(value)) return value;
    if (copies.has(value)) return copies.get(value);
    const copy = createEmptyCopy(value);
    if (copy !== undefined) open.push({ source: value, copy, path } as OpenCopy);
    const result = copy ?? structuredClone(value);
    copies.set(value, result);
    return result;
  };
  try {
    const result = copyValue(root);
    // Must be a list that grows while it is walked, not recursion: the depth is the caller's.
    for (const { source, copy, path: parent } of open) {
      for (const key of Object.keys(source)) {
        path = Array.isArray(source) ? `${parent}[${key}]` : parent === '' ? key : `${parent}.${key}`;
        copy[key] = copyValue(source[key]);
      }
    }
    return result;
  } catch (cause) {
    throw new SessionReferenceError(
      'SESSION_REFERENCE_INVALID_REFERENCE',
      `${quoteInput(path)} cannot be sent to the worker: it must be plain data.`,
      { cause },
    );
  }
}

function isPrimitive(value: unknown): boolean {
  return Object(value) !== value && typeof value !== 'symbol';
}

/** What to fill with the fields of an array or an object; `undefined` for what only structured clone can copy. */
function createEmptyCopy(value: unknown): object | undefined {
  if (Array.isArray(value)) return Object.assign([], { length: value.length });
  // Must have no prototype, or a field named `__proto__` would set it. DOM nodes and built-ins have tags of their own.
  return Object.prototype.toString.call(value) === '[object Object]' ? Object.create(null) : undefined;
}
