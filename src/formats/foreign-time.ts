/** Numbers below are Unix time in seconds, numbers from here on in milliseconds: 1973 in one, the year 5138 in the other. */
const FIRST_MILLISECONDS = 1e11;

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/;

/**
 * The time a foreign format tells, in Unix ms: from an ISO 8601 date, or a number of seconds or milliseconds.
 *
 * @param value - of unknown type.
 * @returns `undefined` for what is no time.
 */
export function readTime(value: unknown): number | undefined {
  if (typeof value === 'string') return ISO_DATE.test(value) ? finite(Date.parse(value)) : undefined;
  if (typeof value !== 'number' || value <= 0) return undefined;
  return finite(Math.round(value < FIRST_MILLISECONDS ? value * 1000 : value));
}

function finite(time: number): number | undefined {
  return Number.isFinite(time) ? time : undefined;
}
